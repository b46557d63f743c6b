#include "tests/support/simulation.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace counterpoise::test {

Simulation run(const Mechanism& mechanism, const Motion& motion, const SimulationOptions& options) {
  auto result = simulate(mechanism, motion, options);
  if (const auto* finding = std::get_if<Finding>(&result))
    throw std::runtime_error("cannot follow: " + describe(*finding, mechanism));
  return std::get<Simulation>(std::move(result));
}

const std::vector<double>& column(const Simulation& simulation, std::string_view name) {
  for (const Series& series : simulation.columns)
    if (series.name == name) return series.values;
  throw std::runtime_error("no column " + std::string(name));
}

std::vector<std::vector<double>> joint_samples(const Simulation& simulation,
                                               const Mechanism& mechanism,
                                               std::string_view suffix) {
  const std::size_t samples = column(simulation, "t").size();
  std::vector<std::vector<double>> result(samples,
                                          std::vector<double>(mechanism.bodies.size(), 0.0));
  for (std::size_t b = 0; b < mechanism.bodies.size(); ++b) {
    if (!mechanism.moves(static_cast<int>(b))) continue;
    const auto& values = column(simulation, mechanism.bodies[b].name + std::string(suffix));
    for (std::size_t k = 0; k < samples; ++k) result[k][b] = values[k];
  }
  return result;
}

Vec6 wrench(const Simulation& simulation, const std::string& stem, std::size_t k) {
  Vec6 result;
  for (std::size_t i = 0; i < 6; ++i)
    result[static_cast<Eigen::Index>(i)] =
        column(simulation, stem + "." + std::string(wrench_components[i]))[k];
  return result;
}

std::size_t samples(const Simulation& simulation) {
  return simulation.columns.front().values.size();
}

double peak(const std::vector<double>& values) {
  double largest = 0.0;
  for (double x : values) largest = std::max(largest, std::abs(x));
  return largest;
}

}  // namespace counterpoise::test
