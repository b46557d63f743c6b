#include "studies/pages/workspace_data.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>
#include <vector>

#include "engine/mechanism/finding.hpp"
#include "studies/pages/mechanism_data.hpp"

namespace counterpoise {
namespace {

/// The poses that are shown, in their order.
std::vector<int> poses_of(const Motion& motion, const ShownPoses& shown) {
  if (shown.thinned()) return shown.samples();
  std::vector<int> all(static_cast<std::size_t>(motion.sample_count()));
  std::iota(all.begin(), all.end(), 0);
  return all;
}

/// Runs of these poses that are not among the reached ones.
Json runs_left_out(const Motion& motion, std::span<const int> poses,
                   std::span<const double> reached) {
  Json runs = Json::array();
  int next = 0;  // the first pose behind those that were gone through
  const auto go_to = [&](int pose) {
    if (pose > next) {
      runs.push_back(next);
      runs.push_back(pose - next);
    }
    next = pose + 1;
  };
  auto at = poses.begin();
  for (const double time : reached) {
    at = std::lower_bound(at, poses.end(), static_cast<int>(std::lround(time / motion.step)));
    if (at != poses.end() && *at == std::lround(time / motion.step))
      go_to(static_cast<int>(at - poses.begin()));
  }
  go_to(static_cast<int>(poses.size()));
  return runs;
}

}  // namespace

Json workspace_data(const Mechanism& mechanism, const Motion& motion,
                    std::span<const double> reached, const ShownPoses& shown) {
  const PoseGrid grid(motion);
  const std::vector<int> poses = poses_of(motion, shown);
  const bool levels = grid.whole() && (!shown.thinned() || !shown.levels().empty());
  const std::vector<PosePosition> names = pose_of(motion, mechanism, 0);
  Json axes = Json::array();
  for (std::size_t a = 0; a < grid.axes().size(); ++a) {
    const PosePosition& of = names[grid.axes()[a]];
    Json& axis = axes.emplace_back(Json{{"name", of.coordinate}, {"unit", of.unit}});
    const PoseLevels& all = grid.levels(a);
    std::vector<double> positions;
    if (!levels)
      for (const int pose : poses) positions.push_back(all.levels[all.level_of(pose)]);
    else if (shown.thinned())
      for (const int place : shown.levels()[a])
        positions.push_back(all.levels[static_cast<std::size_t>(place)]);
    else
      positions = all.levels;
    axis[levels ? "levels" : "values"] = levels ? Json(positions) : Json(float32_column(positions));
  }
  Json json = {{"axes", axes}, {"left_out", runs_left_out(motion, poses, reached)}};
  if (shown.thinned()) json["of"] = motion.sample_count();
  return json;
}

}  // namespace counterpoise
