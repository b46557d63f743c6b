#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <cmath>
#include <map>

#include "springs/geometry_sizer.hpp"
#include "springs/problem/spring_sizer.hpp"
#include "springs/spring_optimum.hpp"
#include "tests/cases/evaluated_arm.hpp"
#include "tests/support/random.hpp"

using namespace counterpoise;
using namespace counterpoise::test;

namespace {

/// The numbers that limit the arm's spring, by the words that a price begins with.
using Limits = std::map<std::string, double>;

const std::vector<std::string> kinds = {
    "rate at its lower bound",    "rate at its upper bound",    "free at its lower bound",
    "free at its upper bound",    "tension at its lower bound", "tension at its upper bound",
    "min_length of lift",         "max_length of lift",         "max_load of lift",
    "max_load of actuator elbow", "constraint pull at most",    "constraint room at least"};

Files files_of(const Limits& limits, const std::string& statistic) {
  const auto number = [&](const std::string& kind) { return fmt::format("{}", limits.at(kind)); };
  // the second spring loads the elbow, so that a part of it is sized too
  std::string model = with(arm_with_springs, R"("min_length": "shortest"})",
                           R"("min_length": "free + )" + number("min_length of lift") +
                               R"(", "max_length": "free + )" + number("max_length of lift") +
                               R"(", "max_load": )" + number("max_load of lift") + "}");
  model =
      with(model, R"("rate": 200, "free_length": 0.2)", R"("rate": "rate", "free_length": 0.2)");
  model = with(model, R"({"name": "elbow", "joint": "lower"})",
               R"({"name": "elbow", "joint": "lower", "max_load": )" +
                   number("max_load of actuator elbow") + "}");
  const auto range = [&](const std::string& name) {
    return fmt::format(R"("{}": {{"range": [{}, {}]}})", name,
                       limits.at(name + " at its lower bound"),
                       limits.at(name + " at its upper bound"));
  };
  const std::string members =
      R"("variables": {)" + range("rate") + ", " + range("free") + ", " + range("tension") +
      R"(}, "search": {"method": "exact-springs"}, "objectives": [{"name": "peak", "minimize": ")" +
      statistic + R"(", "of": ["shoulder"]}], "constraints": [{"name": "pull",
"expression": "lift.max_tension", "max": )" +
      number("constraint pull at most") + R"(}, {"name": "room",
"expression": "100 - 2*elbow.rms", "min": )" +
      number("constraint room at least") + "}]";
  Files files = arm_files(arm_study(members, both_motions));
  files["model.json"] = model;
  return files;
}

/// The optimum within these limits.
struct Solved {
  Study study;
  SpringRoles roles;
  SpringSizer sizer;
  std::shared_ptr<const Baselines> baselines;
  SizedCase sized;

  Solved(const Limits& limits, const std::string& statistic)
      : study(study_of(files_of(limits, statistic))),
        roles(find_spring_roles(study)),
        sizer(study, roles) {
    baselines = std::make_shared<const Baselines>(sizer.evaluator().evaluate_baselines());
    sizer.set_baselines(baselines);
    sizer.size({}, SizingGoal{}, sized);
  }
  SpringOptimum explained() {
    const std::vector<double> parameters(sizer.evaluator().parameters().begin(),
                                         sizer.evaluator().parameters().end());
    const ExplainedCase of{sized.point, parameters, &sized.outcome, &baselines->pairs.front()};
    auto optimum = spring_optimum(study, of, baselines, std::nullopt);
    REQUIRE(optimum);
    return *optimum;
  }
};

Limits wide_limits() {
  return {{"rate at its lower bound", 20.0},   {"rate at its upper bound", 3000.0},
          {"free at its lower bound", 0.01},   {"free at its upper bound", 0.6},
          {"tension at its lower bound", 0.0}, {"tension at its upper bound", 80.0},
          {"min_length of lift", -1.0},        {"max_length of lift", 5.0},
          {"max_load of lift", 1e4},           {"max_load of actuator elbow", 1e4},
          {"constraint pull at most", 1e4},    {"constraint room at least", -1e4}};
}

/// Some limits near enough to bind now and then.
Limits random_limits(Random& random) {
  Limits limits = wide_limits();
  const auto draw = [&](const std::string& kind, double low, double high) {
    const double value = random.uniform(low, high);
    if (random.chance(0.4)) limits[kind] = value;
  };
  draw("rate at its lower bound", 50.0, 300.0);
  draw("rate at its upper bound", 150.0, 400.0);
  draw("free at its lower bound", 0.01, 0.1);
  draw("free at its upper bound", 0.12, 0.3);
  draw("tension at its lower bound", 1.0, 15.0);
  draw("tension at its upper bound", 20.0, 40.0);
  draw("min_length of lift", 0.1, 0.25);
  draw("max_length of lift", 0.45, 0.7);
  draw("max_load of lift", 30.0, 120.0);
  draw("max_load of actuator elbow", 3.0, 12.0);
  draw("constraint pull at most", 30.0, 120.0);
  draw("constraint room at least", 84.0, 97.0);
  if (limits["rate at its lower bound"] > 0.5 * limits["rate at its upper bound"])
    limits["rate at its lower bound"] = 0.5 * limits["rate at its upper bound"];
  return limits;
}

}  // namespace

TEST_CASE("what loosening a limit is worth is what solving again with it loosened gains") {
  Random random(11);
  std::map<std::string, int> agreed;
  int checked = 0;
  for (int trial = 0; trial < 150; ++trial) {
    const std::string statistic = trial % 3 == 0 ? "mean" : "max";
    const Limits limits = random_limits(random);
    Solved solved(limits, statistic);
    if (!solved.sized.solved) continue;
    const SpringOptimum optimum = solved.explained();
    const double value = solved.sized.solution.value;
    CAPTURE(trial, statistic, value);
    CHECK(optimum.value == Approx(value).epsilon(1e-9));
    CHECK(std::abs(optimum.gap()) <= 1e-7 * value);
    std::map<std::string, double> prices;  // of all motions together
    std::map<std::string, bool> less;
    for (const ShadowPrice& price : optimum.limits) {
      CAPTURE(price.name);
      std::string kind;
      for (const std::string& one : kinds)
        if (price.name.starts_with(one)) kind = one;
      REQUIRE_FALSE(kind.empty());
      prices[kind] += price.per_unit;
      less[kind] = price.less;
    }
    for (const std::string& kind : kinds) {
      const double bound = limits.at(kind);
      const double delta = 2e-5 * std::max(std::abs(bound), 0.01);
      const bool loosened_by_less = kind.find("lower") != std::string::npos ||
                                    kind.find("least") != std::string::npos ||
                                    kind.starts_with("min_length");
      const auto value_with = [&](double loosening) {
        Limits other = limits;
        other[kind] = bound + (loosened_by_less ? -loosening : loosening);
        Solved again(other, statistic);
        return again.sized.solved ? again.sized.solution.value : no_limit;
      };
      const double price = prices.contains(kind) ? prices[kind] : 0.0;
      CAPTURE(kind, bound, price);
      if (price > 0.0) CHECK(less[kind] == loosened_by_less);
      if (kind == "tension at its lower bound" && bound == 0.0) {
        CHECK(price == 0.0);  // no less than nothing
        continue;
      }
      if (price == 0.0 && trial % 7 != 0) continue;  // that nothing is price nothing: now and then
      const double gain = (value - value_with(delta)) / delta;
      const double noise = 2e-9 * value / delta;  // of two optima
      CHECK(gain <= price * (1.0 + 2e-4) + noise);
      if (price == 0.0) continue;
      ++checked;
      const double loss = (value_with(-delta) - value) / delta;
      CHECK(loss >= price * (1.0 - 2e-4) - noise);
      const double middle = 0.5 * (gain + loss);
      if (std::abs(gain - loss) > 1e-3 * price) continue;  // a kink nearby
      CHECK(middle == Approx(price).epsilon(1e-4).margin(noise));
      ++agreed[kind];
    }
  }
  CHECK(checked > 60);
  for (const std::string& kind : kinds) {
    CAPTURE(kind, agreed);
    CHECK(agreed[kind] >= 2);
  }
}

TEST_CASE("a sizer of geometries has the optimum that explains a case, and reaches its value") {
  Random random(12);
  int checked = 0;
  for (int trial = 0; trial < 30; ++trial) {
    Solved solved(random_limits(random), "max");
    GeometrySizer sizer(solved.study);
    CAPTURE(trial);
    CHECK(sizer.objective() == 0);
    const SizedGeometry sized = sizer.size(solved.sized.point);
    const std::optional<SpringOptimum> own = sizer.optimum();
    const SizedGeometry reached = sizer.reach(solved.sized.point);
    CHECK(reached.certificate.empty());
    CHECK(reached.outcome.reason == sized.outcome.reason);
    REQUIRE(own.has_value() == sized.value.has_value());
    REQUIRE(reached.value.has_value() == sized.value.has_value());
    if (!own) continue;
    CHECK(*reached.value == Approx(*sized.value).epsilon(1e-9));
    CHECK(reached.bound == Approx(sized.bound).epsilon(1e-9));
    const SpringOptimum expected = solved.explained();
    CHECK(own->value == expected.value);
    CHECK(own->bound == expected.bound);
    REQUIRE(own->limits.size() == expected.limits.size());
    for (std::size_t i = 0; i < own->limits.size(); ++i) {
      CHECK(own->limits[i].name == expected.limits[i].name);
      CHECK(own->limits[i].per_unit == expected.limits[i].per_unit);
    }
    ++checked;
  }
  CHECK(checked > 10);
}
