#include <catch2/catch.hpp>
#include <fstream>
#include <nlohmann/json.hpp>
#include <numbers>

#include "formulations/gibbs_appell/gibbs_appell.hpp"
#include "tests/formulations/flight.hpp"
#include "tests/formulations/rod_tree_case.hpp"

using namespace counterpoise;
using namespace counterpoise::rod_tree;
using namespace counterpoise::test;

namespace {

nlohmann::json golden_file() {
  std::ifstream file(COUNTERPOISE_SOURCE_DIR "/tests/golden/impact_tree/impact_tree.json");
  return nlohmann::json::parse(file);
}

Eigen::VectorXd numbers(const nlohmann::json& first, const nlohmann::json& rest) {
  Eigen::VectorXd all(first.size() + rest.size());
  Eigen::Index at = 0;
  for (const auto* part : {&first, &rest})
    for (const double value : *part) all(at++) = value;
  return all;
}

/// The tree as it starts, at rest in the paper's pose.
Flight start(const nlohmann::json& golden) {
  const RodTree tree = paper_tree();
  Eigen::VectorXd theta(12);
  theta << 1.0 / 6, 1.0 / 6, -2.0 / 3, 1.0 / 6, 1.0 / 6, -2.0 / 3, 1.0 / 3, 0.0, 2.0 / 3, -1.0 / 3,
      0.0, 0.0;
  theta *= std::numbers::pi;
  theta.tail<2>().setConstant(-(1.0 + std::sqrt(3.0)) / 2.0);
  const auto& model = golden.at("model");
  return {tree, model.at("wall").at("radius"), model.at("restitution"), theta,
          Eigen::VectorXd::Zero(12)};
}

int point_named(const std::string& name) {
  return std::stoi(name.substr(1)) - 1;  // O1 is point 0
}

}  // namespace

TEST_CASE("the tree of paper 002 has the golden energy in every golden state") {
  const nlohmann::json golden = golden_file();
  const RodTree tree = paper_tree();
  const double energy = golden.at("golden_energy_J");
  REQUIRE(golden.at("golden_samples").size() == 6);
  for (const auto& sample : golden.at("golden_samples")) {
    const Eigen::VectorXd rates = numbers(sample.at("qd"), sample.at("Xd"));
    const State<double> state = state_at(numbers(sample.at("q"), sample.at("X")), rates);
    const Eigen::MatrixXd inertia = equations_by<GibbsAppell<double>>(tree, state).inertia;
    const double found = 0.5 * rates.dot(inertia * rates) + potential_energy(tree, state);
    CAPTURE(sample.at("t").get<double>(), found);
    CHECK(found == Approx(energy).epsilon(1e-9));
  }
}

TEST_CASE("the falling tree of paper 002 passes the golden states and impacts, and its Table 3") {
  const nlohmann::json golden = golden_file();
  Flight flight = start(golden);
  for (const auto& sample : golden.at("golden_samples")) {
    flight.fly_to(sample.at("t"));
    const Eigen::VectorXd theta = numbers(sample.at("q"), sample.at("X"));
    const Eigen::VectorXd rates = numbers(sample.at("qd"), sample.at("Xd"));
    CAPTURE(sample.at("t").get<double>(), (flight.theta() - theta).transpose(),
            (flight.rates() - rates).transpose());
    CHECK((flight.theta() - theta).norm() <= 1e-8 * theta.norm());
    CHECK((flight.rates() - rates).norm() <= 1e-8 * rates.norm());
  }
  const auto& events = golden.at("golden_events");
  flight.fly_to(events.back().at("t").get<double>() + 1e-3);
  REQUIRE(flight.events().size() == events.size());
  for (std::size_t e = 0; e < events.size(); ++e) {
    const Event& found = flight.events()[e];
    CAPTURE(e);
    CHECK(found.t == Approx(events[e].at("t").get<double>()).epsilon(1e-8));
    REQUIRE(found.touches.size() == events[e].at("points").size());
    for (std::size_t c = 0; c < found.touches.size(); ++c) {
      const Touch& touch = found.touches[c];
      CAPTURE(c);
      CHECK(touch.point == point_named(events[e].at("points")[c]));
      CHECK(touch.alpha == Approx(events[e].at("alpha_deg")[c].get<double>()).epsilon(1e-8));
      CHECK(touch.jump == Approx(events[e].at("dv_normal")[c].get<double>()).epsilon(1e-8));
      CHECK(touch.impulse == Approx(events[e].at("impulse")[c].get<double>()).epsilon(1e-8));
    }
  }

  // the table prints two more than the golden events
  flight.fly_to(1.4);
  const auto& table = golden.at("published_table3");
  REQUIRE(flight.events().size() >= table.size());
  for (std::size_t e = 0; e < table.size(); ++e) {
    const Event& found = flight.events()[e];
    const auto& printed = table[e];
    CAPTURE(e, found.t, printed.at("t").get<double>());
    CHECK(found.t == Approx(printed.at("t").get<double>()).epsilon(1e-3));
    REQUIRE(found.touches.size() == printed.at("points").size());
    for (std::size_t c = 0; c < found.touches.size(); ++c) {
      const Touch& touch = found.touches[c];
      CAPTURE(c, touch.alpha, touch.jump, touch.impulse);
      CHECK(touch.point == point_named(printed.at("points")[c]));
      CHECK(touch.alpha == Approx(printed.at("alpha").get<double>()).epsilon(0.013).margin(0.01));
      CHECK(touch.jump == Approx(printed.at("dv").get<double>()).epsilon(0.005));
      CHECK(touch.impulse == Approx(printed.at("f").get<double>()).epsilon(0.005));
    }
  }
}
