#pragma once

#include "optimizer/sampling/sobol_sequence.hpp"

namespace counterpoise {

/// A Sobol sequence with a digital shift that follows from a seed.
SobolSequence shifted_sobol(std::size_t dimensions, std::uint64_t seed);

/// The points at which a box that is sampled is looked at: its corners, where there are no more of
/// them than samples, then `samples` of shifted_sobol(), the shifted origin left out. Without
/// dimensions none.
std::vector<std::vector<double>> box_samples(std::size_t dimensions, int samples,
                                             std::uint64_t seed);

}  // namespace counterpoise
