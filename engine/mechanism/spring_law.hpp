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

}  // namespace counterpoise
