#include "optimizer/convex/choice/relaxed_choice.hpp"

#include <algorithm>

#include "optimizer/convex/choice/convex_hull.hpp"
#include "optimizer/convex/problem/infinity.hpp"

namespace counterpoise {
namespace {

void add_hull(const ChoiceGroup& group, ConvexProblem& convex) {
  std::vector<std::array<double, 2>> points;
  for (const auto& option : group.options) points.push_back({option[0], option[1]});
  for (const HalfPlane& plane : convex_hull(points))
    convex.limits.push_back(
        {{0.0, {}, {{group.unknowns[0], plane.normal[0]}, {group.unknowns[1], plane.normal[1]}}},
         plane.bound});
}

}  // namespace

ConvexProblem relaxed_choice(const ChoiceProblem& problem, const std::vector<int>& prefix) {
  ConvexProblem convex = problem.convex;
  for (std::size_t g = 0; g < problem.groups.size(); ++g) {
    const ChoiceGroup& group = problem.groups[g];
    for (std::size_t i = 0; i < group.unknowns.size(); ++i) {
      double& low = convex.lower[static_cast<std::size_t>(group.unknowns[i])];
      double& high = convex.upper[static_cast<std::size_t>(group.unknowns[i])];
      if (g < prefix.size()) {
        low = high = group.options[static_cast<std::size_t>(prefix[g])][i];
        continue;
      }
      low = infinity;
      high = -low;
      for (const auto& option : group.options) {
        low = std::min(low, option[i]);
        high = std::max(high, option[i]);
      }
    }
    if (g >= prefix.size() && group.unknowns.size() == 2) add_hull(group, convex);
  }
  return convex;
}

}  // namespace counterpoise
