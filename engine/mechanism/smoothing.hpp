#pragma once

#include <span>
#include <vector>

namespace counterpoise {

/// The smoothing spline through recorded values: the natural cubic spline g that minimises the
/// integral of (g - values)^2 + lambda * g''^2. Returns g at the times.
///
///   cutoff   frequency whose oscillations come out halved, for times at equal steps exactly  [Hz];
///            between 0 and half the mean rate, with 10,000 times in its period at most
///
/// Its gain 1 / (1 + (frequency / cutoff)^4) is that of a Butterworth filter of second order passed
/// forward and backward; but it takes times at any steps, and ends free of force, not padded.
/// Precondition: times increase, as many as values, at least two. Cost: O(times).
/// Source: Reinsch, Numer. Math. 10 (1967) 177; as a filter: Woltring, Adv. Eng. Softw. 8 (1986)
/// 104.
std::vector<double> smoothed(std::span<const double> times, std::span<const double> values,
                             double cutoff);

}  // namespace counterpoise
