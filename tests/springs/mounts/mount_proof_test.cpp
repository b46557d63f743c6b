#include <catch2/catch.hpp>
#include <limits>
#include <nlohmann/json.hpp>

#include "cases/provenance.hpp"
#include "input/text/compressed.hpp"
#include "results/store.hpp"
#include "results/text/cells.hpp"
#include "springs/exact.hpp"
#include "springs/mounts/mount_tree.hpp"
#include "springs/mounts/stored_mounts.hpp"
#include "tests/springs/mounts/balanced_link.hpp"
#include "tests/springs/mounts/lid.hpp"
#include "tests/springs/mounts/stocked_arm.hpp"
#include "tests/support/counted_question.hpp"

using namespace counterpoise;
using namespace counterpoise::test;

namespace {

Study arm_to_prove(int mounts = 3,
                   const std::string& search = R"("geometry": "prove", "gap": 1e-5)",
                   std::uint64_t seed = 3) {
  Random random(seed);
  mounted_arm::Asked asked;
  asked.mounts = mounts;
  asked.search = search;
  return study_of(mounted_arm::files(random, asked));
}

/// An arm whose objective has weights that mounts change.
Study weighed_to_prove() {
  Random random(3);
  mounted_arm::Asked asked;
  asked.search = R"("geometry": "prove", "gap": 1e-5)";
  asked.objective = mounted_arm::weighed_objectives().front();
  return study_of(mounted_arm::files(random, asked));
}

/// An arm with springs from two catalogues.
Study stock_to_prove(const std::string& objective) {
  Random random(9);
  Stocked asked;
  asked.both = true;
  asked.objective = objective;
  asked.mounts = R"("height": {"range": [0.3, 0.7]}, "mount": {"range": [0.1, 0.4]})";
  return study_of(stocked_arm(random, asked));
}

std::string stored_text(const std::filesystem::path& path) {
  return ResultsFile(path).value(mounts_key).value_or("");
}

/// The proof with its tree changed, and the hash of what it then is.
template <class Change>
StoredMounts with_tree(StoredMounts mounts, const Change& change) {
  StoredMounts::Part& part = mounts.parts.at(0);
  MountTree tree = mount_tree(inflated(part.data, static_cast<std::size_t>(part.bytes)).value());
  change(tree);
  const std::string bytes = bytes_of(tree);
  part.bytes = static_cast<std::int64_t>(bytes.size());
  part.data = deflated(bytes);
  part.hash = hash_of(part.data);
  return mounts;
}

}  // namespace

TEST_CASE("a proof over mounts is the same bits on any number of threads") {
  for (const Study& study :
       {arm_to_prove(7, R"("geometry": "prove", "gap": 1e-2, "max_simplices": 600)"),
        stock_to_prove(mounted_arm::objectives()[3]), weighed_to_prove()}) {
    const auto path = fresh("one_thread.db");
    run_to(study, path, 1);
    for (const int threads : {2, 5}) {
      const auto other = fresh("more_threads.db");
      run_to(study, other, threads);
      CHECK(stored_text(path) == stored_text(other));
      CHECK(same_bits(rows_of(path), rows_of(other)));
      CHECK(ResultsFile(path).certificates() == ResultsFile(other).certificates());
    }
  }
}

TEST_CASE("an interrupted proof goes on to the same rows and the same proof") {
  const bool stocked = GENERATE(false, true);
  const Study study =
      stocked ? stock_to_prove(mounted_arm::objectives()[0])  // many simplices of equal bounds
              : arm_to_prove(7, R"("geometry": "prove", "gap": 1e-8, "max_simplices": 400)");
  const auto whole = fresh("whole_proof.db");
  run_to(study, whole, 2);
  const auto path = fresh("proof_in_pieces.db");
  bool finished = false;
  int interrupted = 0;
  for (int piece = 60; !finished && interrupted < 100; piece += 7) {
    CountedQuestion question(piece);
    try {
      finished = resume_until(study, path, question.interruption());
    } catch (const Interrupted&) {
      continue;
    }
    if (finished) break;
    ++interrupted;
    const auto mounts = mounts_of(ResultsFile(path));
    REQUIRE(mounts);
    CHECK(mounts->ended == MountEnd::interrupted);
  }
  if (!finished) CHECK(resume_until(study, path, {}));
  CHECK(interrupted >= 2);
  CHECK((stored_text(whole) == stored_text(path)));
  CHECK(same_bits(rows_of(whole), rows_of(path)));
}

TEST_CASE("parts that no variable moves are told apart") {
  Random random(5);
  mounted_arm::Asked asked;
  asked.objective = R"x({"name": "o",
"expression": "max(elbow.max / 100, shoulder.max, 0.5*shoulder.mean + 3, 5)"})x";
  for (asked.mounts = 1; asked.mounts < 8; ++asked.mounts) {
    const Study study = study_of(mounted_arm::files(random, asked));
    const auto path = fresh("parts.db");
    run_to(study, path, 1);
    const ResultsFile results(path);
    const MountVerdict verdict =
        verify_mounts(results, stored_study(results), *mounts_of(results), 1);
    CAPTURE(asked.mounts, verdict.fault);
    CHECK(verdict.valid);
  }
}

TEST_CASE("broken proofs are refused") {
  const Study study = GENERATE(false, true) ? weighed_to_prove() : arm_to_prove();
  const auto path = fresh("proof_to_break.db");
  run_to(study, path, 1);
  const ResultsFile results(path);
  const StoredMounts sound = *mounts_of(results);
  REQUIRE(sound.ended == MountEnd::proved);
  const Study kept = stored_study(results);
  const auto fault_of = [&](const StoredMounts& mounts) -> std::string {
    try {
      return verify_mounts(results, kept, mounts, 1).fault;
    } catch (const InputError& error) {
      return error.what();
    }
  };
  REQUIRE(fault_of(sound).empty());
  REQUIRE(fault_of(with_tree(sound, [](MountTree&) {})).empty());

  SECTION("a bound raised by 1e-9 of its size") {
    StoredMounts raised = sound;
    *raised.bound *= 1.0 + 1e-9;
    CHECK_FALSE(fault_of(raised).empty());
    *raised.parts.at(0).bound *= 1.0 + 1e-9;
    CHECK_FALSE(fault_of(raised).empty());
  }
  SECTION("a leaf removed") {
    CHECK_FALSE(fault_of(with_tree(sound, [](MountTree& tree) {
                  tree.reasons.pop_back();
                  tree.bisected.pop_back();
                })).empty());
    CHECK_FALSE(fault_of(with_tree(sound, [](MountTree& tree) {
                  // two halves joined to the simplex they were
                  for (std::size_t i = 0; i + 2 < tree.bisected.size(); ++i)
                    if (tree.bisected[i] == 1 && tree.bisected[i + 1] == 0 &&
                        tree.bisected[i + 2] == 0) {
                      tree.bisected.erase(tree.bisected.begin() + static_cast<std::ptrdiff_t>(i));
                      break;
                    }
                })).empty());
  }
  SECTION("every multiplier larger") {
    const MountTree tree = mount_tree(
        inflated(sound.parts.at(0).data, static_cast<std::size_t>(sound.parts.at(0).bytes))
            .value());
    int changed = 0, refused = 0;
    for (std::size_t c = 0; c < tree.corners.size(); ++c) {
      if (!tree.corners[c].optimal || tree.corners[c].optimal->witnesses.empty()) continue;
      ++changed;
      refused += fault_of(with_tree(sound,
                                    [c](MountTree& own) {
                                      for (auto& witness : own.corners[c].optimal->witnesses)
                                        witness.weight *= 1.01;
                                    }))
                         .empty()
                     ? 0
                     : 1;
    }
    CHECK(changed > 3);
    CHECK(refused == changed);
  }
  SECTION("multipliers moved to other instants") {
    CHECK_FALSE(fault_of(with_tree(sound, [](MountTree& tree) {
                  for (MountTree::Corner& corner : tree.corners)
                    for (auto& witness : corner.optimal->witnesses)
                      witness.sample = (witness.sample + 1) % 41;
                })).empty());
    CHECK_FALSE(fault_of(with_tree(sound, [](MountTree& tree) {
                  tree.corners.at(0).optimal->witnesses.at(0).sample = 1'000'000;
                })).empty());
  }
  SECTION("data that do not have their hash") {
    StoredMounts changed = sound;
    changed.parts.at(0).data[10] = changed.parts.at(0).data[10] == 'A' ? 'B' : 'A';
    CHECK_FALSE(fault_of(changed).empty());
  }
  SECTION("the proof of another study") {
    const auto other_path = fresh("other_proof.db");
    run_to(arm_to_prove(3, R"("geometry": "prove", "gap": 1e-5)", 4), other_path, 1);
    CHECK(fault_of(*mounts_of(ResultsFile(other_path))) != "");
    run_to(arm_to_prove(1), fresh("another_proof.db"), 1);
    CHECK(fault_of(*mounts_of(ResultsFile(other_path.parent_path() / "another_proof.db"))) != "");
  }
  SECTION("another case as its best") {
    StoredMounts other = sound;
    other.best_case = 1000;
    CHECK_FALSE(fault_of(other).empty());
    other = sound;
    *other.best *= 0.999;
    CHECK_FALSE(fault_of(other).empty());
  }
  SECTION("another gap than the study asks for, or one that is not reached") {
    for (const double gap : {1e9, -1.0, sound.gap * 1.01}) {
      StoredMounts other = sound;
      other.gap = gap;
      CHECK_FALSE(fault_of(other).empty());
    }
  }
  SECTION("multipliers of limits that belong to another part") {
    // the lower link's spring acts on the elbow alone; its limit says nothing about the shoulder
    Random random(3);
    mounted_arm::Asked asked;
    asked.objective = R"x({"name": "o", "expression": "max(shoulder.max, 0.001*elbow.max)"})x";
    asked.rest =
        R"(, "constraints": [{"name": "c", "expression": "third.max_tension", "max": 900}])";
    const Study parted = study_of(mounted_arm::files(random, asked));
    const auto parted_path = fresh("parted.db");
    run_to(parted, parted_path, 1);
    const ResultsFile parted_results(parted_path);
    const Study again = stored_study(parted_results);
    const StoredMounts of_shoulder = *mounts_of(parted_results);
    REQUIRE(verify_mounts(parted_results, again, of_shoulder, 1).valid);
    const StoredMounts forged = with_tree(of_shoulder, [](MountTree& tree) {
      tree.corners.at(0).optimal->limits.push_back({0, -1, 1e-9});
    });
    const std::string fault = verify_mounts(parted_results, again, forged, 1).fault;
    CHECK(fault.find("of another part") != std::string::npos);
  }
  SECTION("a part twice") {
    StoredMounts twice = sound;
    twice.parts.push_back(twice.parts.front());
    CHECK_FALSE(fault_of(twice).empty());
  }
}

TEST_CASE("no bound is above the design that it is tightened by") {
  Random random(5);
  const Study study = study_of(balanced_link(random, 2, "[0.05, 0.12]"));
  const auto path = fresh("tightened.db");
  run_to(study, path, 1);
  const ResultsFile results(path);
  const Study kept = stored_study(results);
  const StoredMounts sound = *mounts_of(results);
  REQUIRE(verify_mounts(results, kept, sound, 1).valid);
  for (const double factor : {0.9, 0.0, -1.0, no_limit}) {
    int changed = 0;
    const StoredMounts other = with_tree(sound, [&](MountTree& tree) {
      for (BoundReason& reason : tree.reasons)
        if (reason.kind == BoundReason::Kind::tightened) {
          reason.cutoff *= factor;
          ++changed;
        }
    });
    CAPTURE(factor);
    CHECK(changed > 0);
    CHECK_FALSE(verify_mounts(results, kept, other, 1).valid);
  }
}

TEST_CASE("a bound that lacks loads, or names others, proves less") {
  Random random(2);
  const Study study = study_of(lid(random, 2, 1));
  const auto path = fresh("combined.db");
  run_to(study, path, 1);
  const ResultsFile results(path);
  const Study kept = stored_study(results);
  const StoredMounts sound = *mounts_of(results);
  REQUIRE(verify_mounts(results, kept, sound, 1).valid);
  constexpr std::int32_t least = std::numeric_limits<std::int32_t>::min();
  const std::vector<std::vector<MountRow::Name>> others = {
      {}, {{0, 0, 0, 1}}, {{99, 0, 0, 1}}, {{0, -1, 0, 1}}, {{0, 0, 99, 1}}, {{0, 0, 0, least}}};
  for (const std::vector<MountRow::Name>& loads : others) {
    int changed = 0;
    const StoredMounts other = with_tree(sound, [&](MountTree& tree) {
      for (BoundReason& reason : tree.reasons)
        if (!reason.loads.empty()) {
          reason.loads = loads;
          ++changed;
        }
    });
    CHECK(changed > 0);
    CHECK_FALSE(verify_mounts(results, kept, other, 1).valid);
  }
}

TEST_CASE("a proof that leaves out some of the springs is refused") {
  // the height weighs what the lower spring changes, so that all combinations are one part's
  const Study study =
      stock_to_prove(mounted_arm::expression("0.3*shoulder.max + (0.7 + 0.01*height)*elbow.mean"));
  const auto path = fresh("stock_to_break.db");
  run_to(study, path, 1);
  const ResultsFile results(path);
  const Study kept = stored_study(results);
  const StoredMounts sound = *mounts_of(results);
  const auto valid = [&](const StoredMounts& mounts) {
    return verify_mounts(results, kept, mounts, 1).valid;
  };
  REQUIRE(valid(sound));
  REQUIRE(sound.parts.size() > 5);
  for (std::size_t i = 0; i < sound.parts.size(); ++i) {
    StoredMounts lacking = sound;
    lacking.parts.erase(lacking.parts.begin() + static_cast<std::ptrdiff_t>(i));
    CHECK_FALSE(valid(lacking));
  }
  StoredMounts renamed = sound;  // two combinations under the name of one
  renamed.parts.at(1).levels = renamed.parts.at(0).levels;
  CHECK_FALSE(valid(renamed));
  renamed.parts.at(0).levels = {99, 0};
  CHECK_FALSE(valid(renamed));
  // the multipliers of one combination for another prove what they prove of that, if anything
  int refused = 0;
  for (std::size_t i = 0; i < sound.parts.size(); ++i) {
    if (sound.parts[i].bound == sound.bound) continue;
    for (std::size_t j = 0; j < sound.parts.size(); ++j) {
      if (sound.parts[j].bound != sound.bound) continue;
      StoredMounts swapped = sound;
      std::swap(swapped.parts[i].levels, swapped.parts[j].levels);
      const MountVerdict verdict = verify_mounts(results, kept, swapped, 1);
      refused += verdict.valid ? 0 : 1;
      if (verdict.valid) CHECK(*verdict.bound <= *sound.bound);
    }
  }
  CHECK(refused > 5);
}
