#include <catch2/catch.hpp>
#include <numbers>
#include <set>

#include "engine/evaluation/evaluator.hpp"
#include "tests/support/random_mechanism.hpp"
#include "tests/support/simulation.hpp"
#include "tests/support/trials.hpp"

using namespace counterpoise;
using namespace counterpoise::test;

namespace {

std::vector<double> levels_between(double from, double to, int count) {
  std::vector<double> levels;
  for (int i = 0; i < count; ++i) levels.push_back(from + (to - from) * i / std::max(count - 1, 1));
  return levels;
}

Drive of_actuator(int actuator) {
  Drive drive;
  drive.actuator = actuator;
  return drive;
}

/// All combinations of the levels; the last coordinate moves in every pose.
Motion poses_of(std::vector<Drive> drives, const std::vector<std::vector<double>>& levels) {
  Motion motion;
  motion.name = "poses";
  motion.step = 1.0;
  motion.inertia = false;
  motion.poses = true;
  int repeat = 1;
  for (std::size_t i = drives.size(); i-- > 0;) {
    drives[i].profile = PoseLevels{levels[i], repeat};
    repeat *= static_cast<int>(levels[i].size());
  }
  motion.duration = repeat - 1;
  motion.drives = std::move(drives);
  return motion;
}

/// One pose as a motion of its own.
Motion held(const Motion& poses, int k) {
  Motion motion;
  motion.name = "pose";
  motion.duration = motion.step = 1.0;
  motion.inertia = false;
  for (const Drive& drive : poses.drives)
    motion.drives.push_back(
        {{drive.actuator, drive.joint}, Hold{evaluate(drive.profile, k, poses.duration).position}});
  return motion;
}

Actuator motor(const char* name, BodyIndex joint) {
  Actuator actuator;
  actuator.name = name;
  actuator.joint = joint;
  return actuator;
}

/// A heavy link on a joint about y, which may stand on a column that turns about the vertical, with
/// a spring without free length to a point straight above the joint.
Mechanism compensator(bool turns_about_vertical) {
  constexpr double mass = 3.0, arm = 0.31, height = 0.2, mount = 0.12, gravity = 9.81;
  Mechanism mechanism;
  mechanism.gravity = {0.0, 0.0, -gravity};
  BodyIndex parent = -1;
  if (turns_about_vertical) {
    Body column;
    column.name = "column";
    column.parent = -1;
    column.joint.type = JointType::revolute;
    column.joint.axis = {0.0, 0.0, 1.0};
    mechanism.bodies.push_back(column);
    mechanism.actuators.push_back(motor("column", 0));
    parent = 0;
  }
  Body link;
  link.name = "link";
  link.parent = parent;
  link.mass = mass;
  link.com = {arm, 0.0, 0.0};
  link.joint.type = JointType::revolute;
  link.joint.axis = {0.0, 1.0, 0.0};
  mechanism.bodies.push_back(link);
  const BodyIndex moved = static_cast<BodyIndex>(mechanism.body_count() - 1);
  mechanism.actuators.push_back(motor("link", moved));
  mechanism.points = {{.name = "anchor", .body = -1, .position = {0.0, 0.0, height}},
                      {.name = "mount", .body = moved, .position = {mount, 0.0, 0.0}}};
  Spring spring;
  spring.name = "spring";
  spring.points = {0, 1};
  spring.rate = mass * gravity * arm / (height * mount);
  mechanism.springs.push_back(spring);
  return mechanism;
}

}  // namespace

TEST_CASE("poses run through all combinations like a snake") {
  const std::vector<std::vector<double>> levels = {
      {1.0, 2.0, 3.0}, {0.0}, {-1.0, 4.0}, {0.0, 1.0, 5.0, 6.0}};
  const Motion motion = poses_of(std::vector<Drive>(4), levels);
  REQUIRE(motion.sample_count() == 24);
  std::set<std::vector<std::size_t>> seen;
  std::vector<std::size_t> before;
  for (int k = 0; k < motion.sample_count(); ++k) {
    std::vector<std::size_t> now;
    int steps = 0;
    for (std::size_t i = 0; i < levels.size(); ++i) {
      const auto& poses = std::get<PoseLevels>(motion.drives[i].profile);
      now.push_back(poses.level_of(k));
      CHECK(evaluate(motion.drives[i].profile, k, motion.duration).position == levels[i][now[i]]);
      if (k > 0) steps += std::abs(static_cast<int>(now[i]) - static_cast<int>(before[i]));
    }
    if (k > 0) CHECK(steps == 1);
    seen.insert(now);
    before = now;
  }
  CHECK(seen.size() == 24);
}

TEST_CASE("the steps of the velocities between poses are the trapezoids of the accelerations") {
  const Motion motion = poses_of(std::vector<Drive>(2), {{1.0, 2.5, 3.0}, {0.0, 1.0, 5.0}});
  for (const Drive& drive : motion.drives)
    for (int k = 1; k < motion.sample_count(); ++k) {
      const ProfileValue a = evaluate(drive.profile, k - 1, motion.duration);
      const ProfileValue b = evaluate(drive.profile, k, motion.duration);
      CHECK(b.velocity - a.velocity ==
            Approx((a.acceleration + b.acceleration) / 2.0).margin(1e-12));
    }
}

TEST_CASE("metrics of poses weigh all poses alike, and poses take no power") {
  Mechanism mechanism = compensator(true);
  mechanism.springs.front().rate *= 0.8;
  const Motion motion = poses_of({of_actuator(0), of_actuator(1)},
                                 {levels_between(-1.0, 1.0, 5), levels_between(-1.2, 1.1, 7)});
  const Simulation simulation = run(mechanism, motion);
  Metrics metrics;
  REQUIRE_FALSE(Evaluator(mechanism, motion).evaluate(mechanism, {}, metrics));
  Metrics in_stretches;
  REQUIRE_FALSE(Evaluator(mechanism, motion, Reuse::remember, Holding::at_most(8))
                    .evaluate(mechanism, {}, in_stretches));
  for (std::size_t a = 0; a < 2; ++a) {
    const std::vector<double>& load = column(simulation, mechanism.actuators[a].name + ".load");
    double max = 0.0, sum = 0.0, squares = 0.0;
    for (const double x : load) {
      max = std::max(max, std::abs(x));
      sum += std::abs(x);
      squares += x * x;
    }
    const auto count = static_cast<double>(load.size());
    CHECK(metrics.actuators[a].max == Approx(max).margin(1e-13));
    CHECK(metrics.actuators[a].mean == Approx(sum / count).margin(1e-13));
    CHECK(metrics.actuators[a].rms == Approx(std::sqrt(squares / count)).margin(1e-13));
    CHECK(metrics.actuators[a].energy == 0.0);
    CHECK(metrics.actuators[a].peak_power == 0.0);
    CHECK(in_stretches.actuators[a].mean == metrics.actuators[a].mean);
    CHECK(in_stretches.actuators[a].rms == metrics.actuators[a].rms);
    CHECK(peak(column(simulation, mechanism.actuators[a].name + ".velocity")) == 0.0);
  }
  CHECK(peak(column(simulation, "link.qd")) == 0.0);
  CHECK(peak(column(simulation, "link.qdd")) == 0.0);
}

TEST_CASE("a spring without free length holds a link in every one of many poses") {
  constexpr double whole = 3.0 * 0.31 * 9.81;  // the largest load without spring [N m]
  const int count = all_trials() ? 1000 : 300;
  for (const bool spatial : {false, true}) {
    const Mechanism mechanism = compensator(spatial);
    std::vector<Drive> drives = {of_actuator(spatial ? 1 : 0)};
    std::vector<std::vector<double>> levels = {levels_between(-3.1, 3.1, count)};
    if (spatial) {
      drives.insert(drives.begin(), of_actuator(0));
      levels.insert(levels.begin(), levels_between(-3.0, 3.0, count));
    }
    const Motion motion = poses_of(drives, levels);
    Metrics metrics;
    Evaluator evaluator(mechanism, motion);
    REQUIRE_FALSE(evaluator.evaluate(mechanism, {}, metrics));
    for (const ActuatorMetrics& actuator : metrics.actuators) CHECK(actuator.max <= 1e-12 * whole);
    REQUIRE_FALSE(evaluator.evaluate(mechanism, {.springs = false}, metrics));
    CHECK(metrics.actuators.back().max == Approx(whole).epsilon(1e-3));
  }
}

/// The mechanism of a sample in combinations of positions of its first two drives, so many of each
/// that their loops can be followed.
std::pair<Motion, Simulation> followed_poses(const Sample& sample) {
  for (const int count : {3, 9, 33}) {
    std::vector<std::vector<double>> levels;
    for (const Drive& drive : sample.motion.drives) {
      const auto& sine = std::get<Sine>(drive.profile);
      levels.push_back(levels_between(sine.mean - sine.amplitude, sine.mean + sine.amplitude,
                                      levels.size() < 2 ? count : 1));
    }
    const Motion motion = poses_of(sample.motion.drives, levels);
    auto result = simulate(sample.mechanism, motion, {});
    if (auto* simulation = std::get_if<Simulation>(&result))
      return {motion, std::move(*simulation)};
    // nothing else may stand against poses between which the steps are coarse
    const Finding& finding = std::get<Finding>(result);
    const std::string words = describe(finding, sample.mechanism, motion);
    CAPTURE(count, words);
    REQUIRE((finding.kind == FindingKind::loop_jump || finding.kind == FindingKind::actuator_jump));
    CHECK(words.find(" may jump to another branch on the way to pose ") != std::string::npos);
  }
  FAIL("the poses cannot be followed in 33 steps");
  return {};
}

TEST_CASE("loads in poses are those of each pose by itself") {
  Random random(20261128);
  for (int trial = 0; trial < test::trials(25) * (linkage_count + 1); ++trial) {
    CAPTURE(trial);
    SampleOptions options{.tree_bodies = 3, .inertia = false, .step = 0.1};
    if (const int kind = trial % (linkage_count + 1); kind < linkage_count)
      options.linkage = static_cast<Linkage>(kind);
    const Sample sample = random_sample(random, options);
    const auto [motion, poses] = followed_poses(sample);
    for (int k = 0; k < motion.sample_count(); k += 1 + motion.sample_count() / 9) {
      const Simulation single = run(sample.mechanism, held(motion, k));
      double size = 0.0;
      for (const Actuator& actuator : sample.mechanism.actuators)
        size = std::max(size, std::abs(column(single, actuator.name + ".load")[0]));
      for (const Actuator& actuator : sample.mechanism.actuators) {
        const double load = column(poses, actuator.name + ".load")[static_cast<std::size_t>(k)];
        const double expected = column(single, actuator.name + ".load")[0];
        CAPTURE(k, actuator.name, load, expected, size);
        CHECK(std::abs(load - expected) <= 1e-12 * size);
      }
    }
  }
}
