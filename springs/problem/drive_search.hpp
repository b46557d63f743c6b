#pragma once

#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "springs/problem/cheapest_drives.hpp"

namespace counterpoise {

/// A point of the springs, with what was chosen.
struct Springs {
  std::vector<double> x;
  std::vector<int> options;
  double value = 0.0;
};

/// Springs between bounds, and the options of each group that are.
struct SpringBox {
  std::vector<double> lower, upper;
  std::vector<ChoiceGroup> groups;
  std::vector<std::vector<int>> places;  // of these options among all of the problem
};

/// The loads that springs leave an actuator with.
void loads_at(const AffineSeries& load, const std::vector<double>& x, std::vector<double>& out);

/// Pairs for some of the drives, and the loads that they allow.
struct PairSet {
  std::vector<std::size_t> drives;
  std::vector<DrivePair> pairs;
  std::vector<AllowedLoads> allowed;
  std::vector<std::vector<LoadInterval>> ranges;  // of each sample
};

/// Looks for springs that sets of pairs suffice for, one set after the other. The problem must
/// outlive it.
class DriveSearch {
 public:
  DriveSearch(const DriveProblem& problem, const ConvexOptions& options);

  /// Pairs with the loads that they allow; nothing if some sample is beyond them, whatever the
  /// springs.
  [[nodiscard]] std::optional<PairSet> set_of(const std::vector<std::size_t>& drives,
                                              const std::vector<DrivePair>& pairs) const;
  /// Whether multipliers that were found before exclude these pairs, too: that they suffice for no
  /// springs, or for none whose objective is below `below`.
  [[nodiscard]] bool excluded_before(const PairSet& set, double below = infinity) const;

  enum class Answer { suffices, excluded, open };
  /// Finds springs for which pairs suffice, from `springs` on, or a proof that there are none.
  Answer settle(const PairSet& whole, Springs& springs);
  /// Looks for springs for which pairs suffice and whose objective is below that of `springs`, as
  /// small as they allow, and leaves `springs` if there are none. Returns what no such springs are
  /// below: springs.value, or less where ranges would have to be split too often.
  double improve(const PairSet& whole, Springs& springs);

 private:
  /// An affine function of the loads of one drive that must not be above 0, in shares of what the
  /// drive can carry.
  struct Cut {
    std::size_t drive = 0;
    std::vector<std::pair<std::size_t, double>> slopes;  // of samples' loads
    double constant = 0.0;
    AllowedLoads::Mean mean = AllowedLoads::Mean::torque;
    std::vector<double> weights = {};  // of a mean: of f at each sample; empty: of one load
    ConvexSum sum = {};                // the same function of the springs
  };
  /// What the multipliers of a conflict, or of an optimum, say of all springs: the sum of slope * u
  /// over all samples, and the objective if it is an optimum, is at least `bound`. The weights are
  /// those of the means that took part.
  struct Exclusion {
    struct Term {
      std::size_t drive, sample;
      double slope, of_torque, of_load;
    };
    std::vector<Term> terms;
    struct Norms {
      double torque = 0.0, load = 0.0;  // sqrt(sum of weight^2 / time), times that of all time
    };
    std::vector<Norms> norms;  // one per drive
    double bound = 0.0, size = 0.0;
    bool optimum = false;
    double multipliers = 0.0;  // sum of those of demands
  };
  /// A part of all springs that is still to be looked at, and cuts that hold there.
  struct Part {
    SpringBox box;
    std::vector<Cut> cuts;
    double bound = -no_limit;  // of the objective there
  };

  static LoadInterval range_in(const SpringBox& box, const AffineSeries& load, std::size_t k);
  void set_loads(const PairSet& set, const std::vector<double>& x);
  [[nodiscard]] bool suffices(const PairSet& set, double slack);
  bool cut(const PairSet& set, std::vector<Cut>& cuts) const;
  void cut_ranges(const PairSet& set, std::size_t i, std::vector<Cut>& cuts) const;
  void cut_mean(const PairSet& set, std::size_t i, AllowedLoads::Mean mean,
                std::vector<Cut>& cuts) const;
  [[nodiscard]] double value_of(const Cut& cut) const;
  [[nodiscard]] ConvexSum sum_of(const Cut& cut) const;
  void note_exclusion(const std::vector<Cut>& cuts, std::span<const double> multipliers,
                      double bound, bool optimum);
  void note_optimum(const std::vector<Cut>& cuts, const ConvexSolution& relaxed);
  bool split(const PairSet& set, const std::vector<double>& x, SpringBox& box,
             SpringBox& other) const;
  bool take_options(std::size_t unknown, SpringBox& box) const;
  static void hull_options(std::size_t g, SpringBox& box);
  bool narrow(const SpringBox& box, PairSet& set) const;
  Answer settle_in(const PairSet& set, const SpringBox& box, bool whole, Springs& springs,
                   std::vector<Cut>& cuts);
  [[nodiscard]] std::optional<Springs> solved(ConvexProblem convex, const SpringBox& box,
                                              const std::vector<double>& start,
                                              ConvexSolution& relaxed) const;
  void approach(const PairSet& set, const std::vector<double>& others, Springs& springs);

  const DriveProblem& problem_;
  ConvexOptions options_;
  ConvexProblem limits_;                           // without an objective
  SpringBox box_;                                  // of all springs
  std::vector<std::vector<LoadInterval>> ranges_;  // the loads that any of these cause, by drive
  std::vector<double> times_;                      // sum of all weights, by drive
  std::vector<Exclusion> exclusions_;
  std::vector<std::vector<double>> loads_;  // of the springs last looked at, by drive
  ShaftSamples samples_;
};

}  // namespace counterpoise
