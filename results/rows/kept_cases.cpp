#include "results/rows/kept_cases.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <stdexcept>
#include <utility>

namespace counterpoise {

KeptCases::KeptCases(const KeepRule& rule, const Birth& birth)
    : rule_(rule),
      sample_(rule.cases, rule.sample, rule.seed),
      objective_count_(birth.layout.objectives.size()) {
  std::map<std::string, Place> places;
  std::size_t texts = 0, numbers = 0;
  for (const Column& column : birth.layout.variables) {
    const bool text = column.type == ColumnType::text;
    places[column.name] = {text, text ? texts++ : numbers++};
  }
  for (const VariableRow& variable : birth.variables)
    if (variable.kind == motion_kind) motion_ = places.at(variable.name);
  for (const std::string& name : rule.per) {
    const auto at = places.find(name);
    if (at == places.end())
      throw std::invalid_argument(fmt::format("there is no variable {} to keep the best of", name));
    per_.push_back(at->second);
  }
  for (const BaselineRow& row : birth.baselines) {
    if (groups_.contains(row.motion)) continue;
    Group& group = groups_[row.motion];
    group.tolerance =
        tie_tolerances(birth.layout, birth.study, birth.baselines, {0}, row.motion).front();
    group.per.resize(per_.size());
  }
}

void KeptCases::offer(const RowBatch& batch, std::size_t row) {
  const std::int64_t id = batch.id(row);
  if (sample_.contains(id)) hold(id);
  if (batch.status(row) != Status::feasible) return;
  const auto group = groups_.find(motion_ ? batch.texts(row)[motion_->index] : std::string_view());
  if (group == groups_.end())
    throw std::invalid_argument("there are no baselines of a case's motion");
  const std::span<const double> objectives = batch.numbers(row).last(objective_count_);
  if (rule_.best > 0) keep_best(group->second, objectives, id);
  offer_to_front(group->second, objectives, id);
  for (std::size_t i = 0; i < per_.size(); ++i)
    keep_per(group->second, i, level_of(per_[i], batch, row), objectives, id);
}

std::string KeptCases::level_of(const Place& place, const RowBatch& batch, std::size_t row) const {
  return place.text ? std::string(batch.texts(row)[place.index])
                    : fmt::format("{}", batch.numbers(row)[place.index]);
}

void KeptCases::keep_best(Group& group, std::span<const double> objectives, std::int64_t id) {
  const bool full = std::cmp_equal(group.best.size(), rule_.best);
  if (full && objectives.front() > group.best.top().objectives.front()) return;
  Ranked ranked{{objectives.begin(), objectives.end()}, id};
  if (full) {
    if (!(ranked < group.best.top())) return;
    release(group.best.top().id);
    group.best.pop();
  }
  group.best.push(std::move(ranked));
  hold(id);
}

void KeptCases::offer_to_front(Group& group, std::span<const double> objectives, std::int64_t id) {
  const double first = objectives.front();
  if (!group.any || first < group.best_first) group.best_first = first;
  group.any = true;
  if (rule_.front || first <= group.tie_limit()) group.front.add(id, objectives);
}

void KeptCases::settle() {
  for (auto& [motion, group] : groups_) {
    if (!rule_.front && group.any) group.front.leave_out_above(group.tie_limit());
    const BatchedFront::Change change = group.front.take_change();
    for (const std::int64_t id : change.joined) hold(id);
    for (const std::int64_t id : change.left) release(id);
  }
}

void KeptCases::keep_per(Group& group, std::size_t variable, const std::string& level,
                         std::span<const double> objectives, std::int64_t id) {
  auto& levels = group.per[variable];
  const auto at = levels.find(level);
  if (at != levels.end() && objectives.front() > at->second.objectives.front()) return;
  Ranked ranked{{objectives.begin(), objectives.end()}, id};
  if (at != levels.end()) {
    if (!(ranked < at->second)) return;
    release(at->second.id);
    at->second = std::move(ranked);
  } else {
    levels.emplace(level, std::move(ranked));
  }
  hold(id);
}

void KeptCases::release(std::int64_t id) {
  const auto at = reasons_.find(id);
  if (--at->second > 0) return;
  reasons_.erase(at);
  dropped_.push_back(id);
}

std::vector<std::int64_t> KeptCases::take_dropped() {
  std::vector<std::int64_t> dropped = std::exchange(dropped_, {});
  // what one part of the rule lets go within a window, another may keep at its end
  std::erase_if(dropped, [this](std::int64_t id) { return contains(id); });
  return dropped;
}

void KeptCases::thin(Group& group, std::size_t most) {
  std::vector<FrontPoint> points = group.front.points();
  std::set<std::int64_t> stay;
  for (std::size_t k = 0; k < objective_count_; ++k) {
    const auto end = std::min_element(
        points.begin(), points.end(), [k](const FrontPoint& a, const FrontPoint& b) {
          return a.objectives[k] != b.objectives[k] ? a.objectives[k] < b.objectives[k]
                                                    : a.id < b.id;
        });
    stay.insert(end->id);
  }
  for (const FrontPoint& point : points)
    if (point.objectives.front() <= group.tie_limit()) stay.insert(point.id);
  std::sort(points.begin(), points.end(), [this](const FrontPoint& a, const FrontPoint& b) {
    return sample_.place(a.id) < sample_.place(b.id);
  });
  for (const FrontPoint& point : points)
    if (stay.size() < most) stay.insert(point.id);
  for (const FrontPoint& point : points)
    if (!stay.contains(point.id)) release(point.id);
}

void KeptCases::thin_fronts(std::size_t most) {
  for (auto& [motion, group] : groups_)
    if (rule_.front && group.front.size() > most) thin(group, most);
}

std::size_t KeptCases::largest_front() {
  std::size_t largest = 0;
  for (auto& [motion, group] : groups_)
    if (rule_.front) largest = std::max(largest, group.front.size());
  return largest;
}

void Selection::take(const RowBatch& batch, std::size_t row) {
  const std::int64_t id = batch.id(row);
  if (evaluated_.contains(id)) throw std::logic_error(fmt::format("case {} stands there", id));
  evaluated_.insert(id);
  totals_.add(batch, row);
  kept_.offer(batch, row);
}

void Selection::take_totals(const Totals& totals, const IdSet& evaluated) {
  totals_.add(totals);
  for (const auto& [first, last] : evaluated.ranges()) evaluated_.insert(first, last);
}

}  // namespace counterpoise
