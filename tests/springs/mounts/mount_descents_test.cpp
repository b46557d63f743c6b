#include <nlopt.hpp>

#include "tests/springs/mounts/grid_oracle.hpp"
#include "tests/springs/mounts/mounted_arm.hpp"
#include "tests/support/trials.hpp"

using namespace counterpoise;
using namespace counterpoise::test;

namespace {

/// The best objective that local descents (Subplex, of NLopt) find from random starts; only the
/// best one goes on to its end. Where no springs meet the limits, they see one large number.
class Descents {
 public:
  explicit Descents(GridOracle& oracle) : oracle_(oracle) {}

  double best(int starts, Random& random) {
    const std::size_t n = oracle_.whole().size();
    for (int start = 0; start < starts; ++start) {
      std::vector<double> u(n);
      for (int draw = 0; draw < 20; ++draw) {
        for (double& one : u) one = random.uniform(0.0, 1.0);
        if (value_at(u) < none) break;
      }
      descend(u, 0.1, 20 + 20 * static_cast<int>(n));
    }
    if (std::isfinite(least_)) descend(best_, 0.003, 1000);
    return least_;
  }
  [[nodiscard]] std::int64_t evaluations() const { return evaluations_; }

 private:
  static constexpr double none = 1e6;

  void descend(std::vector<double> from, double step, int evaluations) {
    nlopt::opt descent(nlopt::LN_SBPLX, static_cast<unsigned>(from.size()));
    descent.set_min_objective(value, this);
    descent.set_lower_bounds(0.0);
    descent.set_upper_bounds(1.0);
    descent.set_initial_step(step);
    descent.set_xtol_abs(1e-7);
    descent.set_ftol_rel(1e-10);
    descent.set_maxeval(evaluations);
    try {
      double found = 0.0;
      descent.optimize(from, found);
    } catch (const nlopt::roundoff_limited&) {  // as good as it gets
    }
  }
  static double value(unsigned n, const double* u, double*, void* self) {
    return static_cast<Descents*>(self)->value_at({u, n});
  }
  double value_at(std::span<const double> u) {
    ++evaluations_;
    point_.clear();
    for (std::size_t i = 0; i < u.size(); ++i) {
      const auto [low, high] = oracle_.whole()[i];
      point_.push_back(std::clamp(low + u[i] * (high - low), low, high));
    }
    const double found = oracle_.at(point_);
    if (found < least_) {
      least_ = found;
      best_.assign(u.begin(), u.end());
    }
    return std::min(found, none);
  }

  GridOracle& oracle_;
  double least_ = no_limit;
  std::int64_t evaluations_ = 0;
  std::vector<double> point_, best_;
};

struct Effort {
  int arms, starts;
  std::array<int, 3> grid;  // values of each variable, by their number
  int most_simplices;
};

/// An arm with one to three variables that move mounts, a motion of 11 to 41 samples, and in every
/// third limits that may exclude some mounts or all.
mounted_arm::Asked random_question(Random& random, int most_simplices) {
  constexpr std::array<std::array<int, 3>, 3> mounts{{{1, 2, 4}, {3, 5, 6}, {7, 7, 7}}};
  mounted_arm::Asked asked;
  asked.mounts = mounts[random.below(3)][random.below(3)];
  asked.wide = random.chance(0.6);
  asked.step = std::array{0.05, 0.1, 0.2}[random.below(3)];
  asked.objective = mounted_arm::objectives()[random.below(5)];
  asked.search =
      fmt::format(R"("geometry": "prove", "gap": 1e-4, "max_simplices": {})", most_simplices);
  if (random.chance(0.3))
    asked.rest = fmt::format(R"(, "constraints": [
{{"name": "pull", "expression": "first.max_tension", "max": {:.3g}}},
{{"name": "ease", "expression": "shoulder.max", "max": {:.3g}}}])",
                             random.uniform(5.0, 25.0), random.uniform(10.0, 30.0));
  return asked;
}

/// What proofs of many arms have come to. Distances are parts of the least objective known.
struct Tally {
  int proved = 0, excluded = 0, unproved = 0;
  double highest_bound = -no_limit;                  // above the least objective known
  double widest = 0.0, widest_unproved = 0.0;        // the bound below it
  int missed_by_descents = 0, missed_by_proofs = 0;  // by more than the gap
  std::int64_t evaluations = 0, simplices = 0;
  std::string better_known;
};

Tally compared(const Effort& effort) {
  Tally tally;
  const auto path = fresh("descents.db");
  for (int arm = 0; arm < effort.arms; ++arm) {
    Random random(1000 + static_cast<std::uint64_t>(arm));
    const mounted_arm::Asked asked = random_question(random, effort.most_simplices);
    const Files files = mounted_arm::files(random, asked);
    CAPTURE(arm, files.at("study.json"), files.at("model.json"), files.at("work.json"));
    const Study study = study_of(files);
    std::filesystem::remove(path);
    const StoredMounts mounts = proved(study, path);
    GridOracle oracle(study);
    Descents descents(oracle);
    const double of_grid = oracle.best(effort.grid[oracle.whole().size() - 1], 0);
    const double least = std::min(of_grid, descents.best(effort.starts, random));
    tally.evaluations += descents.evaluations();
    for (const StoredMounts::Part& part : mounts.parts) tally.simplices += part.simplices;
    if (!mounts.best && mounts.ended == MountEnd::proved) {
      CHECK_FALSE(std::isfinite(least));
      ++tally.excluded;
      continue;
    }
    const double best = mounts.best.value_or(no_limit), bound = mounts.bound.value_or(-no_limit);
    const bool reached = bound >= best - mounts.gap;
    CHECK(reached == (mounts.ended == MountEnd::proved));
    ++(reached ? tally.proved : tally.unproved);
    if (!std::isfinite(least)) continue;
    const double rounding = 1e-9 * least + 1e-9;
    CHECK(bound <= least + rounding);
    if (reached) CHECK(best <= least + mounts.gap + rounding);
    const double known = std::min(least, best);
    tally.highest_bound = std::max(tally.highest_bound, (bound - known) / known);
    double& widest = reached ? tally.widest : tally.widest_unproved;
    widest = std::max(widest, (known - bound) / known);
    tally.missed_by_descents += least > best + 1e-4 * best ? 1 : 0;
    if (best > least + 1e-4 * least) {
      ++tally.missed_by_proofs;
      tally.better_known += fmt::format("arm {}: {} known, {} found by the proof, {} proved\n", arm,
                                        least, best, bound);
    }
  }
  return tally;
}

}  // namespace

TEST_CASE("no descent from random starts comes below the proved bound") {
  const Tally tally = compared({trials(20), 30, {101, 13, 7}, 1000});
  CHECK(tally.proved >= trials(20) / 4);
  CHECK(tally.missed_by_descents <= trials(20) / 5);
}

TEST_CASE("no descent of 1000 random starts in 300 arms comes below the proved bound",
          "[.thorough]") {
  const Tally tally = compared({300, 1000, {1001, 41, 15}, 20000});
  WARN(
      fmt::format("{} arms proved, {} without any design, {} not as far as asked; bounds at most "
                  "{:.1e} above the least objective known, {:.1e} below it where proved, {:.2g} "
                  "where not; {} missed by descents, {} by proofs; {} evaluations, {} simplices\n"
                  "{}",
                  tally.proved, tally.excluded, tally.unproved, tally.highest_bound, tally.widest,
                  tally.widest_unproved, tally.missed_by_descents, tally.missed_by_proofs,
                  tally.evaluations, tally.simplices, tally.better_known));
}
