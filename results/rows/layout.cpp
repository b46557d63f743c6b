#include "results/rows/layout.hpp"

#include <algorithm>
#include <cctype>
#include <map>

#include "results/rows/rows.hpp"

namespace counterpoise {
namespace {

// SQLite's own bound on the columns of a table (SQLITE_MAX_COLUMN, unless built otherwise).
constexpr std::size_t max_columns = 2000;

std::string lower_case(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

class Names {
 public:
  explicit Names(std::initializer_list<const char*> taken) {
    for (const char* name : taken) owners_[name] = "a column that every table of results has";
  }

  void add(const std::string& name, const std::string& owner) {
    const auto [earlier, fresh] = owners_.try_emplace(lower_case(name), owner + " \"" + name + '"');
    if (fresh) return;
    throw StoreError(StoreError::Kind::unusable,
                     owner + " \"" + name + "\" and " + earlier->second +
                         " would be the same column of the results (SQL ignores case); rename one");
  }

 private:
  std::map<std::string, std::string> owners_;
};

}  // namespace

void check_layout(const StoreLayout& layout) {
  Names names{"id", "status", "reason", "rank", "case"};
  Names of_baselines{"name", "motion", "status", "reason"};
  for (const Column& column : layout.variables) names.add(column.name, "variable");
  for (const std::string& name : layout.metrics) {
    names.add(name, "metric");
    of_baselines.add(name, "metric");
  }
  for (const std::string& name : layout.objectives) {
    names.add(name, "objective");
    of_baselines.add(name, "objective");
  }
  // A baseline has its name, motion, status and reason where a case has its id and variables.
  const std::size_t count = std::max<std::size_t>(3 + layout.variables.size(), 4) +
                            layout.metrics.size() + layout.objectives.size();
  if (count > max_columns) {
    throw StoreError(StoreError::Kind::unusable,
                     "the results would have " + std::to_string(count) +
                         " columns, more than the " + std::to_string(max_columns) +
                         " a table can have; name fewer metrics in \"store\"");
  }
}

std::optional<std::size_t> motion_column(const StoreLayout& layout,
                                         const std::vector<VariableRow>& variables) {
  for (std::size_t i = 0; i < layout.variables.size(); ++i)
    for (const VariableRow& variable : variables)
      if (variable.kind == motion_kind && variable.name == layout.variables[i].name) return i;
  return std::nullopt;
}

std::optional<std::size_t> motion_text(const StoreLayout& layout,
                                       const std::vector<VariableRow>& variables) {
  const std::optional<std::size_t> column = motion_column(layout, variables);
  if (!column) return std::nullopt;
  const auto end = layout.variables.begin() + static_cast<std::ptrdiff_t>(*column);
  return std::count_if(layout.variables.begin(), end,
                       [](const Column& one) { return one.type == ColumnType::text; });
}

std::vector<std::string> case_columns(const StoreLayout& layout) {
  std::vector<std::string> columns{"id", "status", "reason"};
  for (const Column& column : layout.variables) columns.push_back(column.name);
  columns.insert(columns.end(), layout.metrics.begin(), layout.metrics.end());
  columns.insert(columns.end(), layout.objectives.begin(), layout.objectives.end());
  return columns;
}

}  // namespace counterpoise
