#pragma once

#include <vector>

#include "engine/evaluation/simulation.hpp"
#include "engine/kinematics/clearance.hpp"
#include "engine/kinematics/closure/joint_frame.hpp"
#include "engine/kinematics/closure/sample_state.hpp"
#include "results/text/cells.hpp"

namespace counterpoise {

/// Where the bodies of a mechanism are at the samples of a run. `columns` come from simulate() or a
/// fall, all or some of them; the first is "t", and the position of every moving joint must be
/// among them. Both must outlive this object.
class Placing {
 public:
  Placing(const Mechanism& mechanism, const std::vector<Series>& columns);

  [[nodiscard]] std::size_t samples() const { return columns_.front().values.size(); }
  /// The largest length of the mechanism [m].
  [[nodiscard]] double size() const { return size_; }
  /// Goes to a sample. Cost: one forward sweep.
  void go(std::size_t sample);
  /// One pose a body, and the place of a point, where the bodies are now.
  [[nodiscard]] const std::vector<Pose>& poses() const { return poses_; }
  [[nodiscard]] Vec3d place(PointIndex point) const;
  [[nodiscard]] Vec3d line(const std::array<PointIndex, 2>& points) const {
    return place(points[1]) - place(points[0]);
  }
  /// Where a spring comes nearest to its obstacles now; `clearance` is in world axes.
  [[nodiscard]] Approach approach(SpringClearance<double>& clearance) const;
  /// How far the points of a loop are apart; 0 where the loop counts as closed [m].
  [[nodiscard]] double gap(const Loop& loop) const;

 private:
  const Mechanism& mechanism_;
  const std::vector<Series>& columns_;
  std::vector<const Series*> joints_;  // null for those that do not move
  double size_;                        // of the mechanism [m]
  std::vector<JointFrame> frames_;
  SampleState state_;
  std::vector<Pose> poses_;
};

/// The column of this name, or null.
const Series* find_column(const std::vector<Series>& columns, const std::string& name);

/// The columns of a run as people are shown them: 0 where a number is rounding beside the others of
/// its kind, or beside the weight and the size of the mechanism. Reactions stay as they are.
std::vector<Series> without_rounding(const Mechanism& mechanism, std::vector<Series> columns);

/// Lets a robot stand where it was in the sample before, or in the first one that is not left out,
/// while samples are left out (see Motion::skips), so that pages can draw it.
void stand_still(std::vector<Series>& columns);

/// What pages show of a mechanism over time; `columns` as for Placing. The result has the pose of
/// every body (origin, then the quaternion x, y, z, w) and the centre of mass at every sample in
/// world axes, and the columns as series in SI with the element and the quantity. Where a loop is
/// open, the distances of its points are a series too, 0 at the samples at which it closes: a page
/// marks what is above 0, and measures no gaps in its own rounded poses. Where a spring keeps clear
/// of obstacles, the nearest places of its axis and of the nearest obstacle are there too. Cost:
/// one forward sweep a sample. report/src/common/data.ts has the same as types.
Json run_data(const Mechanism& mechanism, const std::vector<Series>& columns);

/// Columns for Placing from one position per body and sample alone.
std::vector<Series> position_columns(const Mechanism& mechanism, const std::vector<double>& times,
                                     const std::vector<std::vector<double>>& positions);

}  // namespace counterpoise
