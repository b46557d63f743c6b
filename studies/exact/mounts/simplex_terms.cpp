#include "studies/exact/mounts/simplex_terms.hpp"

#include <algorithm>
#include <utility>

namespace counterpoise {
SimplexTerms::SimplexTerms(const MountProblem& problem)
    : problem_(problem),
      dimensions_(static_cast<std::size_t>(problem.functions().count())),
      corners_(dimensions_ + 1),
      terms_(corners_) {}

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
  parameters_.clear();
  corner_parameters_.assign(corners_, {});
  std::size_t motions = 0;
  for (const MovingSpring& spring : problem_.springs())
    motions = std::max(motions, spring.motion() + 1);
  for (std::size_t m = 0; m < motions; ++m) {
    parameters_.push_back(problem_.functions().parameters(m, box));
    for (std::size_t w = 0; w < corners_; ++w) {
      std::vector<Interval> at(simplex.corners[w].begin(),
                               simplex.corners[w].begin() + static_cast<std::ptrdiff_t>(d));
      corner_parameters_[w].push_back(problem_.functions().parameters(m, at));
    }
  }
}

/// Sets the coordinates of a spring's mounts at the corners and over the simplex.
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

void SimplexTerms::compute(WeightsList weights) {
  const Coefficients zero(1 + problem_.unknowns(), Interval(0.0));
  const std::size_t pairs = SmoothNumber::pair(dimensions_, 0);
  for (std::size_t u = 0; u < weights.size(); ++u) {
    Terms& terms = terms_[u];
    for (std::size_t w = 0; w < corners_; ++w) terms.at[w] = weights[u]->constant;
    for (std::size_t p = 0; p < pairs; ++p) terms.bends[p] = zero;
    terms.flat = zero;
  }
  for (std::size_t i = 0; i < problem_.springs().size(); ++i) add_spring(i, weights);
  for (std::size_t u = 0; u < weights.size(); ++u) find_errors(terms_[u]);
}

/// Notes the weights of one corner's multipliers in the dense table.
void SimplexTerms::spread(const MountWeights::OfSpring& weights, std::size_t u,
                          const MovingSpring& spring) {
  const auto samples = static_cast<std::size_t>(spring.samples());
  const auto place = [&](std::size_t function, std::int32_t sample) {
    return (u * functions_ + function) * samples + static_cast<std::size_t>(sample);
  };
  for (const MountWeights::Load& load : weights.loads)
    note({place(static_cast<std::size_t>(load.actuator), load.sample), load.sample, load.weight});
  for (const MountWeights::Length& length : weights.lengths)
    note({place(spring.actuators().size() + static_cast<std::size_t>(length.role), length.sample),
          length.sample, length.weight});
}

/// Adds a weight to the dense table. Where the sum is rounded, what is left over waits in left_.
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

void SimplexTerms::add_spring(std::size_t index, WeightsList weights) {
  const MovingSpring& spring = problem_.springs()[index];
  const bool any = std::any_of(weights.begin(), weights.end(), [&](const MountWeights* one) {
    const MountWeights::OfSpring& own = one->of_springs[index];
    return !own.loads.empty() || !own.lengths.empty();
  });
  if (!any) return;
  const auto samples = static_cast<std::size_t>(spring.samples());
  const std::size_t actuators = spring.actuators().size();
  const std::size_t roles = problem_.length_roles().size();
  functions_ = actuators + roles;
  place(spring);
  e_.assign(weights.size(), {});
  f_.assign(weights.size(), {});
  lengths_.assign(weights.size() * roles, {});
  left_.clear();
  for (bool first = true; first || !left_.empty(); first = false) {
    const std::vector<PlacedWeight> left = std::exchange(left_, {});
    dense_.assign(weights.size() * functions_ * samples, 0.0);
    active_.assign(samples, 0);
    active_samples_.clear();
    for (std::size_t u = 0; first && u < weights.size(); ++u)
      spread(weights[u]->of_springs[index], u, spring);
    for (const PlacedWeight& one : left) note(one);
    std::sort(active_samples_.begin(), active_samples_.end());
    for (const int sample : active_samples_) add_instant(spring, sample, weights.size());
  }
  for (std::size_t u = 0; u < weights.size(); ++u) {
    Terms& terms = terms_[u];
    add_function(e_[u], terms, [&](const Interval& value, Coefficients& to) {
      problem_.add_e(index, value, to);
    });
    add_function(f_[u], terms, [&](const Interval& value, Coefficients& to) {
      problem_.add_f(index, value, to);
    });
    for (std::size_t role = 0; role < roles; ++role)
      add_function(lengths_[u * roles + role], terms, [&](const Interval& value, Coefficients& to) {
        problem_.add_length(index, static_cast<int>(role), value, to);
      });
  }
}

/// Adds one function's sums to the terms of one corner's multipliers, by the chain rule from
/// coordinates of mounts to variables.
void SimplexTerms::add_function(
    const Sums& sums, Terms& terms,
    const std::function<void(const Interval&, Coefficients&)>& add) const {
  if (!sums.used) return;
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

}  // namespace counterpoise
