#pragma once

#include <span>
#include <string>

#include "studies/cases/case_design.hpp"

namespace counterpoise {

/// Which ends of variables' ranges are no choice of the study: beyond them there is no such spring,
/// or the model's own min or max refuses it. `study` must outlive it.
class PossibleEnds {
 public:
  explicit PossibleEnds(const Study& study);

  /// Why a continuous variable of the design at `point` can go no further than an end of its range,
  /// in words; empty where it can. A rate or free length cannot be negative, nor the initial
  /// tension of an extension spring; what the model says comes after these, for its owner can edit
  /// it.
  std::string beyond(std::span<const double> point, std::size_t variable, bool upper);

 private:
  const Study& study_;
  Model unbounded_model_;  // the study's, whose parameters have neither min nor max
  CaseDesign design_;
  ModelBinder model_, unbounded_;
};

}  // namespace counterpoise
