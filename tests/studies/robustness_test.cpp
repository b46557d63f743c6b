#include "studies/robustness.hpp"

#include "results/rows/rows.hpp"
#include "tests/cases/stored_rows.hpp"
#include "tests/studies/toleranced_arm.hpp"

using namespace counterpoise;
using namespace counterpoise::test;

namespace {

const std::string rates = R"("variables": {"rate": {"values": [280, 300, 310, 330]}},
"sampling": {"method": "grid"}, "objectives": [{"name": "load", "minimize": "mean",
"of": ["shoulder"]}, {"name": "peak", "minimize": "max", "of": ["elbow"]}])";
constexpr double infinite = std::numeric_limits<double>::infinity();
std::string all_tolerances() {
  return spring_tolerances + ", " + height_tolerance;
}

Study rate_study(const std::string& more, int samples = 2) {
  Files files = arm_files(arm_study(rates + more + tolerances_of(all_tolerances(), samples)));
  files["model.json"] = shared_arm();
  return study_of(files);
}

ResultsFile results_of(const Study& study, const std::string& name) {
  const auto path = fresh(name);
  run_to(study, path, 1);
  return ResultsFile(path);
}

/// The seed that draws of a study with seed 3 have.
constexpr std::uint64_t seed_of_draws = 3 + (std::uint64_t{1} << 60);

/// Draws of a design by the texts of made robots: sampled height first, then the springs' parts in
/// the order of springs and, for each, of the tolerances: rate, free length, tension.
std::vector<Made> made_robots(double rate, std::size_t count) {
  SobolSequence sequence = shifted_sobol(6, seed_of_draws);
  std::vector<Made> robots;
  std::vector<double> s(6);
  Made nominal;
  nominal.lift_rate = nominal.help_rate = rate;
  for (std::size_t i = 0; i < count; ++i) {
    sequence.point(static_cast<std::int64_t>(i) + 1, s);
    robots.push_back(made_at({s[1], s[4], s[2], s[5], s[3], s[0]}, nominal));
  }
  return robots;
}

std::uint64_t bits(double number) {
  return std::bit_cast<std::uint64_t>(number);
}

}  // namespace

TEST_CASE("random designs are made robots, counted by plain loops") {
  // the stiffest design is infeasible as designed, the next one in part of the draws
  Made third;
  third.lift_rate = third.help_rate = 310.0;
  const double limit = 1.02 * Run(written_out(third), swing).spring("lift").max_tension;
  const bool in_model = GENERATE(true, false);
  Files files = arm_files(arm_study(rates + tolerances_of(all_tolerances(), 2) +
                                    (in_model ? ""
                                              : fmt::format(R"(, "constraints": [{{"name": "room",
"expression": "lift.max_tension", "max": {}}}])",
                                                            limit))));
  const std::string lift = R"({"name": "lift",)";
  files["model.json"] =
      in_model ? with(shared_arm(), lift, lift + fmt::format(R"( "max_load": {},)", limit))
               : shared_arm();
  const Study study = study_of(files);
  const ResultsFile results = results_of(study, "draws.db");
  const auto rankings = robustness(results, study, *study.tolerances, {});
  REQUIRE(rankings.size() == 1);
  const auto& designs = rankings[0].designs;
  REQUIRE(designs.size() == 3);
  const std::size_t draws = 32;
  CHECK(size_of(study, *study.tolerances).draws == draws);
  std::vector<std::vector<double>> values;
  std::size_t broken_in_all = 0;
  for (const RobustDesign& design : designs) {
    std::vector<double>& own = values.emplace_back();
    std::size_t broken = 0;
    for (const Made& made : made_robots(std::get<double>(design.row.variables[0]), draws)) {
      const Run run(written_out(made), swing);
      const bool kept = run.spring("lift").max_tension <= limit;
      broken += kept ? 0 : 1;
      own.push_back(kept ? run.actuator("shoulder").mean : infinite);
    }
    broken_in_all += broken;
    CHECK(design.broken_share == static_cast<double>(broken) / draws);
    CHECK(design.broken_reason.empty() == (broken == 0));
    if (broken > 0)
      CHECK_THAT(design.broken_reason,
                 Catch::StartsWith(in_model ? "spring lift loaded" : "constraint room is "));
    std::vector<double> sorted = own;
    std::sort(sorted.begin(), sorted.end());
    const double expected = sorted[30];  // 31 of 32 are at least 95 %
    CHECK(std::isfinite(expected) == std::isfinite(design.percentile.value));
    if (std::isfinite(expected))
      CHECK(design.percentile.value == Approx(expected).epsilon(summation));
    CHECK(design.nominal == design.row.objectives[0]);
    CHECK(design.as_stored);
  }
  CHECK(broken_in_all > 0);
  CHECK(broken_in_all < 3 * draws);
  // who is best in each draw
  std::vector<std::size_t> best(designs.size(), 0);
  for (std::size_t i = 0; i < draws; ++i) {
    std::size_t first = 0;
    for (std::size_t d = 1; d < designs.size(); ++d)
      if (values[d][i] < values[first][i]) first = d;
    if (std::isfinite(values[first][i])) ++best[first];
  }
  for (std::size_t d = 0; d < designs.size(); ++d)
    CHECK(designs[d].best_share == static_cast<double>(best[d]) / draws);
}

TEST_CASE("designs come in the order of the ranking, with worst cases of their own") {
  const Study study = rate_study("");
  const ResultsFile results = results_of(study, "order.db");
  RobustnessOptions options;
  options.top = 3;
  const auto rankings = robustness(results, study, *study.tolerances, options);
  const auto& designs = rankings.at(0).designs;
  REQUIRE(designs.size() == 3);
  std::vector<double> nominal, worst, percentile;
  for (const RobustDesign& design : designs) {
    const WorstOf alone(study, {static_cast<double>(design.row.id - 1)});
    CHECK(bits(design.worst.value) == bits(alone.worst.value));
    CHECK_FALSE(design.worst.infeasible);
    CHECK(design.worst.value >= design.percentile.value);
    CHECK(design.percentile.value >= design.nominal);
    nominal.push_back(design.nominal);
    worst.push_back(design.worst.value);
    percentile.push_back(design.percentile.value);
  }
  CHECK(std::is_sorted(nominal.begin(), nominal.end()));
  CHECK(rankings[0].tau_worst == kendall_tau(nominal, worst));
  CHECK(rankings[0].tau_percentile == kendall_tau(nominal, percentile));

  options.by = "peak";
  const auto by_peak = robustness(results, study, *study.tolerances, options);
  for (const RobustDesign& design : by_peak.at(0).designs)
    CHECK(design.nominal == design.row.objectives[1]);
  options.by = "pake";
  CHECK_THROWS_AS(robustness(results, study, *study.tolerances, options), StoreError);
}

TEST_CASE("threads change no bit") {
  const Study study = rate_study("", 4);
  const ResultsFile results = results_of(study, "threads.db");
  RobustnessOptions options;
  options.threads = 1;
  const auto one = robustness(results, study, *study.tolerances, options);
  for (const int threads : {2, 5}) {
    options.threads = threads;
    const auto several = robustness(results, study, *study.tolerances, options);
    REQUIRE(several.at(0).designs.size() == 4);
    for (std::size_t d = 0; d < 4; ++d) {
      const RobustDesign &a = one[0].designs[d], &b = several[0].designs[d];
      CHECK(bits(a.worst.value) == bits(b.worst.value));
      CHECK(bits(a.percentile.value) == bits(b.percentile.value));
      CHECK(bits(a.percentile.error.value_or(-1)) == bits(b.percentile.error.value_or(-1)));
      CHECK(a.best_share == b.best_share);
    }
  }
}

TEST_CASE("without deviation nothing changes") {
  Files files = arm_files(arm_study(
      rates + tolerances_of(R"("rate": {"percent": 0}, "height": {"plus_minus": 0})", 2)));
  files["model.json"] = shared_arm();
  const Study study = study_of(files);
  const ResultsFile results = results_of(study, "none.db");
  const auto rankings = robustness(results, study, *study.tolerances, {});
  for (const RobustDesign& design : rankings.at(0).designs) {
    CHECK(design.worst.value == Approx(design.nominal).epsilon(summation));
    CHECK(design.percentile.value == design.nominal);
    CHECK(design.percentile.error == 0.0);
    CHECK(design.broken_share == 0.0);
  }
  CHECK(rankings[0].designs[0].best_share == 1.0);
  CHECK(rankings[0].tau_percentile == 1.0);
}

TEST_CASE("with a variable that selects the motion each motion has its own ranking") {
  Files files = arm_files(arm_study(
      R"("variables": {"rate": {"values": [280, 330]}, "path": {"motion": ["fold", "swing"]}},
"sampling": {"method": "grid"}, "objectives": [{"name": "share", "expression":
"shoulder.max / without_springs.shoulder.max"}])" +
          tolerances_of(all_tolerances(), 2),
      R"({"swing": "swing.json", "fold": "fold.json"})"));
  files["model.json"] = shared_arm();
  const Study study = study_of(files);
  const ResultsFile results = results_of(study, "motions.db");
  const auto rankings = robustness(results, study, *study.tolerances, {});
  REQUIRE(rankings.size() == 2);
  for (const RobustRanking& ranking : rankings) {
    const std::string& motion = ranking.motion == "fold" ? fold : swing;
    REQUIRE(ranking.designs.size() == 2);
    const double springless = Run(written_out({}), motion, false).actuator("shoulder").max;
    for (const RobustDesign& design : ranking.designs) {
      std::vector<double> values;
      for (const Made& made : made_robots(std::get<double>(design.row.variables[0]), 32))
        values.push_back(Run(written_out(made), motion).actuator("shoulder").max / springless);
      std::sort(values.begin(), values.end());
      CHECK(design.percentile.value == Approx(values[30]).epsilon(summation));
    }
  }
  RobustnessOptions options;
  options.motion = "swing";
  const auto only = robustness(results, study, *study.tolerances, options);
  REQUIRE(only.size() == 1);
  CHECK(only[0].motion == "swing");
}
