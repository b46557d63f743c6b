#include "tests/springs/mounts/grid_oracle.hpp"
#include "tests/springs/mounts/mounted_arm.hpp"
#include "tests/support/trials.hpp"

using namespace counterpoise;
using namespace counterpoise::test;

namespace {

/// The least objective of robots with random mounts and springs, which the engine evaluates.
double least_of_robots(const Study& study, int robots, Random& random) {
  CaseEvaluator evaluator(study);
  evaluator.set_baselines(std::make_shared<const Baselines>(evaluator.evaluate_baselines()));
  CaseOutcome outcome;
  double least = no_limit;
  for (int k = 0; k < robots; ++k) {
    std::vector<double> point;
    for (const Variable& variable : study.variables)
      point.push_back(random.uniform(variable.low, variable.high));
    evaluator.evaluate(point, outcome);
    if (outcome.status == CaseStatus::feasible) least = std::min(least, outcome.objectives.front());
  }
  return least;
}

/// What a proof of the pendulum is refused with, once its problem is written.
std::string refusal_of(const std::string& objective, const std::string& rest = "") {
  try {
    const Study study = pendulum::study(pendulum::rate + R"(, "mount": {"range": [0.1, 0.4]})",
                                        mounted_arm::expression(objective),
                                        R"(, "geometry": "prove", "gap": 1e-3)", rest);
    return word_for(proved(study, fresh("refused.db")).ended);
  } catch (const InputError& error) {
    return error.what();
  }
}

}  // namespace

TEST_CASE("no design of a grid is below what is proved where mounts change weights") {
  Random random(91);
  const auto path = fresh("weighed.db");
  Ends ends;
  const int count = trials(40);
  for (int i = 0; i < count; ++i) {
    mounted_arm::Asked asked;
    asked.mounts = 1 + random.below(7);
    asked.objective = mounted_arm::weighed_objectives()[i % 5];
    asked.search = R"("geometry": "prove", "gap": 1e-4, "max_simplices": 3000)";
    if (random.chance(0.4))
      asked.rest = fmt::format(R"x(, "constraints": [
{{"name": "pull", "expression": "first.max_tension / (0.5 + mount) - 10*height", "max": {:.3g}}},
{{"name": "ease", "expression": "shoulder.max + elbow.mean*(1 + height)", "max": {:.3g}}}])x",
                               random.uniform(0.0, 30.0), random.uniform(12.0, 40.0));
    const Files files = mounted_arm::files(random, asked);
    CAPTURE(i, files.at("study.json"), files.at("model.json"), files.at("work.json"));
    const Study study = study_of(files);
    compare_with_grid(study, path, ends);
    const StoredMounts mounts = *mounts_of(ResultsFile(path));
    CHECK(least_of_robots(study, 300, random) >= mounts.bound.value_or(no_limit));
  }
  CHECK(ends.proved >= count / 2);
  CHECK(ends.none < count / 3);
}

TEST_CASE("least tensions whose weights mounts change are bounded instant by instant") {
  Random random(92);
  const auto path = fresh("weighed_tensions.db");
  Ends ends;
  const int count = trials(16);
  for (int i = 0; i < count; ++i) {
    mounted_arm::Asked asked;
    asked.mounts = 1 + random.below(3);
    asked.search = R"("geometry": "prove", "gap": 1e-4, "max_simplices": 3000)";
    if (i % 2 == 0)
      asked.objective = mounted_arm::expression(
          fmt::format("max(shoulder.max, {:.1f}*height - (1 + {:.2f}*mount)*first.min_tension)",
                      random.uniform(20.0, 90.0), random.uniform(0.3, 3.0)));
    else
      asked.rest = fmt::format(R"x(, "constraints": [{{"name": "taut",
"expression": "second.min_tension*(2 - height) - 0.1*elbow.mean / (1 + mount)", "min": {:.3g}}}])x",
                               random.uniform(0.0, 40.0));
    const Files files = mounted_arm::files(random, asked);
    CAPTURE(i, files.at("study.json"), files.at("model.json"), files.at("work.json"));
    compare_with_grid(study_of(files), path, ends);
  }
  CHECK(ends.proved >= count / 2);
  CHECK(ends.none < count / 2);
}

TEST_CASE("with a spring of no strength the best mounts are where the weight is least") {
  // weight * (m g r) + term: least at mount 0.23 and the lowest post, by hand
  const Study study = pendulum::study(
      R"("rate": {"range": [0, 1e-9]}, "post": {"range": [0.3, 0.6]}, "mount": {"range": [0.1, 0.4]})",
      mounted_arm::expression("(1 + 7*(mount - 0.23)^2) * pivot.max + 20*post^2"),
      R"(, "geometry": "prove", "gap": 1e-6)");
  const StoredMounts mounts = proved(study, fresh("by_hand.db"));
  CHECK(mounts.ended == MountEnd::proved);
  CaseEvaluator evaluator(study);
  CaseOutcome outcome;
  evaluator.set_baselines(std::make_shared<const Baselines>(evaluator.evaluate_baselines()));
  evaluator.evaluate({{0.0, 0.3, 0.23}}, outcome);
  const double peak = outcome.objectives.front() - 20.0 * 0.09;
  CHECK(*mounts.best == Approx(peak + 1.8).epsilon(2e-6));
  CHECK(*mounts.bound <= peak + 1.8);
  CHECK(*mounts.bound >= (peak + 1.8) * (1.0 - 3e-6));
}

TEST_CASE("parts that read the same mount are one") {
  const auto variables_of = [](const std::string& objective) {
    Random random(85);
    mounted_arm::Asked asked;  // the third spring, on the angle, loads the elbow alone
    asked.mounts = 7;
    asked.objective = mounted_arm::expression(objective);
    asked.search = R"("geometry": "prove", "gap": 1e-2, "max_simplices": 2000)";
    const StoredMounts mounts =
        proved(study_of(mounted_arm::files(random, asked)), fresh("parted.db"));
    std::vector<std::string> names;
    for (const auto& range : mounts.parts.at(0).loosest) names.push_back(range.variable);
    return names;
  };
  const std::vector<std::string> two = {"height", "mount"}, three = {"height", "mount", "angle"};
  CHECK(variables_of("max(shoulder.max*(1 + height), 0.001*elbow.max)") == two);
  CHECK(variables_of("max(shoulder.max*(2 + angle), 0.001*elbow.max)") == three);
  CHECK(variables_of("max(shoulder.max, 0.001*elbow.max - height + 0.1)") == three);
  CHECK(variables_of("max(shoulder.max, 0.001*elbow.max) + 0.1*angle") == three);
}

TEST_CASE("weights whose sign is not shown, or that bend too sharply, are refused at their place") {
  CHECK(refusal_of("pivot.max * (mount^2 - 0.5*mount + 0.07)") == "proved");  // seen in halves
  const std::vector<std::array<std::string, 2>> refused = {
      {"pivot.max * (mount - 0.1)", "a load is multiplied by a number that is not shown"},
      {"pivot.max * (0.3 - mount)", "a load is multiplied"},
      {"pivot.max + (mount - 0.2)*max(pivot.mean, 3)", "a maximum is multiplied"},
      {"pivot.max - (mount - 0.2)*spring.min_tension", "the negative of a least tension is"},
      {"pivot.max + (mount - 0.2)*abs(rate - 300)", "an abs is multiplied"},
      {"pivot.max / (mount - 0.2)", "divides by what may be 0 at some mounts"},
      {"pivot.max + 1 / (mount - 0.2)", "a quotient by what may be 0"},
      {"pivot.max * max(mount, 0.2)", "twice differentiable"},
      {"pivot.max + abs(mount - 0.2)", "twice differentiable"}};
  for (const auto& [objective, reason] : refused) {
    CAPTURE(objective);
    const std::string message = refusal_of(objective);
    CAPTURE(message);
    CHECK(message.find(reason) != std::string::npos);
    CHECK(message.find("/objectives/0/expression") != std::string::npos);
    CHECK(message.find("at character") != std::string::npos);
  }
  const std::string limited = refusal_of("pivot.max", R"x(, "constraints": [{"name": "c",
"expression": "spring.max_tension*(mount - 0.2)", "max": 5}])x");
  CHECK(limited.find("a load is multiplied by a number") != std::string::npos);
}
