#include "optimizer/convex/choice/box_most.hpp"

#include <algorithm>
#include <cmath>

#include "optimizer/convex/tolerances.hpp"

namespace counterpoise {

BoxMost::BoxMost(const ChoiceProblem& problem, const PartValues& values)
    : problem_(problem),
      values_(values),
      group_of_(problem.convex.lower.size(), 0),
      place_of_(problem.convex.lower.size(), 0) {
  for (std::size_t g = 0; g < problem.groups.size(); ++g)
    for (std::size_t i = 0; i < problem.groups[g].unknowns.size(); ++i) {
      const auto unknown = static_cast<std::size_t>(problem.groups[g].unknowns[i]);
      group_of_[unknown] = g;
      place_of_[unknown] = i;
    }
  for (const AffineSeries& series : problem.convex.series) {
    std::vector<Reads>& reads = reads_.emplace_back();
    for (std::size_t c = 0; c < series.columns.size(); ++c) {
      const auto unknown = static_cast<std::size_t>(series.columns[c].variable);
      const std::size_t g = group_of_[unknown];
      auto own = std::find_if(reads.begin(), reads.end(),
                              [&](const Reads& known) { return known.group == g; });
      if (own == reads.end()) own = reads.insert(reads.end(), {g, {}, {}});
      own->columns.push_back(c);
      own->places.push_back(place_of_[unknown]);
    }
  }
}

std::optional<double> BoxMost::of(const Options& left) const {
  std::vector<Most> norms;
  for (std::size_t n = 0; n < problem_.convex.norms.size(); ++n) norms.push_back(of_norm(n, left));
  const auto most_of = [&](const ConvexSum& sum) {
    const Most most = of_sum(sum, norms, left);
    return most.value + ConvexTolerances::rounding * most.size;
  };
  for (const ConvexLimit& limit : problem_.convex.limits)
    if (!(most_of(limit.sum) <= limit.bound)) return std::nullopt;
  double largest = most_of(problem_.convex.objective.front());
  for (const ConvexSum& sum : problem_.convex.objective) largest = std::max(largest, most_of(sum));
  return largest;
}

BoxMost::Most BoxMost::of_norm(std::size_t norm, const Options& left) const {
  const int group = values_.group_of(norm);
  if (group >= 0) {
    double largest = 0.0;
    for (const int option : left[group])
      largest = std::max(largest, values_.of_options(norm)[option]);
    return {largest, largest};
  }
  const SeriesNorm& of = problem_.convex.norms[norm];
  Most most;
  const auto add = [&](double& to, double number) {
    if (of.kind == NormKind::max)
      to = std::max(to, number);
    else
      to = of.kind == NormKind::l1 ? to + number : std::hypot(to, number);
  };
  std::vector<Most> samples;
  for (const SeriesNorm::Part& part : of.parts) {
    of_series(static_cast<std::size_t>(part.series), left, samples);
    for (std::size_t k = 0; k < samples.size(); ++k) {
      const double weight = part.weights.empty() ? 1.0 : part.weights[k];
      add(most.value, weight * samples[k].value);
      add(most.size, weight * samples[k].size);
    }
  }
  return most;
}

/// The largest size of each sample.
void BoxMost::of_series(std::size_t index, const Options& left, std::vector<Most>& samples) const {
  const AffineSeries& series = problem_.convex.series[index];
  const std::size_t count = series.constant.size();
  std::vector<double> low = series.constant, high = series.constant;
  std::vector<double> own(count), own_size(count), own_low(count), own_high(count), own_most(count);
  samples.assign(count, {});
  for (std::size_t k = 0; k < count; ++k) samples[k].size = std::abs(series.constant[k]);
  for (const Reads& reads : reads_[index]) {
    std::fill(own_low.begin(), own_low.end(), infinity);
    std::fill(own_high.begin(), own_high.end(), -infinity);
    std::fill(own_most.begin(), own_most.end(), 0.0);
    for (const int option : left[reads.group]) {
      const std::vector<double>& values = problem_.groups[reads.group].options[option];
      std::fill(own.begin(), own.end(), 0.0);
      std::fill(own_size.begin(), own_size.end(), 0.0);
      for (std::size_t c = 0; c < reads.columns.size(); ++c) {
        const double value = values[reads.places[c]];
        const std::vector<double>& coefficients = series.columns[reads.columns[c]].coefficients;
        for (std::size_t k = 0; k < count; ++k) {
          const double term = coefficients[k] * value;
          own[k] += term;
          own_size[k] += std::abs(term);
        }
      }
      for (std::size_t k = 0; k < count; ++k) {
        own_low[k] = std::min(own_low[k], own[k]);
        own_high[k] = std::max(own_high[k], own[k]);
        own_most[k] = std::max(own_most[k], own_size[k]);
      }
    }
    for (std::size_t k = 0; k < count; ++k) {
      low[k] += own_low[k];
      high[k] += own_high[k];
      samples[k].size += own_most[k];
    }
  }
  for (std::size_t k = 0; k < count; ++k) samples[k].value = std::max(-low[k], high[k]);
}

BoxMost::Most BoxMost::of_sum(const ConvexSum& sum, const std::vector<Most>& norms,
                              const Options& left) const {
  Most most{sum.constant, std::abs(sum.constant)};
  for (const ConvexSum::Term& term : sum.norms) {
    most.value += term.weight * norms[term.index].value;
    most.size += term.weight * norms[term.index].size;
  }
  for (const ConvexSum::Term& term : sum.linear) {
    const std::size_t group = group_of_[term.index], place = place_of_[term.index];
    double largest = -infinity, size = 0.0;
    for (const int option : left[group]) {
      const double own = term.weight * problem_.groups[group].options[option][place];
      largest = std::max(largest, own);
      size = std::max(size, std::abs(own));
    }
    most.value += largest;
    most.size += size;
  }
  return most;
}

}  // namespace counterpoise
