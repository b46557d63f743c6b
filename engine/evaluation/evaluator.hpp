#pragma once

#include <memory>
#include <optional>

#include "engine/evaluation/metrics.hpp"
#include "engine/mechanism/finding.hpp"
#include "engine/motion/motion.hpp"

namespace counterpoise {

/// Evaluates designs of one mechanism over one motion. One per worker thread and motion; keeps its
/// scratch between calls and allocates nothing after the first.
class Evaluator {
 public:
  /// `nominal` fixes the structure: every later mechanism differs from it in numbers only.
  /// Throws MechanismError when the motion's coordinates or the actuators are too few or too many.
  Evaluator(const Mechanism& nominal, const Motion& motion);
  ~Evaluator();
  Evaluator(Evaluator&&) noexcept;
  Evaluator& operator=(Evaluator&&) noexcept;

  struct Options {
    bool springs = true;  // false: as if the mechanism had none
    bool limits = true;   // false: metrics whatever limits of springs and actuators are broken
  };

  /// Metrics of the design, or why it is infeasible. When only limits are broken `out` holds the
  /// metrics all the same; when the mechanism cannot follow the motion `out` is unspecified.
  std::optional<Finding> evaluate(const Mechanism& mechanism, const Motion& motion,
                                  const Options& options, Metrics& out);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace counterpoise
