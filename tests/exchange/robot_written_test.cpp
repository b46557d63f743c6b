// What is written as URDF, SDF or MJCF and imported again has the same loads.
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

enum class Format { urdf, sdf, mjcf };

/// The springs that URDF and SDF hold: one about each joint, with a rate.
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

bool holds(const Mechanism& mechanism, Format format) {
  const auto held_actuator = [&](const Actuator& actuator) {
    return format == Format::mjcf ? actuator.tube.massless() && actuator.rod.massless()
                                  : !actuator.linear();
  };
  return std::all_of(mechanism.actuators.begin(), mechanism.actuators.end(), held_actuator) &&
         std::all_of(mechanism.couplings.begin(), mechanism.couplings.end(),
                     [&](const Coupling& coupling) {
                       return format == Format::mjcf || coupling.terms.size() == 1;
                     }) &&
         std::all_of(mechanism.loops.begin(), mechanism.loops.end(), [&](const Loop& loop) {
           return format == Format::sdf || loop.keep != LoopKeep::perpendicular;
         });
}

/// Whether a text names an actuator, a coupling or a loop.
bool names_one(const Mechanism& mechanism, const std::string& text) {
  const auto named = [&](const auto& elements) {
    return std::any_of(elements.begin(), elements.end(), [&](const auto& element) {
      return text.find('"' + element.name + '"') != std::string::npos;
    });
  };
  return named(mechanism.actuators) || named(mechanism.couplings) || named(mechanism.loops);
}

/// Returns whether the format holds the mechanism; then its loads come back. What it does not hold
/// is refused by name.
bool comes_back(Mechanism mechanism, const Motion& given, Format format) {
  const Model model = read_model("random.json", [](const auto&) {
    return R"({"format": "counterpoise-model/1", "name": "random", "bodies": [{"name": "a",
      "parent": "world", "joint": {"type": "fixed"}}]})";
  });
  if (format != Format::mjcf) {
    mechanism.gravity = Vec3d(0.0, 0.0, -9.81);
    keep_springs_of_joints(mechanism);
    if (mechanism.loops.empty())
      for (Body& body : mechanism.bodies) body.joint.guess = 0.0;
  }
  std::string text;
  try {
    text = format == Format::mjcf  ? write_mjcf(model, mechanism).text
           : format == Format::sdf ? write_sdf(model, mechanism, true).text
                                   : write_urdf(model, mechanism, true).text;
  } catch (const InputError& error) {
    CAPTURE(error.message());
    REQUIRE_FALSE(holds(mechanism, format));
    REQUIRE(names_one(mechanism, error.message()));
    return false;
  }
  REQUIRE(holds(mechanism, format));
  CAPTURE(text);
  std::vector<std::string> driven;
  if (format != Format::mjcf)
    for (const Actuator& actuator : mechanism.actuators) driven.push_back(actuator.name);
  const Model again = imported(text, driven);
  if (format != Format::mjcf) {  // where two springs about a joint become one
    REQUIRE(again.nominal.springs.size() == mechanism.springs.size());
    REQUIRE(again.nominal.loops.size() == mechanism.loops.size());
  }
  std::vector<double> zero(mechanism.bodies.size(), 0.0);
  if (format != Format::mjcf && !mechanism.loops.empty()) zero = zero_positions(model, mechanism);
  Motion motion = given;  // joints count from another place
  for (Drive& drive : motion.drives) {
    const bool at_joint = drive.actuator < 0 || !mechanism.actuators[drive.actuator].linear();
    if (!at_joint) continue;
    const BodyIndex joint =
        drive.actuator >= 0 ? mechanism.actuators[drive.actuator].joint : drive.joint;
    std::get<Sine>(drive.profile).mean -= zero[static_cast<std::size_t>(joint)];
  }
  require_same_loads(mechanism, given, again.nominal, motion);
  return true;
}

/// A robot with at least one loop and a spring about at least one of its joints, among others.
Sample looped_and_sprung(Random& random, int trial) {
  for (;;) {
    Sample sample = random_sample(random, {.tree_bodies = 3,
                                           .linkage = static_cast<Linkage>(trial % linkage_count),
                                           .more_linkages = trial % 2,
                                           .step = 0.05});
    if (sample.mechanism.loops.empty()) continue;
    std::vector<Spring>& springs = sample.mechanism.springs;
    std::erase_if(springs, [](const Spring& spring) {
      return spring.type == SpringType::torsion && spring.rate <= 0.0;
    });
    for (BodyIndex b = 0; b < sample.mechanism.body_count(); ++b)
      if (sample.mechanism.moves(b) && random.chance(0.4) &&
          std::none_of(springs.begin(), springs.end(),
                       [&](const Spring& spring) { return spring.joint == b; })) {
        Spring spring;
        spring.name = "torsion_" + std::to_string(b);
        spring.type = SpringType::torsion;
        spring.joint = b;
        spring.rate = random.uniform(5.0, 50.0);
        spring.free_length = random.uniform(-0.5, 0.5);
        springs.push_back(spring);
      }
    if (std::any_of(springs.begin(), springs.end(),
                    [](const Spring& spring) { return spring.type == SpringType::torsion; }))
      return sample;
  }
}

}  // namespace

TEST_CASE("trees written as URDF and as SDF come back with their springs of joints") {
  Random random(20261128);
  for (int trial = 0; trial < test::trials(100); ++trial) {
    CAPTURE(trial);
    const Sample sample =
        random_sample(random, {.tree_bodies = 8, .motors_only = true, .step = 0.05});
    CHECK(comes_back(sample.mechanism, sample.motion, Format::urdf));
    CHECK(comes_back(sample.mechanism, sample.motion, Format::sdf));
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
    if (!holds(sample.mechanism, Format::sdf) || sample.mechanism.loops.empty()) continue;
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

TEST_CASE("a hundred robots with loops and springs come back from each format") {
  const Format format = GENERATE(Format::urdf, Format::sdf, Format::mjcf);
  CAPTURE(static_cast<int>(format));
  Random random(20261128);
  int held = 0, between_points = 0, trial = 0;
  for (; held < test::trials(100); ++trial) {
    CAPTURE(trial);
    REQUIRE(trial < 1000);
    const Sample sample = looped_and_sprung(random, trial);
    if (!comes_back(sample.mechanism, sample.motion, format)) continue;
    ++held;
    for (const Actuator& actuator : sample.mechanism.actuators)
      between_points += actuator.linear() ? 1 : 0;
  }
  CAPTURE(held, trial);
  CHECK((between_points > 0) == (format == Format::mjcf));
}
