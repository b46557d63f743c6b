#pragma once

#include <cstddef>
#include <numeric>
#include <vector>

#include "optimizer/convex/certificate.hpp"

namespace counterpoise {

/// Elements that are joined to sets.
class DisjointSets {
 public:
  explicit DisjointSets(std::size_t count) : above_(count) {
    std::iota(above_.begin(), above_.end(), std::size_t{0});
  }
  /// The element that stands for the set that holds this one.
  std::size_t find(std::size_t i) {
    while (above_[i] != i) i = above_[i] = above_[above_[i]];
    return i;
  }
  void join(std::size_t i, std::size_t j) { above_[find(i)] = find(j); }

 private:
  std::vector<std::size_t> above_;
};

/// A part of a convex problem that shares no unknown with the rest. Since the objective is the
/// largest of its sums, its minimum is the largest of the parts' minima.
struct IndependentPart {
  // ascending indices in the whole problem
  std::vector<int> unknowns;
  std::vector<int> norms;   // that its sums read
  std::vector<int> pieces;  // of the objective
  std::vector<int> limits;

  /// The problem of this part alone; its indices count the lists above. A part without pieces has
  /// the objective 0.
  [[nodiscard]] ConvexProblem problem_of(const ConvexProblem& whole) const;
  /// Turns a certificate of the part's problem into one of the whole problem; slopes and bound
  /// remain the part's (see add_up()).
  [[nodiscard]] Certificate certificate_of(const ConvexProblem& whole, Certificate own) const;
};

/// Splits a problem into its parts, by their first unknowns. Sums without any unknown are in the
/// first part. Cost: one look at each term, no samples.
std::vector<IndependentPart> independent_parts(const ConvexProblem& problem);

}  // namespace counterpoise
