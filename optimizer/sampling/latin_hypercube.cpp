#include "optimizer/sampling/latin_hypercube.hpp"

#include "optimizer/sampling/random_bits.hpp"

namespace counterpoise {

Permutation::Permutation(std::uint64_t size, std::uint64_t key) : size_(size), key_(key) {
  while ((std::uint64_t{1} << (2 * half_bits_)) < size) ++half_bits_;
}

std::uint64_t Permutation::operator()(std::uint64_t i) const {
  do i = shuffled(i);
  while (i >= size_);
  return i;
}

std::uint64_t Permutation::shuffled(std::uint64_t i) const {
  const std::uint64_t mask = (std::uint64_t{1} << half_bits_) - 1;
  std::uint64_t left = i >> half_bits_, right = i & mask;
  for (std::uint64_t round = 0; round < 6; ++round) {
    const std::uint64_t next = left ^ (mixed_together(key_, round, right) & mask);
    left = right;
    right = next;
  }
  return (left << half_bits_) | right;
}

LatinHypercube::LatinHypercube(std::size_t dimensions, std::int64_t count, std::uint64_t seed)
    : count_(count), seed_(seed) {
  for (std::size_t d = 0; d < dimensions; ++d)
    slices_.emplace_back(static_cast<std::uint64_t>(count), mixed_together(seed, d, 1));
}

void LatinHypercube::point(std::uint64_t index, std::span<double> out) const {
  for (std::size_t d = 0; d < out.size(); ++d) {
    const auto slice = static_cast<double>(slices_[d](index));
    const double within = unit_interval(mixed_together(seed_, index, d + 1000));
    out[d] = (slice + within) / static_cast<double>(count_);
  }
}

}  // namespace counterpoise
