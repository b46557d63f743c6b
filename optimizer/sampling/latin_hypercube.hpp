#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace counterpoise {

/// A permutation of 0 .. size-1 drawn from a key, of which any entry can be asked for alone: a
/// balanced Feistel network over the next even number of bits, walked until it falls inside.
class Permutation {
 public:
  Permutation(std::uint64_t size, std::uint64_t key);

  [[nodiscard]] std::uint64_t operator()(std::uint64_t i) const;

 private:
  [[nodiscard]] std::uint64_t shuffled(std::uint64_t i) const;

  std::uint64_t size_, key_;
  unsigned half_bits_ = 1;
};

/// Points of the unit cube, of which each of as many equal slices of every dimension holds one. Any
/// point can be asked for alone.
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
