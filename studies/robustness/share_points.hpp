#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace counterpoise {

/// Points of the unit cube, one after the other: a Sobol sequence whose bits are turned over
/// digit by digit as the seed says. The same seed gives the same points.
class ShareSequence {
 public:
  ShareSequence(std::size_t dimensions, std::uint64_t seed);
  ~ShareSequence();
  ShareSequence(ShareSequence&&) noexcept;

  /// Sets one number in [0, 1) for each dimension.
  void next(std::span<double> shares);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// The points at which a box that is sampled is looked at: its corners, where there are no more of
/// them than samples, then `samples` of a ShareSequence. Without dimensions none.
std::vector<std::vector<double>> box_samples(std::size_t dimensions, int samples,
                                             std::uint64_t seed);

}  // namespace counterpoise
