#pragma once

#include <cstddef>
#include <tuple>
#include <vector>

#include "engine/evaluation/stages/plan.hpp"
#include "engine/evaluation/stages/stage.hpp"

namespace counterpoise {

/// One group of numbers of one element: what changes together.
struct NumberGroup {
  Quantity quantity = Quantity::gravity;
  int element = -1;  // index into the mechanism's list; of gravity -1

  bool operator==(const NumberGroup&) const = default;
  friend bool operator<(const NumberGroup& a, const NumberGroup& b) {
    return std::tie(a.quantity, a.element) < std::tie(b.quantity, b.element);
  }
};

/// Appends the numbers of a group; of a spring's law the two that loads are computed from, of
/// limits, which no unit reads, none.
void append_numbers(const Mechanism& mechanism, const NumberGroup& group,
                    std::vector<double>& numbers);

/// What runs, or serves from memory, as a whole: the unit in which StageCount counts. It runs when
/// none of the results that it remembers was made from the same numbers, profiles and upstream
/// results.
struct StageUnit {
  Stage stage = Stage::coordinates;
  std::vector<NumberGroup> reads;     // itself, ascending
  std::vector<int> drives;            // of the motion, whose profiles it reads, ascending
  std::vector<std::size_t> upstream;  // units whose results it reads, ascending
  std::size_t remembered = 1;         // results, oldest replaced first
  std::size_t series = 0;             // one number a sample each, in a result
};

/// The units of an evaluation in the order in which they run, every one behind those it reads: the
/// steps of the coordinates' plan (last its redundant loops), the transmission, the springs, the
/// tree forces, the bare loads, the actuators that springs load. What a unit reads is what may
/// change its result: a number may change and the zero configuration, say, stay as it is. Bodies
/// without mass are taken to stay so. Cost: that of an Evaluator.
std::vector<StageUnit> stage_units(const EvaluationPlan& plan);

}  // namespace counterpoise
