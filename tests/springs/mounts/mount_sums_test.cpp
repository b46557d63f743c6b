#include "springs/mounts/mount_check.hpp"
#include "tests/springs/mounts/grid_oracle.hpp"
#include "tests/springs/mounts/stocked_arm.hpp"
#include "tests/support/trials.hpp"

using namespace counterpoise;
using namespace counterpoise::test;

namespace {

/// An arm whose post and mount the spring of its shoulder feels alone, and whose crank that of the
/// elbow.
Study two_parts(std::uint64_t seed, const std::string& objective, const std::string& gap = "1e-5",
                const std::string& rest = "") {
  Random random(seed);
  mounted_arm::Asked asked;
  asked.mounts = 7;
  asked.objective = mounted_arm::expression(objective);
  asked.search = fmt::format(R"("geometry": "prove", "gap": {}, "max_simplices": 20000)", gap);
  asked.rest = rest;
  return study_of(mounted_arm::files(random, asked));
}

std::int64_t simplices(const StoredMounts& mounts) {
  std::int64_t sum = 0;
  for (const StoredMounts::Part& part : mounts.parts) sum += part.simplices;
  return sum;
}

std::string fault_of(const Study& study, const std::filesystem::path& path,
                     const StoredMounts& mounts) {
  return verify_mounts(ResultsFile(path), study, mounts, 1).fault;
}

}  // namespace

TEST_CASE("parts of a sum are bounded each in its own variables") {
  Random random(71);
  const auto path = fresh("sums.db");
  const std::array<std::string, 4> objectives = {
      "0.3*shoulder.max + 0.7*elbow.mean + 2", "shoulder.rms + 3*elbow.max + 0.01*rate",
      "sqrt(1.5 + height)*shoulder.rms + elbow.rms*(2 + sin(angle)) + 0.2*height",
      "shoulder.mean + elbow.max + 0.3*cos(angle) + 0.002*(1 + height^2)*rate - 5"};
  int proofs = 0;
  for (int i = 0; i < trials(16); ++i) {
    const std::string rest = i % 3 > 0 ? std::string()
                                       : fmt::format(R"(, "constraints": [
{{"name": "pull", "expression": "first.max_tension", "max": {:.3g}}}])",
                                                     random.uniform(15.0, 40.0));
    const Study study =
        two_parts(static_cast<std::uint64_t>(100 + i), objectives[i % 4], "1e-4", rest);
    CAPTURE(i);
    std::filesystem::remove(path);
    const StoredMounts mounts = proved(study, path);
    CHECK(mounts.adds_up);
    REQUIRE(mounts.parts.size() == 2);
    CHECK(mounts.parts[0].loosest.size() + mounts.parts[1].loosest.size() == 3);
    if (!mounts.best) continue;
    CHECK(*mounts.bound == Approx(*mounts.parts[0].bound + *mounts.parts[1].bound).epsilon(1e-12));
    const double least = GridOracle(study).best(7, 3);
    CHECK(*mounts.bound <= least + 1e-9 * std::abs(least));
    if (mounts.ended != MountEnd::proved) continue;
    ++proofs;
    CHECK(*mounts.best <= least + 1e-4 * std::abs(least));
    const MountVerdict verdict = verify_mounts(ResultsFile(path), study, mounts, 1);
    CHECK(verdict.fault.empty());
    CHECK(verdict.gap <= 1.001e-4 * std::abs(*mounts.best));
  }
  CHECK(proofs >= trials(16) * 3 / 4);
}

TEST_CASE("a sum that its parts nearly cancel is proved as near as asked of the sum") {
  const std::string loads = "0.3*shoulder.max + 0.7*elbow.mean";
  const StoredMounts plain = proved(two_parts(5, loads), fresh("plain_sum.db"));
  REQUIRE(plain.ended == MountEnd::proved);
  const Study study = two_parts(5, fmt::format("{} - {:.17g}", loads, *plain.best * 0.999), "1e-4");
  const auto path = fresh("small_sum.db");
  const StoredMounts mounts = proved(study, path);
  CHECK(mounts.ended == MountEnd::proved);
  CHECK(*mounts.best == Approx(*plain.best * 0.001).epsilon(0.02));
  CHECK(*mounts.best - *mounts.bound <= 1.001e-4 * *mounts.best);
  CHECK(fault_of(study, path, mounts).empty());
}

TEST_CASE("a sum of parts takes no more simplices than its parts alone") {
  const StoredMounts both = proved(two_parts(5, "shoulder.max + 5*elbow.max"), fresh("both.db"));
  const StoredMounts upper = proved(two_parts(5, "shoulder.max"), fresh("upper.db"));
  const StoredMounts lower = proved(two_parts(5, "5*elbow.max"), fresh("lower.db"));
  REQUIRE(both.ended == MountEnd::proved);
  CHECK(*both.best == Approx(*upper.best + *lower.best).epsilon(2e-5));
  CHECK(simplices(both) <= simplices(upper) + simplices(lower));
}

TEST_CASE("terms that something joins stay one part") {
  // the height moves the post of one actuator's spring and weighs the other's load
  CHECK_FALSE(proved(two_parts(5, "shoulder.max + elbow.max*(1 + height)", "1e-2"),
                     fresh("joined_by_weight.db"))
                  .adds_up);
  CHECK_FALSE(proved(two_parts(5, "shoulder.max + elbow.max", "1e-2",
                               R"(, "constraints": [
{"name": "ease", "expression": "shoulder.max + elbow.mean", "max": 60}])"),
                     fresh("joined_by_limit.db"))
                  .adds_up);
  CHECK_FALSE(
      proved(two_parts(5, "max(shoulder.max, 3*elbow.max)", "1e-2"), fresh("joined_by_max.db"))
          .adds_up);
}

TEST_CASE("chosen springs of parts that add up have proofs of their own") {
  Random random(14);
  Stocked asked;
  asked.both = true;
  asked.objective = mounted_arm::expression("0.3*shoulder.max + 0.7*elbow.mean");
  asked.mounts = R"("mount": {"range": [0.1, 0.4]}, "angle": {"range": [-0.6, 0.9]})";
  const Study study = study_of(stocked_arm(random, asked));
  const auto path = fresh("stocked_sum.db");
  const StoredMounts mounts = proved(study, path);
  CHECK(mounts.adds_up);
  REQUIRE(mounts.ended == MountEnd::proved);
  CHECK(mounts.parts.size() > 2);
  CHECK(mounts.parts.size() <= 10);  // rows of two catalogues, and not their combinations
  CHECK(fault_of(study, path, mounts).empty());
  const double least = GridOracle(study).best(25, 2);
  CHECK(*mounts.bound <= least * (1.0 + 1e-9));
  CHECK(*mounts.best <= least * (1.0 + 1e-4));
}

TEST_CASE("broken proofs of sums are refused") {
  const Study study = two_parts(5, "0.3*shoulder.max + 0.7*elbow.mean");
  const auto path = fresh("sum_to_break.db");
  const StoredMounts sound = proved(study, path);
  REQUIRE(sound.adds_up);
  REQUIRE(fault_of(study, path, sound).empty());
  StoredMounts broken = sound;
  broken.parts.pop_back();
  CHECK_FALSE(fault_of(study, path, broken).empty());
  broken = sound;
  broken.adds_up = false;
  CHECK_FALSE(fault_of(study, path, broken).empty());
  broken = sound;
  broken.parts[1] = broken.parts[0];
  CHECK_FALSE(fault_of(study, path, broken).empty());
  broken = sound;
  *broken.bound += 1e-9 * std::abs(*broken.bound);
  CHECK_FALSE(fault_of(study, path, broken).empty());
  const Study whole = two_parts(5, "max(shoulder.max, 3*elbow.max)", "1e-2");
  const auto largest = fresh("no_sum.db");
  StoredMounts other = proved(whole, largest);
  other.adds_up = true;
  CHECK_FALSE(fault_of(whole, largest, other).empty());
}
