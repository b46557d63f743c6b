#include "studies/running/point_source.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "optimizer/sampling/latin_hypercube.hpp"
#include "optimizer/sampling/random_bits.hpp"
#include "optimizer/sampling/sobol_sequence.hpp"

namespace counterpoise {
namespace {

/// Without a seed there is no shift: the sequence is that of the literature.
std::vector<std::uint64_t> shifts_of(std::size_t dimensions, std::uint64_t seed) {
  std::vector<std::uint64_t> shifts(dimensions, 0);
  for (std::size_t d = 0; seed != 0 && d < dimensions; ++d) shifts[d] = mixed_together(seed, d, 2);
  return shifts;
}

}  // namespace

double coordinate_at(const Variable& variable, double u) {
  if (!variable.discrete()) return variable.low + u * (variable.high - variable.low);
  const auto levels = static_cast<double>(variable.level_count());
  return std::min(std::floor(u * levels), levels - 1.0);
}

struct PointSource::Impl {
  const Study& study;
  const Sampling& sampling;
  std::optional<SobolSequence> sobol;
  std::optional<LatinHypercube> latin;

  explicit Impl(const Study& s) : study(s), sampling(std::get<Sampling>(s.method)) {
    const std::size_t dimensions = study.variables.size();
    if (sampling.method == SamplingMethod::sobol)
      sobol.emplace(dimensions, shifts_of(dimensions, sampling.seed));
    if (sampling.method == SamplingMethod::latin_hypercube)
      latin.emplace(dimensions, sampling.count, sampling.seed);
  }

  void grid(std::int64_t id, std::span<double> out) const {
    std::int64_t rest = id - 1;
    for (std::size_t i = out.size(); i-- > 0;) {
      const std::int64_t levels = study.variables[i].level_count();
      out[i] = static_cast<double>(rest % levels);
      rest /= levels;
    }
  }

  /// From shares of their ranges to coordinates.
  void spread(std::span<double> shares) const {
    for (std::size_t d = 0; d < shares.size(); ++d)
      shares[d] = coordinate_at(study.variables[d], shares[d]);
  }
};

PointSource::PointSource(const Study& study) : impl_(new Impl(study)) {}
PointSource::~PointSource() = default;
PointSource::PointSource(PointSource&&) noexcept = default;

void PointSource::point(std::int64_t id, std::span<double> out) {
  const Sampling& sampling = impl_->sampling;
  const auto number = static_cast<std::uint64_t>(id - 1);
  switch (sampling.method) {
    case SamplingMethod::grid:
      impl_->grid(id, out);
      return;
    case SamplingMethod::sobol:
      impl_->sobol->point(id, out);
      break;
    case SamplingMethod::latin_hypercube:
      impl_->latin->point(number, out);
      break;
    case SamplingMethod::random:
      for (std::size_t d = 0; d < out.size(); ++d)
        out[d] = unit_interval(mixed_together(sampling.seed, number, d));
      break;
    case SamplingMethod::list:
      for (std::size_t d = 0; d < out.size(); ++d) out[d] = sampling.points[number][d];
      return;
  }
  impl_->spread(out);
}

}  // namespace counterpoise
