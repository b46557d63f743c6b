#include "results/ranking/leading_cases.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "results/text/table_format.hpp"

namespace counterpoise {
namespace {

/// The variables and objectives of a case as tables print them: rows of catalogues are not.
std::string printed(const CaseRow& row) {
  std::string key;
  for (const Value& value : row.variables)
    if (!std::holds_alternative<std::int64_t>(value)) key += as_printed(value) + '\n';
  for (const double objective : row.objectives) key += as_printed(number_cell(objective)) + '\n';
  return key;
}

}  // namespace

std::optional<std::vector<CaseRow>> Leaders::first_of(const Digest::Leading& leading,
                                                      const ResultsFile& results,
                                                      std::size_t considered) const {
  const bool all = std::cmp_equal(leading.ids.size(), leading.feasible);
  if (!all && std::cmp_less(leading.first, considered)) return std::nullopt;
  std::vector<CaseRow> rows;
  double last = 0.0, limit = std::numeric_limits<double>::infinity();
  for (const std::int64_t id : leading.ids) {
    std::optional<CaseRow> row = results.find(id);
    if (!row || row->status != Status::feasible || !row->settled()) return std::nullopt;
    const double value = row->objectives[ranked_.front()];
    if (!rows.empty() && value < last) return std::nullopt;
    last = value;
    if (value > limit) break;
    rows.push_back(std::move(*row));
    if (rows.size() == considered) limit = value + tolerance_.at(value);
  }
  return rows;
}

std::vector<std::int64_t> Leaders::best_first(const ResultsFile& results) {
  // where in a point of the front each objective stands that ranks it
  std::vector<std::size_t> places;
  for (const std::size_t objective : ranked_)
    if (const auto at = std::find(among_.begin(), among_.end(), objective); at != among_.end())
      places.push_back(static_cast<std::size_t>(at - among_.begin()));
  const bool known = places.size() == ranked_.size();
  for (const ParetoFront::Point& point : front_.points()) {
    if (known) {
      values_.clear();
      for (const std::size_t place : places) values_.push_back(point.objectives[place]);
      order_.offer(point.id, values_);
    } else if (const std::optional<CaseRow> row = results.find(point.id)) {
      order_.offer(row->id, values_of(*row, ranked_));
    }
  }
  return order_.best_first();
}

bool KeptDesigns::add(const CaseRow& row) {
  if (!same_) return true;
  if (same_->closeness.empty()) return printed_.insert(printed(row)).second;
  const bool known = std::any_of(kept_.begin(), kept_.end(),
                                 [&](const CaseRow& other) { return near(row, other); });
  if (!known) kept_.push_back(row);
  return !known;
}

bool KeptDesigns::near(const CaseRow& a, const CaseRow& b) const {
  for (std::size_t i = 0; i < a.variables.size(); ++i) {
    const auto* x = std::get_if<double>(&a.variables[i]);
    const auto* y = std::get_if<double>(&b.variables[i]);
    const bool same = x != nullptr && y != nullptr ? std::abs(*x - *y) <= same_->closeness[i]
                                                   : a.variables[i] == b.variables[i];
    if (!same) return false;
  }
  return true;
}

}  // namespace counterpoise
