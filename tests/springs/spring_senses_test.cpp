#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <cmath>
#include <functional>

#include "input/text/json_document.hpp"
#include "springs/proof/verify.hpp"
#include "tests/springs/sized_pendulum.hpp"
#include "tests/support/random.hpp"

using namespace counterpoise;
using namespace counterpoise::test;

namespace {

/// The pendulum's spring and its peak load by the formulas of a triangle; `side` is +1 for the
/// pendulum as it is, whose weight a pull takes off, and -1 with the mount on the other side of the
/// pivot, where a push does.
struct Triangle {
  double side = 1.0;

  [[nodiscard]] double length(double q) const {
    using namespace pendulum;
    return std::sqrt(mount * mount + post * post + 2 * side * mount * post * std::sin(q));
  }
  [[nodiscard]] double shortest() const { return std::min(length(-1.2), length(1.5)); }
  [[nodiscard]] double longest() const { return std::max(length(-1.2), length(1.5)); }
  [[nodiscard]] double peak(double rate, double free, double initial) const {
    using namespace pendulum;
    constexpr int steps = 300;
    double largest = 0.0;
    for (int i = 0; i <= steps; ++i) {
      const double q = -1.2 + 2.7 * i / steps, l = length(q);
      const double tension = initial + rate * (l - free);
      largest =
          std::max(largest, std::abs((weight - side * tension * post * mount / l) * std::cos(q)));
    }
    return largest;
  }
};

/// A way to keep a spring on its side, in the words of a model or a study, and as a condition.
struct Way {
  std::string name;
  std::string acts;         // key of the spring, if it has one
  std::string constraints;  // of the study
  double side;
  std::function<bool(const Triangle&, double rate, double free, double initial)> kept;
};

const std::string exact = R"("search": {"method": "exact-springs"})";

Study study_with(const Way& way, const std::string& variables,
                 const std::string& table = pendulum::springs) {
  std::string model = with(pendulum::model, R"("shortest": "free")", R"("shortest": 0)");
  model = with(model, R"("max_load": "strongest")", R"("max_load": "strongest")" + way.acts);
  if (way.side < 0.0) model = with(model, R"("mount": 0.25)", R"("mount": -0.25)");
  const std::string text = R"({"format": "counterpoise-study/1", "model": "m.json",
"motions": {"slow": "slow.json"}, "variables": {)" +
                           variables + "}, " + exact + R"(, "objectives": [)" + pendulum::peak +
                           "]" + way.constraints + "}";
  return study_of({{"study.json", text},
                   {"m.json", model},
                   {"slow.json", pendulum::slow},
                   {"springs.csv", table}});
}

const std::string part_of_table = R"("part": {"catalogue": "springs.csv",
"sets": {"rate": "rate", "free": "free_length", "tension": "initial"}})";
const std::string pull = R"(, "acts": "pull")", push = R"(, "acts": "push")";

std::string least_tension(double newtons) {
  return fmt::format(R"(, "constraints": [{{"name": "c", "expression": "spring.min_tension",
"min": {}}}])",
                     newtons);
}

double tension_at(double length, double rate, double free, double initial) {
  return initial + rate * (length - free);
}

const std::vector<Way>& ways() {
  static const auto pulls = [](const Triangle& of, double k, double free, double initial) {
    return tension_at(of.shortest(), k, free, initial) >= 0.0 && free <= of.shortest();
  };
  static const auto pushes = [](const Triangle& of, double k, double free, double initial) {
    return tension_at(of.longest(), k, free, initial) <= 0.0 && free >= of.longest();
  };
  static const std::vector<Way> all = {
      {"pull", pull, "", 1.0, pulls},
      {"pull where a push would help", pull, "", -1.0, pulls},
      {"push", push, "", -1.0, pushes},
      {"push where a pull would help", push, "", 1.0, pushes},
      {"a least tension", "", least_tension(12.0), 1.0,
       [](const Triangle& of, double k, double free, double initial) {
         return tension_at(of.shortest(), k, free, initial) >= 12.0;
       }},
      {"a least tension below zero", "", least_tension(-15.0), -1.0,
       [](const Triangle& of, double k, double free, double initial) {
         return tension_at(of.shortest(), k, free, initial) >= -15.0;
       }},
  };
  return all;
}

}  // namespace

TEST_CASE(
    "no spring that keeps its sense does better than the sized one, and some nearly as well") {
  const Way& way = ways().at(static_cast<std::size_t>(GENERATE(range(0, 6))));
  CAPTURE(way.name);
  const Triangle triangle{way.side};
  // stiffer than balances, so that a spring would like to pull in one pose and push in another
  const Study study = study_with(
      way,
      R"("rate": {"range": [200, 900]}, "free": {"range": [0, 1.2]}, "tension": {"range": [-40, 40]})");
  const auto path = fresh("senses.db");
  run_to(study, path, 1);
  const auto rows = rows_of(path);
  REQUIRE(rows.size() == 1);
  CAPTURE(rows[0].reason);
  REQUIRE(rows[0].status == Status::feasible);
  const double found = rows[0].objectives.at(0);
  const double rate = number(rows[0], 0), free = number(rows[0], 1), initial = number(rows[0], 2);
  CHECK(found == Approx(triangle.peak(rate, free, initial)).epsilon(2e-3));

  Random random(11);
  double best = INFINITY;
  for (int i = 0; i < 60000; ++i) {
    // half of them near the optimum
    const double width = i % 2 == 0 ? 1.0 : 0.05;
    const auto draw = [&](double low, double high, double about) {
      const double span = (high - low) * width;
      return std::clamp(random.uniform(width < 1.0 ? about - span / 2 : low,
                                       width < 1.0 ? about + span / 2 : high),
                        low, high);
    };
    const double k = draw(200, 900, rate), l = draw(0, 1.2, free), f = draw(-40, 40, initial);
    if (!way.kept(triangle, k, l, f)) continue;
    best = std::min(best, triangle.peak(k, l, f));
  }
  CHECK(best >= found * (1 - 2e-3));
  CHECK(best <= found * 1.1);

  const ResultsFile results(path);
  Verifier verifier(results, study);
  const Verdict verdict = verifier.verify(rows[0], *results.certificate(1));
  CAPTURE(verdict.fault);
  CHECK(verdict.valid);
}

TEST_CASE("a spring that pulls is sized up to the sense that it keeps") {
  const Triangle triangle;
  const auto sized = [](const Way& way) {
    return rows_when_run(
        study_with(way, R"("rate": {"range": [1500, 2000]}, "free": {"range": [0, 0.5]})"),
        "up_to.db")[0];
  };
  const CaseRow pulls = sized({"", pull, "", 1.0, {}});
  REQUIRE(pulls.status == Status::feasible);
  CHECK(number(pulls, 0) == Approx(1500.0).epsilon(1e-9));
  CHECK(number(pulls, 1) == Approx(triangle.shortest()).epsilon(1e-9));
  const CaseRow tight = sized({"", "", least_tension(5.0), 1.0, {}});
  REQUIRE(tight.status == Status::feasible);
  CHECK(number(tight, 1) == Approx(triangle.shortest() - 5.0 / 1500.0).epsilon(1e-9));
  const CaseRow loose = sized({"", "", "", 1.0, {}});
  CHECK(number(loose, 1) > triangle.shortest() + 0.01);
}

TEST_CASE("rows of a catalogue that would act the wrong way are left out") {
  for (const Way& way : ways()) {
    CAPTURE(way.name);
    const Triangle triangle{way.side};
    const std::string table =
        "part,rate,free_length,initial\na,150,0.02,1\nb,80,0.3,4\nc,122,0.001,-30\nd,400,0.15,9\n"
        "e,118,0.72,2\nf,60,0.9,-12\ng,300,0.75,-1\nh,90,0.71,-90\ni,500,0.22,-8\n";
    const std::vector<std::array<double, 3>> springs = {
        {150, 0.02, 1}, {80, 0.3, 4},    {122, 0.001, -30}, {400, 0.15, 9}, {118, 0.72, 2},
        {60, 0.9, -12}, {300, 0.75, -1}, {90, 0.71, -90},   {500, 0.22, -8}};
    std::string expected = "none";
    double least = INFINITY;
    for (std::size_t i = 0; i < springs.size(); ++i) {
      const auto& [k, free, initial] = springs[i];
      if (!way.kept(triangle, k, free, initial) || triangle.peak(k, free, initial) >= least)
        continue;
      least = triangle.peak(k, free, initial);
      expected = std::string(1, static_cast<char>('a' + i));
    }
    REQUIRE(expected != "none");
    const Study study = study_with(way, part_of_table, table);
    const auto path = fresh("chosen_sense.db");
    run_to(study, path, 1);
    const auto rows = rows_of(path);
    CAPTURE(rows[0].reason);
    REQUIRE(rows[0].status == Status::feasible);
    CHECK(std::get<std::string>(rows[0].variables[0]) == expected);
    CHECK(rows[0].objectives.at(0) == Approx(least).epsilon(2e-3));
    const ResultsFile results(path);
    Verifier verifier(results, study);
    CHECK(verifier.verify(rows[0], *results.certificate(1)).valid);
  }
}

TEST_CASE("what leaves no spring of the right sense is said in words") {
  const auto reason = [](const Way& way, const std::string& variables,
                         const std::string& table = pendulum::springs) {
    const auto rows = rows_when_run(study_with(way, variables, table), "no_sense.db");
    CHECK(rows[0].status == Status::infeasible);
    return rows[0].reason;
  };
  const Way pulls{"", pull, "", 1.0, {}}, pushes{"", push, "", 1.0, {}};
  // the spring is 0.24 m to 0.70 m long
  CHECK(reason(pulls, R"("rate": {"range": [50, 90]}, "free": {"range": [0.3, 0.5]})") ==
        "no springs can meet all of: free at least 0.3, free_length (acts: pull) of spring; "
        "without any one of these the others can be met");
  CHECK(reason(pulls, R"("tension": {"range": [-90, -70]})") ==
        "no springs can meet all of: tension (acts: pull) of spring, tension at most -70; without "
        "any one of these the others can be met");
  CHECK(reason(pushes, R"("rate": {"range": [50, 90]}, "tension": {"range": [-90, -80]})") ==
        "no springs can meet free_length (acts: push) of spring");
  CHECK(reason(pulls, part_of_table, "part,rate,free_length,initial\na,150,0.02,-90\n") ==
        "no spring of variable part fits: spring spring would have to push (tension -57.7289 N)");
  CHECK(reason(pulls, part_of_table, "part,rate,free_length,initial\na,150,0.3,90\n") ==
        "no spring of variable part fits: spring spring shorter than free_length (0.235141 m "
        "against 0.3 m)");
  CHECK(reason(pushes, part_of_table, "part,rate,free_length,initial\na,150,0.02,1\n") ==
        "no spring of variable part fits: spring spring would have to pull (tension 102.94 N)");
  CHECK(reason(pushes, part_of_table, "part,rate,free_length,initial\na,150,0.3,-99\n") ==
        "no spring of variable part fits: spring spring longer than free_length (0.699597 m "
        "against 0.3 m)");
}
