#pragma once

#include <cstddef>
#include <string>
#include <variant>
#include <vector>

#include "engine/evaluation/simulation.hpp"
#include "engine/mechanism/mechanism.hpp"
#include "engine/mechanism/motion.hpp"

namespace counterpoise {

/// Which samples of a motion a page holds: all of a motion in time. Of poses at rest that are too
/// many for a page a part that is chosen evenly: some of the levels of each axis, with both ends,
/// where the poses are all combinations of levels, else every n-th pose.
class ShownPoses {
 public:
  /// `most` is how many poses there may be.
  ShownPoses(const Motion& motion, std::size_t most);

  /// How many samples the motion has.
  [[nodiscard]] std::size_t all() const { return all_; }
  /// Whether some poses are left away.
  [[nodiscard]] bool thinned() const { return thinned_; }
  /// The samples, ascending; empty where they are not thinned.
  [[nodiscard]] const std::vector<int>& samples() const { return samples_; }
  /// The places of the levels of each axis of the motion's PoseGrid; empty where the samples are
  /// no combinations of levels, or are not thinned. In these levels they follow each other as all
  /// poses of a motion do (see PoseLevels).
  [[nodiscard]] const std::vector<std::vector<int>>& levels() const { return levels_; }

 private:
  std::size_t all_ = 0;
  bool thinned_ = false;
  std::vector<int> samples_;
  std::vector<std::vector<int>> levels_;
};

/// How many poses of a mechanism a page may hold, if it may hold so many numbers of them.
std::size_t most_poses(const Mechanism& mechanism, std::size_t numbers);

/// What simulate() gives of the samples that are shown, and what they do not tell of the others.
struct ShownRun {
  struct Largest {
    double load = 0.0;
    int sample = -1;  // the first with the largest size; -1 where no sample has a load
  };
  Simulation simulation;
  std::vector<double> reached;   // the times of all samples that are not left out
  std::vector<Largest> largest;  // of all samples, one an actuator
};

/// Runs `mechanism` through all of `motion`, and holds the samples that are shown. Returns the
/// finding when it cannot follow. Throws MechanismError as simulate() does.
std::variant<ShownRun, Finding> simulate_shown(const Mechanism& mechanism, const Motion& motion,
                                               const SimulationOptions& options,
                                               const ShownPoses& shown);

}  // namespace counterpoise
