#include "studies/exact/proving/mount_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "optimizer/convex/problem/allowed_gap.hpp"
#include "studies/exact/problem/exact_goals.hpp"
#include "studies/exact/proving/mount_setup.hpp"
#include "studies/exact/proving/mount_tree.hpp"
#include "studies/running/threads.hpp"
#include "studies/stored/provenance.hpp"
#include "studies/text/compressed.hpp"

namespace counterpoise {
namespace {

constexpr double same_bound = 1e-10;  // relative, of a bound that other processors round otherwise

/// The lowest bound of a part's leaves, added up on these threads.
double added_up(const MountProblem& problem, const MountTree& tree, std::size_t threads) {
  const DyadicBisection bisection(problem.functions().count());
  const std::vector<MountTree::Leaf> leaves = tree.leaves(bisection);
  std::vector<std::array<MountWeights, 2>> weights(tree.corners.size());
  for (std::size_t c = 0; c < tree.corners.size(); ++c) {
    const MountTree::Corner& corner = tree.corners[c];
    if (corner.optimal) weights[c][0] = problem.weights_of(*corner.optimal);
    if (corner.conflict) weights[c][1] = problem.weights_of(*corner.conflict);
  }
  std::vector<double> lowest(threads, no_limit);
  parallel_each(threads, [&](std::size_t t) {
    SimplexBounds bounds(problem);
    for (std::size_t i = t; i < leaves.size(); i += threads) {
      SimplexBounds::Corners corners;
      for (std::size_t w = 0; w < static_cast<std::size_t>(bisection.corners()); ++w) {
        const auto c = static_cast<std::size_t>(leaves[i].corners[w]);
        if (tree.corners[c].optimal) corners.optimal[w] = &weights[c][0];
        if (tree.corners[c].conflict) corners.conflict[w] = &weights[c][1];
      }
      lowest[t] = std::min(lowest[t], bounds.bound(leaves[i].simplex, corners, leaves[i].reason));
    }
  });
  return *std::min_element(lowest.begin(), lowest.end());
}

/// Says which multiplier of a tree proves nothing, and why; empty if all do.
std::string fault_of_tree(const MountProblem& problem, const MountTree& tree) {
  for (std::size_t c = 0; c < tree.corners.size(); ++c) {
    const MountTree::Corner& corner = tree.corners[c];
    for (const auto* own : {&corner.optimal, &corner.conflict}) {
      if (!*own) continue;
      if ((*own)->of_conflict() != (own == &corner.conflict))
        return fmt::format("corner {}: multipliers of another kind than it says", c);
      if (const std::string fault = problem.fault_of(**own); !fault.empty())
        return fmt::format("corner {}: {}", c, fault);
    }
  }
  return {};
}

/// The problem that a stored part is of; null if it is none of the study's.
const MountProblem* problem_of(const MountSetup& setup, const Study& study,
                               const StoredMounts::Part& part) {
  const auto index = static_cast<std::size_t>(part.index);
  if (index >= setup.problems().size()) return nullptr;
  const MountProblem* problem = setup.problems()[index].get();
  const std::vector<int>& variables = problem->part().variables;
  const bool same =
      std::equal(variables.begin(), variables.end(), part.loosest.begin(), part.loosest.end(),
                 [&](int v, const auto& range) {
                   return study.variables[static_cast<std::size_t>(v)].name == range.variable;
                 });
  return same ? problem : nullptr;
}

bool same_as_stated(double stated, double found) {
  if (!std::isfinite(stated) || !std::isfinite(found)) return stated == found;
  return std::abs(stated - found) <= same_bound * std::max(std::abs(stated), std::abs(found));
}

/// The best case as it is stored, which verify() of its certificate evaluates again.
void compare_best(const ResultsFile& results, const SizingGoal& goal, const StoredMounts& mounts,
                  MountVerdict& verdict) {
  if (mounts.best_case == 0) {
    if (verdict.bound)
      verdict.fault = "no design was found, and it is not proved that there is none";
    return;
  }
  const auto row = results.find(mounts.best_case);
  if (!row || row->status != Status::feasible || !row->settled()) {
    verdict.fault = fmt::format("case {}, its best, is no feasible case", mounts.best_case);
    return;
  }
  verdict.value = goal.value(row->objectives);
  if (!mounts.best || !agree(*mounts.best, *verdict.value, 0.0))
    verdict.fault = fmt::format("its best is stored as {:.12g}, but case {} has {:.12g}",
                                mounts.best.value_or(0.0), mounts.best_case, *verdict.value);
  else if (!verdict.bound)
    verdict.fault = "its bound excludes every design, but there is one";
  else if (!results.certificate(mounts.best_case))
    verdict.fault = fmt::format("case {}, its best, has no certificate", mounts.best_case);
  else
    verdict.gap = *verdict.value - *verdict.bound;
}

/// Compares what is said of the gap with what the study asks for and what there is.
std::string fault_of_gap(const Study& study, const StoredMounts& mounts, double floor,
                         const MountVerdict& verdict) {
  if (!verdict.value) return {};
  const double size = std::abs(*verdict.value);
  const double asked = std::max(study.search()->proof->gap * size, floor);
  if (!agree(mounts.gap, asked, 0.0))
    return fmt::format("the gap asked for is stored as {:.6g}, and the study asks for {:.6g}",
                       mounts.gap, asked);
  if (verdict.gap < -agreement * size - floor)
    return fmt::format(
        "case {} has {:.12g}, which is below the bound {:.12g}: it is none of these "
        "ranges, or was changed",
        mounts.best_case, *verdict.value, *verdict.bound);
  if (mounts.ended == "proved" && verdict.gap > asked * (1.0 + agreement))
    return fmt::format("it is stored as proved, and its gap {:.6g} is more than {:.6g}",
                       verdict.gap, asked);
  return {};
}

}  // namespace

std::optional<StoredMounts> mounts_of(const ResultsFile& results) {
  const std::optional<std::string> text = results.value(mounts_key);
  return text ? std::optional(read_mounts(*text)) : std::nullopt;
}

MountVerdict verify_mounts(const ResultsFile& results, const Study& study,
                           const StoredMounts& mounts, int threads) {
  MountVerdict verdict;
  verdict.best_case = mounts.best_case;
  verdict.asked = mounts.gap;
  const SpringRoles roles = find_spring_roles(study);
  const SizingGoal goal = ExactGoals(study).corner_goal(0);
  const auto baselines =
      std::make_shared<const Baselines>(CaseEvaluator(study).evaluate_baselines());
  MountSetup setup(study, roles, goal, baselines, 1, {});
  double bound = -no_limit;
  Threads pool(threads);
  std::int64_t last = -1;
  for (const StoredMounts::Part& part : mounts.parts) {
    const MountProblem* problem = problem_of(setup, study, part);
    if (problem == nullptr || std::exchange(last, part.index) >= part.index) {
      verdict.fault = "a part of it is none of the study's, or stands twice";
      return verdict;
    }
    if (hash_of(part.data) != part.hash) {
      verdict.fault = "its data were changed since they were stored";
      return verdict;
    }
    const auto bytes = inflated(part.data, static_cast<std::size_t>(part.bytes));
    if (!bytes) {
      verdict.fault = "its data cannot be read";
      return verdict;
    }
    const MountTree tree = mount_tree(*bytes);
    verdict.fault = fault_of_tree(*problem, tree);
    if (!verdict.fault.empty()) return verdict;
    double lowest = 0.0;
    pool.run([&] { lowest = added_up(*problem, tree, static_cast<std::size_t>(pool.count())); });
    const double stated = part.bound.value_or(no_limit);
    if (!same_as_stated(stated, lowest)) {
      verdict.fault =
          fmt::format("a bound is stored as {:.12g}, and its leaves prove {:.12g}", stated, lowest);
      return verdict;
    }
    verdict.leaves += static_cast<std::int64_t>(tree.reasons.size());
    bound = std::max(bound, lowest);
  }
  if (std::isfinite(bound)) verdict.bound = bound;
  const double stated = mounts.bound.value_or(no_limit);
  if (mounts.parts.empty() || bound == -no_limit)
    verdict.fault = "it has no leaves that prove anything";
  else if (!same_as_stated(stated, bound))
    verdict.fault =
        fmt::format("its bound is stored as {:.12g}, and its parts prove {:.12g}", stated, bound);
  else
    compare_best(results, goal, mounts, verdict);
  if (verdict.fault.empty()) verdict.fault = fault_of_gap(study, mounts, setup.floor(), verdict);
  verdict.valid = verdict.fault.empty();
  return verdict;
}

}  // namespace counterpoise
