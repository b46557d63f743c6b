#include "studies/reports/explanation/standing.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "cases/case_rows.hpp"
#include "results/ranking/ranking.hpp"

namespace counterpoise {
namespace {

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

  /// The motion that a variable selects; empty if none does.
  [[nodiscard]] std::string motion_of(const CaseRow& row) const {
    if (study_.motion_variable < 0) return {};
    return std::get<std::string>(
        row.variables[columns_[static_cast<std::size_t>(study_.motion_variable)]]);
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
  const std::string motion = choice.motion_of(row);
  std::vector<std::size_t> objectives(study.objectives.size());
  std::iota(objectives.begin(), objectives.end(), std::size_t{0});
  TieOrder order(tie_tolerances(results, objectives, motion), std::nullopt);
  Standing standing;
  CaseRow other;
  for (auto cases = results.feasible_cases(); cases.next(other);) {
    if (choice.motion_of(other) != motion) continue;
    ++standing.feasible;
    if (!std::isnan(other.objectives.front())) order.offer(other.id, other.objectives);
  }
  const std::vector<std::int64_t> best_first = order.best_first();
  const auto rank_of = [&](auto at) { return at - best_first.begin() + 1; };
  const auto own = std::find(best_first.begin(), best_first.end(), row.id);
  if (own != best_first.end()) standing.rank = rank_of(own);
  for (auto at = own == best_first.end() ? best_first.begin() : own + 1; at != best_first.end();
       ++at) {
    other = results.find(*at).value();
    if (!other.settled()) continue;
    auto differences = choice.differences(other);
    if (differences.empty()) continue;
    standing.next = {std::move(other), rank_of(at), std::move(differences)};
    break;
  }
  return standing;
}

}  // namespace counterpoise
