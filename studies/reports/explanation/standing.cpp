#include "studies/reports/explanation/standing.hpp"

#include <cmath>

#include "studies/stored/case_rows.hpp"

namespace counterpoise {
namespace {

/// Orders cases as a ranking does.
using Key = std::pair<double, std::int64_t>;

Key key_of(const CaseRow& row) {
  return {row.objectives.front(), row.id};
}

/// Tells choices apart.
class Choice {
 public:
  Choice(const Study& study, const CaseRow& row)
      : study_(study), point_(point_of(study, row)), row_(row) {
    for (const Variable& variable : study.variables) {
      columns_.push_back(column_);
      column_ += variable.kind == VariableKind::catalogue ? 2 : 1;  // label and row
    }
  }

  [[nodiscard]] bool of_same_motion(const CaseRow& other) const {
    if (study_.motion_variable < 0) return true;
    const std::size_t column = columns_[static_cast<std::size_t>(study_.motion_variable)];
    return other.variables[column] == row_.variables[column];
  }

  /// The variables in which another case differs by more than rounding and a little.
  [[nodiscard]] std::vector<Standing::Difference> differences(const CaseRow& other) const {
    std::vector<Standing::Difference> found;
    const std::vector<double> point = point_of(study_, other);
    for (std::size_t v = 0; v < point_.size(); ++v) {
      const Variable& variable = study_.variables[v];
      const double least =
          variable.discrete() ? 0.0 : Standing::same_choice * (variable.high - variable.low);
      if (!(std::abs(point[v] - point_[v]) > least)) continue;
      std::size_t column = columns_[v];
      std::string name = variable.name;
      if (variable.kind == VariableKind::catalogue &&
          other.variables[column] == row_.variables[column]) {
        ++column;  // two rows with one label
        name += ".row";
      }
      found.push_back({name, row_.variables[column], other.variables[column]});
    }
    return found;
  }

 private:
  const Study& study_;
  std::vector<double> point_;
  const CaseRow& row_;
  std::vector<std::size_t> columns_;  // of each variable
  std::size_t column_ = 0;
};

}  // namespace

Standing standing_of(const Study& study, const ResultsFile& results, const CaseRow& row) {
  const Choice choice(study, row);
  const bool ranked = row.status == Status::feasible;
  Standing standing;
  CaseRow other;
  std::int64_t before = 0;
  auto cases = results.feasible_cases();
  while (cases.next(other)) {
    if (!choice.of_same_motion(other)) continue;
    ++standing.feasible;
    if (ranked && key_of(other) < key_of(row)) ++before;
    if (ranked && !(key_of(row) < key_of(other))) continue;
    if (standing.next && !(key_of(other) < key_of(standing.next->row))) continue;
    auto differences = choice.differences(other);
    if (!differences.empty()) standing.next = {other, 0, std::move(differences)};
  }
  if (ranked) standing.rank = before + 1;
  if (!standing.next) return standing;
  standing.next->rank = 1;
  auto again = results.feasible_cases();
  while (again.next(other))
    if (choice.of_same_motion(other) && key_of(other) < key_of(standing.next->row))
      ++standing.next->rank;
  return standing;
}

}  // namespace counterpoise
