#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <cmath>

#include "input/text/json_document.hpp"
#include "springs/proof/verify.hpp"
#include "tests/springs/stocked_arm.hpp"

using namespace counterpoise;
using namespace counterpoise::test;
using namespace counterpoise::test::stocked_arm;

namespace {

Study stock_study(const std::string& method, const std::string& objective,
                  const std::string& rest = "", std::uint64_t seed = 3) {
  return stocked_arm::study(
      catalogue_variable('a') + ", " + catalogue_variable('b') + ", " + catalogue_variable('c'),
      method, objective, rest, seed);
}

const std::string exact = R"("search": {"method": "exact-springs", "within_percent": 10})";
const std::string all = R"("sampling": {"method": "grid"})";

std::vector<std::string> parts_of(const CaseRow& row) {
  std::vector<std::string> parts;
  for (const Value& value : row.variables)
    if (const auto* text = std::get_if<std::string>(&value)) parts.push_back(*text);
  return parts;
}

/// The feasible rows up to `within` above the best, best first.
std::vector<CaseRow> nearly_best(std::vector<CaseRow> rows, double within) {
  std::erase_if(rows, [](const CaseRow& row) { return row.status != Status::feasible; });
  std::stable_sort(rows.begin(), rows.end(), [](const CaseRow& a, const CaseRow& b) {
    return a.objectives.at(0) < b.objectives.at(0);
  });
  const double most = rows.front().objectives.at(0) * (1.0 + within);
  std::erase_if(rows, [&](const CaseRow& row) { return row.objectives.at(0) > most; });
  return rows;
}

}  // namespace

TEST_CASE("the best of 64,000 combinations is that of brute force, and so is all that is near it") {
  const auto [name, objective, rest] = GENERATE(table<std::string, std::string, std::string>({
      {"peak", R"({"name": "o", "minimize": "max", "of": ["shoulder"]})", ""},
      {"mean of both", R"({"name": "o", "minimize": "mean", "of": ["shoulder", "elbow"]})", ""},
      {"rms", R"({"name": "o", "minimize": "rms", "of": ["shoulder"]})", ""},
      {"ratios",
       R"text({"name": "o", "expression": "max(shoulder.max / without_springs.shoulder.max, 2*elbow.mean / without_springs.elbow.mean)"})text",
       R"(, "constraints": [{"name": "pull", "expression": "a.max_tension", "max": 60}])"},
  }));
  CAPTURE(name);
  const auto path = fresh("exact_stock.db");
  const Study study = stock_study(exact, objective, rest);
  run_to(study, path, 1);
  const auto found = rows_of(path);
  const auto brute_path = fresh("brute_stock.db");
  run_to(stock_study(all, objective, rest), brute_path, 2);
  const auto brute = nearly_best(rows_of(brute_path), 0.1);

  REQUIRE(!found.empty());
  CHECK(parts_of(found.front()) == parts_of(brute.front()));
  CHECK(found.front().objectives.at(0) == Approx(brute.front().objectives.at(0)).epsilon(1e-12));
  CHECK(found.size() == std::min<std::size_t>(brute.size(), 100));
  for (std::size_t i = 0; i < found.size(); ++i)
    CHECK(found[i].objectives.at(0) == Approx(brute[i].objectives.at(0)).epsilon(1e-12));

  const ResultsFile results(path);
  const JsonValue choice = parse_json(results.value("search.choice.0").value(), "choice");
  const auto count = [&](const char* key) {
    return static_cast<std::int64_t>(choice.find(key)->number);
  };
  CHECK(count("combinations") == 64'000);
  CHECK(count("equal_to_others") + count("excluded_by_bound") + count("evaluated") +
            count("against_own_limits") ==
        64'000);
  CHECK(count("near_best") == static_cast<std::int64_t>(brute.size()));
  CHECK(count("evaluated") < 64'000);
  Verifier verifier(results, study);
  const Verdict verdict = verifier.verify(found.front(), *results.certificate(1));
  CAPTURE(verdict.fault);
  CHECK(verdict.valid);
  CHECK(verdict.combinations == 64'000);
  if (brute.size() > 1) {
    // a worse combination cannot pass for the best
    CertificateRow other = *results.certificate(1);
    other.bound = found.back().objectives.at(0);
    if (found.back().objectives.at(0) > found.front().objectives.at(0) * (1 + 1e-6))
      CHECK_FALSE(verifier.verify(found.back(), other).valid);
  }
}

TEST_CASE("rows that do not fit are left out with their reason") {
  const std::string model = with(pendulum::model, R"("strongest": 1e6)", R"("strongest": 60)");
  const std::string text = R"({"format": "counterpoise-study/1", "model": "m.json",
"motions": {"slow": "slow.json"}, "variables": {"part": {"catalogue": "springs.csv",
"sets": {"rate": "rate", "free": "free_length", "tension": "initial"}}},
"search": {"method": "exact-springs", "within_percent": 1000}, "objectives": [)" +
                           pendulum::peak + "]}";
  const Study study = study_of({{"study.json", text},
                                {"m.json", model},
                                {"slow.json", pendulum::slow},
                                {"springs.csv", pendulum::springs}});
  const auto path = fresh("fits.db");
  run_to(study, path, 1);
  const JsonValue choice = parse_json(ResultsFile(path).value("search.choice.0").value(), "choice");
  const JsonValue& variable = choice.find("variables")->items.front();
  // by hand: tension of a row at its longest, 0.45 + 0.25 long nearly
  std::vector<std::string> refused;
  for (const JsonValue& one : variable.find("refused")->items)
    refused.push_back(one.find("choice")->text);
  CHECK(refused == std::vector<std::string>{"a", "c", "d", "e"});
  CHECK_THAT(variable.find("refused")->items.front().find("reason")->text,
             Catch::Contains("spring spring above max_load"));
  CHECK(rows_of(path).size() == 2);
}

TEST_CASE("a spring made to order is worth what a search over its numbers finds") {
  const std::string objective = R"({"name": "o", "minimize": "max", "of": ["shoulder"]})";
  const auto seed = GENERATE(as<std::uint64_t>{}, 7, 8, 9, 10, 11, 12);
  const auto path = fresh("price.db");
  const Study study = stock_study(exact, objective, "", seed);
  run_to(study, path, 1);
  const auto best = rows_of(path).front();
  const JsonValue choice = parse_json(ResultsFile(path).value("search.choice.0").value(), "choice");
  const double price = choice.find("variables")->items[0].find("made_to_order")->number;
  const double all_free = choice.find("all_made_to_order")->number;
  CHECK(price <= best.objectives.at(0));
  CHECK(all_free <= price * (1.0 + 1e-12));  // each the result of another problem

  // the same by an exact search over the numbers of spring a, the others as chosen
  const auto parts = parts_of(best);
  std::map<std::string, std::vector<double>> rows;
  double low[3] = {1e9, 1e9, 1e9}, high[3] = {0, 0, 0};
  std::istringstream lines(random_catalogue(seed));
  std::string line;
  std::getline(lines, line);
  while (std::getline(lines, line)) {
    std::istringstream cells(line);
    std::string cell, part;
    std::getline(cells, part, ',');
    for (int i = 0; i < 3; ++i) {
      std::getline(cells, cell, ',');
      rows[part].push_back(std::stod(cell));
      low[i] = std::min(low[i], rows[part].back());
      high[i] = std::max(high[i], rows[part].back());
    }
  }
  std::string model = three_springs;
  const std::string names[2] = {"b", "c"};
  for (int s = 0; s < 2; ++s) {
    const auto& row = rows[parts[s + 1]];
    const char* numbers[3] = {"k", "l", "f"};
    for (std::size_t i = 0; i < 3; ++i)
      model = with(model, fmt::format(R"("{}{}": 0)", numbers[i], names[s]),
                   fmt::format(R"("{}{}": {})", numbers[i], names[s], row[i]));
  }
  const std::string text =
      fmt::format(R"({{"format": "counterpoise-study/1", "model": "arm.json",
"motions": {{"work": "work.json"}}, "variables": {{"ka": {{"range": [{}, {}]}},
"la": {{"range": [{}, {}]}}, "fa": {{"range": [{}, {}]}}}}, "search": {{"method": "exact-springs"}},
"objectives": [{}]}})",
                  low[0], high[0], low[1], high[1], low[2], high[2], objective);
  const auto sized = rows_when_run(
      study_of({{"study.json", text}, {"arm.json", model}, {"work.json", motion}}), "custom.db");
  CHECK(sized.front().objectives.at(0) == Approx(price).epsilon(1e-7));
}

TEST_CASE("a torsion spring that is free at a negative angle is chosen, and priced") {
  const std::string torsion =
      R"({"name": "idle", "type": "torsion", "joint": "link", "rate": "other_rate",
 "free_angle": -0.7}],
"actuators")";
  std::string model = pendulum::model;
  const auto from = model.find(R"({"name": "idle")"), to = model.find(R"("actuators")");
  model.replace(from, to + 11 - from, torsion);
  const auto rows_of_method = [&](const std::string& method, const std::string& file) {
    const std::string text = R"({"format": "counterpoise-study/1", "model": "model.json",
"motions": {"slow": "slow.json"}, "variables": {"other_rate": {"values": [5, 9, 2]}}, )" +
                             method + R"(, "objectives": [)" + pendulum::peak + "]}";
    const auto path = fresh(file);
    run_to(study_of({{"study.json", text}, {"model.json", model}, {"slow.json", pendulum::slow}}),
           path, 1);
    return rows_of(path);
  };
  const auto chosen =
      rows_of_method(R"("search": {"method": "exact-springs"})", "exact_torsion.db");
  const auto each = rows_of_method(R"("sampling": {"method": "grid"})", "grid_torsion.db");
  REQUIRE(chosen.size() == 1);
  double best = INFINITY;
  for (const CaseRow& row : each) best = std::min(best, row.objectives.at(0));
  CHECK(chosen.front().objectives.at(0) == best);
}
