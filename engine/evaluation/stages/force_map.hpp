#pragma once

#include "engine/evaluation/stages/kinematics.hpp"
#include "engine/evaluation/stages/plan.hpp"
#include "engine/kinematics/transmission.hpp"

namespace counterpoise {

/// The transmission over a whole motion: the load of each actuator per unit force on each joint,
/// one series for every pair that can influence each other. A joint that an actuator drives itself
/// needs no series: its force is that actuator's load.
template <class S>
class ForceMap {
 public:
  explicit ForceMap(const EvaluationPlan& plan);

  struct Entry {
    int actuator;
    int series;  // -1: the load is the joint's force
  };

  /// Computes every series at the joint motion of this design. A pose in which the actuators do not
  /// determine the forces is a finding.
  std::optional<Finding> run(const Mechanism& mechanism, Kinematics<S>& kinematics);

  /// The actuators that a force on this joint loads.
  [[nodiscard]] std::span<const Entry> entries(int joint) const {
    return entries_[static_cast<std::size_t>(joint)];
  }
  [[nodiscard]] std::span<const S> series(const Entry& entry) const {
    const auto i = static_cast<std::size_t>(entry.series);
    return std::span<const S>(values_).subspan(i * blocks_, blocks_);
  }

 private:
  Transmission<S> transmission_;
  std::vector<std::vector<Entry>> entries_;              // per body
  std::vector<typename Transmission<S>::Route> routes_;  // likewise
  int series_ = 0;
  std::size_t blocks_ = 0;
  std::vector<S> values_;
  std::vector<S> forces_, loads_;
};

}  // namespace counterpoise
