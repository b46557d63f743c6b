#pragma once

#include <optional>
#include <string>
#include <vector>

#include "results/rows/rows.hpp"

namespace counterpoise {

enum class ColumnType { real, text, integer };

struct Column {
  std::string name;
  ColumnType type = ColumnType::real;

  bool operator==(const Column&) const = default;
};

/// The columns of `cases` after id, status and reason, in this order. A variable that chooses a row
/// of a catalogue has two columns: its name and `<name>.row`.
struct StoreLayout {
  std::vector<Column> variables;
  std::vector<std::string> metrics;
  std::vector<std::string> objectives;

  bool operator==(const StoreLayout&) const = default;
};

/// Throws StoreError (unusable) where two columns have one name (SQL ignores case, so `K` and `k`
/// are one), where a name is taken by the tables themselves, or where there are more columns than a
/// table can have.
void check_layout(const StoreLayout& layout);

/// The column of a choice of a motion among the variables of a layout, if there is one.
std::optional<std::size_t> motion_column(const StoreLayout& layout,
                                         const std::vector<VariableRow>& variables);
/// Its place among the columns of texts.
std::optional<std::size_t> motion_text(const StoreLayout& layout,
                                       const std::vector<VariableRow>& variables);

/// The header of an export: id, status, reason, variables, metrics, objectives.
std::vector<std::string> case_columns(const StoreLayout& layout);

/// Everything that a results file holds when it is created.
struct Birth {
  StoreLayout layout;
  std::vector<StudyEntry> study;
  std::vector<VariableRow> variables;
  std::vector<BaselineRow> baselines;
  std::vector<FailureNameRow> failure_names;
};

}  // namespace counterpoise
