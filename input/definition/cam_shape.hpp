#pragma once

#include <optional>
#include <span>
#include <vector>

#include "engine/mechanism/mechanism.hpp"
#include "input/expressions/expression.hpp"

namespace counterpoise {

/// The name by which the expression of a profile reads its angle, behind the model's parameters.
inline constexpr std::string_view profile_angle = "angle";

/// What a cam's edge is made from, besides three numbers that may depend on parameters: the angles
/// at which it begins and ends, and its start [rad].
struct CamShape {
  int point = -1;                   // index in the mechanism
  std::optional<Expression> curve;  // of the parameters and, behind them, the angle [m]
  double constant = 0.0;            // in place of a curve that depends on nothing [m]
  CamProfile::Measure measure = CamProfile::Measure::lever;
  std::vector<CamProfile::Knot> table;  // of which the edge is a part; empty with a curve
  bool has_start = false;
  bool is_curve = false;  // or a table
  bool is_part = false;   // whether it says where it begins or ends
  bool missing = false;   // whether its table has still to be made
};

/// Gives the shape's point its edge and start, or, in Point::no_cam, the reason why these numbers
/// make none. `numbers` are the beginning, the end and the start; `parameters` the values in SI.
void make_cam(const CamShape& shape, std::span<const double> numbers,
              std::span<const double> parameters, Mechanism& mechanism);

}  // namespace counterpoise
