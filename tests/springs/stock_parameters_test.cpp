#include <algorithm>
#include <catch2/catch.hpp>

#include "springs/proof/verify.hpp"
#include "tests/springs/stocked_arm.hpp"

using namespace counterpoise;
using namespace counterpoise::test;
using namespace counterpoise::test::stocked_arm;

namespace {

std::string priced_arm() {
  return with(three_springs, R"("most": 1e6)",
              R"("most": 1e6, "pa": 0, "pc": 0, "twice": "2*pa", "total": "pa + pc")");
}

std::string priced(char spring) {
  return with(catalogue_variable(spring), R"("sets": {)",
              fmt::format(R"("sets": {{"p{}": "price", )", spring));
}

Study priced_study(const std::string& variables, const std::string& method,
                   const std::string& objective, const std::string& catalogue,
                   const std::string& rest = "", const std::string& model = priced_arm()) {
  const std::string text = R"({"format": "counterpoise-study/1", "model": "arm.json",
"motions": {"work": "work.json"}, "variables": {)" +
                           variables + "}, " + method +
                           R"(, "objectives": [{"name": "o", "expression": ")" + objective +
                           "\"}]" + rest + "}";
  return study_of(
      {{"study.json", text}, {"arm.json", model}, {"work.json", motion}, {"parts.csv", catalogue}});
}

const std::string exact = R"("search": {"method": "exact-springs"})";
const std::string grid = R"("sampling": {"method": "grid"})";

/// The best of all combinations by brute force, or infinite.
double best_of(const std::vector<CaseRow>& rows) {
  double best = 1e300;
  for (const CaseRow& row : rows)
    if (row.status == Status::feasible) best = std::min(best, row.objectives.front());
  return best;
}

void check_proved(const std::string& variables, const std::string& objective,
                  const std::string& catalogue, const std::string& rest = "",
                  const std::string& model = priced_arm()) {
  CAPTURE(objective);
  const Study study = priced_study(variables, exact, objective, catalogue, rest, model);
  const auto path = fresh("priced.db");
  run_to(study, path, 1);
  const ResultsFile results(path);
  REQUIRE(results.count(Status::feasible) == 1);
  const double best = best_of(rows_when_run(
      priced_study(variables, grid, objective, catalogue, rest, model), "priced_grid.db"));
  CHECK(results.find(1)->objectives.front() == Approx(best).epsilon(1e-12));
  Verifier verifier(results, study);
  const Verdict verdict = verifier.verify(*results.find(1), *results.certificate(1));
  CAPTURE(verdict.fault);
  CHECK(verdict.valid);
}

}  // namespace

TEST_CASE("a price that is the same in every row that fits counts as what it is") {
  const std::string one_price =
      "part,rate,free,initial,price\np0,100,0.1,1,3\np1,300,0.05,5,3\np2,200,0.1,0,3\n";
  check_proved(priced('a'), "shoulder.max + pa", one_price);
  check_proved(priced('a') + ", " + priced('c'), "max(shoulder.max, 4*pa + pc)", one_price);
  check_proved(priced('a'), "shoulder.max + 0.5*twice", one_price);
  // the first row, whose price is another, is against a limit of its own
  const std::string first_does_not_fit =
      "part,rate,free,initial,price\np0,1e9,0,1,40\np1,300,0.05,5,3\np2,200,0.1,0,3\n";
  const std::string limited = with(priced_arm(), R"("most": 1e6)", R"("most": 1000)");
  check_proved(priced('a'), "shoulder.max + pa", first_does_not_fit, "", limited);
  check_proved(priced('a'), "shoulder.max", first_does_not_fit,
               R"(, "constraints": [{"name": "cheap", "expression": "pa", "max": 5}])", limited);
}

TEST_CASE("rows that no spring can have, or that break bounds of parameters, are left out") {
  const std::string impossible =
      "part,rate,free,initial,price\np0,-90,0.1,1,1\np1,300,-0.05,5,1\np2,200,0.1,0,2\n"
      "p3,100,0.1,1,900\np4,120,0.1,1,4\n";
  const std::string bounded =
      with(priced_arm(), R"("twice": "2*pa")", R"("twice": {"value": "2*pa", "max": 20})");
  check_proved(priced('a'), "shoulder.max + 0.1*pa", impossible, "", bounded);
  check_proved(priced('a') + ", " + priced('c'), "shoulder.max + 0.01*pa + 0.02*pc", impossible, "",
               bounded);
}

TEST_CASE("a parameter that follows from two chosen variables is refused where it is read") {
  const std::string catalogue =
      "part,rate,free,initial,price\np0,300,0.05,5,9\np1,290,0.05,5,1\np2,200,0.1,0,2\n";
  const std::string both = priced('a') + ", " + priced('c');
  check_proved(both, "shoulder.max + pa + pc", catalogue);
  check_proved(both, "shoulder.max + twice + pc", catalogue);
  try {
    check_search(priced_study(both, exact, "shoulder.max + total", catalogue));
    FAIL("taken for what follows from one variable");
  } catch (const InputError& error) {
    CHECK_THAT(error.what(), Catch::Contains("/objectives/0") &&
                                 Catch::Contains("uses total, which follows from more than one"));
  }
}

TEST_CASE("a geometry whose lengths are beyond all numbers is a row with a reason") {
  const std::string model = with(with(priced_arm(), R"("most": 1e6)", R"("most": 1e6, "away": 0)"),
                                 R"("back": [-0.2, 0,)", R"("back": ["-0.2 - away", 0,)");
  const std::string search =
      R"("search": {"method": "exact-springs", "starts": 1, "max_evaluations": 12})";
  const std::string one_price = "part,rate,free,initial,price\np0,100,0.1,1,3\np1,300,0.05,5,3\n";
  for (const std::string& springs : {std::string(R"("kb": {"range": [10, 400]})"), priced('a')}) {
    const Study study = priced_study(springs + R"(, "away": {"range": [0, 1e160]})", search,
                                     "shoulder.max", one_price, "", model);
    const std::vector<CaseRow> rows = rows_when_run(study, "away.db");
    CHECK(rows.size() == 12);
    const auto says = [](const char* why) {
      return [why](const CaseRow& row) { return row.reason.find(why) != std::string::npos; };
    };
    CHECK(numbers_are_sound(rows));
    if (springs.find("kb") == std::string::npos) continue;  // the engine's verdict is enough
    CHECK(std::any_of(rows.begin(), rows.end(), says("too large to be computed")));
  }
}
