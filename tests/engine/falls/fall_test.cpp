#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <numbers>

#include "tests/engine/falls/falling.hpp"
#include "tests/support/random_mechanism.hpp"
#include "tests/support/simulation.hpp"
#include "tests/support/trials.hpp"

using namespace counterpoise;
using namespace counterpoise::test;

namespace {

constexpr std::array<int, 11> parent_rod = {0, 0, 1, 2, 3, 2, 5, 6, 5, 5, 9};

/// The tree of paper 002, Fig. 4 and Table 2, in a wall of radius 2.5 m.
struct PaperTree {
  PaperTree() {
    mechanism.gravity = Vec3d(0.0, -9.81, 0.0);
    add_slider(mechanism, "x", world_body, Vec3d::UnitX(), 0.0);
    add_slider(mechanism, "y", 0, Vec3d::UnitY(), 0.0);
    const double across = 1.0 / 12.0 + 2.94e-5;
    for (int rod = 1; rod <= 10; ++rod) {
      const int parent = parent_rod[rod];
      add_hinge(mechanism, "rod" + std::to_string(rod), rod == 1 ? 1 : parent + 1, Vec3d::UnitZ(),
                1.0, Vec3d(0.5, 0.0, 0.0), Vec3d(5.89e-5, across, across));
      if (rod > 1) mechanism.bodies.back().joint.origin = Vec3d(1.0, 0.0, 0.0);
    }
    mechanism.points.push_back({"O1", 2, Vec3d::Zero()});
    for (int rod = 1; rod <= 10; ++rod)
      mechanism.points.push_back({"O" + std::to_string(rod + 1), rod + 1, Vec3d(1.0, 0.0, 0.0)});
    Contact wall{.name = "wall", .restitution = 1.0};
    for (int p = 0; p < 11; ++p) wall.points.push_back(p);
    wall.surface = {.kind = Surface::Kind::cylinder, .inside = true, .radius = 2.5};
    scenario.contacts.push_back(wall);
    const double x = -(1.0 + std::sqrt(3.0)) / 2.0;
    start.q = {x, x};
    for (const double q :
         {1 / 6., 1 / 6., -2 / 3., 1 / 6., 1 / 6., -2 / 3., 1 / 3., 0., 2 / 3., -1 / 3.})
      start.q.push_back(q * std::numbers::pi);
    start.v.assign(12, 0.0);
  }

  Mechanism mechanism;
  Scenario scenario{.duration = 1.5, .step = 0.05, .tolerance = 1e-10};
  JointStart start;
};

nlohmann::json golden() {
  std::ifstream file(COUNTERPOISE_SOURCE_DIR "/tests/golden/impact_tree/impact_tree.json");
  return nlohmann::json::parse(file);
}

std::vector<std::string> names_of_points(const Fall& fall, int group) {
  std::vector<std::string> names;
  for (const FallEvent& event : fall.events)
    if (event.group == group) names.push_back("O" + std::to_string(event.point + 1));
  return names;
}

}  // namespace

TEST_CASE("the tree of paper 002 falls and hits its wall as the golden numbers say") {
  const PaperTree tree;
  const Fall fall = let_go(tree.mechanism, tree.scenario, tree.start);
  const nlohmann::json numbers = golden();
  constexpr double within = 1e-8;
  std::size_t at = 0;
  for (const auto& event : numbers["golden_events"])
    for (std::size_t p = 0; p < event["points"].size(); ++p, ++at) {
      const FallEvent& found = fall.events[at];
      CHECK("O" + std::to_string(found.point + 1) == event["points"][p]);
      CHECK(found.time == Approx(event["t"].get<double>()).epsilon(within));
      CHECK(found.angle * 180.0 / std::numbers::pi ==
            Approx(event["alpha_deg"][p].get<double>()).epsilon(within));
      CHECK(found.normal_velocity_after - found.normal_velocity_before ==
            Approx(event["dv_normal"][p].get<double>()).epsilon(within));
      CHECK(found.impulse == Approx(event["impulse"][p].get<double>()).epsilon(within));
    }
  CHECK(at == 6);
  for (const auto& sample : numbers["golden_samples"]) {
    const auto& t = values(fall, "t");
    const auto row = std::find_if(t.begin(), t.end(), [&](double time) {
      return std::abs(time - sample["t"].get<double>()) < 1e-12;
    });
    if (row == t.end()) continue;
    CAPTURE(*row);
    const auto k = static_cast<std::size_t>(row - t.begin());
    const auto check = [&](const nlohmann::json& expected, const std::vector<std::string>& names) {
      double size = 0.0;
      for (const double x : expected) size = std::max(size, std::abs(x));
      for (std::size_t i = 0; i < names.size(); ++i)
        CHECK(std::abs(values(fall, names[i])[k] - expected[i].get<double>()) <=
              within * std::max(size, 1.0));
    };
    std::vector<std::string> q, v;
    for (int rod = 1; rod <= 10; ++rod) {
      q.push_back("rod" + std::to_string(rod) + ".q");
      v.push_back("rod" + std::to_string(rod) + ".qd");
    }
    check(sample["q"], q);
    check(sample["qd"], v);
    check(sample["X"], {"x.q", "y.q"});
    check(sample["Xd"], {"x.qd", "y.qd"});
  }
  CHECK(values(fall, "energy.total").front() ==
        Approx(numbers["golden_energy_J"].get<double>()).epsilon(1e-12));
  CHECK(energy_drift(fall) <= 1e-9 * 18.66);
}

TEST_CASE("the tree of paper 002 prints its Table 3") {
  const PaperTree tree;
  const Fall fall = let_go(tree.mechanism, tree.scenario, tree.start);
  const nlohmann::json numbers = golden();
  REQUIRE(numbers["published_table3"].size() == 5);
  int group = 0;
  for (const auto& row : numbers["published_table3"]) {
    ++group;
    CAPTURE(group);
    std::vector<std::string> points = row["points"];
    CHECK(names_of_points(fall, group) == points);
    for (const FallEvent& event : fall.events) {
      if (event.group != group) continue;
      CHECK(event.time == Approx(row["t"].get<double>()).epsilon(1e-3));
      CHECK(event.angle * 180.0 / std::numbers::pi ==
            Approx(row["alpha"].get<double>()).epsilon(0.013).margin(1e-6));
      CHECK(event.normal_velocity_after - event.normal_velocity_before ==
            Approx(row["dv"].get<double>()).epsilon(0.005));
      CHECK(event.impulse == Approx(row["f"].get<double>()).epsilon(0.005));
    }
  }
}

TEST_CASE("order and partners of the tree's impacts do not change with the tolerance") {
  PaperTree tree;
  tree.scenario.duration = 2.3;
  std::vector<std::pair<int, int>> first;
  for (const double tolerance : {1e-9, 1e-10, 1e-11, 1e-12}) {
    tree.scenario.tolerance = tolerance;
    const Fall fall = let_go(tree.mechanism, tree.scenario, tree.start);
    std::vector<std::pair<int, int>> hits;
    for (const FallEvent& event : fall.events) hits.emplace_back(event.group, event.point);
    if (first.empty()) first = hits;
    CHECK(hits == first);
    CHECK(hits.size() == 14);
  }
}

TEST_CASE("a ball comes to rest at the time of Zeno, and stays") {
  for (const double e : {0.5, 0.8}) {
    CAPTURE(e);
    Mechanism mechanism;
    mechanism.gravity = Vec3d(0.0, 0.0, -10.0);
    add_slider(mechanism, "ball", world_body, Vec3d::UnitZ(), 2.0);
    mechanism.points = {{"centre", 0, Vec3d::Zero()}};
    Scenario scenario{.duration = 6.0, .step = 0.5};
    scenario.contacts.push_back(floor_contact({0}, e));
    const Fall fall = let_go(mechanism, scenario, {{1.0}, {0.0}});
    const double known = std::sqrt(0.2) * (1.0 + e) / (1.0 - e);
    REQUIRE(fall.events.back().kind == FallEvent::Kind::rest);
    // of the last flights, which are left out, the sum of times is 2 v / g / (1 - e)
    const double left_out = 2.0 * scenario.rest_speed / 10.0 / (1.0 - e);
    CHECK(fall.events.back().time == Approx(known).margin(left_out + 1e-9));
    CHECK(fall.extremes.settled <= known);
    CHECK(last(fall, "ball.q") == Approx(0.0).margin(1e-9));
    CHECK(fall.events[fall.events.size() - 2].normal_velocity_after == Approx(0.0).margin(1e-15));
    CHECK(energy_drift(fall) <= 1e-11 * 20.0);
    CHECK(fall.extremes.energy_lost == Approx(20.0).epsilon(1e-9));
    const auto hits = std::count_if(fall.events.begin(), fall.events.end(), [](const auto& event) {
      return event.kind == FallEvent::Kind::impact;
    });
    // the rebound of impact n has the speed e^n sqrt(2 g h)
    const double last_impact = std::log(scenario.rest_speed / std::sqrt(20.0)) / std::log(e);
    CHECK(hits == std::lround(std::ceil(last_impact)));
  }
}

TEST_CASE("an oscillator settles when it was last faster, seen between steps too") {
  // q'' = -q: the speed is A sin t
  Mechanism mechanism;
  mechanism.gravity = Vec3d::Zero();
  add_slider(mechanism, "mass", world_body, Vec3d::UnitX(), 1.0);
  mechanism.points = {{"anchor", world_body, Vec3d(-3.0, 0.0, 0.0)}, {"at", 0, Vec3d::Zero()}};
  Spring spring;
  spring.name = "spring";
  spring.points = {0, 1};
  spring.rate = 1.0;
  spring.free_length = 3.0;
  mechanism.springs.push_back(spring);
  for (const double share : {0.5, 0.9, 0.99, 0.999, 1.0001}) {
    CAPTURE(share);
    const double fastest = 0.01;
    // the run ends while the mass turns, so that only the half swing before was too fast
    Scenario scenario{.duration = 3.0, .step = 3.0};
    scenario.settled_speed = share * fastest;
    const Fall fall = let_go(mechanism, scenario, {{fastest}, {0.0}});
    const double known = share < 1.0 ? std::numbers::pi - std::asin(share) : 0.0;
    // the cubics of the steps follow the speed to 1e-5, which the peak's flatness enlarges
    const double margin = share < 1.0 ? 1e-5 / std::sqrt(1.0 - share * share) : 0.0;
    CHECK(fall.extremes.settled == Approx(known).margin(margin));
  }
}

TEST_CASE("energy is kept by what moves freely through loops, and loops stay closed") {
  Random random(14);
  int fell = 0;
  for (int kind = 0; kind < linkage_count; ++kind) {
    CAPTURE(kind);
    const Sample sample = random_sample(
        random, {.tree_bodies = 2, .linkage = static_cast<Linkage>(kind), .duration = 0.1});
    const Simulation simulation = run(sample.mechanism, sample.motion);
    Scenario scenario{.duration = 0.5, .step = 0.05, .tolerance = 1e-11};
    const JointStart start = {joint_samples(simulation, sample.mechanism, ".q").front(),
                              joint_samples(simulation, sample.mechanism, ".qd").front()};
    scenario.actuators.resize(sample.mechanism.actuators.size());
    const auto result = simulate_fall(sample.mechanism, scenario, start, {});
    if (const auto* stopped = std::get_if<FallStop>(&result)) {
      CHECK(stopped->kind ==
            FallStop::Kind::singular_mass);  // some linkages have free massless bars
      continue;
    }
    const Fall& fall = std::get<Fall>(result);
    ++fell;
    const double kinetic = peak(values(fall, "energy.kinetic"));
    CHECK(energy_drift(fall) <= 1e-8 * std::max(kinetic, 1e-3));
  }
  CHECK(fell >= 6);
}

TEST_CASE("forces from outside push a cart and turn a wheel as Newton says") {
  Mechanism mechanism;
  mechanism.gravity = Vec3d::Zero();
  add_slider(mechanism, "cart", world_body, Vec3d::UnitX(), 2.0);
  add_hinge(mechanism, "wheel", world_body, Vec3d::UnitZ(), 1.0, Vec3d::Zero(),
            Vec3d(0.1, 0.1, 0.5));
  mechanism.points = {{"middle", 0, Vec3d::Zero()}, {"rim", 1, Vec3d(0.4, 0.0, 0.0)}};
  mechanism.forces = {{"push", 0, false, Vec3d(3.0, 7.0, 0.0), Vec3d::Zero()},
                      // along the rim, wherever it has turned to
                      {"jet", 1, true, Vec3d(9.0, 1.5, 0.0), Vec3d(0.0, 0.0, 0.2)}};
  const Fall fall = let_go(mechanism, {.duration = 4.0, .step = 0.5}, {{0.0, 0.0}, {0.0, 0.0}});
  const std::vector<double>& t = values(fall, "t");
  for (std::size_t k = 0; k < t.size(); ++k) {
    CHECK(values(fall, "cart.q")[k] == Approx(0.5 * (3.0 / 2.0) * t[k] * t[k]).margin(1e-8));
    CHECK(values(fall, "wheel.q")[k] ==
          Approx(0.5 * ((0.4 * 1.5 + 0.2) / 0.5) * t[k] * t[k]).margin(1e-8));
  }
  CHECK(energy_drift(fall) <= 1e-8 * peak(values(fall, "energy.kinetic")));
}
