#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace counterpoise {

/// A permutation of 0 .. size-1 derived from a key, whose entries can be computed one at a time: a
/// balanced Feistel network over the next even number of bits, applied until the result falls
/// inside.
class Permutation {
 public:
  Permutation(std::uint64_t size, std::uint64_t key);

  [[nodiscard]] std::uint64_t operator()(std::uint64_t i) const;

 private:
  [[nodiscard]] std::uint64_t shuffled(std::uint64_t i) const;

  std::uint64_t size_, key_;
  unsigned half_bits_ = 1;
};

/// Points of the unit cube such that, with every dimension cut into as many equal slices as there
/// are points, each slice holds one point. Points can be computed one at a time.
class LatinHypercube {
 public:
  LatinHypercube(std::size_t dimensions, std::int64_t count, std::uint64_t seed);

  /// Sets one number in [0, 1) for each dimension; `index` from 0 to count-1.
  void point(std::uint64_t index, std::span<double> out) const;

 private:
  std::int64_t count_;
  std::uint64_t seed_;
  std::vector<Permutation> slices_;  // per dimension
};

}  // namespace counterpoise
