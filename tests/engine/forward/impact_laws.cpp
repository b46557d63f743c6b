#include "tests/engine/forward/impact_laws.hpp"

#include <cmath>
#include <functional>

#include "tests/oracles/closure.hpp"
#include "tests/oracles/energy.hpp"

namespace counterpoise::oracle {
namespace {

using Poses = std::span<const Eigen::Matrix4d>;

double surface_distance(const Mechanism& mechanism, Poses poses, const Surface& surface,
                        PointIndex point) {
  Eigen::Vector4d p = world_point(mechanism, poses, point).homogeneous();
  if (surface.body != world_body)
    p = (poses[static_cast<std::size_t>(surface.body)].inverse() * p).eval();
  const Vec3d d = p.head<3>() - surface.point;
  if (surface.kind == Surface::Kind::plane) return surface.direction.dot(d);
  const double out =
      surface.kind == Surface::Kind::sphere ? d.norm() : d.cross(surface.direction).norm();
  return surface.inside ? surface.radius - out : out - surface.radius;
}

double position_of(const Mechanism& mechanism, Poses poses, std::span<const double> q,
                   const Stop& stop) {
  const auto element = static_cast<std::size_t>(stop.element);
  if (stop.of == Stop::Of::joint) return q[element];
  if (stop.of == Stop::Of::actuator) return actuator_position(mechanism, q, stop.element);
  const Spring& spring = mechanism.springs[element];
  if (spring.type == SpringType::torsion) return q[static_cast<std::size_t>(spring.joint)];
  return (world_point(mechanism, poses, spring.points[1]) -
          world_point(mechanism, poses, spring.points[0]))
      .norm();
}

/// Slopes by central differences of sixth order. Steps are small beside the radii of surfaces, of
/// 0.3 m and more, and errors some 1e-12.
Eigen::MatrixXd slopes(const std::function<Eigen::VectorXd(std::span<const double>)>& function,
                       std::span<const double> at, const Mechanism& mechanism) {
  constexpr double h = 2e-3;
  std::vector<double> q(at.begin(), at.end());
  Eigen::MatrixXd result = Eigen::MatrixXd::Zero(function(q).size(), mechanism.body_count());
  for (std::size_t b = 0; b < q.size(); ++b) {
    if (!mechanism.moves(static_cast<int>(b))) continue;
    const auto difference = [&](double step) -> Eigen::VectorXd {
      q[b] = at[b] + step;
      const Eigen::VectorXd above = function(q);
      q[b] = at[b] - step;
      const Eigen::VectorXd below = function(q);
      q[b] = at[b];
      return above - below;
    };
    result.col(static_cast<Eigen::Index>(b)) =
        (45.0 * difference(h) - 9.0 * difference(2.0 * h) + difference(3.0 * h)) / (60.0 * h);
  }
  return result;
}

}  // namespace

ImpactLaws::ImpactLaws(const Mechanism& mechanism, const Scenario& scenario)
    : mechanism_(&mechanism), scenario_(&scenario) {
  int number = 0;
  for (const Contact& contact : scenario.contacts) {
    for (int p = 0; p < static_cast<int>(contact.points.size()); ++p)
      gaps_.push_back({number, p, false, contact.restitution});
    ++number;
  }
  for (const Stop& stop : scenario.stops) {
    if (stop.min > -no_limit) gaps_.push_back({number, -1, false, stop.restitution});
    if (stop.max < no_limit) gaps_.push_back({number, -1, true, stop.restitution});
    ++number;
  }
}

std::size_t ImpactLaws::gap_of(const FallEvent& event, const Eigen::VectorXd& values) const {
  std::size_t found = gaps_.size();
  for (std::size_t i = 0; i < gaps_.size(); ++i) {
    if (gaps_[i].contact != event.contact || gaps_[i].point != event.point) continue;
    if (found == gaps_.size() || std::abs(values(static_cast<Eigen::Index>(i))) <
                                     std::abs(values(static_cast<Eigen::Index>(found))))
      found = i;
  }
  return found;
}

Eigen::VectorXd ImpactLaws::gap_values(std::span<const double> q) const {
  const auto poses = world_poses(*mechanism_, q);
  Eigen::VectorXd values(static_cast<Eigen::Index>(gaps_.size()));
  for (std::size_t i = 0; i < gaps_.size(); ++i) {
    const auto contact = static_cast<std::size_t>(gaps_[i].contact);
    double& value = values(static_cast<Eigen::Index>(i));
    if (gaps_[i].point >= 0) {
      const Contact& one = scenario_->contacts[contact];
      value = surface_distance(*mechanism_, poses, one.surface,
                               one.points[static_cast<std::size_t>(gaps_[i].point)]);
      continue;
    }
    const Stop& stop = scenario_->stops[contact - scenario_->contacts.size()];
    const double position = position_of(*mechanism_, poses, q, stop);
    value = gaps_[i].upper ? stop.max - position : position - stop.min;
  }
  return values;
}

Eigen::VectorXd ImpactLaws::prescribed(std::span<const double> q) const {
  std::vector<double> values;
  for (std::size_t a = 0; a < mechanism_->actuators.size(); ++a) {
    const ActuatorMode mode = scenario_->actuators[a].mode;
    if (mode == ActuatorMode::held || mode == ActuatorMode::follow)
      values.push_back(actuator_position(*mechanism_, q, static_cast<int>(a)));
  }
  return Eigen::Map<const Eigen::VectorXd>(values.data(), static_cast<Eigen::Index>(values.size()));
}

Eigen::VectorXd ImpactLaws::misfit(std::span<const double> q, std::span<const double> start) const {
  const Eigen::VectorXd closure = closure_misfit(*mechanism_, q);
  std::vector<double> all(closure.begin(), closure.end());
  for (std::size_t a = 0; a < mechanism_->actuators.size(); ++a)
    if (scenario_->actuators[a].mode == ActuatorMode::held)
      all.push_back(actuator_position(*mechanism_, q, static_cast<int>(a)) -
                    actuator_position(*mechanism_, start, static_cast<int>(a)));
  return Eigen::Map<const Eigen::VectorXd>(all.data(), static_cast<Eigen::Index>(all.size()));
}

Eigen::MatrixXd ImpactLaws::gap_slopes(std::span<const double> q) const {
  return slopes([this](std::span<const double> at) { return gap_values(at); }, q, *mechanism_);
}

Eigen::MatrixXd ImpactLaws::constraint_slopes(std::span<const double> q) const {
  const auto rows = [this](std::span<const double> at) -> Eigen::VectorXd {
    const Eigen::VectorXd closure = closure_misfit(*mechanism_, at), driven = prescribed(at);
    Eigen::VectorXd all(closure.size() + driven.size());
    all << closure, driven;
    return all;
  };
  return slopes(rows, q, *mechanism_);
}

/// Kinetic energy is a quadratic form: its entries follow from pairs of unit velocities.
Eigen::MatrixXd ImpactLaws::mass_matrix(std::span<const double> q) const {
  const auto n = static_cast<Eigen::Index>(q.size());
  const auto energy = [&](Eigen::Index i, Eigen::Index j) {
    std::vector<double> v(q.size());
    v[static_cast<std::size_t>(i)] = v[static_cast<std::size_t>(j)] = 1.0;
    return kinetic_energy(*mechanism_, q, v).value;
  };
  Eigen::MatrixXd mass(n, n);
  for (Eigen::Index i = 0; i < n; ++i) {
    mass(i, i) = 2.0 * energy(i, i);
    for (Eigen::Index j = 0; j < i; ++j)
      mass(i, j) = mass(j, i) = energy(i, j) - 0.5 * (mass(i, i) + mass(j, j));
  }
  return mass;
}

}  // namespace counterpoise::oracle
