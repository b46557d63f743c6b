#pragma once

#include <Eigen/Core>
#include <optional>
#include <span>
#include <vector>

#include "engine/mechanism/mechanism.hpp"

/// All joints of a mechanism from the positions of its actuators by brute force: world-frame
/// misfits, slopes by differences, least squares by singular values.
namespace counterpoise::oracle {

/// Position of an actuator at joint positions q: the joint's, or the distance of its points.
double actuator_position(const Mechanism& mechanism, std::span<const double> q, int actuator);

/// The misfits at q of loops (in world axes; between points, and between the axes or orientations
/// that they keep) and of couplings.
Eigen::VectorXd closure_misfit(const Mechanism& mechanism, std::span<const double> q);

struct Closed {
  std::vector<double> q;
  double conditioning = 0.0;  // smallest over largest singular value of the moving joints' slopes
};

/// The joint positions near `start` that close all loops and couplings with the actuators at
/// `positions`; nothing where the search does not end below 1e-12 of misfit.
std::optional<Closed> close_mechanism(const Mechanism& mechanism, std::span<const double> positions,
                                      std::vector<double> start);

}  // namespace counterpoise::oracle
