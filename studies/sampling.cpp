#include "studies/sampling.hpp"

#include <algorithm>
#include <array>
#include <boost/random/sobol.hpp>
#include <cmath>
#include <optional>

namespace counterpoise {

std::uint64_t mixed(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

namespace {

std::uint64_t mixed_together(std::uint64_t seed, std::uint64_t a, std::uint64_t b) {
  return mixed(mixed(mixed(seed) ^ a) ^ b);
}

/// The top 53 bits as a number in [0, 1).
double unit(std::uint64_t bits) {
  return static_cast<double>(bits >> 11) * 0x1p-53;
}

/// A permutation of 0 .. size-1 drawn from a key, of which any entry can be asked for alone: a
/// balanced Feistel network over the next even number of bits, walked until it falls inside.
class Permutation {
 public:
  Permutation(std::uint64_t size, std::uint64_t key) : size_(size), key_(key) {
    while ((std::uint64_t{1} << (2 * half_bits_)) < size) ++half_bits_;
  }

  [[nodiscard]] std::uint64_t operator()(std::uint64_t i) const {
    do i = shuffled(i);
    while (i >= size_);
    return i;
  }

 private:
  [[nodiscard]] std::uint64_t shuffled(std::uint64_t i) const {
    const std::uint64_t mask = (std::uint64_t{1} << half_bits_) - 1;
    std::uint64_t left = i >> half_bits_, right = i & mask;
    for (std::uint64_t round = 0; round < 6; ++round) {
      const std::uint64_t next = left ^ (mixed_together(key_, round, right) & mask);
      left = right;
      right = next;
    }
    return (left << half_bits_) | right;
  }

  std::uint64_t size_, key_;
  unsigned half_bits_ = 1;
};

/// The coordinate of a variable at u in [0, 1).
double coordinate(const Variable& variable, double u) {
  if (!variable.discrete()) return variable.low + u * (variable.high - variable.low);
  const auto levels = static_cast<double>(variable.level_count());
  return std::min(std::floor(u * levels), levels - 1.0);
}

}  // namespace

struct PointSource::Impl {
  const Study& study;
  const Sampling& sampling;
  std::optional<boost::random::sobol> sobol;
  std::int64_t next_sobol_id = 1;
  std::vector<Permutation> permutations;

  explicit Impl(const Study& s) : study(s), sampling(std::get<Sampling>(s.method)) {
    const std::size_t dimensions = study.variables.size();
    if (sampling.method == SamplingMethod::sobol && dimensions > 0) sobol.emplace(dimensions);
    if (sampling.method == SamplingMethod::latin_hypercube)
      for (std::size_t d = 0; d < dimensions; ++d)
        permutations.emplace_back(static_cast<std::uint64_t>(sampling.count),
                                  mixed_together(sampling.seed, d, 1));
  }

  void grid(std::int64_t id, std::span<double> out) const {
    std::int64_t rest = id - 1;
    for (std::size_t i = out.size(); i-- > 0;) {
      const std::int64_t levels = study.variables[i].level_count();
      out[i] = static_cast<double>(rest % levels);
      rest /= levels;
    }
  }

  void sobol_point(std::int64_t id, std::span<double> out) {
    if (!sobol) return;
    if (id != next_sobol_id) {
      sobol->seed();
      sobol->discard(static_cast<std::uint64_t>(id - 1) * out.size());
    }
    next_sobol_id = id + 1;
    for (std::size_t d = 0; d < out.size(); ++d) {
      const std::uint64_t shift = sampling.seed == 0 ? 0 : mixed_together(sampling.seed, d, 2);
      out[d] = coordinate(study.variables[d], unit((*sobol)() ^ shift));
    }
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
      impl_->sobol_point(id, out);
      return;
    case SamplingMethod::latin_hypercube:
      for (std::size_t d = 0; d < out.size(); ++d) {
        const auto stratum = static_cast<double>(impl_->permutations[d](number));
        const double within = unit(mixed_together(sampling.seed, number, d + 1000));
        out[d] = coordinate(impl_->study.variables[d],
                            (stratum + within) / static_cast<double>(sampling.count));
      }
      return;
    case SamplingMethod::random:
      for (std::size_t d = 0; d < out.size(); ++d)
        out[d] =
            coordinate(impl_->study.variables[d], unit(mixed_together(sampling.seed, number, d)));
      return;
    case SamplingMethod::list:
      for (std::size_t d = 0; d < out.size(); ++d) out[d] = sampling.points[number][d];
      return;
  }
}

}  // namespace counterpoise
