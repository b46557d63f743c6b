#pragma once

#include <cstdint>
#include <optional>

#include "springs/mounts/deciding_loads.hpp"
#include "springs/mounts/simplex_terms.hpp"

namespace counterpoise {

/// Why a part of the box holds nothing better: by the interpolated multipliers of all corners, also
/// tightened by a design that is known; by one corner's multipliers; by one combination of the
/// corners' multipliers, loads inside and lengths to keep; because no springs can meet
/// the limits there; because of interval bounds of the norms, in all_intervals at all instants; or
/// because a parameter of the model is beyond its bound. Halves that prove less than their simplex
/// keep its bound, so that a bound never falls with more work.
struct BoundReason {
  enum class Kind : std::uint8_t {
    none,
    interpolated,
    corner,
    conflict,
    corner_conflict,
    length,
    norms,
    parameter,
    intervals,
    all_intervals,
    tightened,
    combined
  };
  Kind kind = Kind::none;
  std::uint8_t corner = 0;
  std::uint16_t above = 0;   // bisections between the bounded simplex and this one
  double cutoff = no_limit;  // of a tightened bound: the objective of the design, and most it says
  std::vector<MountRow::Name> loads = {};  // of a combined bound: those that decide inside

  /// Whether no springs meet the limits, rather than none do better than the bound.
  [[nodiscard]] bool of_limits() const {
    return kind == Kind::conflict || kind == Kind::corner_conflict || kind == Kind::length ||
           kind == Kind::parameter;
  }
};

struct SimplexBound {
  double bound = -no_limit;  // infinite where no springs can meet the limits
  BoundReason reason;
};

/// Lower bounds of the objective over all geometries of a simplex and all springs. One per thread.
///
/// With multipliers y_v at the corners g_v, the combination sum of lambda_v y_v is a set of
/// multipliers too, and so the objective at g = sum of lambda_v g_v is at least
///   sum over v, w of lambda_v lambda_w y_v A(g_w) (1, x) + sum over v of lambda_v y_v E(g) (1, x)
/// for all springs x, where E is the error of A's linear interpolation. The first sum is a
/// quadratic form in lambda; E is at least another one, from enclosures of A's second derivatives
/// over the simplex, so that the whole is a cubic form. The least of its Bernstein coefficients
/// over all x is a bound. At the corners it is exact, and between them its error falls with the
/// square of the simplex's size, because first orders cancel: y_v is optimal at g_v.
///
/// Where a design is known, only springs that do as well matter: loads R(g) (1, x) are at most its
/// objective K and limits at most 0. What a coefficient says of x is small, of second order, and
/// rows z >= 0 with z R about opposite to it nearly cancel it; the rest is small of third order. So
/// the coefficient plus z (R (1, x) - K), with R anywhere in the simplex, is least over all x where
/// it matters, and min(bound, K) is a bound. The form is also bisected where its coefficients are
/// low, which costs no multipliers and brings them nearer to its least value.
///
/// Where springs are given, the optimum at a corner is its largest load, and says little of places
/// where another one is largest. There one combination of several loads is the bound of the whole
/// simplex, with lengths that springs have to keep: the one whose least Bernstein coefficient is
/// highest, by a linear program. Its dual multipliers are a place where none of these loads is
/// larger; the load that is largest there is taken in, as in Kelley's cutting planes, until there
/// is nothing to gain. The error is of interpolation alone.
class SimplexBounds {
 public:
  /// `problem` must outlive it.
  explicit SimplexBounds(const MountProblem& problem);

  /// What is known at the corners of a simplex.
  using Corners = std::array<const CornerWeights*, most_dimensions + 1>;
  /// The best of all bounds that these give, where a design with the objective `cutoff` is known,
  /// or an infinite one; of bounds above the cutoff some.
  SimplexBound best(const DyadicSimplex& simplex, const Corners& corners, double cutoff);
  /// The bound that one of them gives.
  double bound(const DyadicSimplex& simplex, const Corners& corners, const BoundReason& reason);

 private:
  /// Sets of multipliers at each corner, as the terms have them.
  using TermsOfCorners = std::array<const SimplexTerms::Terms*, most_dimensions + 1>;
  /// A cubic form in lambda by its Bernstein coefficients, affine functions of the unknowns one
  /// after the other. See place_of() for their order.
  struct Form {
    std::vector<Interval> coefficients;
    std::vector<double> least;        // of each coefficient over all springs that matter
    double lowest = no_limit;         // of these
    std::array<std::size_t, 3> at{};  // the corners of one that is about the lowest
  };
  /// Rows that decide one corner's optimum, of which other affine functions are combinations as far
  /// as unknowns that are at no end of their ranges go.
  struct Basis {
    std::vector<std::size_t> rows;
    std::vector<double> inverse;  // factors of each row, by slopes of each unknown
    std::vector<double> null;     // positive factors whose combination has no slopes
    Eigen::Index directions = 0;  // in which unknowns are free
  };

  [[nodiscard]] bool is_eighth(const DyadicSimplex& simplex) const;
  [[nodiscard]] double of_intervals(const DyadicSimplex& simplex);
  [[nodiscard]] double of_intervals(SimplexTerms::Instants instants);
  [[nodiscard]] double least_of(const SeriesNorm& norm, SimplexTerms::Instants instants);
  enum class Sets { optimal, conflict };
  /// The corners that have such multipliers.
  [[nodiscard]] std::vector<std::size_t> known(const Corners& corners, Sets sets) const;
  [[nodiscard]] static const MountWeights& weights_of(const CornerWeights& corner, Sets sets) {
    return sets == Sets::optimal ? *corner.optimal : *corner.conflict;
  }
  [[nodiscard]] double interpolated(const Corners& corners, Sets sets);
  [[nodiscard]] double of_corner(const CornerWeights& corner, Sets sets);
  [[nodiscard]] double tightened(const Corners& corners, double cutoff);
  [[nodiscard]] SimplexBound combined(const Corners& corners, double enough);
  [[nodiscard]] double combined(const Corners& corners, const std::vector<MountRow::Name>& loads);
  void start_combination(const Corners& corners);
  void combine(const MountWeights& weights, bool of_objective);
  [[nodiscard]] double best_combination(std::array<double, most_dimensions>* least_at);
  void find_form(const TermsOfCorners& of);
  [[nodiscard]] double lowest_coefficient() const;
  void find_rows(const Corners& corners, double cutoff);
  void add_basis(const CornerWeights& corner, const std::vector<const MountRow*>& rows,
                 std::size_t w, double cutoff);
  [[nodiscard]] double least_that_matters(std::span<const Interval> coefficient, double enough);
  void find_lowest(Form& form, double enough, std::size_t changed);
  [[nodiscard]] Form half(const Form& whole, std::size_t kept, std::size_t gone) const;

  const MountProblem& problem_;
  SimplexTerms terms_;
  std::size_t corners_;
  std::vector<MountProblem::LeastSum> sums_;
  double of_norms_ = -no_limit;     // the bound that needs no multipliers of samples
  std::vector<Interval> form_;      // Bernstein coefficients
  std::vector<Coefficients> rows_;  // over the simplex, at most 0 where a design matters
  std::vector<Basis> bases_;
  std::vector<double> factors_;
  Coefficients corrected_;
  /// A function over the simplex, at least a quadratic form by its Bernstein coefficients.
  struct Combined {
    std::vector<double> least;
    double size = 0.0;  // of these
    Interval pieces;    // of the objective; 0 of what has to be at most 0
  };
  std::vector<Combined> combination_;
  DecidingLoads deciding_;
};

}  // namespace counterpoise
