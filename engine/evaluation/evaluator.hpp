#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "engine/evaluation/metrics.hpp"
#include "engine/evaluation/motor_samples.hpp"
#include "engine/evaluation/mount_motion.hpp"
#include "engine/mechanism/finding.hpp"
#include "engine/mechanism/motion.hpp"
#include "engine/mechanism/stage.hpp"

namespace counterpoise {

/// The loads of one design over one motion as affine functions of the springs' tensions: every
/// sample of an actuator's load is
///   bare + sum over influences of per_tension * tension(spring),  tension = rate * length + offset
/// This is exact whatever the springs' rates and offsets (see SpringLaw), as long as mounts, masses
/// and motion stay (paper 001, eq. 5). A spring whose law is not straight has a tension that is
/// not affine: that of the design which was taken apart stands in its shape, and holds for its law
/// alone. What friction and mass of springs add follows from the motion, and is among the bare
/// loads. All series have one number per sample.
struct AffineLoads {
  struct SpringShape {
    std::vector<double> length;  // [m]; torsion: the joint's angle [rad]
    double shortest = 0.0;       // least length over the samples
    double longest = 0.0;
    double meeting = -no_limit;   // up to this length ends meet (see meeting_share)
    double radius = 0.0;          // of the spring [m]
    std::vector<double> tension;  // of a spring whose law is not straight, in the design taken
                                  // apart; of others none
    // from the spring's axis to the obstacles that it keeps clear of; without any: none and
    // infinite
    std::vector<double> distance;      // to the surface of the nearest [m]
    std::vector<double> nearest;       // its index
    double least_distance = no_limit;  // over the samples
  };
  struct Influence {
    SpringIndex spring;
    std::vector<double> per_tension;  // load per tension [1]; torsion: per torque on the joint
  };
  struct ActuatorLoad {
    std::vector<double> bare;      // load without tensions of springs [N or N m]
    std::vector<double> velocity;  // [m/s or rad/s]
    std::vector<Influence> influences;
    // what a motor needs to know beside the load, as in MotorSamples; empty where none is watched
    std::vector<double> motor_velocity, motor_acceleration, play;
  };

  int samples = 0;
  double step = 0.0;                    // [s]
  bool poses = false;                   // see Motion::poses
  std::vector<double> weights;          // of each sample; empty: those of Stretch. A pose that is
                                        // left out weighs 0, and its loads are 0
  double sum_of_weights = 0.0;          // of these
  std::vector<SpringShape> springs;     // one per Mechanism::springs
  std::vector<ActuatorLoad> actuators;  // one per Mechanism::actuators

  /// Adds the parts of springs whose laws are not straight to bare loads, as they were in the
  /// design taken apart, and forgets their influences.
  void add_bent_springs();

  /// All samples; they are held at once.
  [[nodiscard]] Stretch stretch() const { return {0, samples, samples, poses}; }
  /// The weight of sample k in a mean over the samples, and the sum of all weights.
  [[nodiscard]] double weight(std::size_t k) const {
    return weights.empty() ? stretch().weight(static_cast<int>(k)) : weights[k];
  }
  [[nodiscard]] double all_weights() const {
    return weights.empty() ? stretch().weights() : sum_of_weights;
  }
};

/// Evaluates designs of one mechanism over one motion. There is one per worker thread and motion;
/// it keeps its scratch and what its stages remember between calls and allocates nothing after the
/// first, but where friction of joints grows with their reactions.
class Evaluator {
 public:
  /// `nominal` fixes the structure: every later mechanism differs from it in numbers only.
  /// A motion that is too long to be held is evaluated a stretch at a time, each design anew, with
  /// the same bits.
  /// Throws MechanismError when the motion's coordinates or the actuators are too few or too many.
  Evaluator(const Mechanism& nominal, const Motion& motion, Reuse reuse = Reuse::remember,
            const Holding& holding = {});
  ~Evaluator();
  Evaluator(Evaluator&&) noexcept;
  Evaluator& operator=(Evaluator&&) noexcept;

  /// Promises that designs differ in numbers of these elements only, from now on. Without it all
  /// elements of a design are compared with the previous design.
  void set_varying(const ElementSet& varying);
  /// Sets another motion of the same drives for the designs that follow.
  void set_motion(const Motion& motion);

  /// From now on `evaluate` keeps what the motion asks of the motors of these actuators.
  void watch_motors(std::vector<std::size_t> actuators);
  /// The same of the i-th of these, in the last design of `evaluate` that has metrics.
  [[nodiscard]] const MotorSamples& motor_samples(std::size_t i) const;

  struct Options {
    bool springs = true;  // if false, as if the mechanism had no springs
    bool limits = true;   // if false, metrics whatever limits of springs and actuators are broken
    bool first_finding_only = false;  // if true, no metrics for a design that breaks a limit
  };

  /// Computes the metrics of the design, or returns why it is infeasible. When only limits are
  /// broken `out` holds the metrics all the same, unless `first_finding_only`; when the mechanism
  /// cannot follow the motion `out` is unspecified.
  std::optional<Finding> evaluate(const Mechanism& mechanism, const Options& options, Metrics& out);

  /// Whether the mechanism could follow the motion in the last design of `evaluate`, and its loads
  /// are known. A design that
  /// reaches no pose of a motion that leaves out poses (see Motion::skips) could not, although its
  /// finding may be a limit.
  [[nodiscard]] bool followed() const;
  /// Every limit that the last design of `evaluate` broke, each once with its own violation; or the
  /// one reason why it cannot follow the motion. Valid until the next design.
  [[nodiscard]] std::span<const Finding> findings() const;

  /// Finds the springs of the design that act against what they are built for, each where it is
  /// worst, as Simulation::wrong_senses has them; none if the design cannot follow the motion.
  /// Costs the stages that `evaluate` would run.
  std::vector<Finding> find_wrong_senses(const Mechanism& mechanism);

  /// Computes the loads of the design as affine functions of tensions, whatever its springs' laws
  /// and limits, or returns why it cannot follow the motion. Precondition (asserted): no friction
  /// of a joint grows with its reaction. Costs the stages that `evaluate` would
  /// run, and a copy.
  std::optional<Finding> take_apart(const Mechanism& mechanism, AffineLoads& out);

  /// How the mounts of a spring move in a design that follows the motion.
  [[nodiscard]] MountMotion mount_motion(const Mechanism& mechanism, SpringIndex spring);

  /// From now on counts in the separate account, or in the main one.
  void count_apart(bool apart);
  /// How often the stages ran and reused results since construction, by account.
  [[nodiscard]] StageCounts counts(bool apart = false) const;

 private:
  struct Impl;
  void take_stretch_apart(const Mechanism& mechanism, AffineLoads& out);

  std::unique_ptr<Impl> impl_;
};

}  // namespace counterpoise
