#pragma once

#include "engine/evaluation/simulation.hpp"
#include "results/rows/table.hpp"

namespace counterpoise {

/// The columns of a simulation as a table, one row a sample.
inline Table table_of(const Simulation& simulation) {
  Table table;
  for (const Series& series : simulation.columns) table.columns.push_back(series.name);
  table.rows.resize(simulation.columns.front().values.size());
  for (std::size_t k = 0; k < table.rows.size(); ++k)
    for (const Series& series : simulation.columns) table.rows[k].emplace_back(series.values[k]);
  return table;
}

}  // namespace counterpoise
