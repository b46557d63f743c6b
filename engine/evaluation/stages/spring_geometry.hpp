#pragma once

#include "engine/evaluation/stages/force_map.hpp"
#include "engine/evaluation/stages/stage.hpp"

namespace counterpoise {

/// One spring on one pair of mounts over a whole motion.
template <class S>
struct SpringShape {
  Stamp id = 0;           // no other shape of the same evaluation has it
  double shortest = 0.0;  // over the samples
  double longest = 0.0;
  std::vector<S> length;     // [m]; torsion: the joint's angle [rad]
  std::vector<S> influence;  // load of each influenced actuator per tension, one after the other

  // what it was made from
  Stamp map = 0;
  std::array<Vec3d, 2> mounts;
};

/// The stage from joint motion and mounts to the springs' lengths and what their tension adds to
/// loads. Each spring remembers the last few pairs of mounts it was on.
template <class S>
class SpringGeometry {
 public:
  SpringGeometry(const EvaluationPlan& plan, const ForceMap<S>& map);

  /// Brings one spring to this design. `map` ran at stamp `map_ran`.
  void run(std::size_t spring, const Mechanism& mechanism, const Revisions& revisions,
           const ForceMap<S>& map, Stamp map_ran, Kinematics<S>& kinematics);
  void forget();

  [[nodiscard]] const SpringShape<S>& shape(std::size_t spring) const {
    return springs_[spring].shapes[springs_[spring].current];
  }
  /// The actuators whose load a spring can change, in order.
  [[nodiscard]] std::span<const int> influenced(std::size_t spring) const {
    return springs_[spring].influenced;
  }
  /// Shapes that were computed, and that were remembered, since construction.
  [[nodiscard]] std::int64_t runs() const { return runs_; }
  [[nodiscard]] std::int64_t reused() const { return reused_; }

 private:
  static constexpr std::size_t remembered = remembered_shapes;

  /// What a joint of the path hands to one influenced actuator.
  struct Share {
    std::size_t end, position;  // of the joint on the path
    typename ForceMap<S>::Entry entry;
    std::size_t influence;  // index into `influenced`
  };
  struct OneSpring {
    const Path* path;
    std::vector<int> joints;  // that move it
    std::vector<int> influenced;
    std::vector<Share> shares;
    Line<S> line;
    std::array<Trace<double>, 2> rest;
    std::array<SpringShape<S>, remembered> shapes;
    std::size_t current = 0;
    std::size_t next = 0;  // to be replaced
    Stamp checked = 0;
  };

  [[nodiscard]] bool recall(const std::array<Vec3d, 2>& mounts, Stamp map_ran, OneSpring& spring);
  void compute(const Mechanism& mechanism, const Spring& element, const ForceMap<S>& map,
               Kinematics<S>& kinematics, OneSpring& spring, SpringShape<S>& shape);
  void across_one_joint(const Mechanism& mechanism, const ForceMap<S>& map,
                        Kinematics<S>& kinematics, OneSpring& spring, SpringShape<S>& shape);
  void along_path(const Mechanism& mechanism, const ForceMap<S>& map, Kinematics<S>& kinematics,
                  OneSpring& spring, SpringShape<S>& shape);
  void on_joint(const Spring& element, const ForceMap<S>& map, Kinematics<S>& kinematics,
                const OneSpring& spring, SpringShape<S>& shape);

  std::vector<OneSpring> springs_;
  SampleState rest_;  // every joint at zero
  Stamp last_id_ = 0;
  std::int64_t runs_ = 0, reused_ = 0;
};

}  // namespace counterpoise
