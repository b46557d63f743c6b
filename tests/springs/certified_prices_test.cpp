#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <cmath>

#include "cases/study_units.hpp"
#include "springs/problem/spring_sizer.hpp"
#include "springs/proof/certificate_text.hpp"
#include "springs/spring_optimum.hpp"
#include "tests/cases/evaluated_arm.hpp"

using namespace counterpoise;
using namespace counterpoise::test;

namespace {

/// The arm with its second spring beside the first: two springs that are always as long.
Files twins(double margin) {
  Files files = arm_files(arm_study(
      R"("variables": {"rate": {"range": [20, 900]}, "free": {"range": [0.01, 0.3]}},
"search": {"method": "exact-springs"}, )" +
      one_objective));
  const std::string limit = fmt::format(R"("min_length": "free + {}"}})", margin);
  files["model.json"] =
      with(with(arm_with_springs, R"("min_length": "shortest"})", limit),
           R"(["upper.back", "lower.front"], "rate": 200, "free_length": 0.2})",
           R"(["world.anchor", "upper.mount"], "rate": "rate", "free_length": "free", )" + limit);
  return files;
}

/// The optimum of a goal, and what its own certificate says of it.
struct Certified {
  Study study;
  SpringRoles roles;
  SpringSizer sizer;
  SizedCase sized;
  SpringOptimum optimum;

  Certified(const Files& files, const SizingGoal& goal)
      : study(study_of(files)), roles(find_spring_roles(study)), sizer(study, roles) {
    const auto baselines =
        std::make_shared<const Baselines>(sizer.evaluator().evaluate_baselines());
    sizer.set_baselines(baselines);
    sizer.size({}, goal, sized);
    REQUIRE(sized.solved);
    CertificateRow row{1, sized.solution.certificate.bound, sized.solution.gap, ""};
    if (roles.chosen.empty()) {
      row.text = certificate_text(study, sizer.written(), goal, sized.solution);
    } else {
      sized.solution.certificate.limits.resize(sizer.written().problem.limits.size());
      row.text = choice_text(study, sizer.written(), goal, sized.solution, sized.choice, {});
      row.bound = sized.choice.best.front().value;
    }
    const std::vector<double> parameters(sizer.evaluator().parameters().begin(),
                                         sizer.evaluator().parameters().end());
    optimum =
        *spring_optimum(study, {sized.point, parameters, &sized.outcome, &baselines->pairs.front()},
                        baselines, row);
  }
};

const ShadowPrice& worth_of(const SpringOptimum& optimum, const std::string& begin) {
  for (const ShadowPrice& price : optimum.limits)
    if (price.name.starts_with(begin)) return price;
  FAIL("no price of " << begin);
  throw std::logic_error(begin);
}

}  // namespace

TEST_CASE("limits of twin springs that say the same are loosened as one") {
  constexpr double margin = 0.19, delta = 1e-6;
  const Certified own(twins(margin), {});
  const ShadowPrice& price = worth_of(own.optimum, "min_length of lift");
  CHECK(price.name == "min_length of lift and min_length of help");
  CHECK(price.less);
  CHECK(price.unit == "m");
  CHECK(price.step == 1e-3);
  const double below = Certified(twins(margin - delta), {}).sized.solution.value;
  const double above = Certified(twins(margin + delta), {}).sized.solution.value;
  CHECK(price.per_unit == Approx((above - below) / (2.0 * delta)).epsilon(1e-4));
}

TEST_CASE("slopes at bounds of a product are worth something to both its factors") {
  const Certified own(twins(0.0), {});
  const WrittenProblem& written = own.sizer.written();
  REQUIRE(written.names == std::vector<std::string>{"rate", "rate * free"});
  // rate in [20, 900], free in [0.01, 0.3]; multipliers by hand
  Certificate certificate;
  certificate.limits.assign(written.problem.limits.size(), 0.0);
  const auto price = [&](double rate_slope, double product_slope, const std::vector<double>& x,
                         const std::string& name) {
    certificate.slopes = {rate_slope, product_slope};
    for (const ShadowPrice& one : shadow_prices(own.study, own.roles, written, certificate, x))
      if (one.name == name) return one.per_unit;
    return 0.0;
  };
  const std::vector<double> high = {900.0, 270.0}, low = {20.0, 0.2};
  CHECK(price(-3.0, -2.0, high, "rate at its upper bound 900") == Approx(3.0 + 2.0 * 0.3));
  CHECK(price(-3.0, -2.0, high, "free at its upper bound 0.3") == Approx(2.0 * 900.0));
  CHECK(price(3.0, 2.0, low, "rate at its lower bound 20") == Approx(3.0 + 2.0 * 0.01));
  CHECK(price(3.0, 2.0, low, "free at its lower bound 0.01") == Approx(2.0 * 20.0));
  // a slope that is left over where no bound is reached is rounding
  CHECK(price(-3.0, -2.0, {500.0, 100.0}, "rate at its upper bound 900") == 0.0);
}

TEST_CASE("in a range of any width a rate is at its bound only by its own size") {
  Files files = arm_files(arm_study(
      R"("variables": {"rate": {"range": [0, 1e10]}}, "search": {"method": "exact-springs"}, )" +
      one_objective));
  const Certified own(files, {});
  Certificate certificate;
  certificate.limits.assign(own.sizer.written().problem.limits.size(), 0.0);
  certificate.slopes = {3.0};
  const auto prices = [&](double rate) {
    return shadow_prices(own.study, own.roles, own.sizer.written(), certificate, {rate}).size();
  };
  CHECK(prices(1461.7) == 0);
  CHECK(prices(0.0) == 1);
  CHECK(prices(1e-7) == 1);  // rounding
}

TEST_CASE("a bound beyond which no spring exists has no worth in an optimum") {
  const auto files = [](const std::string& least) {
    Files made = arm_files(arm_study(R"("variables": {"rate": {"range": [)" + least +
                                     R"(, 900]}}, "search": {"method": "exact-springs"}, )" +
                                     one_objective));
    // below the shoulder, where it only harms
    made["model.json"] = with(arm_with_springs, R"("height": 0.5)", R"("height": -0.5)");
    return made;
  };
  CHECK(worth_of(Certified(files("10"), {}).optimum, "rate at its lower bound 10").less);
  CHECK(Certified(files("0"), {}).optimum.limits.empty());
}

TEST_CASE("in a trade-off a limit is worth something to every objective that is held back") {
  const auto files = [](double strength) {
    Files made = arm_files(arm_study(
        R"("variables": {"rate": {"range": [20, 900]}, "free": {"range": [0.01, 0.3]},
"tension": {"range": [0, 30]}}, "search": {"method": "exact-springs"},
"objectives": [{"name": "peak", "minimize": "max", "of": ["shoulder"]},
{"name": "elbow", "minimize": "mean", "of": ["elbow"]}])"));
    // one rate for both springs, so that shoulder and elbow compete for it
    made["model.json"] =
        with(with(arm_with_springs, R"("rate": 200, "free_length": 0.2)",
                  R"("rate": "rate", "free_length": 0.2)"),
             R"("min_length": "shortest"})", fmt::format(R"("max_load": {}}})", strength));
    return made;
  };
  // between the optima of each alone, so that both are held back
  const auto ratio = [](const Certified& of) {
    return of.sized.outcome.objectives[0] / of.sized.outcome.objectives[1];
  };
  const double at_peak = ratio(Certified(files(60.0), {{{0, 1.0, 0.0}}, {}, {1}}));
  const double at_mean = ratio(Certified(files(60.0), {{{1, 1.0, 0.0}}, {}, {0}}));
  const SizingGoal goal{{{0, 1.0, 0.0}, {1, std::sqrt(at_peak * at_mean), 0.0}}, {}, {}};
  const Certified own(files(60.0), goal);
  REQUIRE(own.optimum.least.size() == 2);
  CHECK(own.optimum.largest_of);
  const ShadowPrice& price = worth_of(own.optimum, "max_load of lift");
  constexpr double delta = 1e-4;
  const Certified more(files(60.0 + delta), goal), less(files(60.0 - delta), goal);
  for (const SpringOptimum::Least& least : own.optimum.least) {
    const auto at = static_cast<std::size_t>(least.objective);
    const double gain =
        (less.sized.outcome.objectives[at] - more.sized.outcome.objectives[at]) / (2.0 * delta);
    CHECK(price.per_unit * least.per_goal == Approx(gain).epsilon(1e-4));
  }
}

TEST_CASE("beside springs from a catalogue the limits of a sized one have their worth") {
  const auto files = [](double least) {
    Files made = arm_files(arm_study(
        R"("variables": {"spring": {"catalogue": "springs.csv",
"sets": {"rate": "rate", "free": "free_length", "tension": "initial"}},
"help_rate": {"range": [)" +
        fmt::format("{}", least) +
        R"(, 900]}}, "search": {"method": "exact-springs"}, "objectives": [{"name": "sum",
"expression": "shoulder.max + elbow.max"}])"));
    made["model.json"] = with(with(arm_with_springs, R"("rate": 200, "free_length": 0.2)",
                                   R"("rate": "help_rate", "free_length": 0.2)"),
                              R"("rate": 300,)", R"("help_rate": 200, "rate": 300,)");
    return made;
  };
  constexpr double least = 40.0, delta = 1e-3;
  const Certified own(files(least), {});
  CHECK(own.optimum.combinations == 4);
  CHECK(own.optimum.no_shadow_prices.empty());
  const ShadowPrice& price = worth_of(own.optimum, "help_rate at its lower bound 40");
  const double value = [&] {
    const Certified less(files(least - delta), {}), more(files(least + delta), {});
    CHECK(less.sized.point[0] == own.sized.point[0]);
    CHECK(more.sized.point[0] == own.sized.point[0]);
    return (more.sized.outcome.objectives[0] - less.sized.outcome.objectives[0]) / (2.0 * delta);
  }();
  CHECK(price.per_unit == Approx(value).epsilon(1e-4));
}

TEST_CASE("steps are a millimetre, a newton, 100 N/m, and never large beside the limit") {
  CHECK(small_step("m", 0.0) == 1e-3);
  CHECK(small_step("m", 0.5) == 1e-3);
  CHECK(small_step("m", 0.002) == Approx(2e-5));
  CHECK(small_step("N", 400.0) == 1.0);
  CHECK(small_step("N*m", 0.5) == Approx(0.005));
  CHECK(small_step("N/m", 20000.0) == 100.0);
  CHECK(small_step("N/m", -300.0) == Approx(3.0));
  CHECK(small_step("", 150.0) == Approx(1.5));
  CHECK(small_step("", 0.0) == 1.0);
}
