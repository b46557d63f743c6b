#pragma once

#include <catch2/catch.hpp>

#include "cases/provenance.hpp"
#include "springs/exact.hpp"
#include "springs/mounts/stored_mounts.hpp"
#include "springs/problem/exact_goals.hpp"
#include "springs/problem/spring_sizer.hpp"
#include "tests/cases/stored_rows.hpp"

namespace counterpoise::test {

/// Runs a study with "geometry": "prove", whose proof over mounts it returns.
inline StoredMounts proved(const Study& study, const std::filesystem::path& path) {
  run_to(study, path, 1);
  const ResultsFile results(path);
  const auto mounts = mounts_of(results);
  REQUIRE(mounts);
  return *mounts;
}

/// The best objective of springs and mounts at many geometries, each by exact springs: single ones,
/// or a grid over a box, and finer ones about the best of it. Knows no bounds, simplices or
/// multipliers.
class GridOracle {
 public:
  using Box = std::vector<std::array<double, 2>>;

  explicit GridOracle(const Study& study)
      : roles_(find_spring_roles(study)),
        sizer_(study, roles_),
        goal_(ExactGoals(study).corner_goal(0)) {
    sizer_.set_baselines(
        std::make_shared<const Baselines>(sizer_.evaluator().evaluate_baselines()));
    for (const int v : roles_.outer) {
      const Variable& variable = study.variables[v];
      whole_.push_back({variable.low, variable.high});
    }
  }

  /// The ranges of the variables that move mounts.
  [[nodiscard]] const Box& whole() const { return whole_; }

  /// The objective of the best springs at one geometry; infinite where none meet all limits.
  double at(std::span<const double> outer) {
    sizer_.size(outer, goal_, sized_);
    return sized_.outcome.status == CaseStatus::feasible ? goal_.value(sized_.outcome.objectives)
                                                         : no_limit;
  }

  double best(int each, int zooms) { return best(whole_, each, zooms); }

  /// Of geometries within a part of the ranges.
  double best(const Box& within, int each, int zooms) {
    Box box = within;
    double least = no_limit;
    for (int zoom = 0; zoom <= zooms; ++zoom) {
      std::vector<double> best_at;
      grid(box, each, least, best_at);
      if (best_at.empty()) continue;
      for (std::size_t i = 0; i < box.size(); ++i) {
        const double half = (box[i][1] - box[i][0]) / each;
        box[i] = {std::max(within[i][0], best_at[i] - half),
                  std::min(within[i][1], best_at[i] + half)};
      }
    }
    return least;
  }

 private:
  void grid(const Box& box, int each, double& least, std::vector<double>& best_at) {
    std::vector<int> index(box.size(), 0);
    for (;;) {
      std::vector<double> outer;
      for (std::size_t i = 0; i < box.size(); ++i)
        outer.push_back(box[i][0] + (box[i][1] - box[i][0]) * index[i] / (each - 1));
      const double value = at(outer);
      if (value < least) {
        least = value;
        best_at = outer;
      }
      std::size_t digit = 0;
      while (digit < index.size() && ++index[digit] == each) index[digit++] = 0;
      if (digit == index.size()) return;
    }
  }

  SpringRoles roles_;
  SpringSizer sizer_;
  SizingGoal goal_;
  SizedCase sized_;
  Box whole_;
};

/// What proofs came to.
struct Ends {
  int proved = 0, none = 0;
};

/// Holds the proof of a study against designs of a grid, whose springs are sized and chosen at each
/// geometry by other algorithms, and adds it up again.
inline void compare_with_grid(const Study& study, const std::filesystem::path& path, Ends& ends) {
  std::filesystem::remove(path);
  const StoredMounts mounts = proved(study, path);
  const auto dimensions = find_spring_roles(study).outer.size();
  const double least = GridOracle(study).best(dimensions == 1 ? 41 : dimensions == 2 ? 13 : 7, 4);
  CAPTURE(least, mounts.best.value_or(no_limit), mounts.bound.value_or(no_limit),
          word_for(mounts.ended));
  const bool some = std::isfinite(least);
  const double rounding = some ? 1e-9 * std::abs(least) + 1e-9 : 0.0;
  CHECK(least >= mounts.bound.value_or(no_limit) - rounding);
  if (mounts.ended == MountEnd::proved) {
    CHECK(mounts.best.value_or(no_limit) <= least + mounts.gap + rounding);
    ++ends.proved;
    ends.none += mounts.best ? 0 : 1;
  }
  const ResultsFile results(path);
  const MountVerdict verdict = verify_mounts(results, stored_study(results), mounts, 2);
  CAPTURE(verdict.fault);
  CHECK(verdict.valid == (mounts.best || !mounts.bound));
}

}  // namespace counterpoise::test
