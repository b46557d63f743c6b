#include "springs/mounts/simplex_bound.hpp"

#include <Eigen/SVD>
#include <algorithm>
#include <cmath>
#include <utility>

#include "optimizer/convex/linear_program.hpp"

namespace counterpoise {
namespace {

// bisections of a form; more cost more than they raise the bound
constexpr int most_bisections = 8;
// coefficients that differ by less, relative, are alike
constexpr double alike_coefficients = 1e-9;
// of the objective: directions in which an affine function changes by less are level
constexpr double level_change = 1e-7;
// loads that a combined bound takes in at most, and by how much, relative, they have to gain
constexpr std::size_t most_loads = 8;
constexpr double least_gain = 1e-4;
// bounds that rise by less than this part of what is wanted are low because of the simplex's size
constexpr double near_enough = 0.5;
// multipliers of lengths, by the sizes of lengths and loads
constexpr double most_of_length = 100.0;
// singular values below this part of the largest are of dependent rows
constexpr double dependent_rows = 1e-9;

/// least / pieces, rounded down.
double divided(double least, const Interval& pieces) {
  if (!std::isfinite(least) || !(pieces.low > 0.0)) return least;
  return below(least / (least >= 0.0 ? pieces.high : pieces.low));
}

}  // namespace

SimplexBounds::SimplexBounds(const MountProblem& problem)
    : problem_(problem),
      terms_(problem),
      corners_(terms_.corners()),
      sums_(problem.least_sums()),
      deciding_(problem) {
  for (const MountProblem::LeastSum& sum : sums_)
    of_norms_ = std::max(of_norms_, sum.without_norms);
}

/// Whether all edges are an eighth as long as at the last simplex of that kind.
bool SimplexBounds::is_eighth(const DyadicSimplex& simplex) const {
  const int eighth = 3 * std::max(problem_.functions().count(), 1);  // bisections
  return simplex.level % eighth == 0;
}

/// What intervals of the loads say at some instants or, where these say nothing, at all. As halves
/// seldom say more, these are looked at again only once all edges are an eighth as long.
double SimplexBounds::of_intervals(const DyadicSimplex& simplex) {
  const double most = of_intervals(SimplexTerms::Instants::some);
  return most > of_norms_ || !is_eighth(simplex) ? most : of_intervals(SimplexTerms::Instants::all);
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

namespace {

/// The place of a coefficient among those of a cubic form, by its three corners in any order.
std::size_t place_of(std::size_t u, std::size_t v, std::size_t w) {
  if (u < v) std::swap(u, v);
  if (v < w) std::swap(v, w);
  if (u < v) std::swap(u, v);
  return u * (u + 1) * (u + 2) / 6 + v * (v + 1) / 2 + w;
}

/// Calls `visit(u, v, w)` for all coefficients of a cubic form in the order of their places.
template <class Visit>
void for_each_coefficient(std::size_t corners, const Visit& visit) {
  for (std::size_t u = 0; u < corners; ++u)
    for (std::size_t v = 0; v <= u; ++v)
      for (std::size_t w = 0; w <= v; ++w) visit(u, v, w);
}

const Interval sixth(below(1.0 / 6.0), above(1.0 / 6.0));

}  // namespace

/// The Bernstein coefficients of the cubic form. With a_vw the mean of y_v A(g_w) and y_w A(g_v),
/// err_u,vw the error of y_u A along an edge (0 for v = w), and flat_u what is no form, that of u,
/// v, w is
///   (2 (a_uv + a_uw + a_vw) + err_u,vw + err_v,uw + err_w,uv + 2 (flat_u + flat_v + flat_w)) / 6
void SimplexBounds::find_form(const TermsOfCorners& of) {
  const std::size_t count = 1 + problem_.unknowns();
  form_.resize(corners_ * (corners_ + 1) * (corners_ + 2) / 6 * count);
  for_each_coefficient(corners_, [&](std::size_t u, std::size_t v, std::size_t w) {
    const auto sum = std::span(form_).subspan(place_of(u, v, w) * count, count);
    if (u == w) {
      for (std::size_t c = 0; c < count; ++c) sum[c] = of[u]->at[u][c] + of[u]->flat[c];
      return;
    }
    std::fill(sum.begin(), sum.end(), Interval(0.0));
    const std::array<std::size_t, 3> at = {u, v, w};
    for (std::size_t i = 0; i < 3; ++i) {
      const SimplexTerms::Terms& own = *of[at[i]];
      const std::size_t j = at[(i + 1) % 3], k = at[(i + 2) % 3];
      for (std::size_t c = 0; c < count; ++c) {
        sum[c] += own.at[j][c] + own.at[k][c] + 2.0 * own.flat[c];
        if (j != k) sum[c] += own.errors[SimplexTerms::edge(j, k)][c];
      }
    }
    for (Interval& one : sum) one *= sixth;
  });
}

double SimplexBounds::lowest_coefficient() const {
  double lowest = no_limit;
  const std::size_t count = 1 + problem_.unknowns();
  for (std::size_t at = 0; at < form_.size(); at += count)
    lowest = std::min(lowest, problem_.least(std::span(form_).subspan(at, count)));
  return lowest;
}

std::vector<std::size_t> SimplexBounds::known(const Corners& corners, Sets sets) const {
  std::vector<std::size_t> found;
  for (std::size_t w = 0; w < corners_; ++w)
    if (corners[w] != nullptr &&
        (sets == Sets::optimal ? corners[w]->optimal : corners[w]->conflict).has_value())
      found.push_back(w);
  return found;
}

/// The bound by the multipliers of all corners, which all have them.
double SimplexBounds::interpolated(const Corners& corners, Sets sets) {
  std::array<const MountWeights*, most_dimensions + 1> weights{};
  for (std::size_t w = 0; w < corners_; ++w) weights[w] = &weights_of(*corners[w], sets);
  terms_.compute(WeightsList(weights.data(), corners_));
  Interval pieces = weights[0]->pieces;
  TermsOfCorners of{};
  for (std::size_t v = 0; v < corners_; ++v) {
    pieces = joined(pieces, weights[v]->pieces);
    of[v] = &terms_.of(v);
  }
  find_form(of);
  const double least = lowest_coefficient();
  return sets == Sets::optimal ? divided(least, pieces) : least;
}

/// The bound by the multipliers of one corner.
double SimplexBounds::of_corner(const CornerWeights& corner, Sets sets) {
  const MountWeights* const weights = &weights_of(corner, sets);
  terms_.compute(WeightsList(&weights, 1));
  TermsOfCorners of{};
  of.fill(&terms_.of(0));
  find_form(of);
  const double least = lowest_coefficient();
  return sets == Sets::optimal ? divided(least, weights->pieces) : least;
}

/// Computes the rows of all corners over the whole simplex, and their bases.
void SimplexBounds::find_rows(const Corners& corners, double cutoff) {
  std::vector<const MountRow*> rows;
  std::vector<const MountWeights*> weights;
  for (std::size_t w = 0; w < corners_; ++w)
    for (const MountRow& one : corners[w]->rows) {
      if (std::any_of(rows.begin(), rows.end(),
                      [&](const MountRow* row) { return row->name == one.name; }))
        continue;
      rows.push_back(&one);
      weights.push_back(&one.weights);
    }
  terms_.compute(weights);
  rows_.resize(rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const SimplexTerms::Terms& terms = terms_.of(i);
    Coefficients& over = rows_[i];
    over = terms.at[0];
    for (std::size_t c = 0; c < over.size(); ++c) {
      for (std::size_t w = 1; w < corners_; ++w) over[c] = joined(over[c], terms.at[w][c]);
      // the products of lambda add up to at most a half
      Interval error(0.0);
      for (std::size_t e = 0; e < SimplexTerms::edge(corners_, 0); ++e)
        error = joined(error, 0.5 * terms.errors[e][c]);
      over[c] += error + terms.flat[c];
    }
    if (!rows[i]->of_limit) over[0] += Interval(-cutoff) * weights[i]->pieces;
  }
  bases_.clear();
  for (std::size_t w = 0; w < corners_; ++w) add_basis(*corners[w], rows, w, cutoff);
}

/// Adds the basis of the rows of one corner, unless it says nothing new. The form has the
/// multipliers' sum at the corner, which tells the unknowns that are at an end of their ranges.
void SimplexBounds::add_basis(const CornerWeights& corner, const std::vector<const MountRow*>& rows,
                              std::size_t w, double cutoff) {
  const std::size_t n = problem_.unknowns();
  Basis basis;
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (std::any_of(corner.rows.begin(), corner.rows.end(),
                    [&](const MountRow& one) { return one.name == rows[i]->name; }))
      basis.rows.push_back(i);
  const auto own = std::span(form_).subspan(place_of(w, w, w) * (1 + n), 1 + n);
  const double size = std::max(std::abs(cutoff), std::abs(problem_.least(own)));
  const Eigen::MatrixXd directions = problem_.level_directions(own, level_change * size);
  if (basis.rows.empty() || directions.cols() == 0) return;
  const auto m = static_cast<Eigen::Index>(basis.rows.size());
  Eigen::MatrixXd slopes(m, static_cast<Eigen::Index>(n));
  for (Eigen::Index i = 0; i < m; ++i)
    for (std::size_t j = 0; j < n; ++j)
      slopes(i, static_cast<Eigen::Index>(j)) =
          rows_[basis.rows[static_cast<std::size_t>(i)]][1 + j].middle();
  const Eigen::MatrixXd turned = (slopes * directions).transpose();
  Eigen::JacobiSVD<Eigen::MatrixXd> svd(turned, Eigen::ComputeFullU | Eigen::ComputeFullV);
  svd.setThreshold(dependent_rows);
  const Eigen::Index rank = svd.rank();
  if (rank == m) return;
  const auto rests = svd.matrixV().rightCols(m - rank);
  const Eigen::VectorXd null = rests * (rests.transpose() * Eigen::VectorXd::Ones(m));
  if (!(null.minCoeff() > dependent_rows * null.maxCoeff())) return;
  const Eigen::MatrixXd inverse = svd.matrixV().leftCols(rank) *
                                  svd.singularValues().head(rank).cwiseInverse().asDiagonal() *
                                  svd.matrixU().leftCols(rank).transpose() * directions.transpose();
  for (Eigen::Index i = 0; i < m; ++i) {
    basis.null.push_back(null(i));
    for (std::size_t j = 0; j < n; ++j)
      basis.inverse.push_back(inverse(i, static_cast<Eigen::Index>(j)));
  }
  const bool known = std::any_of(bases_.begin(), bases_.end(), [&](const Basis& one) {
    return one.rows == basis.rows && one.directions == directions.cols();
  });
  basis.directions = directions.cols();
  if (!known) bases_.push_back(std::move(basis));
}

/// The least of an affine function over all springs and, unless that is enough, over those of
/// designs that matter.
double SimplexBounds::least_that_matters(std::span<const Interval> coefficient, double enough) {
  double most = problem_.least(coefficient);
  const std::size_t n = problem_.unknowns();
  for (const Basis& basis : bases_) {
    if (most >= enough) break;
    const std::size_t m = basis.rows.size();
    factors_.resize(m);
    double times = 0.0;
    for (std::size_t i = 0; i < m; ++i) {
      factors_[i] = 0.0;
      for (std::size_t j = 0; j < n; ++j)
        factors_[i] -= basis.inverse[i * n + j] * coefficient[1 + j].middle();
      times = i == 0 ? -factors_[i] / basis.null[i] : std::max(times, -factors_[i] / basis.null[i]);
    }
    corrected_.assign(coefficient.begin(), coefficient.end());
    for (std::size_t i = 0; i < m; ++i) {
      const double factor = std::max(0.0, factors_[i] + times * basis.null[i]);
      const Coefficients& row = rows_[basis.rows[i]];
      for (std::size_t c = 0; c <= n; ++c) corrected_[c] += factor * row[c];
    }
    most = std::max(most, problem_.least(corrected_));
  }
  return most;
}

/// Finds the least of the coefficients. Those without the corner `changed` are known; if that is no
/// corner, none is.
void SimplexBounds::find_lowest(Form& form, double enough, std::size_t changed) {
  const std::size_t count = 1 + problem_.unknowns();
  form.least.resize(form.coefficients.size() / count);
  form.lowest = no_limit;
  for_each_coefficient(corners_, [&](std::size_t u, std::size_t v, std::size_t w) {
    const std::size_t place = place_of(u, v, w);
    if (changed == corners_ || u == changed || v == changed || w == changed)
      form.least[place] =
          least_that_matters(std::span(form.coefficients).subspan(place * count, count), enough);
    form.lowest = std::min(form.lowest, form.least[place]);
  });
  // the first of those that differ by rounding alone, the same on every processor
  const double same = form.lowest + alike_coefficients * std::abs(form.lowest);
  bool found = false;
  for_each_coefficient(corners_, [&](std::size_t u, std::size_t v, std::size_t w) {
    if (found || form.least[place_of(u, v, w)] > same) return;
    form.at = {u, v, w};
    found = true;
  });
}

/// The form of one half of its simplex: corner `gone` is replaced by the middle between it and
/// `kept`.
auto SimplexBounds::half(const Form& whole, std::size_t kept, std::size_t gone) const -> Form {
  const std::size_t count = 1 + problem_.unknowns();
  Form half = whole;
  constexpr std::array<std::array<double, 4>, 4> choose = {
      {{1, 0, 0, 0}, {0.5, 0.5, 0, 0}, {0.25, 0.5, 0.25, 0}, {0.125, 0.375, 0.375, 0.125}}};
  for_each_coefficient(corners_, [&](std::size_t u, std::size_t v, std::size_t w) {
    std::array<std::size_t, 3> at = {u, v, w};
    const auto power = static_cast<std::size_t>(std::count(at.begin(), at.end(), gone));
    if (power == 0) return;
    Interval* const sum = &half.coefficients[place_of(u, v, w) * count];
    for (std::size_t k = 0; k <= power; ++k) {
      const Interval* const from = &whole.coefficients[place_of(at[0], at[1], at[2]) * count];
      for (std::size_t c = 0; c < count; ++c)
        sum[c] = k == 0 ? choose[power][k] * from[c] : sum[c] + choose[power][k] * from[c];
      if (k < power) *std::find(at.begin(), at.end(), gone) = kept;
    }
  });
  return half;
}

/// The bound by the form of interpolated(), for designs that do at least as well as the cutoff.
double SimplexBounds::tightened(const Corners& corners, double cutoff) {
  if (!std::isfinite(cutoff)) return -no_limit;
  Interval pieces = corners[0]->optimal->pieces;
  for (std::size_t v = 1; v < corners_; ++v) pieces = joined(pieces, corners[v]->optimal->pieces);
  find_rows(corners, cutoff);
  if (rows_.empty()) return -no_limit;
  const double enough = above((Interval(cutoff) * pieces).high);
  std::vector<Form> forms;  // a heap, the lowest first
  const auto is_higher = [](const Form& a, const Form& b) { return a.lowest > b.lowest; };
  Form& first = forms.emplace_back();
  first.coefficients = form_;
  find_lowest(first, enough, corners_);
  double lowest = enough;  // of what is not bisected any more
  for (int i = 0; i < most_bisections && !forms.empty() && forms.front().lowest < lowest; ++i) {
    std::pop_heap(forms.begin(), forms.end(), is_higher);
    const Form whole = std::move(forms.back());
    forms.pop_back();
    const std::size_t p = whole.at.front(), q = whole.at.back();
    if (p == q) {  // at a corner, where the form has its own value
      lowest = whole.lowest;
      break;
    }
    for (const auto& [kept, gone] : {std::pair(p, q), std::pair(q, p)}) {
      Form& own = forms.emplace_back(half(whole, kept, gone));
      find_lowest(own, enough, gone);
      std::push_heap(forms.begin(), forms.end(), is_higher);
    }
  }
  for (const Form& one : forms) lowest = std::min(lowest, one.lowest);
  return std::min(divided(lowest, pieces), cutoff);
}

/// Adds a function to those that are combined: a load of the objective, or what has to be at most
/// 0.
void SimplexBounds::combine(const MountWeights& weights, bool of_objective) {
  const MountWeights* const one = &weights;
  terms_.compute(WeightsList(&one, 1));
  const SimplexTerms::Terms& terms = terms_.of(0);
  Combined own;
  for (std::size_t v = 0; v < corners_; ++v)
    for (std::size_t w = 0; w <= v; ++w) {
      Interval sum = 0.5 * (terms.at[v][0] + terms.at[w][0]) + terms.flat[0];
      if (v != w) sum += 0.5 * terms.errors[SimplexTerms::edge(v, w)][0];
      own.least.push_back(sum.low);
      own.size = std::max(own.size, std::abs(sum.low));
    }
  if (of_objective) own.pieces = weights.pieces;
  if (own.size > 0.0 && std::isfinite(own.size)) combination_.push_back(std::move(own));
}

/// Begins with the optima of the corners, and with the lengths that springs have to keep.
void SimplexBounds::start_combination(const Corners& corners) {
  combination_.clear();
  std::vector<MountRow::Name> names;
  for (const std::size_t w : known(corners, Sets::optimal)) {
    const std::vector<MountRow>& rows = corners[w]->rows;
    if (rows.size() == 1) {
      if (std::find(names.begin(), names.end(), rows.front().name) != names.end()) continue;
      names.push_back(rows.front().name);
    }
    combine(*corners[w]->optimal, true);
  }
  for (const SimplexTerms::BrokenLength& one : terms_.broken_lengths())
    combine(problem_.beyond(problem_.length_ranges()[one.range], one.sample, one.too_long), false);
}

/// The bound by the best combination of the functions there are. Notes the place where they are
/// least together, by the dual multipliers.
double SimplexBounds::best_combination(std::array<double, most_dimensions>* least_at) {
  double size = 0.0;  // of all loads
  for (const Combined& one : combination_)
    if (one.pieces.high > 0.0) size = std::max(size, one.size);
  if (size == 0.0) return -no_limit;
  LinearColumns columns;
  const int level = columns.add(-2.0, 2.0, -1.0);
  std::vector<double> scales;
  std::vector<int> factors;
  for (const Combined& one : combination_) {
    const bool of_objective = one.pieces.high > 0.0;
    scales.push_back(of_objective ? size : one.size);
    factors.push_back(columns.add(0.0, of_objective ? 1.0 : most_of_length, 0.0));
  }
  LinearProgram program(columns);
  for (const double sign : {1.0, -1.0}) {  // the factors of loads add up to 1
    program.add_row(sign);
    for (std::size_t i = 0; i < factors.size(); ++i)
      if (combination_[i].pieces.high > 0.0) program.entry(factors[i], sign);
  }
  const std::size_t count = combination_.front().least.size();
  std::vector<int> rows;
  for (std::size_t c = 0; c < count; ++c) {
    rows.push_back(program.add_row(0.0));
    program.entry(level, -1.0);
    for (std::size_t i = 0; i < factors.size(); ++i)
      program.entry(factors[i], combination_[i].least[c] / scales[i]);
  }
  if (program.solve() != LinearOutcome::optimal) return -no_limit;
  Interval pieces(0.0);
  std::vector<Interval> sums(count, Interval(0.0));
  for (std::size_t i = 0; i < factors.size(); ++i) {
    const double factor = std::max(0.0, program.x()[factors[i]]) * (size / scales[i]);
    pieces += factor * combination_[i].pieces;
    for (std::size_t c = 0; c < count; ++c) sums[c] += factor * Interval(combination_[i].least[c]);
  }
  double lowest = no_limit;
  for (const Interval& sum : sums) lowest = std::min(lowest, sum.low);
  if (least_at != nullptr) {
    least_at->fill(0.0);
    double whole = 0.0;
    std::size_t c = 0;
    for (std::size_t v = 0; v < corners_; ++v)
      for (std::size_t w = 0; w <= v; ++w, ++c) {
        const double share = program.multiplier(rows[c]);
        whole += share;
        for (std::size_t i = 0; i < least_at->size(); ++i)
          (*least_at)[i] +=
              0.5 * share * (terms_.simplex().corners[v][i] + terms_.simplex().corners[w][i]);
      }
    for (double& one : *least_at) one /= whole;
  }
  return divided(lowest, pieces);
}

double SimplexBounds::combined(const Corners& corners, const std::vector<MountRow::Name>& loads) {
  start_combination(corners);
  for (const MountRow::Name& name : loads)
    if (const auto row = problem_.row_of(name)) combine(row->weights, true);
  return combination_.empty() ? -no_limit : best_combination(nullptr);
}

/// The same with loads that it takes in until the bound is enough, or no load gains anything.
SimplexBound SimplexBounds::combined(const Corners& corners, double enough) {
  SimplexBound best{-no_limit, {BoundReason::Kind::combined}};
  start_combination(corners);
  if (combination_.empty()) return best;
  std::vector<MountRow::Name>& loads = best.reason.loads;
  for (;;) {
    std::array<double, most_dimensions> place{};
    const double bound = best_combination(&place);
    if (bound < best.bound) {  // by rounding
      loads.pop_back();
      return best;
    }
    best.bound = bound;
    const double rise = enough - of_norms_;  // infinite where nothing is known yet
    if (!(bound < enough) || !(bound - of_norms_ > near_enough * rise) ||
        loads.size() == most_loads)
      return best;
    const auto d = static_cast<std::size_t>(problem_.functions().count());
    const DecidingLoads::Found found = deciding_.at(std::span(place).first(d));
    if (!(found.value > bound + least_gain * std::abs(bound)) ||
        std::find(loads.begin(), loads.end(), found.name) != loads.end())
      return best;
    loads.push_back(found.name);
    combine(problem_.row_of(found.name)->weights, true);
  }
}

SimplexBound SimplexBounds::best(const DyadicSimplex& simplex, const Corners& corners,
                                 double cutoff) {
  using Kind = BoundReason::Kind;
  terms_.set_simplex(simplex);
  if (terms_.excluded_by_length()) return {no_limit, {Kind::length}};
  if (terms_.excluded_by_parameter()) return {no_limit, {Kind::parameter}};
  SimplexBound best{of_norms_, {Kind::norms}};
  const auto take = [&](double bound, BoundReason reason) {
    if (reason.of_limits()) bound = bound > 0.0 ? no_limit : -no_limit;
    if (bound > best.bound) best = {bound, std::move(reason)};
  };
  for (const Sets sets : {Sets::conflict, Sets::optimal}) {
    const bool conflict = sets == Sets::conflict;
    if (!conflict && problem_.unknowns() == 0 && best.bound < cutoff) {
      SimplexBound own = combined(corners, cutoff);
      if (own.bound > best.bound) best = std::move(own);
    }
    const std::vector<std::size_t> places = known(corners, sets);
    if (places.size() == corners_ && best.bound < cutoff) {
      take(interpolated(corners, sets), {conflict ? Kind::conflict : Kind::interpolated});
      if (!conflict && best.bound < cutoff && best.bound > of_norms_)
        take(tightened(corners, cutoff), {Kind::tightened, 0, 0, cutoff});
    }
    for (const std::size_t w : places)
      if (best.bound < cutoff)
        take(of_corner(*corners[w], sets),
             {conflict ? Kind::corner_conflict : Kind::corner, static_cast<std::uint8_t>(w)});
  }
  // where multipliers say nothing yet; seldom more of given springs, and they take the longest
  if (best.reason.kind == Kind::norms && (problem_.unknowns() > 0 || is_eighth(simplex)))
    take(of_intervals(simplex), {Kind::intervals});
  return best;
}

double SimplexBounds::bound(const DyadicSimplex& simplex, const Corners& corners,
                            const BoundReason& reason) {
  using Kind = BoundReason::Kind;
  terms_.set_simplex(simplex);
  const Sets sets = reason.of_limits() ? Sets::conflict : Sets::optimal;
  const std::vector<std::size_t> places = known(corners, sets);
  const auto judged = [&](double bound) {
    return sets == Sets::optimal ? bound : bound > 0.0 ? no_limit : -no_limit;
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
    case Kind::conflict:
      return places.size() == corners_ ? judged(interpolated(corners, sets)) : -no_limit;
    case Kind::tightened:
      if (places.size() < corners_) return -no_limit;
      static_cast<void>(interpolated(corners, sets));
      return tightened(corners, reason.cutoff);
    case Kind::combined:
      return terms_.excluded_by_length() ? no_limit : combined(corners, reason.loads);
    case Kind::corner:
    case Kind::corner_conflict:
      if (std::find(places.begin(), places.end(), reason.corner) == places.end()) return -no_limit;
      return judged(of_corner(*corners[reason.corner], sets));
    case Kind::none:
      break;
  }
  return -no_limit;
}

}  // namespace counterpoise
