#pragma once

#include "optimizer/sampling/sobol_sequence.hpp"

namespace counterpoise {

/// A Sobol sequence with a digital shift derived from a seed.
SobolSequence shifted_sobol(std::size_t dimensions, std::uint64_t seed);

/// The points at which a box is sampled: its corners, if there are no more of them than `samples`,
/// then `samples` points of shifted_sobol() without the shifted origin. Returns none if there are
/// no dimensions.
std::vector<std::vector<double>> box_samples(std::size_t dimensions, int samples,
                                             std::uint64_t seed);

}  // namespace counterpoise
