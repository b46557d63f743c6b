#include "optimizer/convex/conflict.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "optimizer/convex/cutting_planes.hpp"
#include "optimizer/convex/problem.hpp"
#include "optimizer/convex/tolerances.hpp"

namespace counterpoise {
namespace {

/// Some of the limits, by their groups, and of the bounds.
struct Members {
  std::vector<std::vector<int>> groups;
  std::vector<Conflict::Bound> bounds;

  [[nodiscard]] std::vector<int> limits() const {
    std::vector<int> all;
    for (const std::vector<int>& group : groups) all.insert(all.end(), group.begin(), group.end());
    std::sort(all.begin(), all.end());
    return all;
  }
};

/// The limits and bounds of a problem, asked which of them exclude each other.
class Filter {
 public:
  Filter(const ConvexProblem& problem, const ConvexOptions& options, const ConflictMembers& members)
      : problem_(problem), options_(options), scales_(limit_scales(problem)) {
    always_.groups = {members.always};
    everything_.groups = members.groups;
    for (int l = 0; l < static_cast<int>(problem.limits.size()) && members.groups.empty(); ++l)
      everything_.groups.push_back({l});
    for (int j = 0; j < static_cast<int>(problem_.lower.size()); ++j) {
      if (std::find(members.unbounded.begin(), members.unbounded.end(), j) !=
          members.unbounded.end())
        continue;
      everything_.bounds.push_back({j, false});
      everything_.bounds.push_back({j, true});
    }
  }

  /// The limits that a first proof uses, or all limits if these are not enough, with all bounds.
  [[nodiscard]] Members suspects() const {
    const std::vector<int> all = all_limits(problem_);
    const ConvexSolution nearest = cutting_planes(elastic(problem_, scales_, all), options_);
    const std::vector<int> used = used_by(nearest.certificate);
    Members fewer{{}, everything_.bounds};
    for (const std::vector<int>& group : everything_.groups)
      if (std::any_of(group.begin(), group.end(), [&](int limit) {
            return std::binary_search(used.begin(), used.end(), limit);
          }))
        fewer.groups.push_back(group);
    return exclude_each_other(fewer) ? fewer : everything_;
  }

  /// Leaves out one group or bound after the other, permanently if the rest is still in conflict.
  /// Limits come first, because bounds say what is possible at all.
  [[nodiscard]] Members reduced(Members members) const {
    const auto thin_out = [&](auto Members::*list) {
      for (std::size_t i = 0; i < (members.*list).size();) {
        Members fewer = members;
        (fewer.*list).erase((fewer.*list).begin() + static_cast<std::ptrdiff_t>(i));
        if (!exclude_each_other(fewer))
          ++i;
        else
          members = std::move(fewer);
      }
    };
    thin_out(&Members::groups);
    thin_out(&Members::bounds);
    return members;
  }

  [[nodiscard]] Certificate proof(const Members& members) const {
    const ConvexSolution nearest = cutting_planes(restricted(members), options_);
    Certificate of_elastic = nearest.certificate;
    of_elastic.pieces.pop_back();
    return conflict_proof(problem_, scales_, chosen(members), of_elastic);
  }

 private:
  [[nodiscard]] std::vector<int> chosen(const Members& members) const {
    std::vector<int> limits = members.limits();
    const std::vector<int> always = always_.limits();
    limits.insert(limits.end(), always.begin(), always.end());
    return limits;
  }

  /// The problem of minimising the largest violation of these limits, but at least -1, with these
  /// bounds only.
  [[nodiscard]] ConvexProblem restricted(const Members& members) const {
    ConvexProblem result = elastic(problem_, scales_, chosen(members));
    result.objective.push_back({-1.0, {}, {}});
    std::fill(result.lower.begin(), result.lower.end(), -infinity);
    std::fill(result.upper.begin(), result.upper.end(), infinity);
    for (const Conflict::Bound& bound : members.bounds) {
      const auto j = static_cast<std::size_t>(bound.variable);
      if (bound.upper)
        result.upper[j] = problem_.upper[j];
      else
        result.lower[j] = problem_.lower[j];
    }
    return result;
  }

  [[nodiscard]] bool exclude_each_other(const Members& members) const {
    return side_of_optimum(restricted(members), ConvexTolerances::limit, options_) == Side::above;
  }

  static std::vector<int> used_by(const Certificate& certificate) {
    std::vector<int> used;
    for (std::size_t l = 0; l < certificate.pieces.size(); ++l)
      if (certificate.pieces[l] > ConvexTolerances::negligible) used.push_back(static_cast<int>(l));
    return used;
  }

  const ConvexProblem& problem_;
  const ConvexOptions& options_;
  std::vector<double> scales_;
  Members always_, everything_;
};

}  // namespace

Conflict smallest_conflict(const ConvexProblem& problem, const ConvexOptions& options,
                           const ConflictMembers& members) {
  check(problem);
  const Filter filter(problem, options, members);
  const Members found = filter.reduced(filter.suspects());
  return {found.limits(), found.bounds, filter.proof(found)};
}

namespace {

/// The size of the terms at x; where all are 0, the largest size that the unknowns can give them.
double scale_of(const ConvexProblem& problem, const ConvexLimit& limit,
                const std::vector<double>& x) {
  double size = std::abs(limit.sum.constant - limit.bound);
  for (const ConvexSum::Term& term : limit.sum.norms) {
    size += term.weight * value_of(problem, problem.norms[term.index], x);
  }
  double reach = 0.0;
  for (const ConvexSum::Term& term : limit.sum.linear) {
    const auto j = static_cast<std::size_t>(term.index);
    size += std::abs(term.weight * x[j]);
    reach += std::abs(term.weight) * (problem.upper[j] - problem.lower[j]);
  }
  if (size > 0.0) return size;
  return reach > 0.0 ? reach : 1.0;
}

}  // namespace

std::vector<double> limit_scales(const ConvexProblem& problem) {
  std::vector<double> x(problem.lower.size());
  for (std::size_t j = 0; j < x.size(); ++j) {
    x[j] = std::clamp(0.0, problem.lower[j], problem.upper[j]);
  }
  std::vector<double> scales;
  scales.reserve(problem.limits.size());
  for (const ConvexLimit& limit : problem.limits) scales.push_back(scale_of(problem, limit, x));
  return scales;
}

ConvexProblem elastic(const ConvexProblem& problem, const std::vector<double>& scales,
                      const std::vector<int>& chosen) {
  ConvexProblem result{problem.lower, problem.upper, problem.series, problem.norms, {}, {}};
  for (const int index : chosen) {
    const ConvexLimit& limit = problem.limits[index];
    const double scale = scales[index];
    ConvexSum excess = limit.sum;
    excess.constant = (limit.sum.constant - limit.bound) / scale;
    for (ConvexSum::Term& term : excess.norms) term.weight /= scale;
    for (ConvexSum::Term& term : excess.linear) term.weight /= scale;
    result.objective.push_back(std::move(excess));
  }
  return result;
}

Certificate conflict_proof(const ConvexProblem& problem, const std::vector<double>& scales,
                           const std::vector<int>& chosen, const Certificate& of_elastic) {
  Certificate proof;
  proof.pieces.assign(problem.objective.size(), 0.0);
  proof.limits.assign(problem.limits.size(), 0.0);
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    const auto limit = static_cast<std::size_t>(chosen[i]);
    proof.limits[limit] = of_elastic.pieces[i] / scales[limit];
  }
  proof.witnesses = of_elastic.witnesses;
  add_up(problem, proof);
  return proof;
}

std::vector<int> all_limits(const ConvexProblem& problem) {
  std::vector<int> all(problem.limits.size());
  std::iota(all.begin(), all.end(), 0);
  return all;
}

}  // namespace counterpoise
