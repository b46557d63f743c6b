#pragma once

#include <cstdint>
#include <optional>

#include "springs/mounts/simplex_terms.hpp"

namespace counterpoise {

/// Why a part of the box holds nothing better: by the interpolated multipliers of all corners; by
/// one corner's multipliers; because no springs can meet the limits there; because of interval
/// bounds of the norms, in all_intervals at all instants; or because a parameter of the model is
/// beyond its bound. Halves that prove less than their simplex keep its bound, so that a bound
/// never falls with more work.
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
    all_intervals
  };
  Kind kind = Kind::none;
  std::uint8_t corner = 0;
  std::uint16_t above = 0;  // bisections between the bounded simplex and this one

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
class SimplexBounds {
 public:
  /// `problem` must outlive it.
  explicit SimplexBounds(const MountProblem& problem);

  /// Multipliers at the corners of a simplex; null where there are none.
  struct Corners {
    std::array<const MountWeights*, most_dimensions + 1> optimal{};   // of optima
    std::array<const MountWeights*, most_dimensions + 1> conflict{};  // of limits that exclude
  };
  /// The best of all bounds that these give.
  SimplexBound best(const DyadicSimplex& simplex, const Corners& corners);
  /// The bound that one of them gives.
  double bound(const DyadicSimplex& simplex, const Corners& corners, BoundReason reason);

 private:
  [[nodiscard]] double of_intervals(const DyadicSimplex& simplex);
  [[nodiscard]] double of_intervals(SimplexTerms::Instants instants);
  [[nodiscard]] double least_of(const SeriesNorm& norm, SimplexTerms::Instants instants);
  [[nodiscard]] double interpolated(WeightsList weights) const;
  [[nodiscard]] double of_one(std::size_t which, const MountWeights& weights) const;
  /// The terms of the multipliers at each corner.
  using TermsOfCorners = std::array<const SimplexTerms::Terms*, most_dimensions + 1>;
  [[nodiscard]] double lowest(const TermsOfCorners& of) const;

  const MountProblem& problem_;
  SimplexTerms terms_;
  std::size_t corners_;
  std::vector<MountProblem::LeastSum> sums_;
  double of_norms_ = -no_limit;  // the bound that needs no multipliers of samples
  mutable Coefficients scratch_;
};

}  // namespace counterpoise
