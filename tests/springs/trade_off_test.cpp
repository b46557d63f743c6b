#include <catch2/catch.hpp>

#include "results/ranking.hpp"
#include "springs/proof/verify.hpp"
#include "tests/springs/sized_pendulum.hpp"

using namespace counterpoise;
using namespace counterpoise::test;

namespace {

std::string limited() {
  return R"("rate": {"range": [0, 90]}, "free": {"range": [0.02, 0.3]}, )" + pendulum::tension;
}
const std::string motions = R"("slow": "slow.json", "quick": "quick.json")";

Study front_study(const std::string& objectives, const std::string& named, int points) {
  return pendulum::study(limited(), objectives,
                         R"(, "trade_off": {"objectives": [)" + named + R"(], "points": )" +
                             std::to_string(points) + "}",
                         "", motions);
}

bool dominates(const CaseRow& a, const CaseRow& b, double margin) {
  bool better = false;
  for (std::size_t i = 0; i < a.objectives.size(); ++i) {
    if (a.objectives[i] > b.objectives[i]) return false;
    better = better || a.objectives[i] < b.objectives[i] - margin * b.objectives[i];
  }
  return better;
}

}  // namespace

TEST_CASE("a front begins and ends with the best of each objective, and nothing dominates it") {
  const auto path = fresh("front.db");
  const Study study = front_study(pendulum::peak + ", " + pendulum::mean, R"("peak", "mean")", 9);
  run_to(study, path, 2);
  const auto rows = rows_of(path);
  REQUIRE(rows.size() == 9);
  const auto least = [&](const std::string& objective) {
    return rows_when_run(pendulum::study(limited(), objective, "", "", motions), "least.db")
        .front()
        .objectives.at(0);
  };
  CHECK(rows.front().objectives.at(0) == Approx(least(pendulum::peak)).epsilon(1e-8));
  CHECK(rows.back().objectives[1] == Approx(least(pendulum::mean)).epsilon(1e-8));
  for (std::size_t i = 1; i < rows.size(); ++i) {
    CHECK(rows[i].objectives.at(0) > rows[i - 1].objectives.at(0));
    CHECK(rows[i].objectives[1] < rows[i - 1].objectives[1]);
  }
  // designs of an ordinary sample, none of which is better in both
  const std::string text = R"({"format": "counterpoise-study/1", "model": "pendulum.json",
"motions": {)" + motions + R"(}, "variables": {)" +
                           limited() +
                           R"(}, "sampling": {"method": "sobol", "count": 20000},
"objectives": [)" + pendulum::peak +
                           ", " + pendulum::mean + "]}";
  const auto sampled = rows_when_run(study_of({{"study.json", text},
                                               {"pendulum.json", pendulum::model},
                                               {"slow.json", pendulum::slow},
                                               {"quick.json", pendulum::quick}}),
                                     "sampled.db");
  int feasible = 0;
  for (const CaseRow& design : sampled) {
    if (design.status != Status::feasible) continue;
    ++feasible;
    for (const CaseRow& point : rows) CHECK_FALSE(dominates(design, point, 1e-8));
  }
  CHECK(feasible > 1000);
  const ResultsFile results(path);
  Verifier verifier(results, study);
  for (const CaseRow& row : rows) {
    const Verdict verdict = verifier.verify(row, results.certificate(row.id).value());
    CAPTURE(row.id, verdict.fault);
    CHECK(verdict.valid);
  }
}

TEST_CASE("between the ends a front bends: the knee is no end") {
  const auto path = fresh("knee.db");
  run_to(front_study(pendulum::peak + ", " + pendulum::mean, R"("peak", "mean")", 9), path, 1);
  RankOptions options;
  options.pareto = true;
  const auto rankings = rank(ResultsFile(path), options);
  REQUIRE(rankings.front().knee);
  CHECK(*rankings.front().knee > 1);
  CHECK(*rankings.front().knee < 9);
  CHECK(rankings.front().table.rows.size() == 9);
}

TEST_CASE("three objectives have a front of a triangle's points") {
  const auto path = fresh("three.db");
  const Study study = front_study(pendulum::peak + ", " + pendulum::mean + ", " + pendulum::rms,
                                  R"("rms", "peak", "mean")", 4);
  run_to(study, path, 2);
  const auto rows = rows_of(path);
  CHECK(rows.size() == 10);
  for (const CaseRow& a : rows) {
    CHECK(a.status == Status::feasible);
    for (const CaseRow& b : rows) CHECK_FALSE(dominates(a, b, 1e-6));
  }
}

TEST_CASE("objectives that agree have a front of one design") {
  const auto rows = rows_when_run(
      pendulum::study(pendulum::rate, pendulum::peak + ", " + pendulum::mean,
                      R"(, "trade_off": {"objectives": ["peak", "mean"], "points": 5})"),
      "agree.db");
  for (const CaseRow& row : rows)
    CHECK(number(row, 0) == Approx(pendulum::balancing_rate).epsilon(1e-8));
}
