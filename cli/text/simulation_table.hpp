#pragma once

#include "engine/evaluation/simulation.hpp"
#include "results/rows/rows.hpp"

namespace counterpoise {

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
