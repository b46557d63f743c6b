#include <atomic>
#include <catch2/catch.hpp>

#include "springs/proof/verify.hpp"
#include "tests/springs/stocked_arm.hpp"
#include "tests/support/counted_question.hpp"

using namespace counterpoise;
using namespace counterpoise::test;

namespace {

Study nested(const std::string& settings, const std::string& method = "exact-springs",
             const std::string& variables = pendulum::whole_spring) {
  const std::string text = R"({"format": "counterpoise-study/1", "model": "pendulum.json",
"motions": {"slow": "slow.json", "quick": "quick.json"}, "variables": {)" +
                           variables +
                           R"(, "post": {"range": [0.3, 0.6]}, "mount": {"range": [0.1, 0.4]}},
"search": {"method": ")" + method +
                           R"(", )" + settings + R"(}, "objectives": [)" + pendulum::peak + ", " +
                           pendulum::mean + "]}";
  return study_of({{"study.json", text},
                   {"pendulum.json", pendulum::model},
                   {"slow.json", pendulum::slow},
                   {"quick.json", pendulum::quick}});
}

const std::string settings = R"("algorithm": ["GN_CRS2_LM", "LN_SBPLX"], "starts": 3,
"max_evaluations": 60, "seed": 4, "settings": {"population": 12, "tolerance": 1e-6})";
const std::string front =
    settings + R"(, "trade_off": {"objectives": ["peak", "mean"], "points": 3})";

/// Rows of the first evaluation of each start.
std::vector<CaseRow> beginnings(const std::vector<CaseRow>& rows, int each) {
  std::vector<CaseRow> found;
  for (const CaseRow& row : rows)
    if (row.id % each == 1) found.push_back(row);
  return found;
}

double least(const std::vector<CaseRow>& rows) {
  double best = 1e300;
  for (const CaseRow& row : rows)
    if (row.status == Status::feasible) best = std::min(best, row.objectives.at(0));
  return best;
}

}  // namespace

TEST_CASE("a search over geometry with exact springs is the same on any number of threads") {
  for (const std::string& search : {settings, front}) {
    const Study study = nested(search);
    const auto path = fresh("one.db");
    run_to(study, path, 1);
    const auto once = rows_of(path);
    CHECK(numbers_are_sound(once));
    for (const int threads : {2, 5}) {
      const auto other = fresh("other.db");
      run_to(study, other, threads);
      CHECK(same_bits(once, rows_of(other)));
      CHECK(ResultsFile(path).certificates() == ResultsFile(other).certificates());
    }
  }
}

TEST_CASE("an interrupted exact search resumes to the same rows and certificates") {
  const Study study = nested(front);
  const auto whole = fresh("whole_search.db");
  run_to(study, whole, 2);
  const auto cut = fresh("cut.db");
  for (int stop_after = 20; stop_after < 400; stop_after += 90) {
    std::atomic<bool> interrupted{false};
    RunOptions options;
    options.output = cut;
    options.threads = 2;
    options.resume = true;
    options.interrupted = &interrupted;
    options.progress = [&](const Progress& at) {
      if (at.done > stop_after) interrupted = true;
    };
    run_study(study, options);
  }
  RunOptions rest;
  rest.output = cut;
  rest.resume = true;
  run_study(study, rest);
  CHECK(same_bits(rows_of(whole), rows_of(cut)));
  CHECK(ResultsFile(whole).certificates() == ResultsFile(cut).certificates());
}

namespace {

/// Runs a study in pieces, each of which is asked to stop later than the one before it, and holds
/// each to what was promised: it stops at the question, and what it has stored is whole.
void check_pieces(const Study& study, int first_piece) {
  const auto whole = fresh("whole_asked.db");
  run_to(study, whole, 1);
  const auto path = fresh("pieces.db");
  bool finished = false;
  int interrupted = 0;
  for (int piece = first_piece; !finished; piece += piece / 2) {
    CountedQuestion question(piece);
    try {
      finished = resume_until(study, path, question.interruption());
    } catch (const Interrupted&) {
      CHECK_FALSE(std::filesystem::exists(path));
    }
    interrupted += finished ? 0 : 1;
    CHECK(question.asked_in_vain() <= 12);  // once a start, and at the end
    if (!std::filesystem::exists(path) || !study.search()->geometry) continue;
    const ResultsFile results(path);
    const std::vector<CertificateRow> certificates = results.certificates();
    for (const CertificateRow& certificate : certificates) CHECK(results.find(certificate.id));
    double best = 1e300;
    for (const CaseRow& row : rows_of(path)) {
      if (row.id % study.search()->max_evaluations == 1) best = 1e300;  // another start
      if (row.status != Status::feasible || !(row.objectives.front() < best)) continue;
      best = row.objectives.front();
      CHECK(results.certificate(row.id));
    }
  }
  CHECK(interrupted > 5);
  CHECK(same_bits(rows_of(whole), rows_of(path)));
  CHECK(ResultsFile(whole).certificates() == ResultsFile(path).certificates());
  CHECK(ResultsFile(whole).value("search.choice.0") == ResultsFile(path).value("search.choice.0"));
}

}  // namespace

TEST_CASE("an exact search stops at the question, with nothing half stored, and resumes") {
  check_pieces(nested(settings), 3);
}

TEST_CASE("so does a choice from catalogues, alone and beside sized springs") {
  const std::string list =
      R"("search": {"method": "exact-springs", "within_percent": 30, "max_cases": 40})";
  const std::string chosen =
      stocked_arm::catalogue_variable('a') + ", " + stocked_arm::catalogue_variable('c');
  check_pieces(stocked_arm::study(chosen, list, stocked_arm::peak), 2);
  check_pieces(
      stocked_arm::study(chosen + R"(, "kb": {"range": [10, 400]})", list, stocked_arm::peak), 2);
}

TEST_CASE("exact springs inside find more with fewer evaluations than NLopt over everything") {
  const auto path = fresh("inside.db");
  run_to(nested(settings), path, 2);
  const std::string plain = R"("algorithm": ["GN_CRS2_LM", "LN_SBPLX"], "starts": 3,
"max_evaluations": 1200, "seed": 4)";
  const auto all = fresh("everything.db");
  run_to(nested(plain, "nlopt"), all, 2);
  CHECK(rows_of(path).size() * 10 <= rows_of(all).size());
  CHECK(least(rows_of(path)) <= least(rows_of(all)));
}

TEST_CASE("the tasks of a trade-off begin their starts at the same geometries") {
  const auto begun = beginnings(rows_when_run(nested(front), "begin.db", 2), 60);
  REQUIRE(begun.size() == 9);
  for (std::size_t i = 3; i < begun.size(); ++i)
    for (const std::size_t geometry : {std::size_t{3}, std::size_t{4}})
      CHECK(begun[i].variables.at(geometry) == begun[i % 3].variables.at(geometry));
}

TEST_CASE("the best geometry of a search has its ties settled") {
  const std::string enough = R"text({"name": "enough", "expression": "max(pivot.max, 9)"})text";
  const std::string pull = R"({"name": "pull", "expression": "spring.max_tension"})";
  const std::string text =
      R"({"format": "counterpoise-study/1", "model": "pendulum.json",
"motions": {"slow": "slow.json"}, "variables": {)" +
      pendulum::rate +
      R"(, "post": {"range": [0.3, 0.6]}}, "search": {"method": "exact-springs",
"max_evaluations": 5}, "objectives": [)" +
      enough + ", " + pull + "]}";
  const auto rows = rows_when_run(study_of({{"study.json", text},
                                            {"pendulum.json", pendulum::model},
                                            {"slow.json", pendulum::slow}}),
                                  "settled.db");
  const CaseRow& first = rows.front();
  REQUIRE(first.status == Status::feasible);
  CHECK(first.objectives.at(0) == Approx(9.0).epsilon(1e-9));
  CHECK(number(first, 0) ==
        Approx((pendulum::weight - 9.0) / (number(first, 1) * pendulum::mount)).epsilon(1e-3));
}
