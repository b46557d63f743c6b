#include <catch2/catch.hpp>

#include "tests/oracles/energy.hpp"
#include "tests/support/differences.hpp"
#include "tests/support/random_mechanism.hpp"
#include "tests/support/simulation.hpp"
#include "tests/support/trials.hpp"

using namespace counterpoise;
using namespace counterpoise::test;

namespace {

constexpr double along_motion = 5e-3;  // of the differences along the motion [s]

/// Kinetic, gravity and spring energy along the parabola through one sample. Its slope there
/// depends on the sample's q, v and a alone.
Slope power_of_energies(const Mechanism& mechanism, const std::vector<double>& q,
                        const std::vector<double>& v, const std::vector<double>& a, bool springs) {
  const auto energies = [&](double t) {
    std::vector<double> position(q.size()), velocity(q.size());
    for (std::size_t i = 0; i < q.size(); ++i) {
      position[i] = q[i] + t * (v[i] + t * a[i] / 2.0);
      velocity[i] = v[i] + t * a[i];
    }
    oracle::Energy sum = oracle::kinetic_energy(mechanism, position, velocity);
    const oracle::Energy potential = oracle::potential_energy(mechanism, position, springs);
    sum.value += potential.value;
    sum.size += potential.size;
    return sum;
  };
  // a term is a product of a few poses, each a handful of roundings
  const double rounding = 20.0 * epsilon * energies(0.0).size;
  return slope_at_zero([&](double t) { return energies(t).value; }, along_motion, rounding);
}

/// The work of the forces from outside along the same parabola, and its slope: each force times the
/// way of its point, each moment times the small turn of its body.
Slope power_of_forces(const Sample& sample, const std::vector<double>& q,
                      const std::vector<double>& v, double t) {
  const Mechanism& mechanism = sample.mechanism;
  const auto poses = oracle::world_poses(mechanism, q);
  const auto work = [&](double h) {
    std::vector<double> position(q);
    for (std::size_t i = 0; i < q.size(); ++i) position[i] += h * v[i];
    const auto moved = oracle::world_poses(mechanism, position);
    double sum = 0.0;
    for (std::size_t f = 0; f < mechanism.forces.size(); ++f) {
      const AppliedForce applied = force_at(sample, f, t);
      const int body = mechanism.points[applied.point].body;
      const Mat3d turn = poses[body].topLeftCorner<3, 3>();
      const Mat3d axes = applied.turns_with_body ? turn : Mat3d(Mat3d::Identity());
      const Mat3d turned = moved[body].topLeftCorner<3, 3>() * turn.transpose();
      const Mat3d skew = 0.5 * (turned - turned.transpose());
      sum += (axes * applied.force).dot(oracle::world_point(mechanism, moved, applied.point)) +
             (axes * applied.moment).dot(Vec3d(skew(2, 1), skew(0, 2), skew(1, 0)));
    }
    return sum;
  };
  constexpr double size = 300.0;  // of the forces' sum times the places' distances [N m]
  return slope_at_zero(work, along_motion, 20.0 * epsilon * size);
}

/// The size of the force through a joint, of a slide across its axis.
double counted_reaction(const Simulation& simulation, const Mechanism& mechanism, int body,
                        std::size_t k) {
  const auto part = [&](const char* name) {
    return column(simulation, mechanism.bodies[body].name + ".reaction." + name)[k];
  };
  const Vec3d force(part("fx"), part("fy"), part("fz"));
  const Joint& joint = mechanism.bodies[body].joint;
  return joint.type == JointType::revolute ? force.norm() : force.cross(joint.axis).norm();
}

void check_balance(const Sample& sample, bool springs) {
  const Mechanism& mechanism = sample.mechanism;
  const bool loads = has_load_friction(mechanism);
  const Simulation simulation =
      run(mechanism, sample.motion, {.springs = springs, .reactions = loads});
  const auto q = joint_samples(simulation, mechanism, ".q");
  const auto v = joint_samples(simulation, mechanism, ".qd");
  const auto a = joint_samples(simulation, mechanism, ".qdd");
  for (std::size_t k = 0; k < q.size(); k += 5) {
    double power = 0.0;
    double size = 0.0;
    for (const Actuator& actuator : mechanism.actuators) {
      const double share = column(simulation, actuator.name + ".load")[k] *
                           column(simulation, actuator.name + ".velocity")[k];
      power += share;
      size += std::abs(share);
    }
    Slope expected = power_of_energies(mechanism, q[k], v[k], a[k], springs);
    if (!mechanism.forces.empty()) {
      const Slope outside =
          power_of_forces(sample, q[k], v[k], static_cast<double>(k) * sample.motion.step);
      expected.value -= outside.value;
      expected.error += outside.error;
      size += std::abs(outside.value);
    }
    for (int b = 0; b < mechanism.body_count(); ++b) {
      const Friction& friction = mechanism.bodies[b].friction;
      const double speed = std::abs(v[k][static_cast<std::size_t>(b)]);
      const double lost =
          speed * ((speed > 1e-9 ? friction.coulomb : 0.0) + friction.viscous * speed);
      expected.value += lost;
      size += lost;
      if (friction.load_coefficient == 0.0) continue;
      const double rubbed =
          speed * friction.load_coefficient * counted_reaction(simulation, mechanism, b, k);
      expected.value += rubbed;
      size += rubbed;
    }
    // a joint position that a loop gives is closed to 1e-11 or better, relative
    const double tolerance = expected.error + 1e-10 * (size + 0.01);
    CAPTURE(k, power, expected.value, tolerance);
    REQUIRE(std::abs(power - expected.value) < tolerance);
    REQUIRE(tolerance < 1e-6 * (size + 1.0));
  }
}

}  // namespace

TEST_CASE("the power of the actuators is the rate of all energies: trees") {
  Random random(20260101);
  for (int trial = 0; trial < test::trials(200); ++trial) {
    CAPTURE(trial);
    check_balance(random_sample(random, {.tree_bodies = 7}), trial % 4 != 0);
  }
}

TEST_CASE("the power of the actuators is the rate of all energies: linkages on linkages") {
  Random random(20260103);
  for (int trial = 0; trial < test::trials(25); ++trial) {
    CAPTURE(trial);
    check_balance(random_sample(random, {.tree_bodies = 2, .more_linkages = 2 + trial % 2}), true);
  }
}

TEST_CASE("the power of the actuators is the rate of all energies: linkages") {
  Random random(20260102);
  for (int trial = 0; trial < test::trials(30) * linkage_count; ++trial) {
    const auto kind = static_cast<Linkage>(trial % linkage_count);
    CAPTURE(trial, trial % linkage_count);
    check_balance(random_sample(random, {.tree_bodies = 3, .linkage = kind}), trial % 4 != 0);
  }
}

TEST_CASE("the power of the actuators and of forces from outside is the rate of all energies") {
  Random random(20260104);
  for (int trial = 0; trial < test::trials(25) * linkage_count; ++trial) {
    const auto kind = static_cast<Linkage>(trial % linkage_count);
    CAPTURE(trial, trial % linkage_count);
    Sample sample = random_sample(random, {.tree_bodies = 3, .linkage = kind});
    add_forces(random, sample);
    check_balance(sample, trial % 4 != 0);
  }
}

TEST_CASE("the power of the actuators is the rate of all energies and what friction takes") {
  Random random(20260105);
  for (int trial = 0; trial < test::trials(30) * linkage_count; ++trial) {
    const auto kind = static_cast<Linkage>(trial % linkage_count);
    CAPTURE(trial, trial % linkage_count);
    Sample sample = random_sample(random, {.tree_bodies = 3, .linkage = kind});
    add_friction(random, sample.mechanism);
    if (trial % 3 == 0) add_forces(random, sample);
    check_balance(sample, trial % 4 != 0);
  }
}

TEST_CASE("friction that grows with the reactions takes what the reactions that are printed say") {
  Random random(20260106);
  int looked_at = 0;
  for (int trial = 0; trial < test::trials(30) * linkage_count; ++trial) {
    const auto kind = static_cast<Linkage>(trial % linkage_count);
    CAPTURE(trial, trial % linkage_count);
    Sample sample = random_sample(random, {.tree_bodies = 3, .linkage = kind});
    add_friction(random, sample.mechanism);
    add_load_friction(random, sample.mechanism);
    if (trial % 3 == 0) add_forces(random, sample);
    const auto outcome = simulate(sample.mechanism, sample.motion, {.springs = trial % 4 != 0});
    if (const Finding* finding = std::get_if<Finding>(&outcome)) {
      REQUIRE(finding->kind == FindingKind::joint_locks);
      CHECK(finding->value >= 1.0);
      continue;
    }
    check_balance(sample, trial % 4 != 0);
    ++looked_at;
  }
  CHECK(looked_at > test::trials(30) * linkage_count * 2 / 3);
}
