#pragma once

#include <functional>

#include "springs/mounts/mount_setup.hpp"
#include "springs/mounts/mount_tree.hpp"

namespace counterpoise {

/// How near the bound of a search over mounts has to come to the best design.
struct MountGap {
  double relative = 1e-6;  // of the size of the best objective
  double floor = 0.0;      // in the objective's unit, at least

  /// The gap for a best objective; 0 before a design is known.
  [[nodiscard]] double of(double best) const;
};

/// Branch and bound over the geometry of one part of a study with certain springs chosen: simplices
/// of mounts whose bound is too low are bisected, lowest first, until no geometry can be better
/// than the best one known by more than a gap. The best one may be of other springs.
///
/// Works in rounds of a fixed number of simplices, so that bounds, best and tree are the same bits
/// for any number of threads.
class MountSearch {
 public:
  /// Solvers for as many threads as there are, all of the same problem.
  MountSearch(const MountProblem& problem, std::vector<CornerSolver> solvers, const MountGap& gap);

  /// The best geometry found, in the part's unit box.
  struct Best {
    double value = no_limit;
    std::vector<double> at;
    std::vector<double> x;  // the springs there
  };
  /// The state of a search after some round.
  [[nodiscard]] MountTree tree() const;
  /// Continues a search of the same problem: the same bounds, each computed again. Throws
  /// InputError if the tree does not fit this problem.
  void restore(const MountTree& tree, Best best);

  /// Runs one round, on the threads of the present arena. Does nothing once finished() is true.
  /// Throws Interrupted; then tree() and best() are as before the round, and the object must not be
  /// used further.
  void round();

  /// At the end looks at all instants of the simplices of which nothing is said yet, as long as
  /// each of them gets a bound. Throws Interrupted; then nothing is changed.
  void look_at_all_instants(const Interruption& interrupted);

  /// Offers a geometry that may be better than the best, as a point of the part's unit box.
  void offer(std::span<const double> at);
  /// Gives the value of a design with other springs: only bounds up to the gap above it matter.
  void beat(double value) { known_elsewhere_ = std::min(known_elsewhere_, value); }
  /// Halves the gap from now on.
  void halve_gap() { gap_ = {gap_.relative / 2.0, gap_.floor / 2.0}; }
  /// Frees what the next round can recompute, to leave memory for other searches.
  void rest() { bounds_.clear(); }

  /// No geometry and springs do better. It never falls from round to round.
  [[nodiscard]] double bound() const;
  [[nodiscard]] const Best& best() const { return best_; }  // of these springs
  /// The gap that is looked for.
  [[nodiscard]] double gap() const { return gap_.of(best_known()); }
  /// Nothing is left to bisect: the gap is reached, or simplices are too small.
  [[nodiscard]] bool finished() const;
  [[nodiscard]] bool proved() const { return bound() >= best_known() - gap(); }
  /// The memory of its corners and simplices, without that of solvers; the same on any number of
  /// threads.
  [[nodiscard]] std::size_t bytes() const { return bytes_ + nodes_.size() * sizeof(Node); }
  /// Simplices bounded so far.
  [[nodiscard]] std::int64_t simplices() const { return static_cast<std::int64_t>(nodes_.size()); }
  /// The box of a leaf with the lowest bound, per variable of the part: where the bound is loose.
  [[nodiscard]] std::vector<std::array<double, 2>> loosest() const;
  /// The shares of the box that hold nothing better because of limits, and because of the bound.
  struct Shares {
    double by_limits = 0.0, by_bound = 0.0;
  };
  [[nodiscard]] Shares shares() const;

 private:
  struct Node {
    DyadicSimplex simplex;
    std::array<int, most_dimensions + 1> corners{};
    SimplexBound bound;
    int first_half = -1;  // the second one follows it; -1: a leaf
  };

  [[nodiscard]] double best_known() const { return std::min(best_.value, known_elsewhere_); }
  [[nodiscard]] bool is_higher(int a, int b) const;
  void open(int leaf);
  void bisect_lowest();
  void add(const DyadicSimplex& simplex, std::vector<Node>& to);
  [[nodiscard]] std::vector<int> place(const MountTree& tree);
  void solve_new_corners(const std::vector<std::vector<double>>& starts);
  [[nodiscard]] SimplexBounds::Corners corners_of(
      const std::array<int, most_dimensions + 1>& corners) const;
  void bound_each(std::size_t count,
                  const std::function<void(SimplexBounds& bounds, std::size_t i)>& bound);
  void bound_halves(std::vector<Node>& halves);
  void add_corner(MountCorner&& corner);
  void note_best(std::size_t first_corner);
  [[nodiscard]] Best descent(CornerSolver& solver, const Best& from) const;
  void descend();
  void descend_elsewhere(std::size_t corners_before);

  const MountProblem& problem_;
  DyadicBisection bisection_;
  MountGap gap_;
  std::vector<CornerSolver> solvers_;
  std::vector<SimplexBounds> bounds_;
  DyadicCorners points_;
  std::vector<MountCorner> corners_;
  std::size_t bytes_ = 0;  // of the corners, and of what simplices refer to
  std::vector<Node> nodes_;
  std::vector<int> open_;       // a heap of leaves, the lowest bound first
  std::vector<int> bisecting_;  // leaves that the present round bisects
  Best best_;
  double known_elsewhere_ = no_limit;  // the best of other springs
  double closed_ = no_limit;           // lowest bound of leaves that may not be bisected
};

}  // namespace counterpoise
