#include "input/definition/model.hpp"

#include <catch2/catch.hpp>
#include <set>

#include "cases/case_evaluator.hpp"
#include "tests/support/arm_study.hpp"

using namespace counterpoise;
using namespace counterpoise::test;

namespace {

using Element = std::pair<FieldOwner, int>;

/// Variables that enter in every way: through chains, through a parameter that another variable
/// sets, or that a load case sets for itself, as a bound, as a motion.
Study tangled() {
  const std::string model =
      with(with(with(with(with(arm_with_springs, R"("rate": 300,)",
                               R"("rate": 300, "soft": "rate/10", "softer": "soft/2 + 1",
                               "top": {"value": 3, "max": "mount*20"}, "idle": 1,)"),
                          R"("rate": 200, "free_length": 0.2)",
                          R"("rate": "softer", "free_length": "height/5")"),
                     R"("min_length": "shortest")", R"("min_length": "shortest/softer")"),
                R"("mass": 3,)", R"("mass": "top + soft*0",)"),
           R"("max_load": "strongest")", R"("max_load": "strongest + mount")");
  const std::string study = R"({"format": "counterpoise-study/1", "model": "model.json",
"motions": {"plain": "swing.json",
 "own": {"file": "swing.json", "parameters": {"soft": 40, "mount": 0.25}},
 "posed": {"format": "counterpoise-motion/1", "duration": 1, "step": 0.1, "coordinates": {
  "shoulder": {"type": "hold", "value": "height/10 + softer/1e4"}}}},
"variables": {"rate": {"range": [200, 400]}, "height": {"range": [0.4, 0.6]},
 "mount": {"range": [0.2, 0.4]}, "idle": {"range": [0, 1]}, "doubled": {"range": [1, 7]},
 "load": {"range": [1, 4]}, "softer": {"range": [10, 30]},
 "both": {"range": [0.01, 0.05], "sets": ["free", "shortest"]}},
"sampling": {"method": "sobol", "count": 4}, )" +
                            one_objective + "}";
  return study_of({{"model.json", model}, {"swing.json", swing}, {"study.json", study}});
}

/// All numbers of an element that this model can change.
std::map<Element, std::vector<double>> numbers_of(const Mechanism& mechanism) {
  std::map<Element, std::vector<double>> numbers;
  for (std::size_t i = 0; i < mechanism.bodies.size(); ++i)
    numbers[{FieldOwner::body, static_cast<int>(i)}] = {mechanism.bodies[i].mass};
  for (std::size_t i = 0; i < mechanism.points.size(); ++i) {
    const Vec3d& p = mechanism.points[i].position;
    numbers[{FieldOwner::point, static_cast<int>(i)}] = {p[0], p[1], p[2]};
  }
  for (std::size_t i = 0; i < mechanism.springs.size(); ++i) {
    const Spring& s = mechanism.springs[i];
    numbers[{FieldOwner::spring, static_cast<int>(i)}] = {s.rate, s.free_length, s.initial_tension,
                                                          s.min_length};
  }
  for (std::size_t i = 0; i < mechanism.actuators.size(); ++i)
    numbers[{FieldOwner::actuator, static_cast<int>(i)}] = {mechanism.actuators[i].max_load};
  return numbers;
}

struct Bound {
  std::map<Element, std::vector<double>> numbers;
  std::vector<double> parameters;
  std::uint64_t motion = 0;
};

Bound bound(CaseDesign& design, const std::vector<double>& point, std::size_t load_case) {
  design.set_point(point);
  static_cast<void>(design.bind());
  static_cast<void>(design.bind_motion(load_case));
  const auto values = design.parameters(load_case);
  return {numbers_of(design.mechanism(load_case)),
          {values.begin(), values.end()},
          design.motion_revision(load_case)};
}

}  // namespace

TEST_CASE("what a variable reaches is what changes when it does, in every load case") {
  const Study study = tangled();
  CaseDesign design(study);
  std::vector<double> middle;
  for (const Variable& variable : study.variables)
    middle.push_back(variable.low + 0.4 * (variable.high - variable.low));
  REQUIRE(study.reach.size() == study.variables.size());
  int changes = 0;
  for (std::size_t v = 0; v < study.variables.size(); ++v)
    for (std::size_t m = 0; m < study.motions.size(); ++m) {
      CAPTURE(study.variables[v].name, study.motions[m].name);
      const Reach& reach = study.reach[v].load_cases[m];
      const Bound before = bound(design, middle, m);
      std::vector<double> moved = middle;
      moved[v] = study.variables[v].low + 0.8 * (study.variables[v].high - study.variables[v].low);
      const Bound after = bound(design, moved, m);

      std::set<Element> changed, reached;
      for (const auto& [element, numbers] : before.numbers)
        if (numbers != after.numbers.at(element)) changed.insert(element);
      for (const int f : reach.fields) {
        const FieldNumbers& field = study.model->varying[f];
        reached.insert({describe(field.field).owner, field.element});
      }
      // "mass" reads "soft" times nothing: reached, though no number changes
      std::set<Element> silent;
      for (const Element& element : reached)
        if (element.first == FieldOwner::body && !changed.contains(element)) silent.insert(element);
      changed.merge(std::set<Element>(silent));
      CHECK(changed == reached);
      CHECK(reach.motion == (before.motion != after.motion));
      for (std::size_t p = 0; p < reach.parameters.size(); ++p) {
        CAPTURE(study.model->parameters[p].name);
        CHECK(reach.parameters[p] == (before.parameters[p] != after.parameters[p]));
      }
      changes += static_cast<int>(changed.size());
    }
  CHECK(changes > 15);
}

TEST_CASE("bounds are reached, and what no one reads reaches nothing") {
  const Study study = tangled();
  const auto reach_of_variable = [&](const char* name) -> const VariableReach& {
    const auto at = std::find_if(study.variables.begin(), study.variables.end(),
                                 [&](const Variable& v) { return v.name == name; });
    return study.reach[at - study.variables.begin()];
  };
  const int top = study.model->find_parameter("top");
  CHECK(reach_of_variable("mount").design.bounds == std::vector<int>{top});
  CHECK(reach_of_variable("mount").load_cases[1].bounds.empty());  // set there
  CHECK(reach_of_variable("idle").fields().empty());
  CHECK_FALSE(reach_of_variable("idle").moves());
  CHECK(reach_of_variable("height").moves());
  CHECK_FALSE(reach_of_variable("rate").moves());  // "softer" is another variable's
}
