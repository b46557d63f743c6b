#include "springs/mounts/simplex_terms.hpp"

#include <algorithm>
#include <utility>

namespace counterpoise {

SimplexTerms::SimplexTerms(const MountProblem& problem)
    : problem_(problem),
      dimensions_(static_cast<std::size_t>(problem.functions().count())),
      corners_(dimensions_ + 1) {}

void SimplexTerms::set_simplex(const DyadicSimplex& simplex) {
  simplex_ = simplex;
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
  has_factors_ = sums_.size() > sets_;
  terms_.resize(std::max(terms_.size(), sums_.size()));
  slopes_.resize(sums_.size() - sets_);
  const Coefficients zero(1 + problem_.unknowns(), Interval(0.0));
  const std::size_t pairs = SmoothNumber::pair(dimensions_, 0);
  for (std::size_t u = 0; u < sums_.size(); ++u) {
    Terms& terms = terms_[u];
    for (std::size_t w = 0; w < corners_; ++w) terms.at[w] = sums_[u]->constant;
    for (std::size_t p = 0; p < pairs; ++p) terms.bends[p] = zero;
    terms.flat = zero;
  }
  for (std::size_t i = 0; i < slopes_.size(); ++i) {
    slopes_[i].smooth = sums_[sets_ + i]->constant;
    for (std::size_t a = 0; a < dimensions_; ++a) slopes_[i].slopes[a] = zero;
    for (std::size_t w = 0; w < corners_; ++w) slopes_[i].loose[w] = zero;
  }
}

void SimplexTerms::compute(WeightsList weights) {
  list_sums(weights);
  for (std::size_t i = 0; i < problem_.springs().size(); ++i) add_spring(i);
  std::size_t sum = sets_;
  for (std::size_t u = 0; u < sets_; ++u) {
    for (const MountWeights::Product& product : weights[u]->products)
      add_product(product, sum++, terms_[u]);
    for (const MountWeights::Addend& addend : weights[u]->addends) add_addend(addend, terms_[u]);
    find_errors(terms_[u]);
  }
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

/// Writes the weights of one corner's multipliers into the dense table, so that add_spring() reads
/// them by sample.
void SimplexTerms::spread(const MountSum::OfSpring& weights, std::size_t u,
                          const MovingSpring& spring) {
  const auto samples = static_cast<std::size_t>(spring.samples());
  const auto place = [&](std::size_t function, std::int32_t sample) {
    return (u * functions_ + function) * samples + static_cast<std::size_t>(sample);
  };
  for (const MountSum::Load& load : weights.loads)
    note({place(static_cast<std::size_t>(load.actuator), load.sample), load.sample, load.weight});
  for (const MountSum::Length& length : weights.lengths)
    note({place(spring.actuators().size() + static_cast<std::size_t>(length.role), length.sample),
          length.sample, length.weight});
}

/// Adds a weight to the dense table; the rounding error of the sum, if any, goes to left_ as a
/// weight of its own.
void SimplexTerms::note(const PlacedWeight& one) {
  double& sum = dense_[one.place];
  const double before = sum;
  sum = before + one.weight;
  const double added = sum - before;
  const double left = (before - (sum - added)) + (one.weight - added);
  if (left != 0.0) left_.push_back({one.place, one.sample, left});
  const auto k = static_cast<std::size_t>(one.sample);
  if (active_[k] != 0) return;
  active_[k] = 1;
  active_samples_.push_back(one.sample);
}

void SimplexTerms::add_spring(std::size_t index) {
  const MovingSpring& spring = problem_.springs()[index];
  const std::size_t sums = sums_.size();
  const bool any = std::any_of(sums_.begin(), sums_.end(), [&](const MountSum* one) {
    const MountSum::OfSpring& own = one->of_springs[index];
    return !own.loads.empty() || !own.lengths.empty();
  });
  if (!any) return;
  const auto samples = static_cast<std::size_t>(spring.samples());
  const std::size_t actuators = spring.actuators().size();
  const std::size_t roles = problem_.length_roles().size();
  functions_ = actuators + roles;
  place(spring);
  e_.assign(sums, {});
  f_.assign(sums, {});
  lengths_.assign(sums * roles, {});
  left_.clear();
  for (bool first = true; first || !left_.empty(); first = false) {
    const std::vector<PlacedWeight> left = std::exchange(left_, {});
    dense_.assign(sums * functions_ * samples, 0.0);
    active_.assign(samples, 0);
    active_samples_.clear();
    for (std::size_t u = 0; first && u < sums; ++u) spread(sums_[u]->of_springs[index], u, spring);
    for (const PlacedWeight& one : left) note(one);
    std::sort(active_samples_.begin(), active_samples_.end());
    for (const int sample : active_samples_) add_instant(spring, sample, sums);
  }
  for (std::size_t u = 0; u < sums; ++u) {
    add_function(e_[u], u, [&](const Interval& value, Coefficients& to) {
      problem_.add_e(index, value, to);
    });
    add_function(f_[u], u, [&](const Interval& value, Coefficients& to) {
      problem_.add_f(index, value, to);
    });
    for (std::size_t role = 0; role < roles; ++role)
      add_function(lengths_[u * roles + role], u, [&](const Interval& value, Coefficients& to) {
        problem_.add_length(index, static_cast<int>(role), value, to);
      });
  }
}

/// Adds one function's sums to the terms of one sum, by the chain rule from coordinates of mounts
/// to variables.
void SimplexTerms::add_function(const Sums& sums, std::size_t u,
                                const std::function<void(const Interval&, Coefficients&)>& add) {
  if (!sums.used) return;
  Terms& terms = terms_[u];
  if (u >= sets_) add_slopes(sums, slopes_[u - sets_], add);
  for (std::size_t w = 0; w < corners_; ++w) add(sums.values[w], terms.at[w]);
  add(sums.flat, terms.flat);
  const std::size_t d = dimensions_;
  const std::size_t n = coordinates_.size();
  for (std::size_t a = 0; a < d; ++a)
    for (std::size_t b = 0; b <= a; ++b) {
      const std::size_t p = SmoothNumber::pair(a, b);
      Interval bend(0.0);
      for (std::size_t i = 0; i < n; ++i) {
        const SmoothNumber& z = coordinates_[i];
        if (bent_) bend += sums.bend.slopes[i] * z.curvatures[p];
        for (std::size_t j = 0; j < n; ++j)
          bend += sums.bend.curvatures[SmoothNumber::pair(i, j)] *
                  (z.slopes[a] * coordinates_[j].slopes[b]);
      }
      add(bend, terms.bends[p]);
    }
}

void SimplexTerms::add_slopes(
    const Sums& sums, Slopes& slopes,
    const std::function<void(const Interval&, Coefficients&)>& add) const {
  add(sums.smooth, slopes.smooth);
  for (std::size_t a = 0; a < dimensions_; ++a) {
    Interval slope(0.0);
    for (std::size_t i = 0; i < coordinates_.size(); ++i)
      slope += sums.bend.slopes[i] * coordinates_[i].slopes[a];
    add(slope, slopes.slopes[a]);
  }
  for (std::size_t w = 0; w < corners_; ++w) add(sums.loose[w], slopes.loose[w]);
}

/// The radii D of a coefficient's second derivatives, entry by entry, bounded by a diagonal matrix:
/// for any s > 0, 2 |x_a x_b| <= s x_a^2 + x_b^2 / s, here with s the ratio of the simplex's
/// extents.
std::array<double, most_dimensions> SimplexTerms::diagonal(const Terms& terms,
                                                           std::size_t coefficient) const {
  std::array<double, most_dimensions> sums{};
  for (std::size_t a = 0; a < dimensions_; ++a)
    for (std::size_t b = 0; b <= a; ++b) {
      const double radius = terms.bends[SmoothNumber::pair(a, b)][coefficient].radius();
      if (a == b) {
        sums[a] = above(sums[a] + radius);
        continue;
      }
      const double ratio = extents_[b] / extents_[a];
      sums[a] = above(sums[a] + above(radius * ratio));
      sums[b] = above(sums[b] + above(radius * above(1.0 / ratio)));
    }
  return sums;
}

/// The error of linear interpolation at g is minus half the sum of lambda_w H[g_w - g, g_w - g],
/// with other second derivatives H for each corner. If these lie within M +- D and the diagonal R
/// is not below D as a form of absolute values, it is at least the sum over edges e, with the
/// products of their corners' lambda, of -1/2 (M[e, e] + R[e, e]): for any fixed form F the sum of
/// lambda_w F[g_w - g, g_w - g] is that of the products times F[e, e].
void SimplexTerms::find_errors(Terms& terms) const {
  const std::size_t d = dimensions_;
  const std::size_t count = 1 + problem_.unknowns();
  for (std::size_t v = 1; v < corners_; ++v)
    for (std::size_t w = 0; w < v; ++w) terms.errors[edge(v, w)].assign(count, Interval(0.0));
  for (std::size_t c = 0; c < count; ++c) {
    const std::array<double, most_dimensions> radii = diagonal(terms, c);
    for (std::size_t v = 1; v < corners_; ++v)
      for (std::size_t w = 0; w < v; ++w) {
        Interval& error = terms.errors[edge(v, w)][c];
        for (std::size_t a = 0; a < d; ++a) {
          const double along_a = simplex_.corners[w][a] - simplex_.corners[v][a];
          if (along_a == 0.0) continue;
          const double radius = above(0.5 * radii[a] * above(along_a * along_a));
          error += Interval(-above(radius), above(radius));
          for (std::size_t b = 0; b < d; ++b) {
            const double along_b = simplex_.corners[w][b] - simplex_.corners[v][b];
            const double middle = terms.bends[SmoothNumber::pair(a, b)][c].middle();
            error += (-0.5 * middle) * (along_a * Interval(along_b));
          }
        }
      }
  }
}

namespace {

constexpr double shortest_for_bends = 1e-6;  // [m], below which a direction is only a unit vector

}  // namespace

void SimplexTerms::add_bend(double weight, const MovingSpring::Bend& bend, Sums& sums) const {
  const std::size_t n = coordinates_.size();
  for (std::size_t i = 0; i < n && (bent_ || has_factors_); ++i)
    sums.bend.slopes[i] += weight * bend.slopes[i];
  for (std::size_t p = 0; p < SmoothNumber::pair(n, 0); ++p)
    sums.bend.curvatures[p] += weight * bend.curvatures[p];
}

/// Adds to the sums the values that a factor needs of a function at one instant.
void SimplexTerms::add_values(double weight, bool smooth, const Interval& values,
                              const std::array<Interval, most_corners>& at_corners,
                              Sums& sums) const {
  if (!has_factors_) return;
  if (smooth) sums.smooth += weight * values;
  for (std::size_t w = 0; w < corners_ && !smooth; ++w) sums.loose[w] += weight * at_corners[w];
}

/// Adds one instant of one spring to all sums.
void SimplexTerms::add_instant(const MovingSpring& spring, int sample, std::size_t count) {
  const auto samples = static_cast<std::size_t>(spring.samples());
  const auto k = static_cast<std::size_t>(sample);
  const std::size_t actuators = spring.actuators().size();
  const std::size_t roles = functions_ - actuators;
  const auto weight = [&](std::size_t u, std::size_t function) {
    return dense_[(u * functions_ + function) * samples + k];
  };
  const auto weighs = [&](std::size_t function) {
    for (std::size_t u = 0; u < count; ++u)
      if (weight(u, function) != 0.0) return true;
    return false;
  };
  std::array<MovingSpring::Line, most_corners> lines;
  for (std::size_t w = 0; w < corners_; ++w) lines[w] = spring.line(sample, places_[w]);
  const MovingSpring::Lines places = places_between(spring, sample, lines);
  const Interval length = MovingSpring::length(places);
  const bool long_enough = length.low > shortest_for_bends;
  MovingSpring::Shape shape;
  if (long_enough) shape = spring.shape(sample, places, length);

  MovingSpring::Bend of_f, of_e;
  for (std::size_t a = 0; a < actuators; ++a) {
    if (!weighs(a)) continue;
    std::array<MovingSpring::Triple, most_corners> slopes;
    std::array<Interval, most_corners> f, e;
    for (std::size_t w = 0; w < corners_; ++w) {
      slopes[w] = spring.slope(sample, a, places_[w]);
      const MovingSpring::Lines at(&lines[w], 1);
      const MovingSpring::Slopes own(&slopes[w], 1);
      const double most = MovingSpring::most_e(own);
      f[w] = MovingSpring::f(at, own);
      e[w] = lines[w].length.low > shortest_for_bends ? MovingSpring::e(at, own, lines[w].length)
                                                      : Interval(-most, most);
    }
    MovingSpring::Slopes between(slopes.data(), corners_);
    if (bent_) {
      slopes[0] = spring.slope(sample, a, region_);
      between = between.first(1);
    }
    spring.bend_of_f(sample, a, places, between, of_f);
    const double most = MovingSpring::most_e(between);
    Interval values(-most, most);
    if (long_enough) {
      values = MovingSpring::e(places, between, length);
      spring.bend_of_e(sample, a, places, between, shape, of_e);
    }
    const Interval flat = spread_of(values, std::span(e).first(corners_));
    const bool bends = long_enough && size_of(of_e) <= flat.size();
    const Interval values_of_f = has_factors_ ? MovingSpring::f(places, between) : Interval();
    for (std::size_t u = 0; u < count; ++u) {
      const double y = weight(u, a);
      if (y == 0.0) continue;
      for (std::size_t w = 0; w < corners_; ++w) {
        f_[u].values[w] += y * f[w];
        e_[u].values[w] += y * e[w];
      }
      add_bend(y, of_f, f_[u]);
      add_values(y, true, values_of_f, f, f_[u]);
      if (bends)
        add_bend(y, of_e, e_[u]);
      else
        e_[u].flat += y * flat;
      add_values(y, bends, values, e, e_[u]);
      f_[u].used = e_[u].used = true;
    }
  }
  if (roles == 0) return;
  MovingSpring::Bend of_length;
  if (long_enough) spring.bend_of_length(shape, of_length);
  std::array<Interval, most_corners> lengths;
  for (std::size_t w = 0; w < corners_; ++w) lengths[w] = lines[w].length;
  const Interval flat = spread_of(length, std::span(lengths).first(corners_));
  const bool bends = long_enough && size_of(of_length) <= flat.size();
  for (std::size_t role = 0; role < roles; ++role)
    for (std::size_t u = 0; u < count; ++u) {
      const double v = weight(u, actuators + role);
      if (v == 0.0) continue;
      Sums& sums = lengths_[u * roles + role];
      sums.used = true;
      for (std::size_t w = 0; w < corners_; ++w) sums.values[w] += v * lengths[w];
      if (bends)
        add_bend(v, of_length, sums);
      else
        sums.flat += v * flat;
      add_values(v, bends, length, lengths, sums);
    }
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

/// Encloses the difference between a function with these values and the linear interpolation of its
/// corner values.
Interval SimplexTerms::spread_of(const Interval& values, std::span<const Interval> at_corners) {
  Interval line = at_corners[0];
  for (const Interval& one : at_corners) line = joined(line, one);
  return values - line;
}

/// Roughly how much the second derivatives of a function at one instant add to the interpolation
/// error.
double SimplexTerms::size_of(const MovingSpring::Bend& bend) const {
  double sum = 0.0;
  for (std::size_t i = 0; i < region_.size(); ++i)
    for (std::size_t j = 0; j <= i; ++j)
      sum += (i == j ? 0.25 : 0.5) * bend.curvatures[SmoothNumber::pair(i, j)].size() *
             (region_[i].high - region_[i].low) * (region_[j].high - region_[j].low);
  return sum;
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
  for (const MountProblem::LengthRange& range : problem_.length_ranges()) {
    const MovingSpring& spring = problem_.springs()[range.spring];
    place(spring);
    for (int sample = 0; sample < spring.samples(); ++sample) {
      Interval length = spring.line(sample, region_).length;
      if (length.low >= range.least && length.high <= range.most) continue;
      std::array<MovingSpring::Line, most_corners> lines;
      for (std::size_t w = 0; w < corners_; ++w) lines[w] = spring.line(sample, places_[w]);
      length = MovingSpring::length(places_between(spring, sample, lines));
      if (length.high < range.least || length.low > range.most) return true;
    }
  }
  return false;
}

}  // namespace counterpoise
