#include "results/pareto.hpp"

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

}  // namespace counterpoise
