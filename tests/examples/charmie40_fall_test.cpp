// CHARMIE without power in any of its actuators, between elastic end stops.
#include <catch2/catch.hpp>

#include "engine/falls/fall.hpp"
#include "input/reading/read.hpp"
#include "tests/oracles/closure.hpp"
#include "tests/support/simulation.hpp"
#include "tests/support/trials.hpp"

using namespace counterpoise;

namespace {

const std::string folder = COUNTERPOISE_SOURCE_DIR "/examples/charmie40/";

const std::vector<double>& values(const Fall& fall, const std::string& name) {
  for (const Series& series : fall.columns)
    if (series.name == name) return series.values;
  throw std::out_of_range(name);
}

Stop elastic_stop(const Mechanism& mechanism, const char* actuator, double min, double max) {
  return {actuator, Stop::Of::actuator, find_actuator(mechanism, actuator), min, max, 1.0};
}

}  // namespace

TEST_CASE("charmie40 falls for seconds, keeps its energy and stays closed") {
  const Model model = read_model(folder + "model.json", read_text_file);
  const Mechanism& mechanism = model.nominal;
  const ParametricMotion motion = read_motion(folder + "motion_reach.json", model, read_text_file);
  const auto start = start_of_motion(mechanism, motion.nominal, 0.0);
  REQUIRE(std::holds_alternative<JointStart>(start));
  Scenario scenario{.duration = 1.0 * test::trials(10), .step = 0.05, .tolerance = 1e-12};
  scenario.actuators.resize(mechanism.actuators.size());
  // without them the cranks of the lift come to the end of their stroke, where they are singular
  scenario.stops = {elastic_stop(mechanism, "lift", 0.4, 0.56),
                    elastic_stop(mechanism, "lean", 0.395, 0.45)};

  const auto result = simulate_fall(mechanism, scenario, std::get<JointStart>(start), {});
  REQUIRE(std::holds_alternative<Fall>(result));
  const Fall& fall = std::get<Fall>(result);
  REQUIRE_FALSE(fall.stopped);
  CHECK(fall.events.size() > static_cast<std::size_t>(test::trials(20)));
  CHECK(fall.extremes.energy_lost <= 1e-9);
  double largest = 0.0, drift = 0.0;
  std::vector<double> q(mechanism.bodies.size());
  for (std::size_t k = 0; k < values(fall, "t").size(); ++k) {
    largest = std::max(largest, values(fall, "energy.kinetic")[k]);
    drift = std::max(
        drift, std::abs(values(fall, "energy.total")[k] - values(fall, "energy.total").front()));
    for (std::size_t b = 0; b < q.size(); ++b)
      if (mechanism.moves(static_cast<int>(b)))
        q[b] = values(fall, mechanism.bodies[b].name + ".q")[k];
    CHECK(oracle::closure_misfit(mechanism, q).cwiseAbs().maxCoeff() <= 1e-12);
  }
  CHECK(largest > 10.0);
  CHECK(drift <= 1e-8 * largest);
}
