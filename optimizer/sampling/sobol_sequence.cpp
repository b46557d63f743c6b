#include "optimizer/sampling/sobol_sequence.hpp"

#include <boost/random/sobol.hpp>
#include <optional>

#include "optimizer/sampling/random_bits.hpp"

namespace counterpoise {

struct SobolSequence::Impl {
  std::optional<boost::random::sobol> engine;  // none without dimensions
  std::vector<std::uint64_t> shifts;           // per dimension
  std::int64_t next = 1;                       // which point the engine gives; it leaves out 0
};

SobolSequence::SobolSequence(std::size_t dimensions, std::vector<std::uint64_t> shifts)
    : impl_(new Impl{{}, std::move(shifts)}) {
  if (dimensions > 0) impl_->engine.emplace(dimensions);
  impl_->shifts.resize(dimensions, 0);
}
SobolSequence::~SobolSequence() = default;
SobolSequence::SobolSequence(SobolSequence&&) noexcept = default;

std::size_t SobolSequence::dimensions() const {
  return impl_->shifts.size();
}

void SobolSequence::point(std::int64_t index, std::span<double> out) {
  Impl& own = *impl_;
  if (index == 0) {
    for (std::size_t d = 0; d < out.size(); ++d) out[d] = unit_interval(own.shifts[d]);
    return;
  }
  if (!own.engine) return;
  if (index != own.next) {
    own.engine->seed();
    own.engine->discard(static_cast<std::uint64_t>(index - 1) * out.size());
  }
  own.next = index + 1;
  for (std::size_t d = 0; d < out.size(); ++d)
    out[d] = unit_interval((*own.engine)() ^ own.shifts[d]);
}

}  // namespace counterpoise
