#pragma once

#include <optional>
#include <string>

#include "optimizer/convex/witness_weights.hpp"
#include "studies/exact/problem/problem_writer.hpp"

namespace counterpoise {

/// A sample that carries weight, described for people.
struct InstantInWords {
  std::string metric;  // of an actuator's own limit, its largest load
  std::string motion;
  std::optional<double> time;  // s; a spring's tension has none

  InstantInWords(const Study& study, const WrittenProblem& written, const WitnessInstant& instant);
};

}  // namespace counterpoise
