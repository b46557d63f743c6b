#pragma once

#include <span>
#include <string>

#include "cases/case_evaluator.hpp"

namespace counterpoise {

/// Tells which ends of variables' ranges the study cannot move: beyond them no such spring exists,
/// or the model's own min or max refuses it. `study` must outlive it.
class PossibleEnds {
 public:
  explicit PossibleEnds(const Study& study);

  /// Says in words why a continuous variable of the design at `point` can go no further than an end
  /// of its range; empty if it can. A rate or free length cannot be negative, nor can the initial
  /// tension of an extension spring. A min or max of the model, which the user can edit, is named
  /// only if no such rule applies.
  std::string beyond(std::span<const double> point, std::size_t variable, bool upper);

 private:
  const Study& study_;
  Model unbounded_model_;  // the study's model with min and max of all parameters removed
  CaseDesign design_;
  ModelBinder model_, unbounded_;
};

}  // namespace counterpoise
