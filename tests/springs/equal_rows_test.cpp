#include <algorithm>
#include <catch2/catch.hpp>
#include <sstream>

#include "input/text/json_document.hpp"
#include "springs/proof/verify.hpp"
#include "tests/springs/stocked_arm.hpp"

using namespace counterpoise;
using namespace counterpoise::test;
using namespace counterpoise::test::stocked_arm;

namespace {

const std::string two_springs = catalogue_variable('a') + ", " + catalogue_variable('c');
const std::string best_alone = R"("search": {"method": "exact-springs"})";
const std::string with_list =
    R"("search": {"method": "exact-springs", "within_percent": 60, "max_cases": 1000})";
const std::string mean = R"({"name": "o", "minimize": "mean", "of": ["shoulder", "elbow"]})";
const std::string grid = R"("sampling": {"method": "grid"})";

/// The first rows of a random catalogue, each `copies` times under other names, round and round.
std::string with_copies(std::size_t rows, int copies) {
  std::istringstream lines(random_catalogue(3));
  std::string header, line;
  std::getline(lines, header);
  std::vector<std::string> numbers;
  while (numbers.size() < rows && std::getline(lines, line))
    numbers.push_back(line.substr(line.find(',')));
  std::string text = header + "\n";
  for (int copy = 0; copy < copies; ++copy)
    for (std::size_t row = 0; row < rows; ++row)
      text += fmt::format("p{}_{}{}\n", row, copy, numbers[row]);
  return text;
}

std::string names_of(const CaseRow& row) {
  std::string names;
  for (const Value& value : row.variables)
    if (const auto* text = std::get_if<std::string>(&value)) names += *text + " ";
  return names;
}

std::vector<CaseRow> near_the_best(std::vector<CaseRow> rows, double within) {
  std::erase_if(rows, [](const CaseRow& row) { return row.status != Status::feasible; });
  std::stable_sort(rows.begin(), rows.end(), [](const CaseRow& a, const CaseRow& b) {
    return a.objectives.front() < b.objectives.front();
  });
  const double most = rows.front().objectives.front() * (1.0 + within);
  std::erase_if(rows, [&](const CaseRow& row) { return row.objectives.front() > most; });
  return rows;
}

double count_in(const ResultsFile& results, const char* key) {
  return parse_json(results.value("search.choice.0").value(), "choice").find(key)->number;
}

}  // namespace

TEST_CASE("each of the rows that are equal is a case of a list, as brute force has them") {
  const std::string catalogue = with_copies(6, 3);
  const Study study = study_with(two_springs, with_list, mean, "", catalogue);
  const auto path = fresh("equal_rows.db");
  run_to(study, path, 1);
  const std::vector<CaseRow> found = rows_of(path);
  const std::vector<CaseRow> expected = near_the_best(
      rows_when_run(study_with(two_springs, grid, mean, "", catalogue), "equal_grid.db", 2), 0.6);
  REQUIRE(found.size() == expected.size());
  CHECK(found.size() > 9);
  CHECK(found.size() % 9 == 0);
  std::vector<std::string> names, expected_names;
  for (std::size_t i = 0; i < found.size(); ++i) {
    CHECK(found[i].objectives.front() == Approx(expected[i].objectives.front()).epsilon(1e-12));
    names.push_back(names_of(found[i]));
    expected_names.push_back(names_of(expected[i]));
  }
  std::sort(names.begin(), names.end());
  std::sort(expected_names.begin(), expected_names.end());
  CHECK(names == expected_names);

  const ResultsFile results(path);
  CHECK(count_in(results, "combinations") == 18 * 18);
  CHECK(count_in(results, "equal_to_others") == 18 * 18 - 36);
  CHECK(count_in(results, "excluded_by_bound") + count_in(results, "evaluated") == 36);
  CHECK(count_in(results, "near_best") == static_cast<double>(found.size()));
  Verifier verifier(results, study);
  const Verdict verdict = verifier.verify(*results.find(1), *results.certificate(1));
  CAPTURE(verdict.fault);
  CHECK(verdict.valid);
  CHECK(verdict.combinations == 18 * 18);
}

TEST_CASE("a thousand equal rows are one spring, and the first of them is named") {
  const Study study = study_with(two_springs, best_alone, peak, "", with_copies(1, 1000));
  const auto path = fresh("thousand_equal.db");
  run_to(study, path, 1);
  const ResultsFile results(path);
  CHECK(names_of(*results.find(1)) == "p0_0 p0_0 ");
  CHECK(count_in(results, "combinations") == 1e6);
  CHECK(count_in(results, "evaluated") == 1);
  Verifier verifier(results, study);
  const Verdict verdict = verifier.verify(*results.find(1), *results.certificate(1));
  CHECK(verdict.valid);
  CHECK(verdict.combinations == 1'000'000);
}

TEST_CASE("beside sized springs each of the rows that are equal is to be kept") {
  const Study study = study_with(
      catalogue_variable('a') + R"(, "kb": {"range": [10, 400]}, "fb": {"range": [0, 20]})",
      R"("search": {"method": "exact-springs", "within_percent": 1000})", peak, "",
      with_copies(5, 2));
  const auto path = fresh("equal_sized.db");
  run_to(study, path, 1);
  const std::vector<CaseRow> rows = rows_of(path);
  REQUIRE(rows.size() >= 4);
  CHECK(rows.size() % 2 == 0);
  for (std::size_t i = 0; i < rows.size(); i += 2)
    CHECK(rows[i].objectives == rows[i + 1].objectives);
  const ResultsFile results(path);
  Verifier verifier(results, study);
  const Verdict verdict = verifier.verify(*results.find(1), *results.certificate(1));
  CAPTURE(verdict.fault);
  CHECK(verdict.valid);
  CHECK(verdict.combinations == 10);
}
