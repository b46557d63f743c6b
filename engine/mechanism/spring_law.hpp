#pragma once

#include "engine/mechanism/elements.hpp"

namespace counterpoise {

/// A spring's tension as an affine function of its length: tension = rate * length + offset, with
/// offset = initial_tension - rate * free_length; a gas spring has no rate. For a torsion spring
/// the joint angle is the length.
struct SpringLaw {
  double rate = 0.0;
  double offset = 0.0;
};

inline SpringLaw law_of(const Spring& spring) {
  if (spring.type == SpringType::gas) return {0.0, spring.initial_tension};
  return {spring.rate, spring.initial_tension - spring.rate * spring.free_length};
}

/// What a spring that may only pull or only push has to keep: least and greatest signed tension,
/// and least and greatest length, which for coil springs is the free length.
struct ActingLimits {
  double min_tension = -no_limit;
  double max_tension = no_limit;
  double min_length = -no_limit;
  double max_length = no_limit;
};

inline ActingLimits acting_limits(const Spring& spring) {
  ActingLimits limits;
  const bool coil = spring.type != SpringType::gas;
  if (spring.acts == SpringActs::pull) {
    limits.min_tension = 0.0;
    if (coil) limits.min_length = spring.free_length;
  } else if (spring.acts == SpringActs::push) {
    limits.max_tension = 0.0;
    if (coil) limits.max_length = spring.free_length;
  }
  return limits;
}

}  // namespace counterpoise
