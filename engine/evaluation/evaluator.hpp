#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "engine/evaluation/affine_loads.hpp"
#include "engine/evaluation/metrics.hpp"
#include "engine/evaluation/motor_samples.hpp"
#include "engine/evaluation/mount_motion.hpp"
#include "engine/mechanism/finding.hpp"
#include "engine/mechanism/motion.hpp"
#include "engine/mechanism/stage.hpp"

namespace counterpoise {

/// Evaluates designs of one mechanism over one motion. There is one per worker thread and motion;
/// it keeps its scratch and what its stages remember between calls and allocates nothing after the
/// first.
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

  /// Whether the mechanism could follow the motion in the last design of `evaluate`. A design that
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
  /// and limits, or returns why it cannot follow the motion. Costs the stages that `evaluate` would
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
