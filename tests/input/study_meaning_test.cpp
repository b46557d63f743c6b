#include <catch2/catch.hpp>

#include "input/reading/read.hpp"
#include "tests/support/arm_study.hpp"

using namespace counterpoise;
using namespace counterpoise::test;

namespace {

const std::string random_sampling = R"("sampling": {"method": "random", "count": 4}, )";

Study with_variables(const std::string& variables) {
  return study_of(arm_files(
      arm_study("\"variables\": {" + variables + "}, " + random_sampling + one_objective)));
}

std::string parameter_of(const Study& study, const VariableTarget& target) {
  return study.model->parameters[target.parameter].name;
}

std::vector<std::string> stored_of(const std::string& members) {
  const Study study = study_of(arm_files(arm_study(members)));
  std::vector<std::string> names;
  for (int metric : study.stored) names.push_back(study.metrics[metric].name);
  return names;
}

std::vector<std::string> metrics_of(const std::string& actuator) {
  std::vector<std::string> names;
  for (const char* statistic : {"max", "mean", "rms", "energy", "peak_power"})
    names.push_back(actuator + "." + statistic);
  return names;
}

std::vector<std::string> lengths_of(const std::string& spring) {
  std::vector<std::string> names;
  for (const char* statistic : {"min_length", "max_length", "max_tension", "min_tension"})
    names.push_back(spring + "." + statistic);
  return names;
}

std::vector<std::string> operator+(std::vector<std::string> a, const std::vector<std::string>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

}  // namespace

TEST_CASE("a variable sets the parameter of its name, or those its sets name") {
  const Study study = with_variables(R"(
"rate": {"values": [100, 200]},
"a": {"values": [0.2, 0.3], "sets": "mount"},
"b": {"range": [0.4, 0.6], "count": 3, "sets": ["height", "free"]},
"c": {"range": [1, 2], "sets": {"tension": "3*c + 1", "load": "c", "shortest": 0.05}})");
  REQUIRE(study.variables.size() == 4);

  const Variable& rate = study.variables[0];
  REQUIRE(rate.targets.size() == 1);
  CHECK(parameter_of(study, rate.targets[0]) == "rate");
  CHECK(rate.targets[0].by_level == std::vector<double>{100, 200});

  REQUIRE(study.variables[1].targets.size() == 1);
  CHECK(parameter_of(study, study.variables[1].targets[0]) == "mount");
  CHECK(study.variables[1].targets[0].by_level == std::vector<double>{0.2, 0.3});

  const Variable& b = study.variables[2];
  CHECK(b.values == std::vector<double>{0.4, 0.5, 0.6});
  REQUIRE(b.targets.size() == 2);
  CHECK(parameter_of(study, b.targets[0]) == "height");
  CHECK(parameter_of(study, b.targets[1]) == "free");
  CHECK(b.targets[1].by_level == b.values);

  const Variable& c = study.variables[3];
  CHECK_FALSE(c.discrete());
  REQUIRE(c.targets.size() == 3);
  const double at = 1.5;
  CHECK(parameter_of(study, c.targets[0]) == "tension");
  CHECK(c.targets[0].expression->evaluate(&at) == 5.5);
  CHECK_FALSE(c.targets[1].expression);
  CHECK(c.targets[2].expression->evaluate(&at) == 0.05);
}

TEST_CASE("levels of a range include its ends") {
  const Study study = with_variables(
      R"("rate": {"range": [0.1, 0.7], "count": 4}, "free": {"range": [0.1, 0.2], "count": 2})");
  const Variable& rate = study.variables[0];
  REQUIRE(rate.values.size() == 4);
  CHECK(rate.values.front() == 0.1);
  CHECK(rate.values[1] == Approx(0.3));
  CHECK(rate.values[2] == Approx(0.5));
  CHECK(rate.values.back() == 0.7);
  CHECK(study.variables[1].values == std::vector<double>{0.1, 0.2});
}

TEST_CASE("a catalogue gives the rows that meet its condition, in SI, named by their text") {
  const Study study = with_variables(R"(
"spring": {"catalogue": "springs.csv", "where": "rate < 3000 && maker != 'firm'",
"sets": {"rate": "rate", "free": "free_length", "tension": "initial + 2*rate/100"}})");
  const Variable& spring = study.variables[0];
  CHECK(spring.kind == VariableKind::catalogue);
  CHECK(spring.rows == std::vector<int>{1, 3});
  CHECK(spring.labels == std::vector<std::string>{"soft", "hard"});
  REQUIRE(spring.targets.size() == 3);
  CHECK(spring.targets[0].by_level == std::vector<double>{100, 900});
  CHECK(spring.targets[1].by_level == std::vector<double>{0.05, 0.12});
  CHECK(spring.targets[2].by_level == std::vector<double>{2, 38});
}

TEST_CASE("motions are files, load cases or stand in the study") {
  const Study study =
      study_of(arm_files(arm_study(R"("sampling": {"method": "grid"}, )" + one_objective, R"({
"swing": "swing.json",
"loaded": {"file": "fold.json", "weight": 2.5, "parameters": {"load": 4, "rate": 10}},
"plain": {"duration": 3, "step": 0.5, "coordinates": {"elbow": {"type": "hold", "value": 1}}},
"whole": {"format": "counterpoise-motion/1", "duration": 4, "step": 0.5, "inertia": false,
          "coordinates": {"shoulder": {"type": "hold", "value": "load/4"}}}})")));
  REQUIRE(study.motions.size() == 4);
  CHECK(study.motions[0].name == "swing");
  CHECK(study.motions[0].motion.nominal.duration == 2.0);
  CHECK(study.motions[0].weight == 1.0);
  CHECK(study.motions[0].settings.empty());

  const LoadCase& loaded = study.motions[1];
  CHECK(loaded.motion.nominal.duration == 1.0);
  CHECK(loaded.weight == 2.5);
  REQUIRE(loaded.settings.size() == 2);
  CHECK(loaded.settings[0].parameter == study.model->find_parameter("load"));
  CHECK(loaded.settings[0].value == 4.0);
  CHECK(loaded.settings[1].parameter == study.model->find_parameter("rate"));

  CHECK(study.motions[2].motion.nominal.duration == 3.0);
  CHECK(study.motions[2].motion.expressions.empty());
  CHECK(study.motions[3].motion.nominal.duration == 4.0);
  CHECK_FALSE(study.motions[3].motion.nominal.inertia);
  CHECK_FALSE(study.motions[3].motion.expressions.empty());
}

TEST_CASE("paths are relative to the study") {
  const std::string text = arm_study(
      R"("variables": {"spring": {"catalogue": "../springs.csv", "sets": {"rate": "rate"}}},
"sampling": {"method": "grid"}, )" +
          one_objective,
      R"({"swing": "motions/swing.json"})");
  const Study study =
      read_study("robots/arm/study.json", texts({{"robots/arm/study.json", text},
                                                 {"robots/arm/model.json", arm_with_springs},
                                                 {"robots/arm/motions/swing.json", swing},
                                                 {"robots/arm/../springs.csv", catalogue}}));
  CHECK(study.name == "study");
  CHECK(study.case_count() == 4);
  CHECK(study.sources.size() == 4);
}

TEST_CASE("the number of cases is that of the sampling or search") {
  const auto count_of = [](const std::string& members) {
    return study_of(arm_files(arm_study(members + ", " + one_objective))).case_count();
  };
  CHECK(count_of(R"("sampling": {"method": "grid"})") == 1);
  CHECK(count_of(R"("variables": {"rate": {"values": [1, 2, 3]},
"mount": {"range": [0.1, 0.2], "count": 5}}, "sampling": {"method": "grid"})") == 15);
  CHECK(count_of(R"("variables": {"rate": {"range": [1, 2]}},
"sampling": {"method": "latin-hypercube", "count": 77})") == 77);
  CHECK(count_of(R"("variables": {"rate": {"range": [1, 2]}},
"search": {"method": "nlopt", "algorithm": ["GN_DIRECT_L", "LN_SBPLX"], "starts": 3,
"max_evaluations": 50})") == 150);
}

TEST_CASE("stored are the metrics that variables can change, and those that are named") {
  const std::string rate = R"("variables": {"rate": {"values": [1, 2]}}, )" + random_sampling;
  const std::string load = R"("variables": {"load": {"values": [1, 2]}}, )" + random_sampling;
  const auto shoulder = metrics_of("shoulder"), elbow = metrics_of("elbow");
  const auto lift = lengths_of("lift"), help = lengths_of("help");

  // a spring from the world to the first link does not load the elbow
  CHECK(stored_of(rate + one_objective) == shoulder + lift);
  CHECK(stored_of(rate + R"("objectives": [{"name": "o", "minimize": "rms", "of": ["elbow"]}])") ==
        shoulder + std::vector<std::string>{"elbow.rms"} + lift);
  CHECK(stored_of(rate + R"("objectives": [{"name": "o", "expression":
"elbow.energy + baseline.elbow.max"}], "constraints": [{"name": "c", "expression":
"help.max_length", "max": 2}])") == shoulder + std::vector<std::string>{"elbow.energy"} + lift +
                                        std::vector<std::string>{"help.max_length"});
  // a mass may change every load
  const auto by_mass = stored_of(load + one_objective);
  for (const std::string& name : shoulder + elbow) CHECK_THAT(by_mass, Catch::VectorContains(name));
  // nothing varies: only what is named
  CHECK(stored_of(R"("sampling": {"method": "grid"}, )" + one_objective) ==
        std::vector<std::string>{"shoulder.max"});

  CHECK(stored_of(rate + one_objective + R"(, "store": "all")") == shoulder + elbow + lift + help);
  CHECK(stored_of(rate + one_objective + R"(, "store": ["help.max_length", "elbow.max"])") ==
        std::vector<std::string>{"elbow.max", "help.max_length"});
  CHECK(stored_of(rate + one_objective + R"(, "store": [])").empty());
}

TEST_CASE("a parameter behind a parameter counts as changed with it") {
  Files files = arm_files(arm_study(R"("variables": {"whole": {"values": [2, 3]}}, )" +
                                    random_sampling + one_objective));
  files["model.json"] = with(arm_with_springs, R"("rate": 300)",
                             R"("rate": 300, "whole": 3, "weight": "2*half", "half": "whole/2")");
  CHECK(study_of(files).stored.size() == 1);  // the one that is named
  files["model.json"] = with(files["model.json"], R"("mass": 3)", R"("mass": "weight")");
  CHECK(study_of(files).stored.size() == 18);  // all
}

TEST_CASE("a motion that depends on a variable changes everything") {
  Files files = arm_files(arm_study(R"("variables": {"rate": {"values": [100, 200]}}, )" +
                                    random_sampling + one_objective));
  CHECK(study_of(files).stored.size() == 9);
  files["swing.json"] = with(swing, R"("amplitude": 0.6)", R"("amplitude": "rate/1000")");
  CHECK(study_of(files).stored.size() == 18);
}

TEST_CASE("a baseline is values of parameters") {
  const Study study = study_of(arm_files(
      arm_study(R"("sampling": {"method": "grid"}, "baseline": {"rate": "2*pi", "load": 5}, )" +
                one_objective)));
  REQUIRE(study.baseline.size() == 2);
  CHECK(study.baseline[0].parameter == study.model->find_parameter("rate"));
  CHECK(study.baseline[0].value == Approx(6.283185307179586));
  CHECK(study.baseline[1].value == 5.0);
}

TEST_CASE("the texts of all files are kept once each") {
  Files files = arm_files(arm_study(
      R"("variables": {"spring": {"catalogue": "springs.csv", "sets": {"rate": "rate"}}},
"sampling": {"method": "grid"}, )" +
          one_objective,
      R"({"swing": "swing.json", "heavy": {"file": "swing.json", "parameters": {"load": 5}}})"));
  const Study study = study_of(files);
  Files kept;
  for (const SourceText& source : study.sources)
    CHECK(kept.emplace(source.path, source.text).second);
  files.erase("fold.json");
  CHECK(kept == files);
}
