#pragma once

#include <memory>
#include <optional>

#include "engine/evaluation/affine_loads.hpp"
#include "engine/evaluation/stages/metrics.hpp"
#include "engine/mechanism/finding.hpp"
#include "engine/motion/motion.hpp"
#include "engine/reuse/stage.hpp"

namespace counterpoise {

/// Evaluates designs of one mechanism over one motion. One per worker thread and motion; keeps its
/// scratch and what its stages remember between calls and allocates nothing after the first.
class Evaluator {
 public:
  /// `nominal` fixes the structure: every later mechanism differs from it in numbers only.
  /// Throws MechanismError when the motion's coordinates or the actuators are too few or too many.
  Evaluator(const Mechanism& nominal, const Motion& motion, Reuse reuse = Reuse::remember);
  ~Evaluator();
  Evaluator(Evaluator&&) noexcept;
  Evaluator& operator=(Evaluator&&) noexcept;

  /// Another motion of the same drives, for the designs that follow.
  void set_motion(const Motion& motion);

  struct Options {
    bool springs = true;  // false: as if the mechanism had none
    bool limits = true;   // false: metrics whatever limits of springs and actuators are broken
    bool first_finding_only = false;  // true: no metrics for a design that breaks a limit
  };

  /// Metrics of the design, or why it is infeasible. When only limits are broken `out` holds the
  /// metrics all the same, unless `first_finding_only`; when the mechanism cannot follow the motion
  /// `out` is unspecified.
  std::optional<Finding> evaluate(const Mechanism& mechanism, const Options& options, Metrics& out);

  /// The loads of the design taken apart, whatever its springs' laws and limits; or why it cannot
  /// follow the motion. Costs the stages that `evaluate` would run, and a copy.
  std::optional<Finding> take_apart(const Mechanism& mechanism, AffineLoads& out);

  /// Since construction.
  [[nodiscard]] StageCounts counts() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace counterpoise
