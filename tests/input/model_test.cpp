#include "input/definition/model.hpp"

#include <catch2/catch.hpp>
#include <numbers>

#include "engine/math/rotation.hpp"
#include "tests/support/reading.hpp"

using namespace counterpoise;
using namespace counterpoise::test;

namespace {

int point(const Mechanism& mechanism, const std::string& name) {
  for (std::size_t i = 0; i < mechanism.points.size(); ++i)
    if (mechanism.points[i].name == name) return static_cast<int>(i);
  return -1;
}

Vec3d position(const Mechanism& mechanism, const std::string& name) {
  return mechanism.points.at(static_cast<std::size_t>(point(mechanism, name))).position;
}

Model body_model(const std::string& joint) {
  return model_of(R"({"format": "counterpoise-model/1", "parameters": {"a": 0.3}, "bodies":
      [{"name": "b", "parent": "world", "joint": )" +
                  joint + "}]}");
}

}  // namespace

TEST_CASE("the model of CHARMIE is read") {
  const Model model = charmie();
  const Mechanism& robot = model.nominal;
  CHECK(model.name == "charmie24");
  CHECK(robot.body_count() == 26);
  CHECK(robot.springs.size() == 3);
  CHECK(robot.actuators.size() == 19);
  CHECK(robot.loops.size() == 2);
  CHECK(model.parameters.size() == 17);
  CHECK(model.parameters[0].source == "published");
  CHECK(position(robot, "base.left_anchor") == Vec3d(-0.135, 0.0, 0.56));
  CHECK(position(robot, "right_crank.tip") == Vec3d(-0.2, 0.0, 0.0));
  CHECK(robot.springs[0].min_length == 0.1055);
  CHECK(robot.springs[2].points[1] == point(robot, "trunk.lean_spring"));
  CHECK(robot.actuators[3].linear());
  const Body& arm_6 = robot.bodies[find_body(robot, "left_arm_6")];
  const double pi = std::numbers::pi;
  CHECK(arm_6.joint.rotation == rotation_from_zxz(pi / 2, -pi / 2, pi));
  CHECK(arm_6.parent == find_body(robot, "trunk"));
  CHECK(robot.bodies[2].inertia(0, 1) == 0.01145);
  CHECK(robot.bodies[2].inertia(1, 2) == -0.05186);
  CHECK(model.location("/actuators").pointer == "/actuators");
}

TEST_CASE("a set parameter replaces its expression, and dependants follow") {
  const Model model = model_of(arm);
  CHECK(model.nominal.bodies[1].joint.origin == Vec3d(0.3, 0.0, 0.0));
  CHECK(model.nominal.springs[0].free_length == 0.075);
  ModelBinder binder(model);
  const Mechanism& design = binder.mechanism();

  const std::vector<ParameterSetting> longer = {{model.find_parameter("length"), 0.4}};
  REQUIRE_FALSE(binder.bind(longer));
  CHECK(position(design, "world.anchor") == Vec3d(0.0, 0.0, 0.5));
  CHECK(position(design, "upper.middle") == Vec3d(0.2, 0.0, 0.0));
  CHECK(design.springs[0].free_length == 0.1);
  CHECK(binder.values()[model.find_parameter("quarter")] == 0.1);

  const std::vector<ParameterSetting> half = {{model.find_parameter("half"), 0.1}};
  REQUIRE_FALSE(binder.bind(half));
  CHECK(design.bodies[1].joint.origin == Vec3d(0.3, 0.0, 0.0));
  CHECK(design.bodies[0].com == Vec3d(0.1, 0.0, 0.0));
  CHECK(design.springs[0].free_length == 0.05);

  REQUIRE_FALSE(binder.bind({}));
  CHECK(design.springs[0].free_length == 0.075);
}

TEST_CASE("a chain of parameters may be as long as a file") {
  constexpr int links = 200'000;
  std::string parameters;
  for (int i = 0; i < links; ++i)
    parameters += "\"p" + std::to_string(i) + "\": \"p" + std::to_string(i + 1) + " + 1\",\n";
  const auto chain = [&](const std::string& last) {
    return model_of(R"({"format": "counterpoise-model/1", "parameters": {)" + parameters + "\"p" +
                    std::to_string(links) + "\": " + last + R"(}, "bodies": [{"name": "link",
"parent": "world", "joint": {"type": "revolute", "axis": "y"}, "mass": "p0"}],
"actuators": [{"name": "pivot", "joint": "link"}]})");
  };
  CHECK(chain("0.5").nominal.bodies.front().mass == links + 0.5);
  CHECK_THROWS_WITH(chain("\"p7\""), Catch::Contains("the parameter depends on itself: p7 -> p8"));
}

TEST_CASE("a design that cannot be is a reason in words") {
  const Model model = model_of(arm);
  ModelBinder binder(model);
  const auto reason = [&](const std::string& parameter, double value) {
    const std::vector<ParameterSetting> settings = {{model.find_parameter(parameter), value}};
    return binder.bind(settings).value_or("possible");
  };
  CHECK(reason("length", 0.6) == "parameter length = 0.6 is above its max 0.5");
  CHECK(binder.refused_parameter() == model.find_parameter("length"));
  CHECK(reason("length", 0.05) == "parameter length = 0.05 is below its min 0.1");
  CHECK(reason("half", std::nan("")) == "parameter half is nan, expected a finite number");
  CHECK(reason("load", -1.0) == "body lower: its mass is negative (-1 kg)");
  CHECK(binder.refused_parameter() == -1);
  CHECK(reason("half", -0.1) == "spring lift: its free length is negative (-0.05 m)");
  CHECK(reason("length", 0.5) == "possible");
}

TEST_CASE("bodies may stand in any order and are numbered base to tips") {
  const Model model = model_of(R"({"format": "counterpoise-model/1", "bodies": [
    {"name": "tip", "parent": "middle", "joint": {"type": "fixed"}},
    {"name": "root", "parent": "world", "joint": {"type": "fixed"}, "mass": 1},
    {"name": "middle", "parent": "root", "joint": {"type": "prismatic", "axis": [0, 3, 4]}}]})");
  std::vector<std::string> names;
  for (const Body& body : model.nominal.bodies) names.push_back(body.name);
  CHECK(names == std::vector<std::string>{"root", "middle", "tip"});
  CHECK(model.file_order == std::vector<int>{1, 2, 0});
  CHECK(model.nominal.bodies[2].parent == 1);
  CHECK(model.nominal.bodies[1].joint.axis.isApprox(Vec3d(0.0, 0.6, 0.8)));
}

TEST_CASE("joints are read in every spelling, fixed and as expressions") {
  const auto joint = [](const std::string& text) {
    return body_model(text).nominal.bodies[0].joint;
  };
  CHECK(joint(R"({"type": "revolute", "axis": "y", "guess": "pi/4"})").guess ==
        std::numbers::pi / 4);
  CHECK(joint(R"({"type": "revolute", "axis": ["a", 0, 0]})").axis == Vec3d(1.0, 0.0, 0.0));
  CHECK(joint(R"({"type": "fixed", "rotation": {"rpy": [0.1, "a", 0.2]}})").rotation ==
        rotation_from_rpy(0.1, 0.3, 0.2));
  CHECK(joint(R"({"type": "fixed", "rotation": {"quaternion": [2, 0, 0, 2]}})")
            .rotation.isApprox(rotation_about(Vec3d::UnitZ(), std::numbers::pi / 2)));
  CHECK(joint(R"({"type": "fixed", "rotation": {"zxz": ["a", 0, 0]}, "origin": [1, 2, "a"]})")
            .origin == Vec3d(1.0, 2.0, 0.3));
}

TEST_CASE("springs, couplings and limits are read") {
  const Model model = model_of(R"({"format": "counterpoise-model/1",
   "parameters": {"k": {"value": "2 + 1", "unit": "N/mm"}},
   "bodies": [
    {"name": "a", "parent": "world", "joint": {"type": "revolute", "axis": "z"},
     "points": {"p": [1, 0, 0], "q": [2, 0, 0]}},
    {"name": "b", "parent": "world", "joint": {"type": "revolute", "axis": "z"},
     "points": {"p": [0, 1, 0]}}],
   "couplings": [{"name": "gear", "joint": "b", "ratio": -2, "of": "a", "offset": "pi"}],
   "springs": [
    {"name": "s", "type": "torsion", "joint": "a", "rate": "k * 1", "free_angle": -1, "preload": 4},
    {"name": "t", "type": "gas", "connect": ["a.p", "b.p"], "initial_tension": -50,
     "max_length": 3}],
   "actuators": [{"name": "m", "joint": "a", "max_load": "k/2", "min_position": -1}]})");
  const Mechanism& m = model.nominal;
  CHECK(m.couplings[0].terms[0].ratio == -2.0);
  CHECK(m.couplings[0].offset == std::numbers::pi);
  CHECK(m.springs[0].type == SpringType::torsion);
  CHECK(m.springs[0].rate == 3000.0);
  CHECK(m.springs[0].free_length == -1.0);
  CHECK(m.springs[0].initial_tension == 4.0);
  CHECK(m.springs[1].max_length == 3.0);
  CHECK(m.springs[1].min_length == -no_limit);
  CHECK(m.actuators[0].max_load == 1500.0);
  CHECK(m.actuators[0].min_position == -1.0);
  CHECK(m.actuators[0].max_speed == no_limit);
}

TEST_CASE("closures, gears on several shafts, legs with mass and sharing rules are read") {
  const Model model = model_of(R"({"format": "counterpoise-model/1",
   "parameters": {"m": {"value": 200, "unit": "g"}},
   "world": {"points": {"w": [0, 0, 1]}},
   "bodies": [
    {"name": "a", "parent": "world", "joint": {"type": "revolute", "axis": "z"},
     "points": {"p": [1, 0, 0]}},
    {"name": "b", "parent": "world", "joint": {"type": "revolute", "axis": "z"},
     "points": {"p": [0, 1, 0]}},
    {"name": "c", "parent": "b", "joint": {"type": "revolute", "axis": "z"},
     "points": {"p": [0, 1, 0]}}],
   "loops": [
    {"name": "ball", "connect": ["a.p", "b.p"]},
    {"name": "pin", "connect": ["a.p", "c.p"], "keep": "parallel", "axes": ["z", [0, 0, -2]]},
    {"name": "cross", "connect": ["a.p", "c.p"], "keep": "perpendicular", "axes": ["x", "y"]},
    {"name": "weld", "connect": ["world.w", "c.p"], "keep": "weld",
     "rotation": {"rpy": [0, 0, "pi/2"]}}],
   "couplings": [
    {"name": "one", "joint": "c", "of": ["a", "b"], "ratio": ["m", -3], "offset": 1},
    {"name": "two", "joint": "c", "of": ["a", "b"]}],
   "actuators": [
    {"name": "ram", "connect": ["world.w", "a.p"],
     "tube": {"mass": "m", "com": 0.1, "inertia": [0.02, 0.001]}, "rod": {"mass": 1}}],
   "reactions": [
    {"equal": ["c.fx", "pin.fx", "weld.mz"], "note": "alike"},
    {"none": ["ball.fy"]}]})");
  const Mechanism& m = model.nominal;
  CHECK(m.loops[0].keep == LoopKeep::point);
  CHECK(m.loops[1].keep == LoopKeep::parallel);
  CHECK(m.loops[1].axes[0] == Vec3d(0.0, 0.0, 1.0));
  CHECK(m.loops[1].axes[1] == Vec3d(0.0, 0.0, -1.0));
  CHECK(m.loops[2].keep == LoopKeep::perpendicular);
  CHECK(m.loops[2].axes[1] == Vec3d(0.0, 1.0, 0.0));
  CHECK(m.loops[3].keep == LoopKeep::weld);
  CHECK(m.loops[3].rotation.isApprox(rotation_about(Vec3d::UnitZ(), std::numbers::pi / 2)));
  REQUIRE(m.couplings[0].terms.size() == 2);
  CHECK(m.couplings[0].terms[0].of == 0);
  CHECK(m.couplings[0].terms[0].ratio == 0.2);
  CHECK(m.couplings[0].terms[1].ratio == -3.0);
  CHECK(m.couplings[1].terms[1].of == 1);
  CHECK(m.couplings[1].terms[1].ratio == 1.0);
  CHECK(m.actuators[0].tube.mass == 0.2);
  CHECK(m.actuators[0].tube.com == 0.1);
  CHECK(m.actuators[0].tube.transverse == 0.02);
  CHECK(m.actuators[0].tube.axial == 0.001);
  CHECK(m.actuators[0].rod.mass == 1.0);
  REQUIRE(m.sharing.size() == 2);
  CHECK(m.sharing[0].kind == SharingRule::Kind::equal);
  REQUIRE(m.sharing[0].components.size() == 3);
  CHECK(m.sharing[0].components[0].owner == WrenchComponent::Owner::body);
  CHECK(m.sharing[0].components[0].element == 2);
  CHECK(m.sharing[0].components[2].owner == WrenchComponent::Owner::loop);
  CHECK(m.sharing[0].components[2].element == 3);
  CHECK(m.sharing[0].components[2].component == 5);
  CHECK(m.sharing[1].kind == SharingRule::Kind::none);
}

namespace {

/// A model whose numbers are all 1; each stands as the unit of its field.
constexpr std::string_view in_units = R"({"format": "counterpoise-model/1",
 "gravity": [<1>, 0, 0],
 "bodies": [
  {"name": "a", "parent": "world",
   "joint": {"type": "revolute", "axis": [<1>, 0, 0], "origin": [<m>, 0, 0], "guess": <rad>,
             "rotation": {"zxz": [<rad>, 0, 0]}},
   "mass": <kg>, "com": [<m>, 0, 0], "inertia": [<kg*m^2>, 1, 1, 0, 0, 0],
   "points": {"p": [<m>, 0, 0]}},
  {"name": "b", "parent": "a",
   "joint": {"type": "prismatic", "axis": "z", "guess": <m>, "rotation": {"rpy": [<rad>, 0, 0]}},
   "points": {"p": [0, 1, 0]}},
  {"name": "c", "parent": "b",
   "joint": {"type": "fixed", "rotation": {"quaternion": [<1>, 0, 0, 0]}}}],
 "loops": [
  {"name": "d", "connect": ["a.p", "b.p"], "keep": "weld", "rotation": {"zxz": [<rad>, 0, 0]}},
  {"name": "e", "connect": ["a.p", "b.p"], "keep": "weld", "rotation": {"rpy": [<rad>, 0, 0]}},
  {"name": "f", "connect": ["a.p", "b.p"], "keep": "weld",
   "rotation": {"quaternion": [<1>, 0, 0, 0]}},
  {"name": "g", "connect": ["a.p", "b.p"], "keep": "parallel",
   "axes": [[<1>, 0, 0], [<1>, 0, 0]]}],
 "couplings": [{"name": "h", "joint": "a", "of": "b", "ratio": <1>, "offset": <rad>},
               {"name": "i", "joint": "b", "of": "a", "offset": <m>}],
 "springs": [
  {"name": "j", "connect": ["a.p", "b.p"], "rate": <N/m>, "free_length": <m>,
   "initial_tension": <N>, "min_length": <m>, "max_length": <m>, "max_load": <N>},
  {"name": "k", "type": "torsion", "joint": "a", "rate": <N*m/rad>, "free_angle": <rad>,
   "preload": <N*m>, "min_length": <rad>, "max_length": <rad>, "max_load": <N*m>}],
 "actuators": [
  {"name": "l", "joint": "a", "min_position": <rad>, "max_position": <rad>, "max_load": <N*m>,
   "max_speed": <rad/s>},
  {"name": "m", "joint": "b", "min_position": <m>, "max_position": <m>, "max_load": <N>,
   "max_speed": <m/s>},
  {"name": "n", "connect": ["a.p", "b.p"], "min_position": <m>, "max_position": <m>,
   "max_load": <N>, "max_speed": <m/s>,
   "tube": {"mass": <kg>, "com": <m>, "inertia": [<kg*m^2>, 1]},
   "rod": {"mass": <kg>, "com": <m>, "inertia": [<kg*m^2>, 1]}}]})";

/// That model with the number `of` as a text in `unit`; in the field's own unit if none is given.
std::string with_unit(std::size_t of, std::string unit = {}) {
  std::string text;
  std::size_t number = 0;
  for (const char c : in_units) {
    if (c == '>') {
      const std::size_t start = text.rfind('<');
      if (unit.empty()) unit = number == of ? text.substr(start + 1) : unit;
      text.resize(start);
      text += number++ == of ? "\"1 " + unit + '"' : "1";
    } else {
      text += c;
    }
  }
  return text;
}

}  // namespace

TEST_CASE("a number of a model may be written in a unit of its field, and in no other") {
  std::size_t number = 0;
  for (std::size_t at = in_units.find('<'); at != std::string_view::npos;
       at = in_units.find('<', at + 1), ++number) {
    CAPTURE(number, in_units.substr(at, 8));
    if (in_units.substr(at, 3) != "<1>") CHECK_NOTHROW(model_of(with_unit(number)));
    CHECK_THROWS_AS(model_of(with_unit(number, "s")), InputError);
  }
  CHECK(number == 50);
}
