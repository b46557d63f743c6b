#pragma once

#include <memory>

#include "springs/mounts/simplex_bound.hpp"
#include "springs/mounts/stored_mounts.hpp"

namespace counterpoise {

/// A geometry and a choice of springs: the values of SpringRoles::outer and the levels of
/// SpringRoles::held.
struct MountPlace {
  std::vector<double> outer;
  std::vector<int> held;
};

/// A solved geometry of a part: multipliers, and the best springs.
struct MountCorner {
  std::optional<InstantMultipliers> optimal;   // none if the geometry is impossible
  std::optional<InstantMultipliers> conflict;  // where no springs meet the limits
  CornerWeights weights;                       // of these
  double value = no_limit;  // with the part's best springs; infinite if no springs meet all limits
  std::vector<double> x;    // of these springs, or others to begin at
};

/// Solves the problems of single geometries, for their multipliers. One per thread.
class CornerSolver {
 public:
  /// `geometry` has the values of all outer variables (the part's are replaced) and the levels of
  /// all held ones. All must outlive it.
  CornerSolver(const MountProblem& problem, const SpringRoles& roles, SpringSizer& sizer,
               const SizingGoal& goal, MountPlace geometry, Interruption interrupted);

  /// Solves the problem at a point of the part's unit box. `start` are springs to begin at, or
  /// empty. The same arguments give the same result.
  [[nodiscard]] MountCorner solve(std::span<const double> at, const std::vector<double>& start);

 private:
  void solve_conflict(const MountProblem::Share& share, const ConvexSolution& none,
                      MountCorner& out);
  void note(const Certificate& certificate, const MountProblem::Share& share,
            std::optional<InstantMultipliers>& out) const;

  const MountProblem& problem_;
  const SpringRoles& roles_;
  SpringSizer& sizer_;
  SizingGoal goal_;
  MountPlace geometry_;
  ConvexOptions options_;
};

/// A part of the problem with certain springs chosen.
struct MountChoice {
  std::vector<int> levels;                // of MountPart::held
  std::unique_ptr<MountProblem> problem;  // null: a constraint or a limit excludes these springs
                                          // wherever they are mounted
};

/// A part of the problem with all choices of its springs; a single one, without levels, where none
/// are chosen.
struct MountFamily {
  MountPart part;
  std::vector<MountChoice> choices;
};

/// The problems of a study's mounts, and their solvers on each thread; used by the search and by
/// the check of its proof.
class MountSetup {
 public:
  /// Finds the parts of the problem; `study` must outlive it. Throws InputError where no geometry
  /// within the ranges is possible, mounts are not smooth functions of the variables, or springs
  /// can be chosen in too many ways.
  MountSetup(const Study& study, const SizingGoal& goal,
             const std::shared_ptr<const Baselines>& baselines, int threads,
             const Interruption& interrupted, PartsOf what = PartsOf::terms);

  /// Writes the problem of every choice. Cost: a millisecond for each.
  void write_choices();

  /// The roles of the study's variables; variables that choose springs are held.
  [[nodiscard]] const SpringRoles& roles() const { return roles_; }
  [[nodiscard]] const std::vector<MountFamily>& families() const { return families_; }
  /// Whether the objective is the sum of all parts, and not the largest of them.
  [[nodiscard]] bool adds_up() const { return families_.front().part.terms.has_value(); }
  /// The objective for these values or bounds of the parts, rounded down; infinite if one of them
  /// is, as then there is no such design.
  [[nodiscard]] double objective_of(std::span<const double> parts) const;
  [[nodiscard]] std::vector<SpringSizer>& sizers() { return sizers_; }
  /// A solver per thread.
  [[nodiscard]] std::vector<CornerSolver> solvers(const MountFamily& family,
                                                  const MountChoice& choice);
  /// The geometry at which the problems were written.
  [[nodiscard]] const MountPlace& reference() const { return reference_; }
  /// Chooses the springs of a part, and sets its variables to a point of its unit box unless that
  /// is empty.
  void place(const MountFamily& family, const MountChoice& choice, std::span<const double> at,
             MountPlace& place) const;
  /// The family and choice of a stored part; nothing if it does not belong to the study.
  struct Found {
    std::size_t family, choice;
  };
  [[nodiscard]] std::optional<Found> find(const StoredMounts::Part& part) const;
  /// The least gap that is looked for: 1e-9 of the objective without springs.
  [[nodiscard]] double floor() const { return floor_; }

 private:
  void find_possible_levels();
  void find_reference();
  void require_countable() const;

  const Study& study_;
  const SpringRoles roles_;
  SizingGoal goal_;
  Interruption interrupted_;
  std::vector<SpringSizer> sizers_;
  MountPlace reference_;
  std::vector<std::vector<int>> possible_;  // levels of each held variable
  std::vector<MountFamily> families_;
  double floor_ = 0.0;
};

}  // namespace counterpoise
