#include <catch2/catch.hpp>
#include <cstring>
#include <map>
#include <random>
#include <set>

#include "input/reading/read.hpp"
#include "tests/support/reading.hpp"

using namespace counterpoise;

namespace {

// every kind of element varies, parameters depend on each other, and much can be impossible
const std::string changeable = R"model({"format": "counterpoise-model/1",
"gravity": [0, 0, "-g"],
"parameters": {
"g": 9.81, "length": {"value": 0.3, "min": 0.1, "max": 0.5}, "half": "length/2",
"quarter": {"value": "half/2", "max": "length/2 + slack"}, "slack": 0.01,
"load": 2, "root": "sqrt(load)", "rate": 300, "ratio": -1, "strongest": 50,
"tilt": {"value": 30, "unit": "deg"}, "double_tilt": {"value": "2*tilt", "unit": "deg"}},
"world": {"points": {"anchor": [0, 0, "length + 0.1"]}},
"bodies": [
{"name": "upper", "parent": "world",
 "joint": {"type": "revolute", "axis": ["half", 0, "load"], "guess": "tilt"},
 "mass": 3, "com": ["half", 0, 0], "inertia": ["root/10", 0.1, 0.1, 0, 0, "slack"],
 "points": {"middle": ["half", 0, 0], "pin": [0, 1, 0]}},
{"name": "lower", "parent": "upper",
 "joint": {"type": "revolute", "axis": "y", "origin": ["length", 0, 0],
  "rotation": {"rpy": ["double_tilt", 0, 0]}}, "mass": "load"},
{"name": "wheel", "parent": "world", "joint": {"type": "revolute", "axis": "y"}}],
"loops": [
{"name": "weld", "connect": ["world.anchor", "upper.pin"], "keep": "weld",
 "rotation": {"rpy": [0, "tilt", "double_tilt"]}},
{"name": "pin", "connect": ["world.anchor", "upper.pin"], "keep": "parallel",
 "axes": ["y", ["load", "half", 0]]}],
"couplings": [{"name": "gear", "joint": "lower", "ratio": ["ratio", "half"],
 "of": ["upper", "wheel"], "offset": "slack"}],
"springs": [{"name": "lift", "connect": ["world.anchor", "upper.middle"], "rate": "rate",
 "free_length": "quarter", "min_length": "quarter - slack"}],
"actuators": [{"name": "shoulder", "joint": "upper", "max_load": "strongest"},
{"name": "ram", "connect": ["world.anchor", "upper.middle"],
 "tube": {"mass": "load", "com": "half", "inertia": ["root", 0.1]},
 "rod": {"mass": 1, "com": "slack", "inertia": [0.1, "slack"]}}]})model";

bool same(double a, double b) {
  return std::memcmp(&a, &b, sizeof a) == 0;
}
template <class Numbers>
bool same_all(const Numbers& a, const Numbers& b) {
  return std::equal(a.data(), a.data() + a.size(), b.data(),
                    [](double x, double y) { return same(x, y); });
}

bool same(const LegPart& a, const LegPart& b) {
  return same(a.mass, b.mass) && same(a.com, b.com) && same(a.transverse, b.transverse) &&
         same(a.axial, b.axial);
}

/// All numbers of the model above, to the last bit.
bool same(const Mechanism& a, const Mechanism& b) {
  for (std::size_t i = 0; i < a.bodies.size(); ++i) {
    const Body &x = a.bodies[i], &y = b.bodies[i];
    if (!same(x.mass, y.mass) || !same_all(x.com, y.com) || !same_all(x.inertia, y.inertia) ||
        !same_all(x.joint.axis, y.joint.axis) || !same_all(x.joint.origin, y.joint.origin) ||
        !same_all(x.joint.rotation, y.joint.rotation) || !same(x.joint.guess, y.joint.guess))
      return false;
  }
  for (std::size_t i = 0; i < a.points.size(); ++i)
    if (!same_all(a.points[i].position, b.points[i].position)) return false;
  const Spring &s = a.springs[0], &t = b.springs[0];
  return same_all(a.gravity, b.gravity) &&
         same(a.couplings[0].terms[0].ratio, b.couplings[0].terms[0].ratio) &&
         same(a.couplings[0].terms[1].ratio, b.couplings[0].terms[1].ratio) &&
         same(a.couplings[0].offset, b.couplings[0].offset) &&
         same_all(a.loops[0].rotation, b.loops[0].rotation) &&
         same_all(a.loops[1].axes[1], b.loops[1].axes[1]) &&
         same(a.actuators[1].tube, b.actuators[1].tube) &&
         same(a.actuators[1].rod, b.actuators[1].rod) && same(s.rate, t.rate) &&
         same(s.free_length, t.free_length) && same(s.min_length, t.min_length) &&
         same(s.max_length, t.max_length) && same(a.actuators[0].max_load, b.actuators[0].max_load);
}

}  // namespace

TEST_CASE("a design does not depend on those bound before it, possible or not") {
  const Model model = test::model_of(changeable);
  ModelBinder binder(model);
  std::mt19937 random(20240607);
  const auto below = [&](std::size_t n) { return random() % n; };
  const double inf = no_limit;
  // per parameter: values that are fine and values that are not, or make something else impossible
  const std::map<std::string, std::vector<double>> values = {
      {"g", {9.81, 1.6, 0.0, -0.0, inf}},
      {"length", {0.3, 0.4, 0.6, 0.05, 0.0}},
      {"half", {0.15, 0.1, 0.0, -0.1}},
      {"quarter", {0.05, 0.1, 0.4, -0.01}},
      {"slack", {0.01, 0.02, 5.0}},
      {"load", {2.0, 1.0, 0.0, -1.0}},
      {"root", {1.0, 1.5, 100.0, std::nan("")}},
      {"rate", {300.0, 500.0, -1.0}},
      {"ratio", {-1.0, 2.0, 0.0}},
      {"strongest", {50.0, 60.0}},
      {"tilt", {0.5, 0.6}},
      {"double_tilt", {1.0, 0.2, inf}}};
  std::vector<std::vector<double>> choices;
  for (const Parameter& parameter : model.parameters) choices.push_back(values.at(parameter.name));

  std::vector<std::optional<double>> set(choices.size());
  std::set<std::string> kinds;
  int possible = 0;
  for (int trial = 0; trial < 4000; ++trial) {
    for (std::size_t changes = below(4); changes-- > 0;) {
      const std::size_t p = below(set.size());
      // good values are likelier, so that several impossible ones do not always hide each other
      const std::size_t choice = below(3) == 0 ? below(choices[p].size()) : below(2);
      set[p] = below(3) == 0 ? std::nullopt : std::optional(choices[p][choice]);
    }
    std::vector<ParameterSetting> settings;
    for (std::size_t p = 0; p < set.size(); ++p)
      if (set[p]) settings.push_back({static_cast<int>(p), *set[p]});
    std::shuffle(settings.begin(), settings.end(), random);

    ModelBinder fresh(model);
    const auto expected = fresh.bind(settings);
    const auto found = binder.bind(settings);
    CAPTURE(trial, expected.value_or("possible"), found.value_or("possible"));
    REQUIRE(found == expected);
    REQUIRE(binder.refused_parameter() == fresh.refused_parameter());
    REQUIRE(std::equal(binder.values().begin(), binder.values().end(), fresh.values().begin(),
                       [](double a, double b) { return same(a, b); }));
    kinds.insert(expected.value_or("possible").substr(0, 22));
    if (expected) continue;
    ++possible;
    REQUIRE(same(binder.mechanism(), fresh.mechanism()));
  }
  CHECK(possible > 400);
  CHECK(kinds.size() > 12);
}

TEST_CASE("a motion does not depend on those bound before it, and stays while its numbers do") {
  const Model model = test::model_of(changeable);
  const std::string text = R"({"format": "counterpoise-motion/1", "duration": 2, "step": 0.1,
"coordinates": {"shoulder": {"type": "sine", "amplitude": "half", "period": "load"}}})";
  const ParametricMotion motion =
      read_motion("motion.json", model, test::texts({{"motion.json", text}}));
  ModelBinder design(model);
  MotionBinder binder(motion);
  std::mt19937 random(7);
  for (int trial = 0; trial < 300; ++trial) {
    const double load = static_cast<double>(random() % 3);  // 0: no period
    const std::vector<ParameterSetting> settings = {
        {model.find_parameter("load"), load},
        {model.find_parameter("half"), random() % 2 == 0 ? 0.1 : 0.2},
        {model.find_parameter("rate"), static_cast<double>(trial)}};
    static_cast<void>(design.bind(settings));
    MotionBinder fresh(motion);
    const auto expected = fresh.bind(design.values());
    const auto found = binder.bind(design.values());
    REQUIRE(found == expected);
    REQUIRE(expected.has_value() == (load == 0.0));
    if (!expected) REQUIRE(binder.motion().drives == fresh.motion().drives);

    const std::uint64_t revision = binder.revision();
    REQUIRE(binder.bind(design.values()) == expected);
    REQUIRE(binder.revision() == revision);
  }
}

TEST_CASE("designs of a model differ in the elements that vary, and in no others") {
  const Model model = test::model_of(changeable);
  const std::map<std::string, double> elsewhere = {
      {"g", 1.6},      {"length", 0.4}, {"load", 3.0}, {"rate", 500.0},
      {"slack", 0.02}, {"ratio", 2.0},  {"tilt", 0.6}, {"strongest", 60.0}};
  std::vector<ParameterSetting> settings;
  for (const auto& [name, value] : elsewhere)
    settings.push_back({model.find_parameter(name), value});
  ModelBinder binder(model);
  REQUIRE_FALSE(binder.bind({}));
  Mechanism mixed = binder.mechanism();
  REQUIRE_FALSE(binder.bind(settings));
  const Mechanism& other = binder.mechanism();
  CHECK_FALSE(same(mixed, other));

  const ElementSet varying = model.varying_elements();
  CHECK(varying.bodies.size() == 2);  // not the wheel
  CHECK(varying.points.size() == 2);  // not upper.pin
  CHECK(varying.loops.size() == 2);
  CHECK(varying.couplings.size() == 1);
  CHECK(varying.springs.size() == 1);
  CHECK(varying.actuators.size() == 2);
  CHECK(varying.gravity);
  const auto take = [](auto& into, const auto& from, const std::vector<std::size_t>& elements) {
    for (const std::size_t i : elements) into[i] = from[i];
  };
  mixed.gravity = other.gravity;
  take(mixed.bodies, other.bodies, varying.bodies);
  take(mixed.points, other.points, varying.points);
  take(mixed.loops, other.loops, varying.loops);
  take(mixed.couplings, other.couplings, varying.couplings);
  take(mixed.springs, other.springs, varying.springs);
  take(mixed.actuators, other.actuators, varying.actuators);
  CHECK(same(mixed, other));
}
