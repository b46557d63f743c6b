// What is written as URDF or SDF and imported again has the same loads.
#include <algorithm>
#include <catch2/catch.hpp>

#include "engine/kinematics/closure/mobility.hpp"
#include "exchange/imported_model.hpp"
#include "exchange/written_robot.hpp"
#include "input/reading/read.hpp"
#include "tests/exchange/same_loads.hpp"
#include "tests/support/random_mechanism.hpp"
#include "tests/support/trials.hpp"

using namespace counterpoise;
using namespace counterpoise::test;

namespace {

/// The springs that both formats hold: one about each joint, with a rate.
void keep_springs_of_joints(Mechanism& mechanism) {
  std::vector<Spring> kept;
  for (const Spring& spring : mechanism.springs)
    if (spring.type == SpringType::torsion && spring.rate > 0.0 &&
        std::none_of(kept.begin(), kept.end(),
                     [&](const Spring& other) { return other.joint == spring.joint; }))
      kept.push_back(spring);
  mechanism.springs = std::move(kept);
}

Model imported(const std::string& text, const std::vector<std::string>& driven,
               bool open_loops = false) {
  ImportOptions options;
  options.open_loops = open_loops;
  options.massless = true;
  options.actuate = driven;
  options.output = "r.json";
  const ImportedModel made = import_robot(
      "r.xml", [&](const auto&) { return text; }, options);
  return read_model("r.json", [&](const auto&) { return made.text; });
}

/// The names of the first of a tree's actuators that are free of each other in a mechanism with
/// loops, by the rank of all equations.
std::vector<std::string> first_free(const Mechanism& mechanism, const Mechanism& tree) {
  const Paths paths(mechanism);
  const Mobility mobility(mechanism, paths);
  std::vector<BodyIndex> moving;
  for (BodyIndex b = 0; b < mechanism.body_count(); ++b)
    if (mechanism.moves(b)) moving.push_back(b);
  std::vector<Equation> equations = closing_equations(mechanism);
  std::vector<std::string> names;
  for (const Actuator& actuator : tree.actuators) {
    const int rank = mobility.rank(equations, moving);
    const BodyIndex joint = find_body(mechanism, tree.bodies[actuator.joint].name);
    equations.push_back(
        drive_equation({.joint = joint}, static_cast<int>(names.size()), mechanism));
    if (mobility.rank(equations, moving) > rank)
      names.push_back(actuator.name);
    else
      equations.pop_back();
  }
  return names;
}

bool holds(const Mechanism& mechanism, bool sdf) {
  return std::none_of(mechanism.actuators.begin(), mechanism.actuators.end(),
                      [](const Actuator& actuator) { return actuator.linear(); }) &&
         std::all_of(mechanism.couplings.begin(), mechanism.couplings.end(),
                     [](const Coupling& coupling) { return coupling.terms.size() == 1; }) &&
         std::all_of(mechanism.loops.begin(), mechanism.loops.end(),
                     [&](const Loop& loop) { return sdf || loop.keep != LoopKeep::perpendicular; });
}

/// Returns whether the format holds the mechanism; then its loads come back.
bool comes_back(Mechanism mechanism, const Motion& given, bool sdf) {
  Model model;
  model.name = "random";
  mechanism.gravity = Vec3d(0.0, 0.0, -9.81);
  keep_springs_of_joints(mechanism);
  if (mechanism.loops.empty())
    for (Body& body : mechanism.bodies) body.joint.guess = 0.0;
  if (!holds(mechanism, sdf)) return false;
  const std::string text = (sdf ? write_sdf : write_urdf)(model, mechanism, true).text;
  CAPTURE(text);
  std::vector<std::string> driven;
  for (const Actuator& actuator : mechanism.actuators) driven.push_back(actuator.name);
  const Model again = imported(text, driven);
  REQUIRE(again.nominal.springs.size() == mechanism.springs.size());
  REQUIRE(again.nominal.loops.size() == mechanism.loops.size());
  std::vector<double> zero(mechanism.bodies.size(), 0.0);
  if (!mechanism.loops.empty()) zero = zero_positions(model, mechanism);
  Motion motion = given;  // joints count from another place
  for (Drive& drive : motion.drives) {
    const BodyIndex joint =
        drive.actuator >= 0 ? mechanism.actuators[drive.actuator].joint : drive.joint;
    std::get<Sine>(drive.profile).mean -= zero[static_cast<std::size_t>(joint)];
  }
  require_same_loads(mechanism, given, again.nominal, motion);
  return true;
}

}  // namespace

TEST_CASE("trees written as URDF and as SDF come back with their springs of joints") {
  Random random(20261128);
  for (int trial = 0; trial < test::trials(100); ++trial) {
    CAPTURE(trial);
    const Sample sample =
        random_sample(random, {.tree_bodies = 8, .motors_only = true, .step = 0.05});
    CHECK(comes_back(sample.mechanism, sample.motion, false));
    CHECK(comes_back(sample.mechanism, sample.motion, true));
  }
}

TEST_CASE("the first joints that are free of each other drive linkages") {
  Random random(20261206);
  int held = 0;
  for (int trial = 0; trial < test::trials(120); ++trial) {
    CAPTURE(trial, trial % 12);
    const Sample sample = random_sample(random, {.tree_bodies = 3,
                                                 .linkage = static_cast<Linkage>(trial % 12),
                                                 .more_linkages = trial % 3,
                                                 .step = 0.05});
    if (!holds(sample.mechanism, true) || sample.mechanism.loops.empty()) continue;
    const std::string text = write_sdf(Model(), sample.mechanism, false).text;
    const Mechanism driven = imported(text, {}).nominal, tree = imported(text, {}, true).nominal;
    std::vector<std::string> names;
    for (const Actuator& actuator : driven.actuators) names.push_back(actuator.name);
    CHECK(names == first_free(driven, tree));
    CHECK(names.size() < tree.actuators.size());
    ++held;
  }
  CHECK(held >= test::trials(120) / 4);
}

TEST_CASE("linkages written as URDF and as SDF come back") {
  Random random(20261203);
  int urdf = 0, sdf = 0;
  for (int trial = 0; trial < test::trials(120); ++trial) {
    CAPTURE(trial, trial % 12);
    const Sample sample = random_sample(
        random, {.tree_bodies = 3, .linkage = static_cast<Linkage>(trial % 12), .step = 0.05});
    urdf += comes_back(sample.mechanism, sample.motion, false) ? 1 : 0;
    sdf += comes_back(sample.mechanism, sample.motion, true) ? 1 : 0;
  }
  CHECK(urdf >= test::trials(120) / 4);
  CHECK(sdf >= urdf);
}
