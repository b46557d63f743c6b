#include "input/text/compressed.hpp"
#include "springs/mounts/mount_tree.hpp"
#include "tests/springs/mounts/grid_oracle.hpp"
#include "tests/springs/mounts/mounted_arm.hpp"
#include "tests/support/trials.hpp"

using namespace counterpoise;
using namespace counterpoise::test;

namespace {

/// The pendulum with one thing of its model changed, in a motion that begins where its link points
/// straight up, at the post.
Study upright(const std::string& was, const std::string& is, const std::string& variables,
              const std::string& search = R"(, "geometry": "prove", "gap": 1e-3)") {
  return study_of({{"model.json", with(pendulum::model, was, is)},
                   {"up.json", with(pendulum::slow, "-1.2", "-1.5707963267948966")},
                   {"study.json", R"({"format": "counterpoise-study/1", "model": "model.json",
"motions": {"up": "up.json"}, "variables": {)" +
                                      variables + R"(}, "search": {"method": "exact-springs")" +
                                      search + R"(}, "objectives": [)" + pendulum::peak + "]}"}});
}

/// The best objective of designs as the engine evaluates them, with the number of feasible ones:
/// at every point of a grid over all variables, and again about the best. Knows nothing of convex
/// problems.
struct DesignGrid {
  double best = no_limit;
  int feasible = 0;

  DesignGrid(const Study& study, int each, int zooms) {
    CaseEvaluator evaluator(study);
    evaluator.set_baselines(std::make_shared<const Baselines>(evaluator.evaluate_baselines()));
    std::vector<std::array<double, 2>> box;
    for (const Variable& variable : study.variables) box.push_back({variable.low, variable.high});
    const auto whole = box;
    std::vector<double> best_at;
    for (int zoom = 0; zoom <= zooms; ++zoom) {
      std::vector<int> index(box.size(), 0);
      for (std::size_t digit = 0; digit < index.size();) {
        std::vector<double> point;
        for (std::size_t v = 0; v < box.size(); ++v)
          point.push_back(box[v][0] + (box[v][1] - box[v][0]) * index[v] / (each - 1));
        CaseOutcome outcome;
        evaluator.evaluate(point, outcome);
        if (outcome.status == CaseStatus::feasible) {
          ++feasible;
          if (outcome.objectives.front() < best) {
            best = outcome.objectives.front();
            best_at = point;
          }
        }
        for (digit = 0; digit < index.size() && ++index[digit] == each;) index[digit++] = 0;
      }
      if (best_at.empty()) return;
      for (std::size_t v = 0; v < box.size(); ++v) {
        const double half = (box[v][1] - box[v][0]) / each;
        box[v] = {std::max(whole[v][0], best_at[v] - half),
                  std::min(whole[v][1], best_at[v] + half)};
      }
    }
  }
};

/// Holds a proof against the engine's evaluation of designs, and adds it up again.
StoredMounts held_against_designs(const Study& study, const DesignGrid& grid) {
  const auto path = fresh("claim.db");
  const StoredMounts mounts = proved(study, path);
  CAPTURE(word_for(mounts.ended), mounts.best.value_or(no_limit), mounts.bound.value_or(no_limit),
          grid.best, grid.feasible);
  CHECK(grid.best >= mounts.bound.value_or(no_limit) * (1.0 - 1e-9));
  CHECK(mounts.best.value_or(no_limit) <= grid.best + mounts.gap);
  const ResultsFile results(path);
  const MountVerdict verdict = verify_mounts(results, stored_study(results), mounts, 1);
  CAPTURE(verdict.fault);
  CHECK(verdict.valid);
  CHECK(verdict.open == (mounts.ended != MountEnd::proved));
  return mounts;
}

const std::string wire =
    R"("other_free": 0, "wire": {"value": "0.1*rate + tension", "max": 60, "min": 5})";
const std::string mount = R"(, "mount": {"range": [0.2, 0.4]})";
const std::string two = R"("rate": {"range": [0, 2000]}, "tension": {"range": [0, 50]})";

}  // namespace

TEST_CASE("bounds of parameters that follow from springs are limits of the proof") {
  const Study study = upright(R"("other_free": 0)", wire, two + mount);
  const DesignGrid grid(study, 15, 6);
  REQUIRE(grid.feasible > 100);
  CHECK(held_against_designs(study, grid).ended == MountEnd::proved);
  // without the bound springs do better
  const Study free = upright(R"("other_free": 0)", R"("other_free": 0)", two + mount);
  CHECK(*held_against_designs(free, DesignGrid(free, 15, 6)).best < 0.9 * grid.best);
}

TEST_CASE("a least value that springs at their weakest break excludes no geometry") {
  const Study study =
      upright(R"("other_free": 0)",
              R"("other_free": 0, "stiff": {"value": "rate - 50", "min": 40})", pendulum::rate, "");
  const auto rows = rows_when_run(study, "stiff.db");
  REQUIRE(rows.size() == 1);
  CHECK(rows[0].status == Status::feasible);
  const DesignGrid grid(study, 101, 3);
  CHECK(rows[0].objectives[0] <= grid.best * (1.0 + 1e-9));
}

TEST_CASE("bounds of parameters of mounts alone are part of the proof") {
  for (const char* reach : {R"("mount + post", "max": 0.72)", R"("mount * post", "min": 0.11)"}) {
    CAPTURE(reach);
    const Study study = upright(
        R"("other_free": 0)", fmt::format(R"("other_free": 0, "reach": {{"value": {}}})", reach),
        pendulum::rate + R"(, "mount": {"range": [0.2, 0.4]}, "post": {"range": [0.42, 0.6]})");
    const DesignGrid grid(study, 15, 6);
    REQUIRE(grid.feasible > 100);
    CHECK(held_against_designs(study, grid).ended == MountEnd::proved);
  }
  const Study none = upright(R"("other_free": 0)",
                             R"("other_free": 0, "reach": {"value": "mount + 1", "max": 1.25})",
                             pendulum::rate + R"(, "mount": {"range": [0.3, 0.4]})");
  const StoredMounts mounts = held_against_designs(none, DesignGrid(none, 15, 0));
  CHECK(mounts.ended == MountEnd::proved);
  CHECK_FALSE(mounts.best);
  CHECK_FALSE(mounts.bound);
}

TEST_CASE("bounds that a proof cannot contain are refused with the way out") {
  const auto refusal = [](const std::string& parameter) -> std::string {
    try {
      proved(
          upright(R"("other_free": 0)", R"("other_free": 0, )" + parameter, pendulum::rate + mount),
          fresh("refused.db"));
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  CHECK(refusal(R"("both": {"value": "rate * mount", "max": 100})")
            .find("follows from mounts and from springs at once") != std::string::npos);
  CHECK(refusal(R"("work": {"value": "rate^2", "max": 1e4})")
            .find("max of parameter work is not linear in the springs") != std::string::npos);
  CHECK(refusal(R"("work": {"value": "rate^2", "max": 1e9})") != "");
}

TEST_CASE("a bound that is not linear in springs is judged, and nothing is claimed in its place") {
  const Study study =
      upright(R"("other_free": 0)", R"("other_free": 0, "work": {"value": "rate^2", "max": 1e4})",
              pendulum::rate, "");
  const auto path = fresh("judged.db");
  run_to(study, path, 1);
  const auto rows = rows_of(path);
  REQUIRE(rows.size() == 1);
  CHECK(rows[0].status == Status::infeasible);
  CHECK(rows[0].reason.find("work") != std::string::npos);
  CHECK(ResultsFile(path).certificates().empty());
}

TEST_CASE("ends that meet need a spring without tension, and then are no limit") {
  // the mount meets the post at the first instant
  const Study study = upright(R"("mount": 0.25, "post": 0.45, "strongest": 1e6,
"shortest": "free")",
                              R"("mount": 0.45, "post": 0.45, "strongest": 1e6,
"shortest": 0)",
                              pendulum::whole_spring, "");
  const auto path = fresh("meeting.db");
  run_to(study, path, 1);
  const auto rows = rows_of(path);
  REQUIRE(rows.size() == 1);
  REQUIRE(rows[0].status == Status::feasible);
  const double rate = number(rows[0], 0), free = number(rows[0], 1), tension = number(rows[0], 2);
  CHECK(std::abs(tension - rate * free) <= 1e-9 * (1.0 + rate * free));
  CHECK(ResultsFile(path).certificates().size() == 1);
  // under tension nothing is feasible, under none everything
  CaseEvaluator evaluator(study);
  evaluator.set_baselines(std::make_shared<const Baselines>(evaluator.evaluate_baselines()));
  Random random(4);
  for (int i = 0; i < 200; ++i) {
    const double k = random.uniform(1.0, 160.0), length = random.uniform(0.01, 0.3);
    CaseOutcome outcome;
    evaluator.evaluate(std::vector<double>{k, length, k * length}, outcome);
    CHECK(outcome.status == CaseStatus::feasible);
    CHECK(outcome.objectives[0] >= rows[0].objectives[0] * (1.0 - 1e-9));
    evaluator.evaluate(std::vector<double>{k, length, k * length * (1.0 - 1e-6)}, outcome);
    CHECK(outcome.status == CaseStatus::infeasible);
  }
}

TEST_CASE("a free length that is rounding leaves a spring whose ends meet its rate") {
  // 0.1 + 0.2 - 0.3 is 6e-17: the tension is zero where the ends meet, except for rounding
  const Study study =
      upright(R"("free": 0, "tension": 0, "mount": 0.25, "post": 0.45)",
              R"("free": "0.1 + 0.2 - 0.3", "tension": 0, "mount": 0.45, "post": 0.45)",
              pendulum::rate, "");
  const auto path = fresh("rounded.db");
  run_to(study, path, 1);
  const auto rows = rows_of(path);
  REQUIRE(rows.size() == 1);
  CAPTURE(rows[0].reason);
  REQUIRE(rows[0].status == Status::feasible);
  CHECK(number(rows[0], 0) ==
        Approx(pendulum::weight / (pendulum::post * pendulum::post)).epsilon(1e-6));
}

TEST_CASE("proofs over mounts that springs pass through without length are not above any design") {
  const std::string across = R"(, "mount": {"range": [0.25, 0.65]})";
  for (const std::string& springs : {two, pendulum::whole_spring}) {
    const Study study = upright(R"("other_free": 0)", R"("other_free": 0)", springs + across,
                                R"(, "geometry": "prove", "gap": 1e-3, "max_simplices": 2000)");
    held_against_designs(study, DesignGrid(study, springs == two ? 17 : 9, 4));
  }
}

TEST_CASE("random proofs with computed bounds are held against designs") {
  Random random(77);
  int ended = 0;
  const int count = trials(60);
  for (int i = 0; i < count; ++i) {
    mounted_arm::Asked asked;
    asked.mounts = 1 + random.below(3);
    asked.wide = random.chance(0.5);
    asked.objective = mounted_arm::objectives()[random.below(5)];
    asked.search = R"("geometry": "prove", "gap": 1e-3, "max_simplices": 1500)";
    Files files = mounted_arm::files(random, asked);
    files["model.json"] = with(
        files["model.json"], R"("radius": 0.15)",
        fmt::format(R"("radius": 0.15, "wire": {{"value": "{:.3f}*rate + tension + 0.02*rate_2",
"max": {:.3f}, "min": {:.3f}}}, "span": {{"value": "height + 2*mount", "max": {:.3f}}})",
                    random.uniform(0.02, 0.1), random.uniform(45.0, 70.0),
                    random.uniform(0.0, 10.0), random.uniform(1.01, 1.6)));
    CAPTURE(i, files["model.json"], files["work.json"], files["study.json"]);
    const Study study = study_of(files);
    // about the best of a sizing at a grid of geometries, whose designs the engine evaluates
    const auto path = fresh("random_claim.db");
    const StoredMounts mounts = proved(study, path);
    const ResultsFile results(path);
    CHECK(verify_mounts(results, stored_study(results), mounts, 1).valid);
    CaseEvaluator evaluator(study);
    evaluator.set_baselines(std::make_shared<const Baselines>(evaluator.evaluate_baselines()));
    std::vector<double> point(study.variables.size());
    for (int design = 0; design < 2000; ++design) {
      for (std::size_t v = 0; v < point.size(); ++v)
        point[v] = random.uniform(study.variables[v].low, study.variables[v].high);
      CaseOutcome outcome;
      evaluator.evaluate(point, outcome);
      if (outcome.status == CaseStatus::feasible)
        CHECK(outcome.objectives.front() >= mounts.bound.value_or(no_limit));
    }
    const double best = GridOracle(study).best(5, 3);
    CHECK(best >= mounts.bound.value_or(no_limit) * (1.0 - 1e-9));
    if (mounts.ended == MountEnd::proved) {
      ++ended;
      CHECK(mounts.best.value_or(no_limit) <= best + mounts.gap);
    }
  }
  CHECK(ended > 0);
}

TEST_CASE("a bound that was proved never falls with more simplices") {
  Random random(31);
  int risen = 0;
  const int count = trials(60);
  for (int i = 0; i < count; ++i) {
    mounted_arm::Asked asked;
    asked.mounts = 1 + random.below(7);
    asked.wide = true;
    asked.objective = mounted_arm::objectives()[random.below(5)];
    const std::uint64_t seed = 1000 + static_cast<std::uint64_t>(i);
    double before = -no_limit;
    for (const int simplices : {8, 30, 60, 120, 240, 400}) {
      asked.search =
          fmt::format(R"("geometry": "prove", "gap": 1e-9, "max_simplices": {})", simplices);
      Random same(seed);
      const StoredMounts mounts =
          proved(study_of(mounted_arm::files(same, asked)), fresh("bound.db"));
      const double bound = mounts.bound.value_or(no_limit);
      CAPTURE(i, simplices, before, bound);
      CHECK(bound >= before);
      risen += bound > before ? 1 : 0;
      before = bound;
    }
  }
  CHECK(risen > count);
}

TEST_CASE("a proof is never worse than a search over the same geometry") {
  Random random(8);
  const int count = trials(30);
  for (int i = 0; i < count; ++i) {
    mounted_arm::Asked asked;
    asked.mounts = 3 + 4 * random.below(2);
    asked.wide = true;
    asked.objective = mounted_arm::objectives()[random.below(5)];
    const std::uint64_t seed = 2000 + static_cast<std::uint64_t>(i);
    const auto best = [&](const std::string& search) {
      asked.search = search;
      Random same(seed);
      const auto path = fresh("either.db");
      run_to(study_of(mounted_arm::files(same, asked)), path, 1);
      double least = no_limit;
      for (const CaseRow& row : rows_of(path))
        if (row.status == Status::feasible) least = std::min(least, row.objectives.front());
      return least;
    };
    const double found = best(R"("max_evaluations": 300)");
    const double proof = best(R"("geometry": "prove", "gap": 1e-3, "max_simplices": 60)");
    CAPTURE(i, found, proof);
    CHECK(proof <= found + 1e-3 * std::abs(found));
  }
}

TEST_CASE("halves that prove less than their simplex keep its bound") {
  const std::string folder = std::string(COUNTERPOISE_SOURCE_DIR) + "/tests/proof/inputs/elbow/";
  const auto text = [&](const char* name) { return read_text_file(folder + name); };
  const Study study = study_of({{"arm2.json", text("arm2.json")},
                                {"pick.json", text("pick.json")},
                                {"study.json", with(text("elbow3.json"), R"("gap": 0.001)",
                                                    R"("gap": 0.001, "max_simplices": 3200)")}});
  int kept = 0;
  for (const StoredMounts::Part& part : proved(study, fresh("elbow.db")).parts) {
    const auto bytes = inflated(part.data, static_cast<std::size_t>(part.bytes));
    for (const BoundReason& reason : mount_tree(bytes.value()).reasons)
      kept += reason.above > 0 && reason.kind != BoundReason::Kind::all_intervals ? 1 : 0;
  }
  CHECK(kept > 0);
}
