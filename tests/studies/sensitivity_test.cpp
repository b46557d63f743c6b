#include <fmt/format.h>

#include <cstddef>
#include <numeric>
#include <vector>

#include "studies/sensitivity.hpp"
#include "tests/cases/evaluated_arm.hpp"

namespace counterpoise::test {

/// Mean, variance and its shares, by sums over all designs of a grid.
struct VarianceShares {
  double mean = 0.0, variance = 0.0;
  std::vector<double> first, total;
};

/// Means of the values over all groups of designs with the same key.
template <class Key>
double variance_of_means(const std::vector<double>& values, std::size_t groups, const Key& key) {
  std::vector<double> sums(groups, 0.0), counts(groups, 0.0);
  for (std::size_t at = 0; at < values.size(); ++at) {
    sums[key(at)] += values[at];
    counts[key(at)] += 1.0;
  }
  const double mean =
      std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
  double variance = 0.0;
  for (std::size_t g = 0; g < groups; ++g) {
    const double distance = sums[g] / counts[g] - mean;
    variance += distance * distance;
  }
  return variance / static_cast<double>(groups);
}

/// Values in the order of a grid, the last factor fastest. First order: variance of the means over
/// all other factors. Total: what the variance of the means over the factor itself leaves.
inline VarianceShares variance_shares(const std::vector<std::size_t>& levels,
                                      const std::vector<double>& values) {
  VarianceShares shares;
  shares.mean =
      std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
  shares.variance = variance_of_means(values, values.size(), [](std::size_t at) { return at; });
  std::size_t stride = values.size();
  for (std::size_t count : levels) {
    const std::size_t outer = stride;
    stride /= count;
    const auto level = [&](std::size_t at) { return at / stride % count; };
    const auto others = [&](std::size_t at) { return at / outer * stride + at % stride; };
    shares.first.push_back(variance_of_means(values, count, level) / shares.variance);
    shares.total.push_back(1.0 - variance_of_means(values, values.size() / count, others) /
                                     shares.variance);
  }
  return shares;
}

}  // namespace counterpoise::test

using namespace counterpoise;
using namespace counterpoise::test;

namespace {

Sensitivity analysed(const Study& study, const SensitivityOptions& options = {}) {
  return analyse_sensitivity(study, plan_sensitivity(study, options), options);
}

Sensitivity analysed(const std::string& members, const std::string& motions = one_motion,
                     const SensitivityOptions& options = {}) {
  const Study study = study_of(arm_files(arm_study(members, motions)));
  return analysed(study, options);
}

SensitivityOptions with_samples(std::int64_t samples) {
  SensitivityOptions options;
  options.samples = samples;
  return options;
}

const std::string grid = R"("sampling": {"method": "grid"}, )";
const std::string random_points = R"("sampling": {"method": "random", "count": 4}, )";
const std::string two_objectives = R"("objectives": [
{"name": "peak", "minimize": "max", "of": ["shoulder"]},
{"name": "effort", "minimize": "rms", "of": ["elbow"]}])";

/// All numbers of an analysis, in one list.
std::vector<double> numbers_of(const Sensitivity& result) {
  std::vector<double> numbers;
  const auto add = [&](const Estimate& estimate) {
    numbers.insert(numbers.end(), {estimate.value, estimate.low, estimate.high});
  };
  for (const MotionSensitivity& motion : result.motions) {
    numbers.push_back(static_cast<double>(motion.computable));
    numbers.push_back(static_cast<double>(motion.within));
    for (const ObjectiveSensitivity& of : motion.objectives) {
      numbers.insert(numbers.end(), {of.sobol.mean, of.sobol.variance, of.centre.value});
      for (const Estimate& estimate : of.sobol.first) add(estimate);
      for (const Estimate& estimate : of.sobol.total) add(estimate);
      for (const MorrisEffect& effect : of.morris) {
        add(effect.mu_star);
        numbers.insert(numbers.end(), {effect.mu, effect.sigma});
      }
      for (const TornadoBar& bar : of.tornado)
        numbers.insert(numbers.end(),
                       {static_cast<double>(bar.factor), bar.low.value, bar.high.value, bar.swing});
    }
  }
  return numbers;
}

void check_shares(const ObjectiveSensitivity& found, const VarianceShares& expected) {
  // discrete levels: 4096 points of the sequence; random points would err by 0.02
  constexpr double sequence_error = 0.005;
  REQUIRE(found.sobol.none == NoIndices::there_are);
  CHECK(found.sobol.mean == Approx(expected.mean).epsilon(sequence_error));
  CHECK(found.sobol.variance == Approx(expected.variance).epsilon(2 * sequence_error));
  for (std::size_t i = 0; i < expected.first.size(); ++i) {
    CAPTURE(i);
    CHECK(found.sobol.first[i].value == Approx(expected.first[i]).margin(sequence_error));
    CHECK(found.sobol.total[i].value == Approx(expected.total[i]).margin(sequence_error));
  }
}

}  // namespace

TEST_CASE("indices of an arm are the shares of variance over all its designs") {
  const std::vector<double> rates = {100, 250, 400, 550}, mounts = {0.1, 0.2, 0.3, 0.4},
                            tensions = {0, 20, 40, 60};
  const std::string members = R"("variables": {"rate": {"values": [100, 250, 400, 550]},
"mount": {"range": [0.1, 0.4], "count": 4}, "tension": {"range": [0, 60], "count": 4}}, )" +
                              grid + two_objectives;
  std::vector<double> peaks;
  for (double rate : rates)
    for (double mount : mounts)
      for (double tension : tensions) {
        std::string model = arm_with(rate, 0.1);
        model = with(model, "\"mount\": 0.3", "\"mount\": " + std::to_string(mount));
        model = with(model, "\"tension\": 5", "\"tension\": " + std::to_string(tension));
        peaks.push_back(Run(model, swing).actuator("shoulder").max);
      }
  const Sensitivity found = analysed(members, one_motion, with_samples(4096));
  REQUIRE(found.motions.size() == 1);
  check_shares(found.motions[0].objectives[0], variance_shares({4, 4, 4}, peaks));
  CHECK(found.motions[0].objectives[0].sobol.total[0].value > 0.1);  // there is something to see
  // the spring at the shoulder does not load the elbow
  CHECK(found.motions[0].objectives[1].sobol.none == NoIndices::constant);
}

TEST_CASE("rows of a catalogue are levels, and every motion is analysed on its own") {
  const std::string members = R"("variables": {
"path": {"motion": ["swing", "fold"]},
"kind": {"catalogue": "springs.csv",
 "sets": {"rate": "rate", "free": "free_length", "tension": "initial"}},
"mount": {"range": [0.15, 0.3], "count": 8}}, )" +
                              grid + one_objective;
  struct Row {
    double rate, free, tension;
  };
  const Sensitivity found =
      analysed(members, R"({"swing": "swing.json", "fold": "fold.json"})", with_samples(4096));
  REQUIRE(found.motions.size() == 2);
  CHECK(found.motions[0].motion == "swing");
  CHECK(found.motions[1].motion == "fold");
  for (const MotionSensitivity& motion : found.motions) {
    std::vector<double> peaks;
    std::vector<double> at_centre;  // of each row, at the mount's value of the model
    for (const Row& row : {Row{100, 0.05, 0}, {300, 0.1, 5}, {900, 0.12, 20}, {4000, 0.08, 60}})
      for (int level = 0; level < 8; ++level) {
        const double mount = 0.15 + 0.15 * level / 7.0;
        std::string model = arm_with(row.rate, row.free);
        model = with(model, "\"mount\": 0.3", "\"mount\": " + fmt::format("{}", mount));
        model = with(model, "\"tension\": 5", "\"tension\": " + std::to_string(row.tension));
        peaks.push_back(
            Run(model, motion.motion == "swing" ? swing : fold).actuator("shoulder").max);
        if (level == 7) at_centre.push_back(peaks.back());
      }
    REQUIRE(motion.objectives[0].sobol.first.size() == 2);  // the motion is no factor
    check_shares(motion.objectives[0], variance_shares({4, 8}, peaks));
    const auto& bars = motion.objectives[0].tornado;
    const TornadoBar& kind = bars[0].factor == 0 ? bars[0] : bars[1];
    const auto [least, most] = std::minmax_element(at_centre.begin(), at_centre.end());
    CHECK(kind.low.value == Approx(*least));
    CHECK(kind.low.at == static_cast<double>(least - at_centre.begin()));
    CHECK(kind.high.value == Approx(*most));
    CHECK(kind.high.at == static_cast<double>(most - at_centre.begin()));
    CHECK(motion.objectives[0].centre.value == Approx(at_centre[1]));  // the model's own spring
  }
}

TEST_CASE("an expression's effects agree with its derivatives") {
  const Sensitivity found = analysed(R"("variables": {"rate": {"range": [100, 900]},
"mount": {"range": [0.1, 0.4]}}, )" + random_points +
                                     R"("objectives": [
{"name": "sum", "expression": "3*rate - 1000*mount"}])");
  const ObjectiveSensitivity& sum = found.motions[0].objectives[0];
  CHECK(sum.morris[0].mu == Approx(2400.0));
  CHECK(sum.morris[1].mu == Approx(-300.0));
  CHECK(sum.morris[1].mu_star.value == Approx(300.0));
  const double share = 2400.0 * 2400.0 / (2400.0 * 2400.0 + 300.0 * 300.0);
  CHECK(sum.sobol.first[0].value == Approx(share).margin(0.01));
  CHECK(sum.sobol.total[0].value == Approx(share).margin(0.01));
  CHECK(sum.centre.value == Approx(3 * 300.0 - 1000 * 0.3));
  REQUIRE(sum.tornado.size() == 2);
  CHECK(sum.tornado[0].factor == 0);
  CHECK(sum.tornado[0].low.value == Approx(300.0 - 300.0));
  CHECK(sum.tornado[0].high.value == Approx(2700.0 - 300.0));
}

TEST_CASE("designs that break a limit or constraint count like the rest") {
  const std::string variables =
      R"("variables": {"rate": {"range": [100, 900]}, "mount": {"range": [0.1, 0.4]}}, )" +
      random_points + one_objective;
  const Sensitivity free = analysed(variables, one_motion, with_samples(64));
  const Sensitivity limited = analysed(
      variables + R"(, "constraints": [{"name": "soft", "expression": "rate", "max": 500}])",
      R"({"swing": {"file": "swing.json", "parameters": {"strongest": 20}}})", with_samples(64));
  CHECK(free.motions[0].within == free.motions[0].designs);
  CHECK(limited.motions[0].computable == limited.motions[0].designs);
  CHECK(limited.motions[0].within < limited.motions[0].designs / 2 + 8);
  CHECK(limited.motions[0].reason.empty());
  const ObjectiveSensitivity &a = free.motions[0].objectives[0],
                             &b = limited.motions[0].objectives[0];
  for (std::size_t i = 0; i < 2; ++i) {
    CHECK(a.sobol.total[i].value == b.sobol.total[i].value);
    CHECK(a.morris[i].mu == b.morris[i].mu);
  }
}

TEST_CASE("designs that cannot be computed are left out, with their share and a reason") {
  // doubled = 2*load may be 8 at most: a quarter of the range is impossible
  const Sensitivity found = analysed(R"("variables": {"load": {"range": [1, 5]},
"rate": {"range": [100, 900]}}, )" + random_points +
                                     one_objective);
  const MotionSensitivity& motion = found.motions[0];
  CHECK(motion.computable_share() == Approx(0.75).margin(0.005));
  CHECK_THAT(motion.reason, Catch::Contains("doubled"));
  const ObjectiveSensitivity& peak = motion.objectives[0];
  REQUIRE(peak.sobol.none == NoIndices::there_are);
  CHECK(peak.sobol.usable == Approx(0.5625).margin(0.01));  // A and AB_load
  for (const TornadoBar& bar : peak.tornado) CHECK(bar.high.known == (bar.factor == 1));
  CHECK(std::isfinite(peak.morris[0].mu));
}

TEST_CASE("without designs enough there are no indices") {
  const auto root_of = [](const std::string& root) {
    return analysed(R"members("variables": {"mount": {"range": [0.1, 0.4]}}, )members" +
                    random_points + R"members("objectives": [{"name": "root",
"expression": "sqrt(mount - )members" +
                    root + R"members()"}])members");
  };
  const Sensitivity few = root_of("0.3");
  CHECK(few.motions[0].computable_share() == Approx(1.0 / 3.0).margin(0.01));
  CHECK(few.motions[0].objectives[0].sobol.none == NoIndices::too_few);
  const Sensitivity none = root_of("0.5");
  CHECK(none.motions[0].computable == 0);
  CHECK(none.motions[0].reason == "objective root is not a finite number");
  CHECK(none.motions[0].objectives[0].sobol.none == NoIndices::too_few);
  CHECK_FALSE(none.motions[0].objectives[0].centre.known);
  CHECK_FALSE(none.motions[0].objectives[0].morris[0].known(64));
}

TEST_CASE("numbers are the same bits for any number of threads and without reuse") {
  const std::string members = R"("variables": {"load": {"range": [1, 5]},
"path": {"motion": ["swing", "fold"]}, "mount": {"range": [0.1, 0.4]},
"kind": {"catalogue": "springs.csv",
 "sets": {"rate": "rate", "free": "free_length", "tension": "initial"}}}, )" +
                              random_points + two_objectives;
  const std::string motions = R"({"swing": "swing.json", "fold": "fold.json"})";
  SensitivityOptions options = with_samples(128);
  options.threads = 1;
  const Sensitivity one = analysed(members, motions, options);
  const std::vector<double> expected = numbers_of(one);
  CHECK(expected.size() > 60);
  for (double number : expected) CHECK(std::isfinite(number));
  for (int threads : {2, 5}) {
    options.threads = threads;
    const Sensitivity other = analysed(members, motions, options);
    CHECK(numbers_of(other) == expected);
    for (std::size_t m = 0; m < 2; ++m) CHECK(other.motions[m].reason == one.motions[m].reason);
  }
  options.reuse = Reuse::recompute;
  CHECK(numbers_of(analysed(members, motions, options)) == expected);
  options.seed = 2;
  CHECK(numbers_of(analysed(members, motions, options)) != expected);
}

TEST_CASE("an objective asked for alone has the numbers it has among others") {
  const std::string members =
      R"("variables": {"load": {"range": [1, 4]}, "rate": {"range": [100, 900]}}, )" +
      random_points + two_objectives;
  SensitivityOptions options = with_samples(64);
  const Sensitivity both = analysed(members, one_motion, options);
  options.objectives = {"effort"};
  Sensitivity chosen = both;
  chosen.motions[0].objectives.erase(chosen.motions[0].objectives.begin());
  CHECK(numbers_of(analysed(members, one_motion, options)) == numbers_of(chosen));
}

TEST_CASE("a study's sampling or search does not matter") {
  const std::string variables = R"("variables": {"rate": {"range": [100, 900]}}, )";
  const std::string search =
      R"("search": {"method": "nlopt", "algorithm": "LN_SBPLX", "max_evaluations": 9}, )";
  const SensitivityOptions options = with_samples(32);
  CHECK(numbers_of(analysed(variables + random_points + one_objective, one_motion, options)) ==
        numbers_of(analysed(variables + search + one_objective, one_motion, options)));
}

TEST_CASE("an interrupted analysis has no results") {
  const std::atomic<bool> interrupted{true};
  SensitivityOptions options = with_samples(32);
  options.interrupted = &interrupted;
  const Sensitivity found = analysed(rate_and_free + one_objective, one_motion, options);
  CHECK(found.interrupted);
  CHECK(found.motions.empty());
}

TEST_CASE("progress ends where the plan does") {
  SensitivityOptions options = with_samples(100);
  const Study study = study_of(arm_files(arm_study(rate_and_free + one_objective)));
  const SensitivityPlan plan = plan_sensitivity(study, options);
  CHECK(plan.base_samples == 128);
  CHECK(plan.trajectories == 10);
  CHECK(plan.evaluations() == 128 * 4 + 10 * 3 + 5);
  Progress last;
  options.progress = [&](const Progress& at) { last = at; };
  analyse_sensitivity(study, plan, options);
  CHECK(last.done == plan.evaluations());
  CHECK(last.total == plan.evaluations());
}

TEST_CASE("what cannot be analysed is refused") {
  const auto plan_of = [](const std::string& members, const SensitivityOptions& options) {
    const Study study =
        study_of(arm_files(arm_study(members, R"({"swing": "swing.json", "fold": "fold.json"})")));
    return plan_sensitivity(study, options);
  };
  CHECK_THROWS_WITH(plan_of(grid + one_objective, {}),
                    Catch::Contains("/variables: there is none, so that"));
  CHECK_THROWS_WITH(
      plan_of(R"("variables": {"path": {"motion": ["swing", "fold"]}}, )" + grid + one_objective,
              {}),
      Catch::Contains("only the motion varies"));
  SensitivityOptions options;
  options.objectives = {"effort", "peek"};
  const std::string members = rate_and_free + two_objectives;
  CHECK_THROWS_WITH(plan_of(members, options),
                    Catch::Contains("found \"peek\", expected an objective of the study (peak, "
                                    "effort); did you mean \"peak\"?"));
  options.objectives = {"effort", "effort"};
  CHECK(plan_of(members, options).objectives == std::vector<std::size_t>{1});
  CHECK_THROWS_AS(plan_of(members, with_samples(15)), InputError);
  CHECK_NOTHROW(plan_of(members, with_samples(16)));
  CHECK_THROWS_AS(plan_of(members, with_samples(most_samples + 1)), InputError);
}
