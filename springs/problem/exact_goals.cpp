#include "springs/problem/exact_goals.hpp"

#include <algorithm>
#include <cmath>

namespace counterpoise {
namespace {

constexpr double least_share = 1e-3;  // replaces 0 in a direction: weights stay finite
/// Objectives closer than this, relative to their size, do not compete. After a search over
/// geometry neither do those that tie.
constexpr double no_conflict = 1e-9;

std::vector<std::vector<double>> grid_of(std::size_t objectives, int points) {
  std::vector<std::vector<double>> directions;
  const int steps = points - 1;
  const auto share = [steps](int i) { return static_cast<double>(i) / steps; };
  if (objectives == 2) {
    for (int i = 0; i <= steps; ++i) directions.push_back({share(i), share(steps - i)});
    return directions;
  }
  for (int i = 0; i <= steps; ++i)
    for (int j = 0; i + j <= steps; ++j)
      directions.push_back({share(i), share(j), share(steps - i - j)});
  return directions;
}

}  // namespace

ExactGoals::ExactGoals(const Study& study) : study_(study) {
  const auto& trade_off = study.search()->trade_off;
  if (trade_off) {
    objectives_ = trade_off->objectives;
    directions_ = grid_of(objectives_.size(), trade_off->points);
  } else {
    objectives_ = {0};
    directions_ = {{0.0}};
  }
}

/// Each entry of a direction is the share of its objective in how far the objectives may stay from
/// their best values. At a corner one entry is 1 and the others are 0; see corner_goal().
bool ExactGoals::is_corner(int task) const {
  if (objectives_.size() == 1) return true;
  const auto& direction = directions_[task];
  return std::count(direction.begin(), direction.end(), 1.0) == 1;
}

std::vector<int> ExactGoals::corners() const {
  std::vector<int> found;
  for (int task = 0; task < count(); ++task)
    if (is_corner(task)) found.push_back(task);
  return found;
}

SizingGoal ExactGoals::corner_goal(int task) const {
  SizingGoal goal;
  std::vector<int> first = objectives_;
  if (objectives_.size() > 1) {
    // of two objectives the one whose entry is 0 comes first, of three the one whose entry is 1
    const auto& direction = directions_[task];
    const auto one = std::find(direction.begin(), direction.end(), 1.0) - direction.begin();
    const std::size_t own =
        objectives_.size() == 2 ? 1 - static_cast<std::size_t>(one) : static_cast<std::size_t>(one);
    std::rotate(first.begin(), first.begin() + static_cast<std::ptrdiff_t>(own), first.end());
  }
  goal.largest = {{first.front()}};
  goal.then.assign(first.begin() + 1, first.end());
  if (objectives_.size() > 1) return goal;
  for (int other = 1; other < static_cast<int>(study_.objectives.size()); ++other)
    goal.then.push_back(other);
  return goal;
}

ExactGoals::Reached ExactGoals::reached_at_corners(const ResultsFile& results) const {
  const Search& search = *study_.search();
  const std::int64_t per_task = std::int64_t{search.starts} * search.max_evaluations;
  const std::vector<int> all = corners();
  Reached reached;
  reached.best.resize(all.size());
  reached.sizes.assign(study_.objectives.size(), 0.0);
  auto rows = results.feasible_cases();
  for (CaseRow row; rows.next(row);) {
    const auto at = std::find(all.begin(), all.end(), static_cast<int>((row.id - 1) / per_task));
    if (at == all.end()) continue;
    const SizingGoal goal = corner_goal(*at);
    const auto first = static_cast<std::size_t>(goal.largest.front().objective);
    for (std::size_t i = 0; i < reached.sizes.size(); ++i)
      if (std::isfinite(row.objectives[i]))  // settled
        reached.sizes[i] = std::max(reached.sizes[i], std::abs(row.objectives[i]));
    std::vector<double>& best = reached.best[at - all.begin()];
    if (best.empty() || row.objectives[first] < best[first]) best = row.objectives;
  }
  return reached;
}

SizingGoal ExactGoals::goal(int task, const Reached& reached) const {
  const auto& direction = directions_[task];
  SizingGoal goal;
  goal.largest.clear();
  for (std::size_t i = 0; i < objectives_.size(); ++i) {
    const auto objective = static_cast<std::size_t>(objectives_[i]);
    double best = no_limit, worst = -no_limit;
    for (const std::vector<double>& corner : reached.best) {
      if (corner.empty()) continue;
      best = std::min(best, corner[objective]);
      worst = std::max(worst, corner[objective]);
    }
    const double range = worst - best;
    const double close =
        study_.search()->geometry ? std::max(no_conflict, study_.ties[objective]) : no_conflict;
    if (!(range > close * reached.sizes[objective])) continue;
    goal.largest.push_back(
        {objectives_[i], 1.0 / (range * std::max(direction[i], least_share)), best});
  }
  if (goal.largest.size() < 2) goal.largest = {{objectives_.front()}};  // nothing to give up
  goal.then = objectives_;
  return goal;
}

}  // namespace counterpoise
