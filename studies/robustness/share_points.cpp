#include "studies/robustness/share_points.hpp"

#include <boost/random/sobol.hpp>
#include <optional>

#include "studies/sampling.hpp"

namespace counterpoise {

struct ShareSequence::Impl {
  std::optional<boost::random::sobol> sobol;
  std::vector<std::uint64_t> turned;  // per dimension
};

ShareSequence::ShareSequence(std::size_t dimensions, std::uint64_t seed) : impl_(new Impl) {
  if (dimensions > 0) impl_->sobol.emplace(dimensions);
  for (std::size_t d = 0; d < dimensions; ++d) impl_->turned.push_back(mixed(mixed(seed) ^ d));
}
ShareSequence::~ShareSequence() = default;
ShareSequence::ShareSequence(ShareSequence&&) noexcept = default;

void ShareSequence::next(std::span<double> shares) {
  for (std::size_t d = 0; d < shares.size(); ++d) {
    const std::uint64_t bits = (*impl_->sobol)() ^ impl_->turned[d];
    shares[d] = static_cast<double>(bits >> 11) * 0x1p-53;
  }
}

std::vector<std::vector<double>> box_samples(std::size_t dimensions, int samples,
                                             std::uint64_t seed) {
  std::vector<std::vector<double>> points;
  if (dimensions == 0) return points;
  const auto count = static_cast<std::size_t>(samples);
  if (dimensions < 32 && (std::size_t{1} << dimensions) <= count)
    for (std::size_t corner = 0; corner < std::size_t{1} << dimensions; ++corner) {
      std::vector<double>& point = points.emplace_back(dimensions);
      for (std::size_t d = 0; d < dimensions; ++d)
        point[d] = static_cast<double>((corner >> d) & 1U);
    }
  ShareSequence sequence(dimensions, seed);
  for (std::size_t i = 0; i < count; ++i) sequence.next(points.emplace_back(dimensions));
  return points;
}

}  // namespace counterpoise
