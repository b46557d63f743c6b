#include "studies/exact/mounts/simplex_bound.hpp"

#include <algorithm>
#include <cmath>

namespace counterpoise {
namespace {

/// least / pieces, rounded down.
double divided(double least, const Interval& pieces) {
  if (!std::isfinite(least)) return least;
  return below(least / (least >= 0.0 ? pieces.high : pieces.low));
}

}  // namespace

SimplexBounds::SimplexBounds(const MountProblem& problem)
    : problem_(problem),
      terms_(problem),
      corners_(terms_.corners()),
      of_norms_(problem.least_without_norms()) {}

/// The least value of a + b + (the error along an edge) / 2, or without an error.
double SimplexBounds::least(const Coefficients& a, const Coefficients& b,
                            const SimplexTerms::Terms& terms,
                            std::optional<std::size_t> edge) const {
  scratch_.resize(a.size());
  for (std::size_t c = 0; c < a.size(); ++c) {
    scratch_[c] = 0.5 * (a[c] + b[c]) + terms.flat[c];
    if (edge) scratch_[c] += 0.5 * terms.errors[*edge][c];
  }
  return problem_.least(scratch_);
}

double SimplexBounds::interpolated(WeightsList weights) const {
  double lowest = no_limit;
  Interval pieces = weights[0]->pieces;
  for (const MountWeights* one : weights) pieces = joined(pieces, one->pieces);
  for (std::size_t v = 0; v < corners_; ++v)
    for (std::size_t w = 0; w <= v; ++w)
      for (std::size_t u = 0; u < corners_; ++u)
        lowest = std::min(lowest,
                          least(terms_.of(v).at[w], terms_.of(w).at[v], terms_.of(u),
                                v == w ? std::nullopt : std::optional(SimplexTerms::edge(v, w))));
  return pieces.low > 0.0 ? divided(lowest, pieces) : lowest;
}

double SimplexBounds::of_one(std::size_t which, const MountWeights& weights) const {
  double lowest = no_limit;
  const SimplexTerms::Terms& terms = terms_.of(which);
  for (std::size_t v = 0; v < corners_; ++v)
    for (std::size_t w = 0; w <= v; ++w)
      lowest =
          std::min(lowest, least(terms.at[v], terms.at[w], terms,
                                 v == w ? std::nullopt : std::optional(SimplexTerms::edge(v, w))));
  return weights.pieces.low > 0.0 ? divided(lowest, weights.pieces) : lowest;
}

SimplexBound SimplexBounds::best(const DyadicSimplex& simplex, const Corners& corners) {
  using Kind = BoundReason::Kind;
  terms_.set_simplex(simplex);
  if (terms_.excluded_by_length()) return {no_limit, {Kind::length, 0}};
  SimplexBound best{of_norms_, {Kind::norms, 0}};
  const auto take = [&](double bound, BoundReason reason, bool conflict) {
    if (conflict) bound = bound > 0.0 ? no_limit : -no_limit;
    if (bound > best.bound) best = {bound, reason};
  };
  for (const bool conflict : {false, true}) {
    const auto& all = conflict ? corners.conflict : corners.optimal;
    std::vector<const MountWeights*> known;
    std::vector<std::size_t> places;
    for (std::size_t w = 0; w < corners_; ++w)
      if (all[w] != nullptr) {
        known.push_back(all[w]);
        places.push_back(w);
      }
    if (known.empty()) continue;
    terms_.compute(known);
    if (known.size() == corners_)
      take(interpolated(known), {conflict ? Kind::conflict : Kind::interpolated, 0}, conflict);
    for (std::size_t i = 0; i < known.size(); ++i)
      take(of_one(i, *known[i]),
           {conflict ? Kind::corner_conflict : Kind::corner, static_cast<std::uint8_t>(places[i])},
           conflict);
  }
  return best;
}

double SimplexBounds::bound(const DyadicSimplex& simplex, const Corners& corners,
                            BoundReason reason) {
  using Kind = BoundReason::Kind;
  terms_.set_simplex(simplex);
  const bool conflict = reason.kind == Kind::conflict || reason.kind == Kind::corner_conflict;
  const auto& all = conflict ? corners.conflict : corners.optimal;
  const auto judged = [&](double bound) {
    return !conflict ? bound : bound > 0.0 ? no_limit : -no_limit;
  };
  switch (reason.kind) {
    case Kind::norms:
      return of_norms_;
    case Kind::length:
      return terms_.excluded_by_length() ? no_limit : -no_limit;
    case Kind::interpolated:
    case Kind::conflict: {
      const WeightsList weights(all.data(), corners_);
      if (std::find(weights.begin(), weights.end(), nullptr) != weights.end()) return -no_limit;
      terms_.compute(weights);
      return judged(interpolated(weights));
    }
    case Kind::corner:
    case Kind::corner_conflict: {
      if (reason.corner >= corners_ || all[reason.corner] == nullptr) return -no_limit;
      terms_.compute(WeightsList(&all[reason.corner], 1));
      return judged(of_one(0, *all[reason.corner]));
    }
    case Kind::none:
      break;
  }
  return -no_limit;
}

}  // namespace counterpoise
