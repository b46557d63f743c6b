#include "engine/mechanism/mechanism.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

namespace counterpoise {
namespace {

template <class Elements>
int find_named(const Elements& elements, std::string_view name) {
  const auto at = std::find_if(elements.begin(), elements.end(),
                               [name](const auto& element) { return element.name == name; });
  return at == elements.end() ? -1 : static_cast<int>(at - elements.begin());
}

std::string number(double x) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.6g", x);
  return text.data();
}

constexpr double rounding_share = 1e-9;  // of the largest moment, allowed in inertia conditions

std::optional<std::string> impossible_inertia(const Body& body) {
  const Eigen::SelfAdjointEigenSolver<Mat3d> solver(body.inertia, Eigen::EigenvaluesOnly);
  const Vec3d& moments = solver.eigenvalues();  // ascending
  const double slack = rounding_share * moments.cwiseAbs().maxCoeff();
  if (moments(0) < -slack)
    return "its inertia is not positive semidefinite (smallest principal moment " +
           number(moments(0)) + " kg m^2)";
  if (body.mass > 0.0 && moments(0) + moments(1) < moments(2) - slack)
    return "its principal moments of inertia break the triangle inequality (" + number(moments(0)) +
           ", " + number(moments(1)) + ", " + number(moments(2)) + " kg m^2)";
  return std::nullopt;
}

std::optional<std::string> impossible_body(const Body& body) {
  const Joint& joint = body.joint;
  if (!std::isfinite(body.mass) || !body.com.allFinite() || !body.inertia.allFinite() ||
      !joint.origin.allFinite() || !joint.rotation.allFinite() || !joint.axis.allFinite() ||
      !std::isfinite(joint.guess))
    return "a number is not finite";
  if (body.mass < 0.0) return "its mass is negative (" + number(body.mass) + " kg)";
  if (std::abs(joint.axis.norm() - 1.0) > rounding_share) return "its joint axis has no direction";
  if (!(joint.rotation.transpose() * joint.rotation).isIdentity(rounding_share) ||
      joint.rotation.determinant() < 0.0)
    return "its rotation is not a rotation";
  if (body.mass == 0.0 && body.inertia.isZero(0.0)) return std::nullopt;
  return impossible_inertia(body);
}

}  // namespace

int find_body(const Mechanism& mechanism, std::string_view name) {
  return find_named(mechanism.bodies, name);
}
int find_actuator(const Mechanism& mechanism, std::string_view name) {
  return find_named(mechanism.actuators, name);
}
int find_spring(const Mechanism& mechanism, std::string_view name) {
  return find_named(mechanism.springs, name);
}

std::optional<std::string> find_impossible_number(const Mechanism& mechanism) {
  if (!mechanism.gravity.allFinite()) return "gravity is not finite";
  for (const Body& body : mechanism.bodies)
    if (auto reason = impossible_body(body)) return "body " + body.name + ": " + *reason;
  for (const Point& point : mechanism.points)
    if (!point.position.allFinite()) return "point " + point.name + " is not finite";
  for (const Coupling& coupling : mechanism.couplings) {
    if (!std::isfinite(coupling.ratio) || !std::isfinite(coupling.offset))
      return "coupling " + coupling.name + ": a number is not finite";
    if (coupling.ratio == 0.0) return "coupling " + coupling.name + ": its ratio is zero";
  }
  for (const Spring& spring : mechanism.springs) {
    const bool torsion = spring.type == SpringType::torsion;
    if (!std::isfinite(spring.rate) || !std::isfinite(spring.free_length) ||
        !std::isfinite(spring.initial_tension))
      return "spring " + spring.name + ": a number is not finite";
    if (spring.rate < 0.0)
      return "spring " + spring.name + ": its rate is negative (" + number(spring.rate) + ")";
    if (!torsion && spring.free_length < 0.0)
      return "spring " + spring.name + ": its free length is negative (" +
             number(spring.free_length) + " m)";
    if (std::isnan(spring.min_length) || std::isnan(spring.max_length) ||
        std::isnan(spring.max_load))
      return "spring " + spring.name + ": a limit is not a number";
  }
  for (const Actuator& actuator : mechanism.actuators)
    if (std::isnan(actuator.min_position) || std::isnan(actuator.max_position) ||
        std::isnan(actuator.max_load) || std::isnan(actuator.max_speed))
      return "actuator " + actuator.name + ": a limit is not a number";
  return std::nullopt;
}

}  // namespace counterpoise
