#pragma once

#include <Eigen/Core>
#include <optional>
#include <span>
#include <vector>

#include "engine/dynamics/wrench_map.hpp"
#include "engine/math/sparse_decomposition.hpp"

namespace counterpoise {

/// Finds the unknowns x of a large WrenchGroup without couplings: of those that meet equilibrium
/// and rules (the constraints), those with the least sum of squares of components. Constraints
/// count as rows of great weight beside the components, in one sparse least-squares problem; what
/// they are missed by is added to what they ask for, until they are met to rounding. Cost: about
/// proportional to the number of loops, where these form chains or trees.
class SparseBalance {
 public:
  /// A component of an owner of the group, times a factor.
  struct Term {
    Eigen::Index place;
    int component;
    double factor;
  };
  using Sum = std::vector<Term>;

  /// The sums are those that will be given to `compute`, but for their factors.
  SparseBalance(const WrenchMap& map, const WrenchGroup& group, const std::vector<Sum>& constraints,
                const std::vector<Sum>& weighed);

  /// Takes the slopes of the group's components over.
  void compute(const WrenchGroup& group, const std::vector<Sum>& constraints,
               const std::vector<Sum>& weighed);
  /// Returns the x with constraints * x = `right` that makes |weighed * x + start| least; nothing
  /// where the constraints cannot be met, or nearly depend on each other.
  [[nodiscard]] std::optional<Eigen::VectorXd> solve(const Eigen::VectorXd& right,
                                                     const Eigen::VectorXd& start);
  /// The changes of weighed sums by some x, the same at every call, that the constraints leave
  /// open: sums that these never determine change, all others do not. Relative to the largest.
  [[nodiscard]] std::optional<Eigen::VectorXd> open_changes();
  /// How many components of x the constraints leave open. To be asked last: the decomposition is
  /// another one then.
  [[nodiscard]] int open_numbers();

 private:
  struct Loop {
    Eigen::Index column, count, row;  // first unknown, number of these, first row in its slopes
    std::size_t loop;                 // among those of the group
  };
  void add_pattern(const std::vector<Sum>& sums, SparseDecomposition::Pattern& pattern) const;
  void add_entries(const WrenchGroup& group, const std::vector<Sum>& sums, double weight,
                   std::size_t& next);
  /// The rows from `first` on, times x.
  [[nodiscard]] Eigen::VectorXd product(std::size_t first, Eigen::Index count,
                                        const Eigen::VectorXd& x) const;

  std::vector<std::vector<Loop>> loops_of_;  // of each owner's place
  SparseDecomposition::Pattern pattern_;
  std::vector<std::size_t> starts_;  // of each row's entries
  std::vector<double> entries_;
  SparseDecomposition factor_;
  Eigen::Index constraints_ = 0, weighed_ = 0, unknowns_ = 0;
};

}  // namespace counterpoise
