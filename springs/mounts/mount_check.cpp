#include "springs/mounts/mount_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "cases/provenance.hpp"
#include "cases/threads.hpp"
#include "input/text/compressed.hpp"
#include "optimizer/convex/problem.hpp"
#include "optimizer/convex/tolerances.hpp"
#include "springs/mounts/mount_setup.hpp"
#include "springs/mounts/mount_tree.hpp"
#include "springs/problem/exact_goals.hpp"

namespace counterpoise {
namespace {

constexpr double same_bound = 1e-10;  // relative; other processors round bounds differently

/// The bound of each leaf of a part's tree, added up again on `threads` threads.
std::vector<double> added_up(const MountProblem& problem, const MountTree& tree,
                             const std::vector<MountTree::Leaf>& leaves, std::size_t threads,
                             const Interruption& interrupted) {
  const auto count = static_cast<std::size_t>(problem.functions().count()) + 1;
  std::vector<CornerWeights> weights;
  for (const MountTree::Corner& corner : tree.corners)
    weights.push_back(problem.weights_of(corner.optimal, corner.conflict));
  std::vector<double> found(leaves.size());
  parallel_each(threads, [&](std::size_t t) {
    SimplexBounds bounds(problem);
    for (std::size_t i = t; i < leaves.size(); i += threads) {
      interrupted.poll();
      SimplexBounds::Corners corners{};
      for (std::size_t w = 0; w < count; ++w)
        corners[w] = &weights[static_cast<std::size_t>(leaves[i].corners[w])];
      found[i] = bounds.bound(leaves[i].bounded, corners, leaves[i].reason);
    }
  });
  return found;
}

/// Returns which multiplier of a tree is invalid, and why; empty if all are valid.
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

bool same_as_stated(double stated, double found) {
  if (!std::isfinite(stated) || !std::isfinite(found)) return stated == found;
  return std::abs(stated - found) <= same_bound * std::max(std::abs(stated), std::abs(found));
}

/// Whether a leaf's box equals the stated one, except for rounding.
bool is_box_of(const MountTree::Leaf& leaf, const StoredMounts::Part& part,
               const MountFunctions& functions) {
  for (std::size_t i = 0; i < part.loosest.size(); ++i) {
    const int variable = static_cast<int>(i);
    Interval box(no_limit, -no_limit);
    for (std::size_t w = 0; w <= part.loosest.size(); ++w)
      box = joined(box, functions.value_at(variable, leaf.simplex.corners[w][i]));
    const double allowed = same_bound * (std::abs(functions.value_at(variable, 0.0)) +
                                         std::abs(functions.value_at(variable, 1.0)));
    if (!(std::abs(box.low - part.loosest[i].low) <= allowed) ||
        !(std::abs(box.high - part.loosest[i].high) <= allowed))
      return false;
  }
  return true;
}

/// Checks what a part states about its tree besides the bound. Returns what is wrong, or nothing.
std::string fault_of_summary(const StoredMounts::Part& part, const MountTree& tree,
                             const std::vector<MountTree::Leaf>& leaves,
                             const std::vector<double>& bounds, const MountFunctions& functions) {
  if (part.leaves != static_cast<std::int64_t>(leaves.size()) ||
      part.simplices != static_cast<std::int64_t>(tree.bisected.size()))
    return "the stored number of simplices differs from the stored tree";
  double by_limits = 0.0, by_bound = 0.0, whole = 0.0;  // sums of powers of 2
  bool loosest = false;
  const double lowest = *std::min_element(bounds.begin(), bounds.end());
  for (std::size_t i = 0; i < leaves.size(); ++i) {
    const double share = std::ldexp(1.0, -leaves[i].simplex.level);
    whole += share;
    (leaves[i].reason.of_limits() ? by_limits : by_bound) += share;
    loosest =
        loosest || (same_as_stated(bounds[i], lowest) && is_box_of(leaves[i], part, functions));
  }
  if (!agree(part.by_limits, by_limits / whole, 0.0) ||
      !agree(part.by_bound, by_bound / whole, 0.0))
    return fmt::format(
        "limits are stored to exclude {:.9g} of a box and the bound {:.9g}, and by its tree these "
        "are {:.9g} and {:.9g}",
        part.by_limits, part.by_bound, by_limits / whole, by_bound / whole);
  if (!loosest) return "its bound is not lowest where it says";
  return {};
}

/// Collects the bounds of the parts. Each choice of springs that can be mounted needs one: until it
/// is added, the choice has the bound -infinity, which proves nothing.
class Covered {
 public:
  explicit Covered(const MountSetup& setup) : setup_(setup) {
    for (const MountFamily& family : setup.families()) {
      auto& bounds = bounds_.emplace_back();
      for (const MountChoice& choice : family.choices)
        bounds.push_back(choice.problem ? -no_limit : no_limit);
    }
  }
  /// Notes the bound of a choice; false if it has one already.
  bool add(MountSetup::Found at, double bound) {
    if (!seen_.insert({at.family, at.choice}).second) return false;
    bounds_[at.family][at.choice] = bound;
    return true;
  }
  /// The lower bound of the objective over all geometries and springs.
  [[nodiscard]] double bound() const {
    std::vector<double> bounds;
    for (const std::vector<double>& of_family : bounds_)
      bounds.push_back(*std::min_element(of_family.begin(), of_family.end()));
    return setup_.objective_of(bounds);
  }

 private:
  const MountSetup& setup_;
  std::vector<std::vector<double>> bounds_;  // of each family and choice
  std::set<std::pair<std::size_t, std::size_t>> seen_;
};

/// Adds up the bound of one stored part. Returns what is wrong with the part, or nothing.
std::string fault_of_part(const MountSetup& setup, const StoredMounts::Part& part, Threads& pool,
                          Covered& covered, MountVerdict& verdict,
                          const Interruption& interrupted) {
  const auto at = setup.find(part);
  if (!at) return "the study has no such part";
  if (hash_of(part.data) != part.hash) return "its data were changed since they were stored";
  const auto bytes = inflated(part.data, static_cast<std::size_t>(part.bytes));
  if (!bytes) return "its data cannot be read";
  const MountProblem& problem = *setup.families()[at->family].choices[at->choice].problem;
  const MountTree tree = mount_tree(*bytes);
  if (std::string fault = fault_of_tree(problem, tree); !fault.empty()) return fault;
  const auto leaves = tree.leaves(DyadicBisection(problem.functions().count()));
  std::vector<double> bounds;
  pool.run([&] {
    bounds = added_up(problem, tree, leaves, static_cast<std::size_t>(pool.count()), interrupted);
  });
  const double lowest = *std::min_element(bounds.begin(), bounds.end());
  const double stated = part.bound.value_or(no_limit);
  if (!same_as_stated(stated, lowest))
    return fmt::format("a bound is stored as {:.12g}, and its leaves prove {:.12g}", stated,
                       lowest);
  if (std::string fault = fault_of_summary(part, tree, leaves, bounds, problem.functions());
      !fault.empty())
    return fault;
  if (!covered.add(*at, lowest)) return "a part of it stands twice";
  verdict.leaves += static_cast<std::int64_t>(tree.reasons.size());
  return {};
}

/// Compares the bound with the best case as it is stored. The case itself is evaluated again by
/// verify() of its certificate.
void compare_best(const ResultsFile& results, const SizingGoal& goal, const StoredMounts& mounts,
                  MountVerdict& verdict) {
  if (mounts.best_case == 0) {
    verdict.open = verdict.bound.has_value();
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

/// Compares the stated gap with the gap the study asks for and the gap found.
std::string fault_of_gap(const Study& study, const StoredMounts& mounts, double floor,
                         const MountVerdict& verdict) {
  if (!verdict.value) return {};
  const double size = std::abs(*verdict.value);
  const double asked = std::max(study.search()->proof->gap * size, floor);
  if (!agree(mounts.gap, asked, 0.0))
    return fmt::format("the gap asked for is stored as {:.6g}, and the study asks for {:.6g}",
                       mounts.gap, asked);
  if (verdict.gap < -ConvexTolerances::agreement * size - floor)
    return fmt::format(
        "case {} has {:.12g}, which is below the bound {:.12g}: it is none of these "
        "ranges, or was changed",
        mounts.best_case, *verdict.value, *verdict.bound);
  if (mounts.ended == MountEnd::proved && !is_reached(verdict.gap, asked))
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
                           const StoredMounts& mounts, int threads,
                           const Interruption& interrupted) {
  MountVerdict verdict;
  verdict.best_case = mounts.best_case;
  verdict.asked = mounts.gap;
  const SizingGoal goal = ExactGoals(study).corner_goal(0);
  const auto baselines =
      std::make_shared<const Baselines>(CaseEvaluator(study).evaluate_baselines());
  MountSetup setup(study, goal, baselines, 1, interrupted,
                   mounts.adds_up ? PartsOf::terms : PartsOf::sums);
  if (mounts.adds_up && !setup.adds_up()) {
    verdict.fault = "it adds up parts, and the objective is no sum of parts";
    return verdict;
  }
  setup.write_choices();
  Covered covered(setup);
  Threads pool(threads);
  for (const StoredMounts::Part& part : mounts.parts) {
    verdict.fault = fault_of_part(setup, part, pool, covered, verdict, interrupted);
    if (!verdict.fault.empty()) return verdict;
  }
  const double bound = covered.bound();
  if (std::isfinite(bound)) verdict.bound = bound;
  const double stated = mounts.bound.value_or(no_limit);
  if (bound == -no_limit)
    verdict.fault = "it has no leaves that prove anything, or lacks springs that may be chosen";
  else if (!same_as_stated(stated, bound))
    verdict.fault =
        fmt::format("its bound is stored as {:.12g}, and its parts prove {:.12g}", stated, bound);
  else
    compare_best(results, goal, mounts, verdict);
  if (verdict.fault.empty()) verdict.fault = fault_of_gap(study, mounts, setup.floor(), verdict);
  verdict.open = verdict.open || !is_reached(verdict.gap, verdict.asked);
  verdict.valid = verdict.fault.empty();
  return verdict;
}

}  // namespace counterpoise
