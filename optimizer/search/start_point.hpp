#pragma once

#include <cstdint>
#include <vector>

#include "optimizer/search/search.hpp"

namespace counterpoise {

/// Where a search begins: `nominal` (moved into the bounds) for start 0, for start k the k-th Sobol
/// point shifted by a vector drawn from the seed, so that the starts together cover the box.
std::vector<double> start_point(const SearchOptions& options);

/// A seed for one use of one start: different arguments give unrelated numbers.
std::uint64_t mixed_seed(std::uint64_t seed, std::uint64_t start, std::uint64_t use);

}  // namespace counterpoise
