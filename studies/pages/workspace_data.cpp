#include "studies/pages/workspace_data.hpp"

#include <cmath>
#include <nlohmann/json.hpp>
#include <vector>

#include "engine/mechanism/finding.hpp"
#include "studies/pages/mechanism_data.hpp"

namespace counterpoise {
namespace {

/// The position of a coordinate in every pose.
std::vector<double> positions_of(const PoseLevels& coordinate, int poses) {
  std::vector<double> positions;
  for (int k = 0; k < poses; ++k) positions.push_back(coordinate.levels[coordinate.level_of(k)]);
  return positions;
}

/// Runs of poses that are not among the reached ones.
Json runs_left_out(const Motion& motion, std::span<const double> reached) {
  Json runs = Json::array();
  int next = 0;  // the first pose behind those that were gone through
  const auto go_to = [&](int pose) {
    if (pose > next) {
      runs.push_back(next);
      runs.push_back(pose - next);
    }
    next = pose + 1;
  };
  for (const double time : reached) go_to(static_cast<int>(std::lround(time / motion.step)));
  go_to(motion.sample_count());
  return runs;
}

}  // namespace

Json workspace_data(const Mechanism& mechanism, const Motion& motion,
                    std::span<const double> reached) {
  const PoseGrid grid(motion);
  const std::vector<PosePosition> names = pose_of(motion, mechanism, 0);
  Json axes = Json::array();
  for (std::size_t a = 0; a < grid.axes().size(); ++a) {
    const PosePosition& of = names[grid.axes()[a]];
    Json& axis = axes.emplace_back(Json{{"name", of.coordinate}, {"unit", of.unit}});
    if (grid.whole())
      axis["levels"] = grid.levels(a).levels;
    else
      axis["values"] = float32_column(positions_of(grid.levels(a), motion.sample_count()));
  }
  return {{"axes", axes}, {"left_out", runs_left_out(motion, reached)}};
}

}  // namespace counterpoise
