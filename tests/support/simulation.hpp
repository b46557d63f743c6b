#pragma once

#include <Eigen/Core>
#include <string_view>

#include "engine/evaluation/simulation.hpp"

namespace counterpoise::test {

/// Simulates; a finding becomes an exception with its description.
Simulation run(const Mechanism& mechanism, const Motion& motion,
               const SimulationOptions& options = {});

/// The column with this name, which must exist.
const std::vector<double>& column(const Simulation& simulation, std::string_view name);

/// One value per body at every sample: columns `<body><suffix>`, 0 for fixed joints.
std::vector<std::vector<double>> joint_samples(const Simulation& simulation,
                                               const Mechanism& mechanism, std::string_view suffix);

/// The wrench "door.reaction" or "hinge.closure" at a sample: three forces, three moments.
using Vec6 = Eigen::Matrix<double, 6, 1>;
Vec6 wrench(const Simulation& simulation, const std::string& stem, std::size_t k);

/// Number of samples.
std::size_t samples(const Simulation& simulation);

/// Largest size in a series.
double peak(const std::vector<double>& values);

}  // namespace counterpoise::test
