#include "results/ranking/pareto.hpp"

#include <algorithm>

namespace counterpoise {
namespace {

bool dominates(const std::vector<double>& a, const std::vector<double>& b) {
  bool better = false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i] > b[i]) return false;
    better = better || a[i] < b[i];
  }
  return better;
}

}  // namespace

void ParetoFront::add(std::int64_t id, const std::vector<double>& objectives) {
  for (Point& point : points_) {
    if (!dominates(point.objectives, objectives)) continue;
    std::swap(point, points_.front());  // who dominates once is likely to again: ask it first
    return;
  }
  std::erase_if(points_,
                [&](const Point& point) { return dominates(objectives, point.objectives); });
  points_.push_back({id, objectives});
}

std::optional<std::int64_t> knee_of(const std::vector<ParetoFront::Point>& front) {
  if (front.size() < 3) return std::nullopt;
  const std::size_t objectives = front.front().objectives.size();
  std::vector<double> least(front.front().objectives), most(least);
  for (const ParetoFront::Point& point : front)
    for (std::size_t i = 0; i < objectives; ++i) {
      least[i] = std::min(least[i], point.objectives[i]);
      most[i] = std::max(most[i], point.objectives[i]);
    }
  std::size_t differing = 0;
  for (std::size_t i = 0; i < objectives; ++i) differing += most[i] > least[i] ? 1U : 0U;
  if (differing < 2) return std::nullopt;

  std::optional<std::int64_t> knee;
  double best = 0.0;
  for (const ParetoFront::Point& point : front) {
    double sum = 0.0;
    for (std::size_t i = 0; i < objectives; ++i)
      if (most[i] > least[i]) sum += (point.objectives[i] - least[i]) / (most[i] - least[i]);
    if (knee && (sum > best || (sum == best && point.id > *knee))) continue;
    knee = point.id;
    best = sum;
  }
  return knee;
}

}  // namespace counterpoise
