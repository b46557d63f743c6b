#pragma once

#include <Eigen/Core>
#include <array>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "springs/mounts/mount_functions.hpp"
#include "springs/mounts/mount_numbers.hpp"
#include "springs/mounts/mount_parts.hpp"
#include "springs/mounts/moving_spring.hpp"

namespace counterpoise {

/// Dual multipliers by instant: one geometry's certificate with the instants of limits and tensions
/// named, so that the multipliers are valid at every geometry. Indices of objective sums, norms and
/// parts refer to the whole problem of any geometry (WrittenProblem).
struct InstantMultipliers {
  struct Piece {
    std::int32_t sum = 0;      // of the objective
    std::int32_t sample = -1;  // of its tension
    double multiplier = 0.0;
  };
  struct Limit {
    std::int32_t limit = 0;    // a general limit, or -1 - i for spring limit i
    std::int32_t sample = -1;  // of a spring limit, or of a general one's tension
    double multiplier = 0.0;
  };
  struct Witness {
    std::int32_t norm = 0, part = 0, sample = 0;
    double weight = 0.0;
  };
  std::vector<Piece> pieces;  // sum 1, or none: a proof that limits cannot be met
  std::vector<Limit> limits;
  std::vector<Witness> witnesses;

  [[nodiscard]] bool of_conflict() const { return pieces.empty(); }
};

/// An affine function of the unknowns, enclosed: the constant first.
using Coefficients = std::vector<Interval>;

/// An affine function of the unknowns at any geometry: a constant part, and weights of the
/// quantities that geometry changes.
struct MountSum {
  struct Load {
    std::int32_t sample, actuator;  // place in MovingSpring::actuators()
    double weight;
  };
  /// A weight of a spring's length, which enters one of MountProblem::length_roles().
  struct Length {
    std::int32_t sample, role;
    double weight;
  };
  struct OfSpring {
    std::vector<Load> loads;
    std::vector<Length> lengths;
  };
  Coefficients constant;
  std::vector<OfSpring> of_springs;  // one per MountProblem::springs()
};

/// The affine function that multipliers give at any geometry: a sum, products of sums with
/// functions of the mounts, and such functions alone.
struct MountWeights : MountSum {
  /// A function of MountProblem::numbers(), times a multiplier.
  struct Multiple {
    std::int32_t number;
    double multiplier;
  };
  struct Product {
    std::int32_t norm = -1;         // whose weight the factor is; -1: that of a least tension
    Interval fixed;                 // the factor is this
    std::vector<Multiple> varying;  // and the sum of these
    MountSum of;
  };
  /// A multiple that is added to a coefficient.
  struct Addend {
    std::size_t coefficient;
    Multiple value;
  };
  std::vector<Product> products;
  std::vector<Addend> addends;
  Interval pieces;  // the sum of the objective's multipliers
};

/// A load or a limit of its own, as an affine function of the unknowns at any geometry: at most the
/// objective or, of a limit that is kept, at most 0.
struct MountRow {
  /// A load: its sum of the objective, norm, part, and sample + 1, below 0 for -load. A limit: -1,
  /// the limit as in InstantMultipliers, sample, 0. Two rows of one name are the same function.
  using Name = std::array<std::int32_t, 4>;
  Name name{};
  bool of_limit = false;
  MountWeights weights;
};

/// What the multipliers of one geometry say of others.
struct CornerWeights {
  std::optional<MountWeights> optimal;   // of its optimum
  std::optional<MountWeights> conflict;  // of limits that exclude
  std::vector<MountRow> rows;            // that decide its optimum
};

/// The data that the problems of one part share for all choices of springs: the numbers of the
/// motions, and springs as functions of the variables that move them. Immutable.
struct MountGeometry {
  /// `sizer` has written the problem of a geometry in the box. Throws InputError where a mount is
  /// not twice differentiable.
  MountGeometry(const Study& study, const MountPart& part, SpringSizer& sizer);

  [[nodiscard]] const AffineLoads::SpringShape& shape(const SpringLimit& limit) const {
    return loads[limit.motion].springs[limit.spring];
  }

  MountFunctions functions;
  std::vector<AffineLoads> loads;  // of that geometry, per motion
  std::vector<MovingSpring> springs;
  std::vector<std::size_t> same;         // per spring: the first one that is the same function
  std::vector<std::vector<int>> moving;  // per motion and spring: index of springs, or -1
};

/// The convex problems of all geometries in a box of mounts, written as one: what is the same for
/// all, and springs whose lengths and influences are functions of the variables.
///
/// A problem of one geometry reads a spring's length where it is least or greatest. Here every
/// limit on it is replaced by an equivalent limit at each instant, and every sum with a least
/// tension by one sum at each instant. Immutable.
class MountProblem {
 public:
  /// `sizer` has written the problem of a geometry in the box, with this problem's springs chosen;
  /// `geometry` may be shared with the problems of other springs. Throws InputError where limits
  /// leave a moving spring one length only.
  MountProblem(const Study& study, const SpringRoles& roles, SpringSizer& sizer, MountPart part,
               std::shared_ptr<const MountGeometry> geometry);

  [[nodiscard]] const MountPart& part() const { return part_; }
  [[nodiscard]] const MountFunctions& functions() const { return geometry_->functions; }
  [[nodiscard]] const std::vector<MovingSpring>& springs() const { return geometry_->springs; }
  [[nodiscard]] std::size_t unknowns() const { return lower_.size(); }
  /// Whether a spring that no variable moves breaks a limit of its own, so that there is no design.
  [[nodiscard]] bool impossible() const { return impossible_; }

  /// This part's share of the problem of one geometry: without the sums and limits of other parts,
  /// and without limits that no springs could change.
  struct Share {
    ConvexProblem problem;
    std::vector<int> limits;  // index in the whole problem of each limit
  };
  [[nodiscard]] Share share_of(const WrittenProblem& written) const;
  /// The multipliers of a certificate for the share of the problem that `sizer` has written last.
  /// Sizes of dual vectors that rounding has left too large are reduced.
  [[nodiscard]] InstantMultipliers by_instant(const Certificate& certificate, const Share& share,
                                              const SpringSizer& sizer) const;
  /// Says in words why multipliers prove nothing: signs, indices, dual balls, all with rounding on
  /// the safe side; empty if they do prove something.
  [[nodiscard]] std::string fault_of(const InstantMultipliers& multipliers) const;
  /// Multipliers that have no fault, made ready for any geometry.
  [[nodiscard]] MountWeights weights_of(const InstantMultipliers& multipliers) const;

  /// The same for all that is known of a geometry, with the rows of its optimal multipliers: the
  /// largest loads, where the objective is the largest of some loads, and the limits of springs.
  [[nodiscard]] CornerWeights weights_of(const std::optional<InstantMultipliers>& optimal,
                                         const std::optional<InstantMultipliers>& conflict) const;
  /// A load that the objective is the largest of, or of sums with others that are at least 0.
  struct LoadOfObjective {
    int sum = 0, norm = 0, part = 0;
    SeriesOrigin origin;
    std::span<const double> weights;  // in the norm, one per sample; empty: all 1
    double factor = 1.0;              // of the norm in the sum
    double constant = 0.0;            // of the sum

    [[nodiscard]] double weight_at(int sample) const {
      return factor * (weights.empty() ? 1.0 : weights[static_cast<std::size_t>(sample)]);
    }
  };
  /// Those whose weights no mounts change.
  [[nodiscard]] std::vector<LoadOfObjective> loads_of_objective() const;
  [[nodiscard]] static MountRow::Name name_of(const LoadOfObjective& load, int sample,
                                              bool negative) {
    return {load.sum, load.norm, load.part, negative ? -1 - sample : 1 + sample};
  }
  /// The row of a load of the objective; nothing if there is none of that name.
  [[nodiscard]] std::optional<MountRow> row_of(const MountRow::Name& name) const;
  /// The numbers of its sums that mounts change.
  [[nodiscard]] const MountNumbers& numbers() const { return numbers_; }

  static constexpr int role_of_rate = -1, role_of_number = -2;
  /// The law of a spring of springs().
  [[nodiscard]] const TensionLaw& law_of(std::size_t spring) const {
    return laws_[springs()[spring].motion()][springs()[spring].spring()];
  }
  /// The first of springs() that is the same function of the variables: the same spring in a motion
  /// with the same positions.
  [[nodiscard]] std::size_t same_as(std::size_t spring) const { return geometry_->same[spring]; }

  /// The factors of weighted lengths: the tension's rate (-1), a number (-2), or an unknown.
  [[nodiscard]] const std::vector<int>& length_roles() const { return length_roles_; }
  /// Adds value * (what e and f stand for) to coefficients.
  void add_e(std::size_t spring, const Interval& value, Coefficients& to) const;
  void add_f(std::size_t spring, const Interval& value, Coefficients& to) const;

  /// The least value of an affine function over all springs within their ranges, rounded down: the
  /// box of the unknowns, in which a product p = k * L0 stays between low * k and high * k.
  [[nodiscard]] double least(std::span<const Interval> coefficients) const;

  /// Directions, one per column and as long as ranges are wide, in which the springs that minimise
  /// an affine function may go without a change of it by more than `negligible`.
  [[nodiscard]] Eigen::MatrixXd level_directions(std::span<const Interval> coefficients,
                                                 double negligible) const;

  /// A sum of the part's objective: its least value without the norms, and the norms whose weights
  /// no mounts change.
  struct LeastSum {
    double without_norms = -no_limit;
    std::vector<ConvexSum::Term> norms;
  };
  /// The sums of the objective that have no least tension.
  [[nodiscard]] std::vector<LeastSum> least_sums() const;
  [[nodiscard]] const SeriesNorm& norm(int index) const { return reference_.problem.norms[index]; }
  [[nodiscard]] const SeriesOrigin& origin_of_series(int series) const {
    return reference_.origins[series];
  }
  [[nodiscard]] std::size_t samples(std::size_t motion) const {
    return static_cast<std::size_t>(geometry_->loads[motion].samples);
  }
  /// A load at one sample, without the springs that the variables move.
  [[nodiscard]] Coefficients load_without_moving_springs(const SeriesOrigin& load,
                                                         int sample) const;

  /// The lengths that some spring within its ranges may have, of one moving spring; each spring at
  /// most once.
  struct LengthRange {
    std::size_t spring;  // of springs()
    double least, most;
  };
  [[nodiscard]] const std::vector<LengthRange>& length_ranges() const { return length_ranges_; }
  /// What a spring at one instant has above the most of its range, or below the least.
  [[nodiscard]] MountWeights beyond(const LengthRange& range, std::int32_t sample,
                                    bool too_long) const;
  /// Whether the lengths of springs at one geometry keep the part's limits on lengths alone.
  [[nodiscard]] bool keeps_lengths(const WrittenProblem& written,
                                   const std::vector<AffineLoads>& loads) const;
  /// Whether the parameters of the model keep their bounds at a point of the unit box.
  [[nodiscard]] bool keeps_parameters(std::span<const double> at) const;

 private:
  struct Group {
    int rate;
    struct Product {
      int unknown;
      double low, high;
    };
    std::vector<Product> products;
  };

  void find_groups(const Study& study, const SpringRoles& roles, const SpringUnknowns& unknowns);
  void take_length_limit(const Study& study, const SpringRoles& roles, const SpringLimit& limit);
  void take_length_constraint(const LengthConstraint& constraint);
  void narrow(int spring, const Interval& number, double slope);
  void require_lengths(const Study& study) const;
  void add_static_load(std::size_t motion, int actuator, int sample, double weight,
                       Coefficients& to) const;
  void add_load(const SeriesOrigin& origin, int sample, double weight, MountSum& to) const;
  void add_tension(std::size_t motion, std::size_t spring, int sample, double weight,
                   MountSum& to) const;
  void add_limit(const InstantMultipliers::Limit& one, MountWeights& to) const;
  void add_sum(const ConvexSum& sum, const MountNumbers::OfSum& numbers, const TensionSum* tensions,
               int sample, double multiplier, MountWeights& to) const;
  [[nodiscard]] MountSum no_sum() const;
  [[nodiscard]] static MountWeights::Product& product_of(std::int32_t norm, MountWeights& to);
  void add_length(const TensionLaw& law, int role, const Interval& value, Coefficients& to) const;
  void add_length_weight(std::size_t motion, std::size_t spring, int sample, int role,
                         double weight, MountSum& to) const;
  [[nodiscard]] int role_of(int times) const;
  [[nodiscard]] int moving(std::size_t motion, std::size_t spring) const {
    return geometry_->moving[motion][spring];
  }
  [[nodiscard]] std::optional<LoadOfObjective> load_of(int sum, int norm, int part) const;
  [[nodiscard]] std::vector<MountRow> rows_of(const InstantMultipliers& multipliers) const;
  [[nodiscard]] const TensionSum* tension_of(bool of_limit, int index) const;
  [[nodiscard]] bool is_sample(std::size_t motion, int sample) const;
  [[nodiscard]] const SeriesOrigin& origin_of(const InstantMultipliers::Witness& witness) const;
  [[nodiscard]] std::vector<Interval> norm_weights(const InstantMultipliers& multipliers) const;
  void normalise(const WrittenProblem& written, InstantMultipliers& multipliers) const;
  void shrink(InstantMultipliers& multipliers) const;
  [[nodiscard]] std::vector<Interval> dual_sizes(const InstantMultipliers& multipliers) const;

  MountPart part_;
  std::shared_ptr<const MountGeometry> geometry_;
  WrittenProblem reference_;  // without its series
  MountNumbers numbers_;
  std::vector<int> general_;  // index in reference_.problem.limits of each general limit
  std::vector<std::vector<TensionLaw>> laws_;  // per motion and spring
  std::vector<int> length_roles_;
  std::vector<double> lower_, upper_;
  std::vector<Group> groups_;
  std::vector<bool> grouped_;  // per unknown
  std::vector<LengthRange> length_ranges_;
  std::vector<LengthConstraint> length_constraints_;  // of the part
  bool impossible_ = false;
};

}  // namespace counterpoise
