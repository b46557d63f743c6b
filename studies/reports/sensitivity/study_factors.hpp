#pragma once

#include <string>
#include <vector>

#include "input/definition/study.hpp"
#include "optimizer/statistics/tornado.hpp"

namespace counterpoise {

/// A variable of a study as a factor. Every variable is one except the variable that selects the
/// motion. Coordinates are those of points (see Variable): a level, or a value.
struct StudyFactor {
  std::size_t variable = 0;  // index into Study::variables
  std::string unit;          // SI unit of a parameter that gets its number unchanged, if it has one
  double centre = 0.0;       // coordinate of the baseline, or else the middle
  bool centre_is_baseline = false;
};

/// The factors of a study in the order of its variables. A centre is the baseline's own value if
/// the variable can take it. For a continuous variable that sets a parameter unchanged, this value
/// has to be within the range; for a discrete one, it is the level that has all settings of the
/// baseline, or for numbers the nearest level. Otherwise the centre is the middle.
std::vector<StudyFactor> factors_of(const Study& study);

/// The number of levels of Morris's grid over the variable: four if it is continuous, all of its
/// levels if it is discrete.
int grid_levels(const Variable& variable);
double coordinate_of_level(const Variable& variable, int level);

/// The values that the tornado tries: both ends, or every row of a catalogue, whose order means
/// nothing.
TornadoFactor tornado_factor(const Variable& variable, double centre);

}  // namespace counterpoise
