#include "springs/problem/metric_form.hpp"

#include <catch2/catch.hpp>
#include <cmath>

#include "tests/springs/sized_pendulum.hpp"
#include "tests/support/random.hpp"

using namespace counterpoise;
using namespace counterpoise::test;

namespace {

const Study& pendulum_study() {
  static const Study study = pendulum::study(pendulum::whole_spring);
  return study;
}

MetricExpression read(const std::string& text, bool negated = false) {
  const Study& study = pendulum_study();
  static const SpringRoles roles = find_spring_roles(study);
  const Location where{"study.json", 1, 1, "/objectives/0/expression"};
  return {Expression::parse(text, study.metric_scope, where, ExpressionKind::condition), study,
          roles, negated};
}

double value_of(const MetricForm& form, const Study& study, const std::vector<double>& values) {
  double largest = -INFINITY;
  for (const MetricSum& sum : form) {
    double value = sum.constant;
    for (const MetricSum::Term& term : sum.metrics)
      value += term.weight * values[study.metric_offset() + term.index];
    for (const MetricSum::Term& term : sum.parameters) value += term.weight * values[term.index];
    largest = std::max(largest, value);
  }
  return largest;
}

std::string refusal(const std::string& text, bool negated = false) {
  try {
    const std::vector<double> values(pendulum_study().metric_scope.names().size(), 1.0);
    static_cast<void>(read(text, negated).form(values.data()));
  } catch (const InputError& error) {
    return error.message();
  }
  return "accepted";
}

}  // namespace

TEST_CASE("a convex expression is worth the same as a form and as an expression") {
  const Study& study = pendulum_study();
  const std::vector<std::string> texts = {
      "pivot.max",
      "pivot.max / without_springs.pivot.max",
      "max(pivot.max / 13, pivot.mean / 7, 0.2)",
      "0.7*pivot.max + 0.3*(pivot.mean + 2*pivot.rms) - 4",
      "max(pivot.max, 2*pivot.mean) + max(pivot.rms, 3) * (mount + 1)^2",
      "-(-pivot.energy) + rate / 1000 - 2*tension",
      "sqrt(mount) * spring.max_tension + spring.min_length",
      "pivot.max * (mount > 0.2) + 1",
      "+pivot.peak_power*2^-1",
      "max(max(pivot.max, 1), max(pivot.mean, 2 - rate))",
      "3 - 2*(5 - pivot.mean)",
      "abs(rate - 15)",
      "pivot.max + abs(2*rate - tension*mount - 9)/3",
      "max(abs(rate - 7) + abs(3 - tension), pivot.mean) - -abs(-rate + 20)",
      "abs(mount - 9) * pivot.max",
      "pivot.max - 2*spring.min_tension",
      "max(0, -spring.min_tension/mount, 3 - (spring.min_tension - pivot.mean))",
  };
  Random random(5);
  for (const std::string& text : texts) {
    CAPTURE(text);
    const MetricExpression convex = read(text);
    const Expression plain =
        Expression::parse(text, study.metric_scope, {}, ExpressionKind::condition);
    for (int i = 0; i < 50; ++i) {
      std::vector<double> values;
      for (std::size_t v = 0; v < study.metric_scope.names().size(); ++v)
        values.push_back(random.uniform(0.1, 30.0));
      CHECK(value_of(convex.form(values.data()), study, values) ==
            Approx(plain.evaluate(values.data())).epsilon(1e-12));
    }
  }
}

TEST_CASE("what is not convex in the springs is refused at its place") {
  CHECK_THAT(refusal("pivot.max * pivot.mean"), Catch::Contains("product"));
  CHECK_THAT(refusal("1 / pivot.max"), Catch::Contains("dividing"));
  CHECK_THAT(refusal("pivot.max - pivot.mean"), Catch::Contains("negative multiple of a load"));
  CHECK_THAT(refusal("min(pivot.max, 3)"), Catch::Contains("min of what springs change"));
  CHECK_THAT(refusal("sqrt(pivot.max)"), Catch::Contains("sqrt of what springs change"));
  CHECK_THAT(refusal("pivot.max^2"), Catch::Contains("power"));
  CHECK_THAT(refusal("-max(rate, 3)"), Catch::Contains("negative multiple of a maximum"));
  CHECK_THAT(refusal("2 - abs(rate - 3)"), Catch::Contains("negative multiple of an abs"));
  for (const char* bent : {"abs(pivot.max - 3)", "abs(rate - max(tension, 2))",
                           "abs(abs(rate - 3) - 1)", "1 + abs(2*(rate - pivot.mean))"})
    CHECK_THAT(refusal(bent), Catch::Contains("abs of loads or maxima"));
  CHECK_THAT(refusal("pivot.max > 3"), Catch::Contains("condition"));
  CHECK_THAT(refusal("-3 * pivot.max"), Catch::Contains("negative multiple of a load"));
  CHECK_THAT(refusal("3 - -pivot.max"), Catch::Equals("accepted"));
  CHECK_THAT(refusal("pivot.max / (mount - mount)"), Catch::Contains("divides by zero"));
  CHECK_THAT(refusal("2 + pivot.max*pivot.max"), Catch::Contains("character 14"));
  CHECK(refusal("-pivot.max", true) == "accepted");
}

TEST_CASE("a lower limit that is not convex is called one, and nothing negative that was not") {
  for (const char* text : {"pivot.max", "pivot.mean + rate", "2*pivot.rms - pivot.max"})
    CHECK_THAT(refusal(text, true), Catch::Contains("a \"min\" of a load, a lower limit") &&
                                        Catch::Contains("nlopt") && !Catch::Contains("negative"));
  CHECK_THAT(refusal("max(rate, 3)", true), Catch::Contains("a \"min\" of a maximum"));
  CHECK_THAT(refusal("abs(rate - 3)", true), Catch::Contains("a \"min\" of an abs"));
  CHECK(refusal("rate - tension", true) == "accepted");
  CHECK(refusal("3 - abs(rate - 3)", true) == "accepted");
}

TEST_CASE("a least tension may have a lower limit, and be as large as possible; no more") {
  for (const char* text : {"spring.min_tension", "rate - 3*(2 - spring.min_tension)"}) {
    CHECK(refusal(text, true) == "accepted");
    CHECK_THAT(refusal(text), Catch::Contains("an upper limit on a spring's min_tension") &&
                                  Catch::Contains("nlopt") && Catch::Contains("character"));
  }
  CHECK(refusal("max(pivot.max, 4 - spring.min_tension)") == "accepted");
  CHECK_THAT(refusal("-spring.min_tension", true), Catch::Contains("min_tension"));
  CHECK_THAT(refusal("abs(spring.min_tension)"), Catch::Contains("abs of loads"));
  CHECK_THAT(refusal("spring.min_tension^2"), Catch::Contains("power"));
}

TEST_CASE("what springs do not change is a number") {
  CHECK_FALSE(read("mount * 3 + baseline.pivot.max").varies());
  CHECK_FALSE(read("spring.max_length - spring.min_length", true).varies());
  CHECK(read("spring.max_tension").varies());
  CHECK(read("spring.min_tension", true).varies());
  CHECK(read("rate").varies());
}

TEST_CASE("statistics over several actuators are combined as in results") {
  Study study = study_of(arm_files(arm_study(
      R"("variables": {"rate": {"range": [1, 9]}}, "search": {"method": "exact-springs"},
"objectives": [{"name": "peak", "minimize": "max", "of": ["shoulder", "elbow"]},
{"name": "mean", "minimize": "mean", "of": ["shoulder", "elbow"]},
{"name": "rms", "minimize": "rms", "of": ["shoulder"]},
{"name": "energy", "minimize": "energy", "of": ["shoulder", "elbow"]},
{"name": "power", "minimize": "peak_power", "of": ["elbow", "shoulder"]}])")));
  std::vector<double> values(study.metric_scope.names().size(), 0.0);
  const auto set = [&](const char* name, double value) {
    values[study.metric_scope.find(name)] = value;
  };
  for (const char* statistic : {"max", "mean", "rms", "energy", "peak_power"}) {
    set((std::string("shoulder.") + statistic).c_str(), 3.0);
    set((std::string("elbow.") + statistic).c_str(), 5.0);
  }
  const std::vector<double> expected = {5.0, 4.0, 3.0, 8.0, 5.0};
  for (std::size_t i = 0; i < expected.size(); ++i)
    CHECK(value_of(form_of(study, study.objectives[i]), study, values) == Approx(expected[i]));
}
