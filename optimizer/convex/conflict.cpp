#include <algorithm>
#include <cmath>

#include "optimizer/convex/conflict.hpp"
#include "optimizer/convex/problem/infinity.hpp"
#include "optimizer/convex/solver/cutting_planes.hpp"
#include "optimizer/convex/solver/elastic.hpp"

namespace counterpoise {
namespace {

constexpr double negligible = 1e-9;  // a multiplier, relative to the largest of what it moves

/// Some of the limits and bounds.
struct Members {
  std::vector<int> limits;
  std::vector<Conflict::Bound> bounds;
};

/// The limits and bounds of a problem, asked which of them exclude each other.
class Filter {
 public:
  Filter(const ConvexProblem& problem, const ConvexOptions& options)
      : problem_(problem), options_(options), scales_(limit_scales(problem)) {}

  /// The limits that a first proof uses, or all limits if these are not enough, with all bounds.
  [[nodiscard]] Members suspects() const {
    const std::vector<int> all = all_limits(problem_);
    Members everything{all, {}};
    for (int j = 0; j < static_cast<int>(problem_.lower.size()); ++j) {
      everything.bounds.push_back({j, false});
      everything.bounds.push_back({j, true});
    }
    const ConvexSolution nearest = cutting_planes(elastic(problem_, scales_, all), options_);
    const Members used{used_by(nearest.certificate), everything.bounds};
    return exclude_each_other(used) ? used : everything;
  }

  /// Leaves out one limit or bound after the other, permanently if the rest is still in conflict.
  /// Limits come first, because bounds say what is possible at all.
  [[nodiscard]] Members reduced(Members members) const {
    for (std::size_t i = 0; i < members.limits.size();) {
      Members fewer = members;
      fewer.limits.erase(fewer.limits.begin() + static_cast<std::ptrdiff_t>(i));
      if (!exclude_each_other(fewer))
        ++i;
      else
        members = std::move(fewer);
    }
    for (std::size_t i = 0; i < members.bounds.size();) {
      Members fewer = members;
      fewer.bounds.erase(fewer.bounds.begin() + static_cast<std::ptrdiff_t>(i));
      if (!exclude_each_other(fewer))
        ++i;
      else
        members = std::move(fewer);
    }
    return members;
  }

  [[nodiscard]] Certificate proof(const Members& members) const {
    const ConvexSolution nearest = cutting_planes(restricted(members), options_);
    std::vector<int> chosen = members.limits;
    Certificate of_elastic = nearest.certificate;
    of_elastic.pieces.pop_back();
    return conflict_proof(problem_, scales_, chosen, of_elastic);
  }

 private:
  /// The problem of minimising the largest violation of these limits, but at least -1, with these
  /// bounds only.
  [[nodiscard]] ConvexProblem restricted(const Members& members) const {
    ConvexProblem result = elastic(problem_, scales_, members.limits);
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
    return side_of_optimum(restricted(members), rounding_of_limit, options_) == Side::above;
  }

  static std::vector<int> used_by(const Certificate& certificate) {
    std::vector<int> used;
    for (std::size_t l = 0; l < certificate.pieces.size(); ++l)
      if (certificate.pieces[l] > negligible) used.push_back(static_cast<int>(l));
    return used;
  }

  const ConvexProblem& problem_;
  const ConvexOptions& options_;
  std::vector<double> scales_;
};

}  // namespace

Conflict smallest_conflict(const ConvexProblem& problem, const ConvexOptions& options) {
  check(problem);
  const Filter filter(problem, options);
  const Members members = filter.reduced(filter.suspects());
  return {members.limits, members.bounds, filter.proof(members)};
}

}  // namespace counterpoise
