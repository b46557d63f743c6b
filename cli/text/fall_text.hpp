#pragma once

#include <string>

#include "cli/output/answer.hpp"
#include "cli/text/text_style.hpp"
#include "engine/evaluation/simulation.hpp"
#include "engine/falls/fall.hpp"
#include "results/rows/rows.hpp"

namespace counterpoise {

/// The events as rows of a CSV file, numbers in SI. A stop has its name under `contact`, and no
/// point; so has a held actuator that moved at the start.
Table events_table(const Fall& fall, const Mechanism& mechanism, const Scenario& scenario);

/// The outcome of a fall in a few lines: the first events with their units, when it came to rest,
/// energies.
std::string summary_text(const Fall& fall, const Mechanism& mechanism, const Scenario& scenario,
                         const TextStyle& style);

/// The same as JSON, with all events.
Json summary_json(const Fall& fall, const Mechanism& mechanism, const Scenario& scenario);

/// The columns of a simulation or a fall as a table, one row a sample.
inline Table table_of(const std::vector<Series>& columns) {
  Table table;
  for (const Series& series : columns) table.columns.push_back(series.name);
  table.rows.resize(columns.front().values.size());
  for (std::size_t k = 0; k < table.rows.size(); ++k)
    for (const Series& series : columns) table.rows[k].emplace_back(series.values[k]);
  return table;
}

}  // namespace counterpoise
