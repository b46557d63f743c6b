#pragma once

#include <optional>

#include "engine/evaluation/kinematics.hpp"
#include "engine/kinematics/clearance.hpp"
#include "engine/math/extremes.hpp"
#include "engine/mechanism/finding.hpp"

namespace counterpoise {

/// The vector e(q) between the ends of a spring across one joint, the only motion between them, is
///   revolute   e = fixed + x * along + y * across,   x = cos q,  y = sin q
///   prismatic  e = fixed + x * along,                x = q
/// As `along` and `across` are orthogonal and of one length, half of the slope of its square is
///   e . de/dq = slope[0] + x * slope[1] + y * slope[2],
/// which rounds by no more than e itself does, times the length of `along`.
struct Swing {
  Vec3d fixed, along, across;
  std::array<double, 3> slope;
};

/// The shape of one spring on one pair of mounts over a stretch of a motion. Its outline is what
/// limits of length and tension read; the rest is computed only for designs that keep these.
template <class S>
struct SpringShape {
  Stamp id = 0;           // unique among the shapes of an evaluation
  double shortest = 0.0;  // least length over the samples of the motion so far
  double longest = 0.0;
  double meeting = -no_limit;  // up to this length ends meet (see meeting_share); torsion and
                               // cables: never
  Finding fault;               // of a cable: where it cannot be laid first, so far
  bool complete = false;       // whether there is more than an outline
  std::vector<S> square;       // squares of lengths, if one joint moves the spring
  std::vector<S> length;       // [m]; torsion: the joint's angle [rad]
  std::vector<S> influence;    // load of each influenced actuator per tension, one after the other

  // of a spring that keeps clear of obstacles, after clear()
  bool cleared = false;
  double least_distance = no_limit;  // least of `distance` over the samples of the motion so far
  std::vector<S> distance;           // from the axis to the surface of the nearest obstacle [m]
  std::vector<S> nearest;            // index of that obstacle

  /// The length in one block of samples, the same number before and after the shape is complete.
  [[nodiscard]] S length_at(std::size_t block) const {
    return swing ? S(sqrt(square[block])) : length[block];
  }

  // what the shape was made from: stamp of the inputs, which is never 0, and mounts
  Stamp inputs = 0;
  std::array<Vec3d, 2> mounts;
  std::vector<Vec3d> beside;   // places of OneSpring::beside
  std::optional<Swing> swing;  // if one joint moves the spring
};

/// The stage from joint motion and mounts to the springs' lengths and what their tensions add to
/// the loads. Each spring remembers the last few pairs of mounts it was on.
///
/// Most designs of a study fail by the length of a spring, so a spring across one joint is computed
/// in two steps. The outline needs the squares of lengths only: the square root rounds correctly
/// and never falls where its argument rises, so the root of the least square is, bit for bit, the
/// least of all roots. Roots and slopes of all samples are left to `complete`.
template <class S>
class SpringGeometry {
 public:
  explicit SpringGeometry(const EvaluationPlan& plan);

  /// Computes at least the outline of one spring in this design. It comes from memory if the spring
  /// was on the same mounts with the same other `inputs`, which this stamp tells from all others.
  void outline(std::size_t spring, const Mechanism& mechanism, const Transmission<S>& map,
               Stamp inputs, const Kinematics<S>& kinematics);
  /// Computes what the outline of the same design left out, if it is not known.
  void complete(std::size_t spring, const Transmission<S>& map, const Kinematics<S>& kinematics);

  /// Computes, in the same design, the distances from the obstacles that the spring keeps clear of,
  /// if there are any and they are not known.
  void clear(std::size_t spring, const Mechanism& mechanism, const Kinematics<S>& kinematics);

  [[nodiscard]] const SpringShape<S>& shape(std::size_t spring) const {
    return springs_[spring].shapes[springs_[spring].current];
  }
  /// How many shapes were computed, and how many came from memory, since construction.
  [[nodiscard]] std::int64_t runs() const { return runs_; }
  [[nodiscard]] std::int64_t reused() const { return reused_; }

 private:
  static constexpr std::size_t remembered = remembered_shapes;

  /// The part of a joint of the path in the load of one influenced actuator.
  struct Share {
    std::size_t end, position;  // place of the joint on the path
    ForceShare share;
    std::size_t influence;  // index among the actuators that the spring influences
  };
  /// The cable of a spring, if it has one.
  struct OnCable {
    const Cable* cable = nullptr;
    /// Where the joint of a share stands before a stop.
    struct Mover {
      std::size_t share, stop, position;
    };
    std::vector<Mover> movers = {};
    CableLine<S> line = {};
    Finding fault = {};  // the first of the motion; without an element where there is none
  };
  struct OneSpring {
    OneSpring(const Mechanism& nominal, const Spring& spring)
        : clearance(nominal, spring), beside(spring.over) {}

    const Path* path = nullptr;
    const std::vector<BodyIndex>* joints = nullptr;  // joints that move the spring
    std::size_t influenced = 0;                      // number of influenced actuators
    std::vector<Share> shares;
    OnCable on_cable = {};
    SpringClearance<S> clearance;
    std::vector<PointIndex> beside;  // what its cable runs over, and named places of obstacles
    Line<S> line;
    std::vector<S> slopes;  // of the length by the one joint that moves the spring
    std::array<Trace<double>, 2> rest;
    std::array<SpringShape<S>, remembered> shapes;
    std::optional<RunningExtremes<S>> extremes;   // of lengths, or of squares, over the stretches
    std::optional<RunningExtremes<S>> distances;  // the same of distances from obstacles
    std::size_t current = 0;
    std::size_t next = 0;  // shape to be replaced next
  };

  [[nodiscard]] bool recall(const std::array<Vec3d, 2>& mounts, const Mechanism& mechanism,
                            Stamp inputs, OneSpring& spring);
  void compute(const Mechanism& mechanism, std::size_t index, const Transmission<S>& map,
               const Kinematics<S>& kinematics, OneSpring& spring, SpringShape<S>& shape);
  void outline_across_one_joint(const Mechanism& mechanism, const Kinematics<S>& kinematics,
                                OneSpring& spring, SpringShape<S>& shape);
  void along_path(const Mechanism& mechanism, const Transmission<S>& map,
                  const Kinematics<S>& kinematics, OneSpring& spring, SpringShape<S>& shape);
  void along_cable(const Mechanism& mechanism, std::size_t index, const Transmission<S>& map,
                   const Kinematics<S>& kinematics, OneSpring& spring, SpringShape<S>& shape);
  double lay(const Mechanism& mechanism, std::size_t index, const Kinematics<S>& kinematics,
             int sample, OnCable& on);
  void on_joint(const Spring& element, const Transmission<S>& map, const Kinematics<S>& kinematics,
                const OneSpring& spring, SpringShape<S>& shape);

  std::vector<OneSpring> springs_;
  SampleState rest_;  // every joint at zero
  Stamp last_id_ = 0;
  std::int64_t runs_ = 0, reused_ = 0;
};

}  // namespace counterpoise
