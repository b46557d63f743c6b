#include "optimizer/statistics/sobol_indices.hpp"

#include <algorithm>
#include <cmath>

#include "optimizer/sampling/random_bits.hpp"
#include "optimizer/sampling/sobol_sequence.hpp"

namespace counterpoise {

namespace {

std::vector<std::uint64_t> shifts_of(std::size_t dimensions, std::uint64_t seed) {
  std::vector<std::uint64_t> shifts;
  Draws draws(seed, 0);
  for (std::size_t i = 0; i < dimensions; ++i) shifts.push_back(draws.bits());
  return shifts;
}

}  // namespace

struct SaltelliDesign::Impl {
  std::size_t factors;
  SobolSequence sobol;
  std::vector<double> base;  // row of A, then of B
  std::int64_t at = -1;      // its number

  Impl(std::size_t d, std::uint64_t seed)
      : factors(d), sobol(2 * d, shifts_of(2 * d, seed)), base(2 * d) {}

  void load(std::int64_t j) {
    if (j == at) return;
    sobol.point(j, base);
    at = j;
  }
};

SaltelliDesign::SaltelliDesign(std::size_t factors, std::uint64_t seed)
    : impl_(new Impl(factors, seed)) {}
SaltelliDesign::~SaltelliDesign() = default;
SaltelliDesign::SaltelliDesign(SaltelliDesign&&) noexcept = default;

void SaltelliDesign::row(std::int64_t row, std::span<double> u) {
  Impl& own = *impl_;
  const auto block = static_cast<std::int64_t>(own.factors + 2);
  own.load(row / block);
  const auto matrix = static_cast<std::size_t>(row % block);
  const auto half = static_cast<std::ptrdiff_t>(own.factors);
  const bool of_b = matrix == own.factors + 1;
  std::copy_n(own.base.begin() + (of_b ? half : 0), own.factors, u.begin());
  if (!of_b && matrix > 0) u[matrix - 1] = own.base[own.factors + matrix - 1];
}

namespace {

constexpr double rounding_noise = 1e-12;   // of a function's size
constexpr std::size_t most_groups = 4096;  // bounds the work of resampling

/// Sums over base samples, in this order: number, sum and sum of squares of A's and B's values;
/// then for each factor the number of triples, the sums of B (AB_i - A) and of (A - AB_i)^2 / 2.
class Sums {
 public:
  explicit Sums(std::size_t factors) : sums_(width(factors), 0.0) {}

  static std::size_t width(std::size_t factors) { return 3 + 3 * factors; }

  void clear() { std::fill(sums_.begin(), sums_.end(), 0.0); }
  void add(const double* terms) {
    for (std::size_t i = 0; i < sums_.size(); ++i) sums_[i] += terms[i];
  }

  [[nodiscard]] double mean() const { return sums_[0] > 0.0 ? sums_[1] / sums_[0] : 0.0; }
  [[nodiscard]] double variance() const {
    return sums_[0] > 0.0 ? std::max(sums_[2] / sums_[0] - mean() * mean(), 0.0) : 0.0;
  }
  [[nodiscard]] double triples(std::size_t i) const { return sums_[3 + 3 * i]; }
  [[nodiscard]] double first(std::size_t i) const { return share(i, 1); }
  [[nodiscard]] double total(std::size_t i) const { return share(i, 2); }
  /// Whether all indices can be formed.
  [[nodiscard]] bool complete() const {
    for (std::size_t i = 3; i < sums_.size(); i += 3)
      if (sums_[i] == 0.0) return false;
    return variance() > 0.0;
  }

 private:
  [[nodiscard]] double share(std::size_t i, std::size_t which) const {
    return sums_[3 + 3 * i + which] / (triples(i) * variance());
  }

  std::vector<double> sums_;
};

/// Values as (value - middle) / size, which keeps offsets and units out of the sums.
struct Scale {
  double middle = 0.0;
  double size = 0.0;  // largest distance from the middle
  double largest = 0.0;

  explicit Scale(std::span<const double> values) {
    double count = 0.0;
    for (double value : values) {
      if (std::isnan(value)) continue;
      count += 1.0;
      middle += (value - middle) / count;
      largest = std::max(largest, std::abs(value));
    }
    for (double value : values)
      if (!std::isnan(value)) size = std::max(size, std::abs(value - middle));
  }
  [[nodiscard]] bool constant() const { return size <= rounding_noise * largest; }
  [[nodiscard]] double operator()(double value) const { return (value - middle) / size; }
};

/// Adds what a base sample contributes to the sums, of its values in the order of the design's
/// rows.
void add_terms(std::span<const double> block, const Scale& scale, double* sums) {
  const double a = scale(block.front()), b = scale(block.back());
  for (double value : {a, b}) {
    if (std::isnan(value)) continue;
    sums[0] += 1.0;
    sums[1] += value;
    sums[2] += value * value;
  }
  for (std::size_t i = 1; i + 1 < block.size(); ++i) {
    const double change = scale(block[i]) - a;
    if (std::isnan(b * change)) continue;
    double* own = sums + 3 * i;
    own[0] += 1.0;
    own[1] += b * change;
    own[2] += change * change / 2.0;
  }
}

/// Sums of groups of neighbouring base samples, Sums::width numbers each: what resamples are drawn
/// from.
std::vector<double> grouped_terms(std::span<const double> values, std::size_t factors,
                                  const Scale& scale, const Interruption& interrupted) {
  const std::size_t block = factors + 2, count = values.size() / block;
  const std::size_t groups = std::min(count, most_groups), width = Sums::width(factors);
  std::vector<double> terms(groups * width, 0.0);
  for (std::size_t j = 0; j < count; ++j) {
    interrupted.poll();
    add_terms(values.subspan(j * block, block), scale, &terms[j * groups / count * width]);
  }
  return terms;
}

/// Subtracts the mean of A and B, so accurately that its error does not affect first orders.
void centre_on(double mean, Scale& scale) {
  scale.middle += mean * scale.size;
}

/// Indices of every resample: for each factor a list of first orders and one of totals, and a list
/// of the sums.
struct Resampled {
  std::vector<std::vector<double>> first, total;
  std::vector<double> first_sum;
};

Resampled resample(const std::vector<double>& terms, std::size_t factors, std::uint64_t seed,
                   int resamples, const Interruption& interrupted) {
  Resampled result{
      std::vector<std::vector<double>>(factors), std::vector<std::vector<double>>(factors), {}};
  const std::size_t width = Sums::width(factors), count = terms.size() / width;
  Sums sums(factors);
  for (int r = 0; r < resamples; ++r) {
    interrupted.poll();
    Draws draws(seed, static_cast<std::uint64_t>(r) + 1);
    sums.clear();
    for (std::size_t j = 0; j < count; ++j) sums.add(&terms[draws.below(count) * width]);
    if (!sums.complete()) continue;
    double first_sum = 0.0;
    for (std::size_t i = 0; i < factors; ++i) {
      result.first[i].push_back(sums.first(i));
      result.total[i].push_back(sums.total(i));
      first_sum += sums.first(i);
    }
    result.first_sum.push_back(first_sum);
  }
  return result;
}

Sums sum_of(const std::vector<double>& terms, std::size_t factors) {
  Sums sums(factors);
  for (std::size_t at = 0; at < terms.size(); at += Sums::width(factors)) sums.add(&terms[at]);
  return sums;
}

}  // namespace

SobolIndices estimate_sobol(std::span<const double> values, std::size_t factors, std::uint64_t seed,
                            int resamples, const Interruption& interrupted) {
  SobolIndices result;
  Scale scale(values);
  result.mean = scale.middle;
  const std::size_t base_samples = values.size() / (factors + 2);
  const bool constant = scale.constant();
  if (constant) scale.size = 1.0;
  std::vector<double> terms = grouped_terms(values, factors, scale, interrupted);
  centre_on(sum_of(terms, factors).mean(), scale);
  terms = grouped_terms(values, factors, scale, interrupted);
  const Sums sums = sum_of(terms, factors);
  result.usable = 1.0;
  for (std::size_t i = 0; i < factors; ++i)
    result.usable = std::min(result.usable, sums.triples(i) / static_cast<double>(base_samples));
  result.mean = scale.middle;
  result.variance = constant ? 0.0 : sums.variance() * scale.size * scale.size;
  if (result.usable < least_usable_share)
    result.none = NoIndices::too_few;
  else if (constant || !sums.complete())
    result.none = NoIndices::constant;
  if (result.none != NoIndices::there_are) return result;

  Resampled drawn = resample(terms, factors, seed, resamples, interrupted);
  double first_sum = 0.0;
  for (std::size_t i = 0; i < factors; ++i) {
    result.first.push_back(with_interval(sums.first(i), drawn.first[i]));
    result.total.push_back(with_interval(sums.total(i), drawn.total[i]));
    first_sum += sums.first(i);
  }
  result.first_sum = with_interval(first_sum, drawn.first_sum);
  return result;
}

SobolIndices sobol_indices(std::size_t factors, std::int64_t base_samples, std::uint64_t seed,
                           const std::function<double(std::span<const double>)>& function) {
  SaltelliDesign design(factors, seed);
  std::vector<double> values(static_cast<std::size_t>(SaltelliDesign::rows(factors, base_samples)));
  std::vector<double> u(factors);
  for (std::size_t row = 0; row < values.size(); ++row) {
    design.row(static_cast<std::int64_t>(row), u);
    values[row] = function(u);
  }
  return estimate_sobol(values, factors, seed);
}

}  // namespace counterpoise
