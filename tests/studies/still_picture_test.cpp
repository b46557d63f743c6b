#include <catch2/catch.hpp>
#include <cmath>
#include <nlohmann/json.hpp>

#include "studies/pages/design_view.hpp"
#include "studies/pages/mechanism_data.hpp"
#include "studies/pages/run_data.hpp"
#include "studies/pages/spring_changes.hpp"
#include "studies/pages/still_picture.hpp"
#include "tests/support/arm_study.hpp"
#include "tests/support/simulation.hpp"

using namespace counterpoise;
using namespace counterpoise::test;

namespace {

Mechanism arm_with(const std::vector<ParameterSetting>& settings, const Model& model) {
  ModelBinder binder(model);
  REQUIRE_FALSE(binder.bind(settings));
  return binder.mechanism();
}

/// The arm with its own parameters, but for one.
Mechanism arm_with(const Model& model, const std::string& parameter, double value) {
  for (std::size_t p = 0; p < model.parameters.size(); ++p)
    if (model.parameters[p].name == parameter)
      return arm_with({{static_cast<int>(p), value}}, model);
  throw std::logic_error("no parameter " + parameter);
}

Motion motion_of(const Model& model, const std::string& text) {
  return read_motion("motion.json", model, texts({{"motion.json", text}})).nominal;
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

int count(const std::string& text, const std::string& part) {
  int found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
    ++found;
  return found;
}

}  // namespace

TEST_CASE("what is rounding in a run beside its kind, weight or size is 0") {
  const Model model = model_of(arm_with_springs);
  const Mechanism arm = arm_with(model, "load", 2.0);
  const std::string motor = arm.actuators.front().name, spring = arm.springs.front().name;
  const std::vector<Series> found = without_rounding(arm, {{"t", {0.0, 1e-30}},
                                                           {motor + ".load", {3e-14, -1e-9}},
                                                           {motor + ".position", {-5e-17, 1e-9}},
                                                           {spring + ".length", {1e-18, 0.2}},
                                                           {spring + ".tension", {-1e-13, 400.0}},
                                                           {"unknown", {1e-30, 1.0}}});
  CHECK(found[0].values == std::vector<double>{0.0, 1e-30});
  CHECK(found[1].values == std::vector<double>{0.0, -1e-9});
  CHECK(found[2].values == std::vector<double>{0.0, 1e-9});
  CHECK(found[3].values == std::vector<double>{0.0, 0.2});
  CHECK(found[4].values == std::vector<double>{0.0, 400.0});
  CHECK(found[5].values == std::vector<double>{1e-30, 1.0});
}

TEST_CASE("a spring is added, changed, the same or unused by its law and its points") {
  const Model model = model_of(arm_with_springs);
  const Mechanism baseline = arm_with(model, "load", 2.0);
  const auto change = [&](const Mechanism& design, const Mechanism& before) {
    return spring_changes(design, before).front();
  };
  CHECK(change(baseline, baseline) == SpringChange::same);
  CHECK(change(arm_with(model, "load", 3.0), baseline) == SpringChange::same);
  CHECK(change(arm_with(model, "strongest", 3.0), baseline) == SpringChange::same);
  for (const char* own : {"rate", "free", "tension", "mount", "height"})
    CHECK(change(arm_with(model, own, 0.2), baseline) == SpringChange::changed);

  Mechanism without = baseline;
  without.springs[0].rate = without.springs[0].initial_tension = 0.0;
  CHECK(change(without, baseline) == SpringChange::unused);
  CHECK(change(without, without) == SpringChange::unused);
  CHECK(change(baseline, without) == SpringChange::added);
  CHECK(spring_changes(without, baseline)[1] == SpringChange::same);

  Mechanism gas = baseline;
  gas.springs[0].type = SpringType::gas;
  gas.springs[0].initial_tension = gas.springs[0].rate = 0.0;
  CHECK(change(gas, baseline) == SpringChange::unused);
}

TEST_CASE("the still picture shows the instant of the largest load, and says so") {
  const Model model = model_of(arm_with_springs);
  DesignView view(model, arm_with(model, "load", 2.0), "arm");
  const Motion motion = motion_of(model, swing);
  view.follow(motion);
  const Simulation simulation = run(view.mechanism(), motion);
  double most = 0.0, time = 0.0;
  std::string strongest;
  for (const char* name : {"shoulder", "elbow"})
    for (std::size_t k = 0; k < column(simulation, "t").size(); ++k)
      if (const double load = column(simulation, std::string(name) + ".load")[k];
          std::abs(load) > std::abs(most)) {
        most = load;
        time = column(simulation, "t")[k];
        strongest = name;
      }
  const DesignView::Instant instant = view.largest_load();
  CHECK(instant.time == time);
  CHECK(instant.words == "the largest load, " + still_number(most, "N*m") + " of " + strongest);

  const StillDesign still = view.still(instant.time, "arm");
  CHECK(still.loads[0].most >= std::abs(still.loads[0].now));
  const std::string svg = still_picture({still}, "key", "caption");
  CHECK(has(svg, ">" + strongest + " " + still_number(most, "N*m") + "<"));
  CHECK(count(svg, "class=\"number") == 1);  // both actuators have one unit
  CHECK(count(svg, "class=\"load area\"") == 2);
  CHECK(count(svg, "class=\"pull\"") + count(svg, "class=\"push\"") == 2);
}

TEST_CASE("designs side by side have one scale, and names") {
  const Model model = model_of(arm_with_springs);
  DesignView view(model, arm_with(model, "load", 2.0), "arm");
  DesignView baseline(model, arm_with(model, "load", 2.0), "baseline");
  const Motion motion = motion_of(model, swing);
  for (DesignView* one : {&view, &baseline}) {
    one->follow(motion);
    one->compare(view.mechanism());
  }
  const std::string svg =
      still_picture({view.still(0.5, "case 7"), baseline.still(0.5, "baseline")}, "0 7", "both");
  CHECK(has(svg, "data-still=\"0 7\""));
  CHECK(has(svg, ">case 7</text>"));
  CHECK(has(svg, ">baseline</text>"));
  CHECK(count(svg, "class=\"spring-same\"") == 4);
  // the same design twice is drawn twice with the same widths
  for (const char* part : {"body-0", "body-1", "load area", "spring-same"})
    CHECK(count(svg, std::string("class=\"") + part + "\"") % 2 == 0);
}

TEST_CASE("texts of users are no markup in a still picture") {
  const Model model = model_of(arm_with_springs);
  DesignView view(model, arm_with(model, "load", 2.0), "arm");
  const std::string svg = still_picture({view.still(0.0, "<b>"), view.still(0.0, "a&b")}, "k\"",
                                        "</figcaption><script>\"\x01");
  CHECK(has(svg, "&lt;b&gt;"));
  CHECK(has(svg, "a&amp;b"));
  CHECK(has(svg, "data-still=\"k&quot;\""));
  CHECK_FALSE(has(svg, "<script"));
  CHECK_FALSE(has(svg, "\x01"));
}

TEST_CASE("a loop that closes has no gap in what pages get, and one that is open has") {
  const std::string path = std::string(COUNTERPOISE_SOURCE_DIR) + "/examples/four_bar/model.json";
  const Model model = read_model(path, read_text_file);
  const auto gaps = [](const DesignView& view) {
    std::vector<std::string> found;
    const Json json = view.json();
    for (const Json& series : json["run"]["series"])
      if (series["kind"] == "loop") found.push_back(series["element"].get<std::string>());
    return found;
  };
  ModelBinder binder(model);
  REQUIRE_FALSE(binder.bind({}));
  CHECK(gaps(DesignView(model, binder.mechanism(), "")).empty());
  Mechanism open = binder.mechanism();
  for (Point& point : open.points)
    if (point.name == "upper_arm.tip") point.position.x() = 0.9;
  const DesignView view(model, open, "");
  CHECK(gaps(view) == std::vector<std::string>{"upper_pin"});
  CHECK(view.still(0.0, "").gaps.front() > 0.1);
  CHECK(has(still_picture({view.still(0.0, "")}, "", ""), "class=\"gap\""));
}

TEST_CASE("a point mass that is fixed and carries nothing is drawn as a ball of steel") {
  Mechanism mechanism;
  for (const char* name : {"arm", "weight"}) {
    Body body;
    body.name = name;
    body.mass = 7.85;
    mechanism.bodies.push_back(body);
  }
  mechanism.bodies[0].joint.type = JointType::revolute;
  mechanism.bodies[1].parent = 0;
  // a litre of steel
  CHECK(radius_of_ball(mechanism, 1) == Approx(std::cbrt(0.001 * 0.75 / std::acos(-1.0))));
  CHECK(mechanism_data(mechanism)["bodies"][1]["ball"] == radius_of_ball(mechanism, 1));
  CHECK_FALSE(mechanism_data(mechanism)["bodies"][0].contains("ball"));
  CHECK(radius_of_ball(mechanism, 0) == 0.0);
  Mechanism other = mechanism;
  SECTION("it moves") {
    other.bodies[1].joint.type = JointType::prismatic;
  }
  SECTION("it has a size of its own") {
    other.bodies[1].inertia.diagonal().setConstant(0.1);
  }
  SECTION("it weighs nothing") {
    other.bodies[1].mass = 0.0;
  }
  SECTION("something is mounted on it") {
    other.points.push_back({.name = "hook", .body = 1});
  }
  SECTION("it carries another body") {
    other.bodies.push_back(other.bodies[1]);
    other.bodies[2].parent = 1;
  }
  CHECK(radius_of_ball(other, 1) == 0.0);
}
