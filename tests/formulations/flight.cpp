#include "tests/formulations/flight.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>
#include <utility>

#include "formulations/gibbs_appell/gibbs_appell.hpp"
#include "tests/formulations/rod_tree_case.hpp"

namespace counterpoise::test {

using namespace rod_tree;

namespace {
constexpr double longest_step = 1e-4;  // [s]
constexpr double simultaneous = 1e-8;  // [s]
constexpr std::size_t most_events = 100;
}  // namespace

Flight::Flight(RodTree tree, double radius, double restitution, Eigen::VectorXd theta,
               Eigen::VectorXd rates)
    : tree_(std::move(tree)),
      radius_(radius),
      restitution_(restitution),
      theta_(std::move(theta)),
      rates_(std::move(rates)) {}

Eigen::VectorXd Flight::accelerations(const Eigen::VectorXd& theta,
                                      const Eigen::VectorXd& rates) const {
  return rod_tree::accelerations(equations_by<GibbsAppell<double>>(tree_, state_at(theta, rates)));
}

Flight::Motion Flight::after(double h) const {
  const Eigen::VectorXd a1 = accelerations(theta_, rates_);
  const Eigen::VectorXd v2 = rates_ + a1 * (h / 2.0);
  const Eigen::VectorXd a2 = accelerations(theta_ + rates_ * (h / 2.0), v2);
  const Eigen::VectorXd v3 = rates_ + a2 * (h / 2.0);
  const Eigen::VectorXd a3 = accelerations(theta_ + v2 * (h / 2.0), v3);
  const Eigen::VectorXd v4 = rates_ + a3 * h;
  const Eigen::VectorXd a4 = accelerations(theta_ + v3 * h, v4);
  return {theta_ + (rates_ + 2.0 * v2 + 2.0 * v3 + v4) * (h / 6.0),
          rates_ + (a1 + 2.0 * a2 + 2.0 * a3 + a4) * (h / 6.0)};
}

Eigen::VectorXd Flight::gaps(const Motion& motion) const {
  const Eigen::Matrix3Xd positions = point_positions(tree_, state_at(motion.theta, motion.rates));
  return radius_ - positions.colwise().norm().transpose().array();
}

void Flight::fly_to(double t) {
  while (t_ < t) {
    double step = std::min(longest_step, t - t_);
    Motion next = after(step);
    const bool hits = gaps(next).minCoeff() < 0.0;
    if (hits) {
      double before = 0.0, behind = step;
      for (int i = 0; i < 60; ++i) {
        const double middle = (before + behind) / 2.0;
        (gaps(after(middle)).minCoeff() < 0.0 ? behind : before) = middle;
      }
      step = behind;
      next = after(step);
    }
    t_ = step == t - t_ ? t : t_ + step;
    theta_ = next.theta;
    rates_ = next.rates;
    if (hits) bounce();
  }
}

void Flight::bounce() {
  const State<double> state = state_at(theta_, rates_);
  const Eigen::Matrix3Xd positions = point_positions(tree_, state);
  Event event{t_, {}};
  std::vector<Contact> contacts;
  std::vector<Vec3d> before;
  for (int i = 0; i < positions.cols(); ++i) {
    const Vec3d velocity = point_jacobian(tree_, positions, i) * rates_;
    const Vec3d normal = -positions.col(i).normalized();
    const double approach = -normal.dot(velocity);
    if (approach <= 0.0 || radius_ - positions.col(i).norm() > simultaneous * approach) continue;
    contacts.push_back({i, normal});
    before.push_back(velocity);
  }
  const Eigen::MatrixXd inertia = equations_by<GibbsAppell<double>>(tree_, state).inertia;
  const auto impact = solve_impact(tree_, inertia, positions, rates_, contacts, restitution_);
  if (!impact) throw std::runtime_error("dependent contacts");
  rates_ = impact->rates;
  for (std::size_t c = 0; c < contacts.size(); ++c) {
    const Contact& contact = contacts[c];
    const Vec3d jump = point_jacobian(tree_, positions, contact.point) * rates_ - before[c];
    const double cosine = std::abs(contact.normal.dot(before[c])) / before[c].norm();
    event.touches.push_back(
        {contact.point, std::acos(std::min(cosine, 1.0)) * 180.0 / std::numbers::pi,
         contact.normal.dot(jump), jump.norm(), impact->impulses(static_cast<Eigen::Index>(c))});
  }
  events_.push_back(event);
  if (events_.size() > most_events) throw std::runtime_error("the tree does not leave the wall");
}

}  // namespace counterpoise::test
