#pragma once

#include <string>
#include <vector>

#include "optimizer/statistics/tornado.hpp"
#include "studies/definition/study.hpp"

namespace counterpoise {

/// A variable of a study as a factor: all but the one that selects the motion, which no number
/// stands for. Coordinates are those of points (see Variable): a level, or a value.
struct StudyFactor {
  std::size_t variable = 0;  // index into Study::variables
  std::string unit;          // SI, of a parameter that gets its number as it is, if it has one
  double centre = 0.0;       // coordinate of the baseline, else the middle
  bool centre_is_baseline = false;
};

/// In the study's order. A centre is the baseline's own value where the variable has it: a
/// continuous one that sets a parameter as it is, within the range; a discrete one all of whose
/// settings one level meets, or for numbers the nearest. Else it is the middle.
std::vector<StudyFactor> factors_of(const Study& study);

/// Levels of a grid over the variable (Morris): four of a continuous one, all of a discrete one.
int grid_levels(const Variable& variable);
double coordinate_of_level(const Variable& variable, int level);

/// Both ends, or every row of a catalogue, whose order means nothing.
TornadoFactor tornado_factor(const Variable& variable, double centre);

}  // namespace counterpoise
