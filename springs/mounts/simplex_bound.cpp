#include "springs/mounts/simplex_bound.hpp"

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
    : problem_(problem), terms_(problem), corners_(terms_.corners()), sums_(problem.least_sums()) {
  for (const MountProblem::LeastSum& sum : sums_)
    of_norms_ = std::max(of_norms_, sum.without_norms);
}

/// What intervals of the loads say at some instants or, where these say nothing, at all. As halves
/// seldom say more, these are looked at again only once all edges are an eighth as long.
double SimplexBounds::of_intervals(const DyadicSimplex& simplex) {
  const double most = of_intervals(SimplexTerms::Instants::some);
  const int eighth = 3 * std::max(problem_.functions().count(), 1);  // bisections
  const bool all_too = simplex.level % eighth == 0;
  return most > of_norms_ || !all_too ? most : of_intervals(SimplexTerms::Instants::all);
}

/// The largest of the objective's sums, with every norm at what intervals of its loads say.
double SimplexBounds::of_intervals(SimplexTerms::Instants instants) {
  double most = of_norms_;
  for (const MountProblem::LeastSum& sum : sums_) {
    Interval least(sum.without_norms);
    for (const ConvexSum::Term& term : sum.norms)
      least += term.weight * Interval(least_of(problem_.norm(term.index), instants));
    if (std::isfinite(least.low)) most = std::max(most, least.low);
  }
  return most;
}

/// What a norm of loads is at least, all over the simplex and for all springs; 0 for tensions.
double SimplexBounds::least_of(const SeriesNorm& norm, SimplexTerms::Instants instants) {
  Interval sum(0.0);
  double most = 0.0;
  for (const SeriesNorm::Part& part : norm.parts) {
    const SeriesOrigin& origin = problem_.origin_of_series(part.series);
    if (origin.actuator < 0) continue;
    const std::vector<double> sizes = terms_.least_sizes(origin, instants);
    for (std::size_t k = 0; k < sizes.size(); ++k) {
      const Interval size = (part.weights.empty() ? 1.0 : part.weights[k]) * Interval(sizes[k]);
      most = std::max(most, size.low);
      sum += norm.kind == NormKind::l2 ? square(size) : size;
    }
  }
  if (norm.kind == NormKind::max) return most;
  return std::max(0.0, norm.kind == NormKind::l2 ? root(sum).low : sum.low);
}

/// The least Bernstein coefficient of a cubic form in lambda, over all x. With a_vw the mean of y_v
/// A(g_w) and y_w A(g_v), err_u,vw the error of y_u A along an edge, and flat_u what is no form:
///   vvv:  a_vv + flat_v
///   vvw: (a_vv + 2 a_vw + err_v,vw + 2 flat_v + flat_w) / 3
///   uvw: (2 (a_uv + a_uw + a_vw) + err_u,vw + err_v,uw + err_w,uv
///         + 2 (flat_u + flat_v + flat_w)) / 6
double SimplexBounds::lowest(const TermsOfCorners& of) const {
  double lowest = no_limit;
  const auto take = [&](double times) {
    lowest = std::min(
        lowest, times == 1.0 ? problem_.least(scratch_) : below(problem_.least(scratch_) / times));
  };
  const auto add = [&](const Coefficients& more) {
    for (std::size_t c = 0; c < more.size(); ++c) scratch_[c] += more[c];
  };
  const auto add_mean_twice = [&](std::size_t v, std::size_t w) {
    add(of[v]->at[w]);
    add(of[w]->at[v]);
  };
  const auto add_error = [&](std::size_t u, std::size_t v, std::size_t w) {
    add(of[u]->errors[SimplexTerms::edge(v, w)]);
  };
  for (std::size_t v = 0; v < corners_; ++v) {
    scratch_ = of[v]->at[v];
    add(of[v]->flat);
    take(1.0);
    for (std::size_t w = 0; w < corners_; ++w) {
      if (w == v) continue;
      scratch_ = of[v]->at[v];
      add_mean_twice(v, w);
      add_error(v, v, w);
      for (const std::size_t u : {v, v, w}) add(of[u]->flat);
      take(3.0);
    }
  }
  for (std::size_t u = 2; u < corners_; ++u)
    for (std::size_t v = 1; v < u; ++v)
      for (std::size_t w = 0; w < v; ++w) {
        scratch_.assign(scratch_.size(), Interval(0.0));
        add_mean_twice(u, v);
        add_mean_twice(u, w);
        add_mean_twice(v, w);
        add_error(u, v, w);
        add_error(v, u, w);
        add_error(w, u, v);
        for (const std::size_t one : {u, v, w, u, v, w}) add(of[one]->flat);
        take(6.0);
      }
  return lowest;
}

double SimplexBounds::interpolated(WeightsList weights) const {
  Interval pieces = weights[0]->pieces;
  TermsOfCorners of{};
  for (std::size_t v = 0; v < corners_; ++v) {
    pieces = joined(pieces, weights[v]->pieces);
    of[v] = &terms_.of(v);
  }
  const double least = lowest(of);
  return pieces.low > 0.0 ? divided(least, pieces) : least;
}

double SimplexBounds::of_one(std::size_t which, const MountWeights& weights) const {
  TermsOfCorners of{};
  of.fill(&terms_.of(which));
  const double least = lowest(of);
  return weights.pieces.low > 0.0 ? divided(least, weights.pieces) : least;
}

SimplexBound SimplexBounds::best(const DyadicSimplex& simplex, const Corners& corners) {
  using Kind = BoundReason::Kind;
  terms_.set_simplex(simplex);
  if (terms_.excluded_by_length()) return {no_limit, {Kind::length, 0}};
  if (terms_.excluded_by_parameter()) return {no_limit, {Kind::parameter, 0}};
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
  // where multipliers say nothing yet
  if (best.reason.kind == Kind::norms) take(of_intervals(simplex), {Kind::intervals, 0}, false);
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
    case Kind::intervals:
      return of_intervals(simplex);
    case Kind::all_intervals:
      return of_intervals(SimplexTerms::Instants::all);
    case Kind::length:
      return terms_.excluded_by_length() ? no_limit : -no_limit;
    case Kind::parameter:
      return terms_.excluded_by_parameter() ? no_limit : -no_limit;
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
