#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace counterpoise {

/// Sobol's sequence of points in the unit cube, numbered from 0, which is the origin. Use one
/// object per thread.
class SobolSequence {
 public:
  /// With `shifts`, the binary digits of each dimension are inverted where its shift has a one (a
  /// random digital shift). At most 3667 dimensions.
  explicit SobolSequence(std::size_t dimensions, std::vector<std::uint64_t> shifts = {});
  ~SobolSequence();
  SobolSequence(SobolSequence&&) noexcept;

  [[nodiscard]] std::size_t dimensions() const;

  /// Sets one number in [0, 1) for each dimension. Cheap when indices rise by one.
  void point(std::int64_t index, std::span<double> out);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace counterpoise
