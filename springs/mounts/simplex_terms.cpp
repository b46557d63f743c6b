#include "springs/mounts/simplex_terms.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace counterpoise {

SimplexTerms::SimplexTerms(const MountProblem& problem)
    : problem_(problem),
      dimensions_(static_cast<std::size_t>(problem.functions().count())),
      corners_(dimensions_ + 1),
      has_factors_(problem.numbers().any()) {
  std::size_t place = 0;
  for (std::size_t i = 0; i < problem.springs().size(); ++i) {
    first_places_.push_back(place);
    place += functions_of(i) * static_cast<std::size_t>(problem.springs()[i].samples());
  }
  known_.assign(place, -1);
}

void SimplexTerms::set_simplex(const DyadicSimplex& simplex) {
  simplex_ = simplex;
  for (const std::size_t place : used_) known_[place] = -1;
  used_.clear();
  functions_.clear();
  const std::size_t d = dimensions_;
  std::vector<Interval> box;
  box.assign(d, Interval(1.0, 0.0));
  for (std::size_t w = 0; w < corners_; ++w)
    for (std::size_t i = 0; i < d; ++i) {
      box[i].low = std::min(box[i].low, simplex.corners[w][i]);
      box[i].high = std::max(box[i].high, simplex.corners[w][i]);
    }
  for (std::size_t i = 0; i < d; ++i) extents_[i] = box[i].high - box[i].low;
  const MountFunctions& functions = problem_.functions();
  const auto corner = [&](std::size_t w) {
    return std::vector<Interval>(simplex.corners[w].begin(),
                                 simplex.corners[w].begin() + static_cast<std::ptrdiff_t>(d));
  };
  numbers_ = problem_.numbers().over(functions, box);
  for (std::size_t w = 0; w < corners_; ++w)
    corner_numbers_[w] = problem_.numbers().over(functions, corner(w));
  parameters_.clear();
  corner_parameters_.assign(corners_, {});
  std::size_t motions = 0;
  for (const MovingSpring& spring : problem_.springs())
    motions = std::max(motions, spring.motion() + 1);
  for (const MountBound& bound : functions.bounds()) motions = std::max(motions, bound.motion + 1);
  for (std::size_t m = 0; m < motions; ++m) {
    parameters_.push_back(functions.parameters(m, box));
    for (std::size_t w = 0; w < corners_; ++w)
      corner_parameters_[w].push_back(functions.parameters(m, corner(w)));
  }
}

/// Sets the coordinates of a spring's mounts at the simplex's corners and over the whole simplex.
void SimplexTerms::place(const MovingSpring& spring) {
  const MountFunctions& functions = problem_.functions();
  const std::size_t m = spring.motion();
  coordinates_.clear();
  region_.clear();
  bent_ = false;
  for (const MovingCoordinate& one : functions.moving(m, spring.spring())) {
    const SmoothNumber& own = coordinates_.emplace_back(functions.position(one, parameters_[m]));
    region_.push_back(own.value);
    for (const Interval& curvature : own.curvatures) bent_ = bent_ || curvature.size() > 1e-200;
  }
  for (std::size_t w = 0; w < corners_; ++w) {
    places_[w].clear();
    for (const MovingCoordinate& one : functions.moving(m, spring.spring()))
      places_[w].push_back(functions.position(one, corner_parameters_[w][m]).value);
  }
}

/// Lists the sums of all sets of multipliers, then the sums with factors, and resets their terms.
void SimplexTerms::list_sums(WeightsList weights) {
  sets_ = weights.size();
  sums_.assign(weights.begin(), weights.end());
  for (const MountWeights* own : weights)
    for (const MountWeights::Product& product : own->products) sums_.push_back(&product.of);
  terms_.resize(std::max(terms_.size(), sums_.size()));
  slopes_.resize(sums_.size() - sets_);
  const Coefficients zero(1 + problem_.unknowns(), Interval(0.0));
  for (std::size_t u = 0; u < sums_.size(); ++u) {
    Terms& terms = terms_[u];
    for (std::size_t w = 0; w < corners_; ++w) terms.at[w] = sums_[u]->constant;
    for (std::size_t p = 0; p < SmoothNumber::pair(dimensions_, 0); ++p) terms.bends[p] = zero;
    for (std::size_t e = 0; e < edge(corners_, 0); ++e) terms.errors[e] = zero;
    terms.flat = zero;
  }
  for (std::size_t i = 0; i < slopes_.size(); ++i) {
    slopes_[i].smooth = sums_[sets_ + i]->constant;
    for (std::size_t a = 0; a < dimensions_; ++a) slopes_[i].slopes[a] = zero;
    for (std::size_t w = 0; w < corners_; ++w) slopes_[i].loose[w] = zero;
  }
}

void SimplexTerms::Share::add(const Share& other) {
  const double before = weight;
  weight = before + other.weight;
  const double added = weight - before;
  rest += other.rest + Interval((before - (weight - added)) + (other.weight - added));
}

/// Lists the functions of all sums with their weights, those of one sum, function and coefficient
/// added up.
void SimplexTerms::list_shares() {
  shares_.clear();
  const auto add = [&](std::size_t sum, std::size_t place, bool offset, double weight,
                       const TensionLaw& law) {
    const auto add_one = [&](std::size_t coefficient, double factor) {
      if (factor == 0.0) return;
      const double product = weight * factor;
      shares_.push_back(
          {sum, coefficient, place, product, Interval(std::fma(weight, factor, -product))});
    };
    add_one(0, offset ? law.offset : law.rate);
    for (const TensionLaw::Term& term : law.terms)
      add_one(1 + static_cast<std::size_t>(term.unknown), offset ? term.offset : term.rate);
  };
  for (std::size_t u = 0; u < sums_.size(); ++u)
    for (std::size_t i = 0; i < problem_.springs().size(); ++i) {
      const MountSum::OfSpring& own = sums_[u]->of_springs[i];
      const TensionLaw& law = problem_.law_of(i);
      const std::size_t same = problem_.same_as(i);
      const std::size_t actuators = problem_.springs()[i].actuators().size();
      for (const MountSum::Load& load : own.loads) {
        const auto a = static_cast<std::size_t>(load.actuator);
        add(u, place_of(same, load.sample, a), true, load.weight, law);
        add(u, place_of(same, load.sample, actuators + a), false, load.weight, law);
      }
      for (const MountSum::Length& length : own.lengths) {
        const std::size_t place = place_of(same, length.sample, 2 * actuators);
        const int times = problem_.length_roles()[static_cast<std::size_t>(length.role)];
        if (times == MountProblem::role_of_rate)
          add(u, place, false, length.weight, law);
        else
          shares_.push_back({u,
                             times == MountProblem::role_of_number
                                 ? std::size_t{0}
                                 : 1 + static_cast<std::size_t>(times),
                             place, length.weight, Interval(0.0)});
      }
    }
  const auto key = [](const Share& share) {
    return std::tuple(share.sum, share.place, share.coefficient);
  };
  const auto is_before = [&](const Share& a, const Share& b) { return key(a) < key(b); };
  if (!std::is_sorted(shares_.begin(), shares_.end(), is_before))
    std::stable_sort(shares_.begin(), shares_.end(), is_before);
  std::size_t count = 0;
  for (const Share& share : shares_)
    if (count > 0 && key(shares_[count - 1]) == key(share))
      shares_[count - 1].add(share);
    else
      shares_[count++] = share;
  shares_.resize(count);
}

/// Computes the functions that have shares and are not known yet.
void SimplexTerms::list_functions() {
  const std::size_t before = used_.size();
  for (const Share& share : shares_)
    if (known_[share.place] < 0) {
      known_[share.place] = 0;
      used_.push_back(share.place);
    }
  std::sort(used_.begin() + static_cast<std::ptrdiff_t>(before), used_.end());
  functions_.resize(used_.size());
  for (std::size_t n = before; n < used_.size(); ++n)
    known_[used_[n]] = static_cast<std::int32_t>(n);
  for (std::size_t first = before, last = before, spring = 0; first < used_.size(); first = last) {
    const std::size_t earlier = spring;
    while (spring + 1 < first_places_.size() && first_places_[spring + 1] <= used_[first]) ++spring;
    if (first == before || spring != earlier) place(problem_.springs()[spring]);
    const std::size_t count = functions_of(spring);
    const std::size_t instant = (used_[first] - first_places_[spring]) / count;
    const std::size_t end = first_places_[spring] + (instant + 1) * count;
    while (last < used_.size() && used_[last] < end) ++last;
    find_functions(spring, static_cast<int>(instant), first, last);
  }
}

void SimplexTerms::compute(WeightsList weights) {
  list_sums(weights);
  list_shares();
  list_functions();
  for (const Share& share : shares_) add_share(share);
  std::size_t sum = sets_;
  Errors errors;
  std::vector<Interval> bends(SmoothNumber::pair(dimensions_, 0));
  for (std::size_t u = 0; u < sets_; ++u) {
    Terms& terms = terms_[u];
    if (weights[u]->products.empty() && weights[u]->addends.empty()) continue;
    for (const MountWeights::Product& product : weights[u]->products)
      add_product(product, sum++, terms);
    for (const MountWeights::Addend& addend : weights[u]->addends) add_addend(addend, terms);
    for (std::size_t c = 0; c < terms.flat.size(); ++c) {
      for (std::size_t p = 0; p < bends.size(); ++p) bends[p] = terms.bends[p][c];
      find_errors(bends, errors);
      for (std::size_t e = 0; e < edge(corners_, 0); ++e) terms.errors[e][c] += errors[e];
    }
  }
}

/// Adds the share of a function to a coefficient of its sum.
void SimplexTerms::add_share(const Share& share) {
  const bool exact = share.rest.low == 0.0 && share.rest.high == 0.0;
  exact ? add_share(share, share.weight) : add_share(share, Interval(share.weight) + share.rest);
}

template <class Weight>
void SimplexTerms::add_share(const Share& share, const Weight& weight) {
  const Function& function = functions_[static_cast<std::size_t>(known_[share.place])];
  const std::size_t c = share.coefficient;
  Terms& terms = terms_[share.sum];
  for (std::size_t w = 0; w < corners_; ++w) terms.at[w][c] += weight * function.at[w];
  if (function.loose) terms.flat[c] += weight * function.flat;
  if (share.sum < sets_) {
    for (std::size_t e = 0; e < edge(corners_, 0) && !function.loose; ++e)
      terms.errors[e][c] += weight * function.errors[e];
    return;
  }
  Slopes& more = slopes_[share.sum - sets_];
  if (function.loose) {
    for (std::size_t w = 0; w < corners_; ++w) more.loose[w][c] += weight * function.at[w];
    return;
  }
  more.smooth[c] += weight * function.value;
  for (std::size_t a = 0; a < dimensions_; ++a) more.slopes[a][c] += weight * function.slopes[a];
  for (std::size_t p = 0; p < SmoothNumber::pair(dimensions_, 0); ++p)
    terms.bends[p][c] += weight * function.bends[p];
}

/// Adds a function of the mounts to a coefficient, at each corner and over the simplex.
void SimplexTerms::add_addend(const MountWeights::Addend& addend, Terms& to) const {
  const std::size_t c = addend.coefficient;
  const auto number = static_cast<std::size_t>(addend.value.number);
  const double times = addend.value.multiplier;
  for (std::size_t w = 0; w < corners_; ++w)
    to.at[w][c] += times * corner_numbers_[w][number].value;
  for (std::size_t p = 0; p < SmoothNumber::pair(dimensions_, 0); ++p)
    to.bends[p][c] += times * numbers_[number].curvatures[p];
}

/// Adds the product of a factor W and a sum S + F. S is the smooth part: W S has second derivatives
///   W_ab S + W_a S_b + W_b S_a + W S_ab.
/// F is the loose part, with values F_w at the corners: the interpolation error of W F is flat,
///   W F - sum of lambda_w W_w F_w = W (F - sum of lambda_w F_w) + sum of lambda_w (W - W_w) F_w.
void SimplexTerms::add_product(const MountWeights::Product& product, std::size_t sum,
                               Terms& to) const {
  SmoothNumber factor;
  factor.value = product.fixed;
  std::array<Interval, most_corners> factor_at;
  factor_at.fill(product.fixed);
  for (const MountWeights::Multiple& one : product.varying) {
    const auto number = static_cast<std::size_t>(one.number);
    const SmoothNumber& over = numbers_[number];
    factor.value += one.multiplier * over.value;
    for (std::size_t a = 0; a < dimensions_; ++a)
      factor.slopes[a] += one.multiplier * over.slopes[a];
    for (std::size_t p = 0; p < SmoothNumber::pair(dimensions_, 0); ++p)
      factor.curvatures[p] += one.multiplier * over.curvatures[p];
    for (std::size_t w = 0; w < corners_; ++w)
      factor_at[w] += one.multiplier * corner_numbers_[w][number].value;
  }
  const Terms& of = terms_[sum];
  const Slopes& more = slopes_[sum - sets_];
  for (std::size_t c = 0; c < of.flat.size(); ++c) {
    Interval loose = (factor.value - factor_at[0]) * more.loose[0][c];
    for (std::size_t w = 0; w < corners_; ++w) {
      to.at[w][c] += factor_at[w] * of.at[w][c];
      loose = joined(loose, (factor.value - factor_at[w]) * more.loose[w][c]);
    }
    to.flat[c] += factor.value * of.flat[c] + loose;
    for (std::size_t a = 0; a < dimensions_; ++a)
      for (std::size_t b = 0; b <= a; ++b) {
        const std::size_t p = SmoothNumber::pair(a, b);
        to.bends[p][c] += factor.curvatures[p] * more.smooth[c] +
                          factor.slopes[a] * more.slopes[b][c] +
                          factor.slopes[b] * more.slopes[a][c] + factor.value * of.bends[p][c];
      }
  }
}

/// The error of linear interpolation at g is minus half the sum of lambda_w H[g_w - g, g_w - g],
/// with other second derivatives H for each corner. If these lie within M +- D and the diagonal R
/// is not below D as a form of absolute values, it is at least the sum over edges e, with the
/// products of their corners' lambda, of -1/2 (M[e, e] + R[e, e]): for any fixed form F the sum of
/// lambda_w F[g_w - g, g_w - g] is that of the products times F[e, e].
///
/// For any s > 0, 2 |x_a x_b| <= s x_a^2 + x_b^2 / s, here with s the ratio of the simplex's
/// extents; that gives R.
void SimplexTerms::find_errors(std::span<const Interval> bends, Errors& errors) const {
  const std::size_t d = dimensions_;
  std::array<double, most_dimensions> radii{};
  std::array<double, SmoothNumber::pairs> middles{};
  for (std::size_t a = 0; a < d; ++a)
    for (std::size_t b = 0; b <= a; ++b) {
      const std::size_t p = SmoothNumber::pair(a, b);
      middles[p] = bends[p].middle();
      const double radius = bends[p].radius();
      if (a == b) {
        radii[a] = above(radii[a] + radius);
        continue;
      }
      const double ratio = extents_[b] / extents_[a];
      radii[a] = above(radii[a] + above(radius * ratio));
      radii[b] = above(radii[b] + above(radius * above(1.0 / ratio)));
    }
  for (std::size_t v = 1; v < corners_; ++v)
    for (std::size_t w = 0; w < v; ++w) {
      Interval& error = errors[edge(v, w)];
      error = Interval(0.0);
      for (std::size_t a = 0; a < d; ++a) {
        const double along_a = simplex_.corners[w][a] - simplex_.corners[v][a];
        if (along_a == 0.0) continue;
        const double radius = above(0.5 * radii[a] * above(along_a * along_a));
        error += Interval(-above(radius), above(radius));
        for (std::size_t b = 0; b < d; ++b) {
          const double along_b = simplex_.corners[w][b] - simplex_.corners[v][b];
          error += (-0.5 * middles[SmoothNumber::pair(a, b)]) * (along_a * Interval(along_b));
        }
      }
    }
}

namespace {

constexpr double shortest_for_bends = 1e-6;  // [m], below which a direction is only a unit vector

}  // namespace

/// Computes the functions of one spring at one instant, those from `first` to before `last`.
void SimplexTerms::find_functions(std::size_t index, int sample, std::size_t first,
                                  std::size_t last) {
  const MovingSpring& spring = problem_.springs()[index];
  const std::size_t actuators = spring.actuators().size();
  const std::size_t zero = place_of(index, sample, 0);
  std::array<MovingSpring::Line, most_corners> lines;
  for (std::size_t w = 0; w < corners_; ++w) lines[w] = spring.line(sample, places_[w]);
  const MovingSpring::Lines corners = MovingSpring::Lines(lines).first(corners_);
  const MovingSpring::Lines places = places_between(spring, sample, lines);
  const Interval length = MovingSpring::length(places);
  const bool long_enough = length.low > shortest_for_bends;
  const bool bends = bent_ || has_factors_;
  MovingSpring::Shape shape;
  if (long_enough && bends) shape = spring.shape(sample, places, length);
  std::optional<MovingSpring::Middle> middle;
  if (long_enough && !bends) middle = MovingSpring::middle(corners, length);
  const bool smooth = long_enough && (bends || middle);

  MovingSpring::Bend bend;
  Curvatures edges;
  std::array<MovingSpring::Triple, most_corners> slopes, corner_slopes;
  std::size_t of_slopes = actuators;  // the actuator that these are of
  for (std::size_t n = first; n < last; ++n) {
    Function& function = functions_[n];
    const std::size_t which = used_[n] - zero;
    if (which == 2 * actuators) {
      for (std::size_t w = 0; w < corners_; ++w) function.at[w] = lines[w].length;
      if (smooth && bends) spring.bend_of_length(shape, bend);
      if (middle) MovingSpring::curvatures_of_length(corners, *middle, edges);
      if (smooth) find_errors(bend, edges, function);
      loosen(length, smooth, function);
      continue;
    }
    const bool is_f = which >= actuators;
    const std::size_t a = is_f ? which - actuators : which;
    if (a != of_slopes) {
      of_slopes = a;
      for (std::size_t w = 0; w < corners_; ++w)
        corner_slopes[w] = spring.slope(sample, a, places_[w]);
      slopes = corner_slopes;
      if (bent_) slopes[0] = spring.slope(sample, a, region_);
    }
    const MovingSpring::Slopes at_corners(corner_slopes.data(), corners_);
    const MovingSpring::Slopes between(slopes.data(), bent_ ? 1 : corners_);
    for (std::size_t w = 0; w < corners_; ++w) {
      const MovingSpring::Lines at(&lines[w], 1);
      const MovingSpring::Slopes own(&corner_slopes[w], 1);
      if (!is_f && lines[w].length.low <= shortest_for_bends) {
        const double most = MovingSpring::most_e(own);
        function.at[w] = Interval(-most, most);
        continue;
      }
      function.at[w] = MovingSpring::f(at, own);
      if (!is_f) function.at[w] *= inverse(lines[w].length);
    }
    if (is_f) {
      if (bends) {
        spring.bend_of_f(sample, a, places, between, bend);
        function.value = MovingSpring::f(places, between);
      } else {
        MovingSpring::curvatures_of_f(corners, at_corners, edges);
      }
      find_errors(bend, edges, function);
      continue;
    }
    if (smooth && bends) spring.bend_of_e(sample, a, places, between, shape, bend);
    if (middle) MovingSpring::curvatures_of_e(corners, at_corners, *middle, edges);
    const double most = MovingSpring::most_e(between);
    if (smooth) find_errors(bend, edges, function);
    loosen(long_enough ? MovingSpring::e(places, between, length) : Interval(-most, most), smooth,
           function);
  }
}

/// Finds the errors of a smooth function: by its curvatures along the edges or, where a coordinate
/// is bent or factors need its slopes, by its bend by the coordinates of the mounts.
void SimplexTerms::find_errors(const MovingSpring::Bend& bend, const Curvatures& edges,
                               Function& function) const {
  if (!bent_ && !has_factors_) {
    for (std::size_t e = 0; e < edge(corners_, 0); ++e)
      function.errors[e] = -0.5 * (edges[e].middle + Interval(-edges[e].spread, edges[e].spread));
    return;
  }
  const std::size_t d = dimensions_;
  const std::size_t n = coordinates_.size();
  for (std::size_t a = 0; a < d; ++a) {
    for (std::size_t i = 0; i < n; ++i)
      function.slopes[a] += bend.slopes[i] * coordinates_[i].slopes[a];
    for (std::size_t b = 0; b <= a; ++b) {
      Interval& own = function.bends[SmoothNumber::pair(a, b)];
      for (std::size_t i = 0; i < n; ++i) {
        const SmoothNumber& z = coordinates_[i];
        if (bent_) own += bend.slopes[i] * z.curvatures[SmoothNumber::pair(a, b)];
        for (std::size_t j = 0; j < n; ++j)
          own +=
              bend.curvatures[SmoothNumber::pair(i, j)] * (z.slopes[a] * coordinates_[j].slopes[b]);
      }
    }
  }
  find_errors(std::span(function.bends).first(SmoothNumber::pair(d, 0)), function.errors);
}

/// Makes a function with these values over the simplex loose if it is not smooth, or if its errors
/// say less than its values do.
void SimplexTerms::loosen(const Interval& over, bool smooth, Function& function) const {
  function.value = over;
  Interval line = function.at[0];
  for (std::size_t w = 1; w < corners_; ++w) line = joined(line, function.at[w]);
  const Interval flat = over - line;
  // the products of two lambda add up to at most a half
  double most = 0.0;
  for (std::size_t e = 0; e < edge(corners_, 0) && smooth; ++e)
    most = std::max(most, 0.5 * function.errors[e].size());
  function.loose = !smooth || most > flat.size();
  if (function.loose) function.flat = flat;
}

/// Places whose convex hull holds the mounts over the simplex: its corners or, if coordinates of
/// mounts are not affine in the variables, the box around them.
MovingSpring::Lines SimplexTerms::places_between(
    const MovingSpring& spring, int sample,
    const std::array<MovingSpring::Line, most_corners>& lines) {
  if (!bent_) return MovingSpring::Lines(lines).first(corners_);
  over_ = spring.line(sample, region_);
  return {&over_, 1};
}

/// Encloses e and f (see MovingSpring) of a placed spring at one sample, over the whole simplex or
/// at its first corner.
void SimplexTerms::find_range(Where where, const MovingSpring& spring, std::size_t actuator,
                              int sample, Interval& e, Interval& f) {
  const std::size_t corners = where == Where::first_corner ? 1 : corners_;
  std::array<MovingSpring::Line, most_corners> lines;
  std::array<MovingSpring::Triple, most_corners> slopes;
  for (std::size_t w = 0; w < corners; ++w) {
    lines[w] = spring.line(sample, places_[w]);
    slopes[w] = spring.slope(sample, actuator, places_[w]);
  }
  MovingSpring::Lines places = MovingSpring::Lines(lines).first(corners);
  MovingSpring::Slopes between(slopes.data(), corners);
  if (where == Where::simplex) places = places_between(spring, sample, lines);
  if (where == Where::simplex && bent_) {
    slopes[0] = spring.slope(sample, actuator, region_);
    between = between.first(1);
  }
  const Interval length = MovingSpring::length(places);
  const double most = MovingSpring::most_e(between);
  e = length.low > shortest_for_bends ? MovingSpring::e(places, between, length)
                                      : Interval(-most, most);
  f = MovingSpring::f(places, between);
}

/// Lower bounds of a load's size at these samples for all springs within their ranges.
std::vector<double> SimplexTerms::least_sizes(Where where, const SeriesOrigin& load,
                                              std::span<const int> samples) {
  std::vector<Coefficients> sums;
  for (const int sample : samples)
    sums.push_back(problem_.load_without_moving_springs(load, sample));
  for (std::size_t i = 0; i < problem_.springs().size(); ++i) {
    const MovingSpring& spring = problem_.springs()[i];
    const std::vector<int>& actuators = spring.actuators();
    const auto at = std::find(actuators.begin(), actuators.end(), load.actuator);
    if (spring.motion() != load.motion || at == actuators.end()) continue;
    place(spring);
    const auto actuator = static_cast<std::size_t>(at - actuators.begin());
    for (std::size_t n = 0; n < sums.size(); ++n) {
      Interval e, f;
      find_range(where, spring, actuator, samples[n], e, f);
      problem_.add_e(i, e, sums[n]);
      problem_.add_f(i, f, sums[n]);
    }
  }
  std::vector<double> sizes;
  for (Coefficients& sum : sums) {
    const double least = problem_.least(sum);
    for (Interval& coefficient : sum) coefficient = -coefficient;
    sizes.push_back(std::max({0.0, least, problem_.least(sum)}));
  }
  return sizes;
}

std::vector<double> SimplexTerms::least_sizes(const SeriesOrigin& load, Instants instants) {
  constexpr std::size_t most_samples = 24;
  const std::size_t count = problem_.samples(load.motion);
  const std::size_t step =
      instants == Instants::all ? 1 : (count + most_samples - 1) / most_samples;
  std::vector<int> samples;
  for (std::size_t k = 0; k < count; k += step) samples.push_back(static_cast<int>(k));
  if (instants == Instants::all) {
    // where springs can carry the load at one corner, the simplex says nothing either
    const std::vector<double> at_corner = least_sizes(Where::first_corner, load, samples);
    std::erase_if(samples, [&](int k) { return at_corner[static_cast<std::size_t>(k)] == 0.0; });
  }
  std::vector<double> sizes(count, 0.0);
  const std::vector<double> own = least_sizes(Where::simplex, load, samples);
  for (std::size_t n = 0; n < samples.size(); ++n)
    sizes[static_cast<std::size_t>(samples[n])] = own[n];
  return sizes;
}

bool SimplexTerms::excluded_by_parameter() const {
  const MountFunctions& functions = problem_.functions();
  return std::any_of(functions.bounds().begin(), functions.bounds().end(),
                     [&](const MountBound& bound) {
                       return functions.beyond(bound, parameters_[bound.motion]).low > 0.0;
                     });
}

bool SimplexTerms::excluded_by_length() {
  broken_lengths_.clear();
  const std::vector<MountProblem::LengthRange>& ranges = problem_.length_ranges();
  for (std::size_t r = 0; r < ranges.size(); ++r) {
    const MountProblem::LengthRange& range = ranges[r];
    const MovingSpring& spring = problem_.springs()[range.spring];
    place(spring);
    BrokenLength shortest{r, -1, false}, longest{r, -1, true};
    double least = range.least, most = range.most;
    for (int sample = 0; sample < spring.samples(); ++sample) {
      const Interval length = spring.line(sample, region_).length;
      if (length.low < least) {
        least = length.low;
        shortest.sample = sample;
      }
      if (length.high > most) {
        most = length.high;
        longest.sample = sample;
      }
      if (length.low >= range.least && length.high <= range.most) continue;
      std::array<MovingSpring::Line, most_corners> lines;
      bool too_short = true, too_long = true;
      for (std::size_t w = 0; w < corners_ && (too_short || too_long); ++w) {
        lines[w] = spring.line(sample, places_[w]);
        too_short = too_short && lines[w].length.high < range.least;
        too_long = too_long && lines[w].length.low > range.most;
      }
      if (!too_short && !too_long) continue;
      const Interval between = MovingSpring::length(places_between(spring, sample, lines));
      if (between.high < range.least || between.low > range.most) return true;
    }
    for (const BrokenLength& one : {shortest, longest})
      if (one.sample >= 0) broken_lengths_.push_back(one);
  }
  return false;
}

}  // namespace counterpoise
