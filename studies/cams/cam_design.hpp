#pragma once

#include <string>
#include <variant>
#include <vector>

#include "engine/mechanism/cam.hpp"
#include "engine/mechanism/finding.hpp"
#include "engine/mechanism/mechanism.hpp"

namespace counterpoise {

/// What a cam has to balance.
struct CamDemand {
  SpringIndex spring;  // on a cable between a cam and a point, over points and pulleys that are all
                       // on one body with that point, or on bodies fixed to it
  ActuatorIndex actuator;  // whose load at rest it takes away; all others are held where they are
                           // in the zero configuration
  double from = 0.0, to = 0.0;  // its range, from < to                                [rad, m]
  double tension = 0.0;         // of the spring at `from`, above 0                        [N]
  double least_radius = 0.0;    // of curvature that the cam's edge has to have            [m]
};

struct CamRange {
  double least = 0.0, greatest = 0.0;
};

/// A cam that balances a load, and the spring's free length that goes with it.
struct CamDesign {
  std::vector<CamProfile::Knot> knots;
  double free_length = 0.0;            // [m]
  CamRange tension, lever, radius;     // over the range [N, m, m]
  double load_without = 0.0;           // largest |load| of the actuator without the spring [N m, N]
  double load_left = 0.0;              // with the spring on this cam, as the engine computes it
  std::vector<Finding> broken_limits;  // of the mechanism with this cam, over the range
};

/// The profile with which a spring balances an actuator's load at rest exactly, by virtual work.
/// The load M(q) without the spring gives the tension T from the energy, T^2 / (2 k) + integral of
/// M dq = constant, and the slope of the cable's length, -M / T. In the cam's frame the stop next
/// to the cam moves along a known curve A(q), so that the slope is minus the part of dA/dq along
/// the cable, and of a pulley of radius r whose body turns by w about the cam's axis r dw/dq less;
/// this gives the cable's direction for each q. The profile is the envelope of these lines.
/// Loads and places are computed by the engine at some hundred positions and held as Chebyshev
/// series. Returns in words why there is no such cam.
std::variant<CamDesign, std::string> design_cam(const Mechanism& mechanism,
                                                const CamDemand& demand);

/// The mechanism with the cam of a design and its spring's free length.
Mechanism with_cam(const Mechanism& mechanism, SpringIndex spring,
                   const std::vector<CamProfile::Knot>& knots, double free_length);

}  // namespace counterpoise
