#include "formulations/gibbs_appell/impact.hpp"

#include <catch2/catch.hpp>
#include <complex>

#include "formulations/gibbs_appell/gibbs_appell.hpp"
#include "tests/formulations/rod_tree_case.hpp"
#include "tests/support/trials.hpp"

using namespace counterpoise;
using namespace counterpoise::rod_tree;
using namespace counterpoise::test;

namespace {

using Complex = std::complex<double>;

/// Ends of all rods and the base, as complex numbers from sums of angles.
std::vector<Complex> points_by_angles(const RodTree& tree, const Eigen::VectorXd& theta) {
  const auto n = static_cast<Eigen::Index>(tree.rods.size());
  std::vector<Complex> points = {{theta(n), theta(n + 1)}};
  std::vector<double> angles;
  for (std::size_t i = 0; i < tree.rods.size(); ++i) {
    const int parent = tree.rods[i].parent;
    const double before = parent < 0 ? 0.0 : angles[parent];
    angles.push_back(before + theta(static_cast<Eigen::Index>(i)));
    points.push_back(points[parent + 1] + std::polar(tree.rods[i].length, angles.back()));
  }
  return points;
}

/// The momentum of the tree at these rates, by central differences of its rods' middles.
Complex momentum(const RodTree& tree, const Eigen::VectorXd& theta, const Eigen::VectorXd& rates) {
  constexpr double h = 1e-5;
  const auto ahead = points_by_angles(tree, theta + h * rates);
  const auto behind = points_by_angles(tree, theta - h * rates);
  Complex sum = 0.0;
  for (std::size_t i = 0; i < tree.rods.size(); ++i) {
    const auto from = static_cast<std::size_t>(tree.rods[i].parent + 1);
    const Complex velocity = (ahead[from] + ahead[i + 1] - behind[from] - behind[i + 1]) / (4 * h);
    sum += tree.rods[i].mass_per_length * tree.rods[i].length * velocity;
  }
  return sum;
}

}  // namespace

TEST_CASE("joints and ends of a random tree are where sums of angles put them, and so move") {
  Random random(20260611);
  for (int trial = 0; trial < trials(50); ++trial) {
    const RodTree tree = random_rod_tree(random, 1 + random.below(30));
    const RodTreeMotion motion = random_rod_tree_motion(random, tree);
    const Eigen::Matrix3Xd positions = point_positions(tree, motion.state());
    constexpr double h = 1e-5;
    const auto expected = points_by_angles(tree, motion.theta);
    const auto ahead = points_by_angles(tree, motion.theta + h * motion.rates);
    const auto behind = points_by_angles(tree, motion.theta - h * motion.rates);
    double potential = 0.0;
    for (std::size_t i = 0; i < expected.size(); ++i) {
      const auto point = static_cast<int>(i);
      const Vec3d velocity = point_jacobian(tree, positions, point) * motion.rates;
      const Complex slope = (ahead[i] - behind[i]) / (2.0 * h);
      CAPTURE(trial, i);
      REQUIRE(std::abs(Complex(positions(0, point), positions(1, point)) - expected[i]) < 1e-12);
      REQUIRE(std::abs(Complex(velocity.x(), velocity.y()) - slope) < 1e-5);
      REQUIRE(positions(2, point) == 0.0);
      if (i == 0) continue;
      const Rod& rod = tree.rods[i - 1];
      const Complex middle = (expected[rod.parent + 1] + expected[i]) / 2.0;
      potential -= rod.mass_per_length * rod.length *
                   (tree.gravity.x() * middle.real() + tree.gravity.y() * middle.imag());
    }
    CHECK(potential_energy(tree, motion.state()) == Approx(potential).epsilon(1e-10).margin(1e-8));
  }
}

TEST_CASE("an impact keeps Newton's law, passes on its impulses and loses the energy it must") {
  Random random(20260612);
  for (int trial = 0; trial < trials(100); ++trial) {
    const RodTree tree = random_rod_tree(random, 6 + random.below(20));
    const RodTreeMotion motion = random_rod_tree_motion(random, tree);
    const State<double> state = motion.state();
    const Eigen::Matrix3Xd positions = point_positions(tree, state);
    const Eigen::MatrixXd inertia = equations_by<GibbsAppell<double>>(tree, state).inertia;
    const double e = trial % 3 == 0 ? 1.0 : random.uniform(0.0, 1.0);

    std::vector<Contact> contacts;
    const int count = 1 + trial % 4, points = static_cast<int>(positions.cols());
    for (int c = 0; c < count; ++c) {
      const double angle = random.uniform(-3.0, 3.0);
      contacts.push_back(
          {(trial + c * (points / count)) % points, Vec3d(std::cos(angle), std::sin(angle), 0.0)});
    }
    const auto impact = solve_impact(tree, inertia, positions, motion.rates, contacts, e);
    REQUIRE(impact);
    REQUIRE(impact->impulses.size() == count);

    const Eigen::VectorXd jump = impact->rates - motion.rates;
    Complex given = 0.0;
    double work = 0.0, before_all = 0.0;
    for (int c = 0; c < count; ++c) {
      const Contact& contact = contacts[c];
      const auto J = point_jacobian(tree, positions, contact.point);
      const double before = contact.normal.dot(J * motion.rates);
      const double after = contact.normal.dot(J * impact->rates);
      CAPTURE(trial, c, before, after, e);
      REQUIRE(std::abs(after + e * before) < 1e-9);
      given += impact->impulses(c) * Complex(contact.normal.x(), contact.normal.y());
      work += impact->impulses(c) * (before + after) / 2.0;
      before_all += std::abs(before);
    }
    const Complex gained = momentum(tree, motion.theta, jump);
    CAPTURE(trial, given, gained);
    CHECK(std::abs(gained - given) < 1e-6 * (1.0 + impact->impulses.cwiseAbs().sum()));

    // what the impulses do not do to the contacts' mean velocities, the joints do not do either
    const Eigen::MatrixXd mass = engine_equations(tree, motion).inertia;
    const double change = 0.5 * jump.dot(mass * (impact->rates + motion.rates));
    const double size = motion.rates.dot(mass * motion.rates);
    CHECK(std::abs(change - work) < 1e-9 * size);
    if (e == 1.0) CHECK(std::abs(change) < 1e-9 * size);
    if (e < 1.0 && before_all > 0.1) CHECK(change < 0.0);
  }
}

TEST_CASE("contacts that depend on each other get no impulses") {
  Random random(20260613);
  const RodTree tree = paper_tree();
  const RodTreeMotion motion = random_rod_tree_motion(random, tree);
  const Eigen::Matrix3Xd positions = point_positions(tree, motion.state());
  const Eigen::MatrixXd inertia = equations_by<GibbsAppell<double>>(tree, motion.state()).inertia;
  std::vector<Contact> contacts = {{4, Vec3d::UnitX()}, {4, Vec3d::UnitY()}};
  CHECK(solve_impact(tree, inertia, positions, motion.rates, contacts, 1.0));
  contacts.push_back({4, Vec3d(0.6, 0.8, 0.0)});
  CHECK(!solve_impact(tree, inertia, positions, motion.rates, contacts, 1.0));
}
