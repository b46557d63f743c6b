#pragma once

#include <array>

/// Two robots of two joints by Lagrange's equations, written out by hand.
namespace counterpoise::oracle {

/// Two links in a vertical plane. First angle from the horizontal, second from the first link.
struct DoublePendulum {
  double length_1;            // first to second joint                                      [m]
  double centre_1, centre_2;  // joint to centre of mass, along the link
  double mass_1, mass_2;
  double inertia_1, inertia_2;  // about the centre of mass, across the plane
  double gravity;
};

std::array<double, 2> torques(const DoublePendulum& pendulum, const std::array<double, 2>& q,
                              const std::array<double, 2>& v, const std::array<double, 2>& a);

/// A head that pans about the vertical and tilts about the horizontal y axis that pans along;
/// positive tilt lowers its x axis.
struct PanTilt {
  double pan_inertia;             // of the pan body about the vertical
  double mass;                    // of the head
  double centre;                  // from the tilt axis, along the head's x axis
  std::array<double, 3> inertia;  // principal, about the centre of mass, along the head's axes
  double gravity;
};

std::array<double, 2> torques(const PanTilt& head, const std::array<double, 2>& q,
                              const std::array<double, 2>& v, const std::array<double, 2>& a);

}  // namespace counterpoise::oracle
