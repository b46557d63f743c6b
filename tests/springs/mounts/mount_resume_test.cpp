#include <catch2/catch.hpp>
#include <cmath>

#include "springs/exact.hpp"
#include "springs/mounts/stored_mounts.hpp"
#include "tests/springs/mounts/stocked_arm.hpp"
#include "tests/support/counted_question.hpp"
#include "tests/support/trials.hpp"

using namespace counterpoise;
using namespace counterpoise::test;

namespace {

Study arm_of(std::uint64_t seed, const std::string& objective, const std::string& search,
             const std::string& rest = "") {
  Random random(seed);
  mounted_arm::Asked asked;
  asked.mounts = 7;
  asked.wide = true;
  asked.step = 0.1;
  asked.objective = objective;
  asked.search = R"("geometry": "prove", )" + search;
  asked.rest = rest;
  return study_of(mounted_arm::files(random, asked));
}

Study stock_of(std::uint64_t seed, const std::string& objective) {
  Random random(seed);
  Stocked asked;
  asked.both = true;
  asked.objective = objective;
  asked.mounts = R"("height": {"range": [0.3, 0.7]}, "mount": {"range": [0.1, 0.4]})";
  return study_of(stocked_arm(random, asked));
}

/// Everything that a run has found: rows, certificates, and what the study table says of searches.
struct Found {
  std::vector<CaseRow> rows;
  std::vector<CertificateRow> certificates;
  std::vector<StudyEntry> entries;

  explicit Found(const std::filesystem::path& path) : rows(rows_of(path)) {
    const ResultsFile results(path);
    certificates = results.certificates();
    for (const StudyEntry& entry : results.study())
      if (entry.key.starts_with("search.") || entry.key == "finished") entries.push_back(entry);
  }
  bool operator==(const Found& other) const {
    return same_bits(rows, other.rows) && certificates == other.certificates &&
           entries == other.entries;
  }
};

/// Goes on until the n-th question; returns whether it has come to the end.
bool resume_to_question(const Study& study, const std::filesystem::path& path, std::int64_t n) {
  CountedQuestion question(n);
  try {
    return resume_until(study, path, question.interruption());
  } catch (const Interrupted&) {
    return false;
  }
}

/// What is stored at an interruption belongs together.
void check_kept(const std::filesystem::path& path) {
  if (!std::filesystem::exists(path)) return;
  const ResultsFile results(path);
  const auto mounts = mounts_of(results);
  const std::int64_t rows = results.count();
  CHECK(rows == (mounts ? mounts->cases : 0));
  if (mounts)
    CHECK((mounts->ended == MountEnd::interrupted) != results.value("search.start.0").has_value());
  for (const CertificateRow& certificate : results.certificates()) CHECK(certificate.id <= rows);
}

void check_interrupted_anywhere(const Study& study, std::uint64_t seed) {
  const auto whole = fresh("undisturbed.db");
  CountedQuestion counted;
  REQUIRE(resume_until(study, whole, counted.interruption()));
  const Found found(whole);
  Random random(seed);
  // as often near the end, or near the beginning, as anywhere
  const auto any = [&](int trial) {
    const auto all = static_cast<double>(counted.asked());
    const double share = random.uniform(0.0, 1.0), near = std::pow(all, share);
    const double question = trial % 3 == 0 ? all - near : trial % 3 == 1 ? near : share * all;
    return 1 + static_cast<std::int64_t>(question);
  };
  const auto path = fresh("disturbed.db");
  for (int trial = 0; trial < trials(50); ++trial) {
    std::filesystem::remove(path);
    bool ended = false;
    for (int piece = 0; piece <= trial % 4 && !ended; ++piece) {
      ended = resume_to_question(study, path, any(trial + piece));
      check_kept(path);
    }
    if (!ended) REQUIRE(resume_until(study, path, {}));
    CAPTURE(trial);
    CHECK(Found(path) == found);
  }
}

}  // namespace

TEST_CASE("a proof that is interrupted at any question ends as if it had not been") {
  check_interrupted_anywhere(
      arm_of(3, mounted_arm::objectives().front(), R"("gap": 1e-8, "max_simplices": 250)"), 1);
}

TEST_CASE("so does one of the largest of parts, which are not all of the same worth") {
  // the best design gets better again and again
  check_interrupted_anywhere(
      arm_of(7, mounted_arm::expression("max(shoulder.max, 2.5*elbow.max)"), R"("gap": 3e-2)"), 2);
  if (!test::all_trials()) return;
  check_interrupted_anywhere(
      arm_of(10, mounted_arm::expression("max(shoulder.mean, elbow.mean)"), R"("gap": 3e-2)"), 3);
}

TEST_CASE("so does one of a sum of parts, whose gap is halved on the way") {
  check_interrupted_anywhere(arm_of(11, mounted_arm::expression("shoulder.max + 0.3*elbow.mean"),
                                    R"("gap": 3e-2, "max_simplices": 1500)"),
                             4);
}

TEST_CASE("so does one of springs from catalogues") {
  check_interrupted_anywhere(stock_of(9, mounted_arm::objectives().front()), 5);
  check_interrupted_anywhere(stock_of(4, mounted_arm::objectives()[3]), 6);
}

TEST_CASE("so does one that finds no design") {
  check_interrupted_anywhere(
      arm_of(3, mounted_arm::objectives().front(), R"("gap": 1e-3)",
             R"x(, "constraints": [{"name": "c", "expression": "shoulder.max", "max": 1e-3}])x"),
      7);
}
