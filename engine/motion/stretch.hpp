#pragma once

#include <algorithm>
#include <limits>

namespace counterpoise {

/// The samples of a motion that are computed and held at a time: all of a short motion, and of a
/// long one a part that begins with a whole block. What goes on from sample to sample is carried
/// from each stretch to the next, so that every number is the same bits whatever the stretches.
struct Stretch {
  int first = 0;    // time index of its first sample
  int samples = 0;  // number of samples that it holds
  int total = 0;    // number of samples of the motion

  /// The stretch from sample `first` on of a motion of `total` samples, `longest` at most.
  static Stretch from(int first, int longest, int total) {
    return {first, std::min(longest, total - first), total};
  }

  /// Whether the motion starts, and ends, in it.
  [[nodiscard]] bool starts() const { return first == 0; }
  [[nodiscard]] bool ends() const { return first + samples == total; }
  [[nodiscard]] bool whole() const { return samples == total; }
};

/// How many samples of a motion are held at a time: all of a motion of up to `most` samples, and
/// `stretch` of a longer one, a multiple of the lanes.
struct Holding {
  int most = 65'536;
  int stretch = 8192;

  static Holding at_most(int samples) { return {samples, samples}; }
  static Holding whole() { return at_most(std::numeric_limits<int>::max()); }

  [[nodiscard]] bool holds(int samples) const { return samples <= std::max(most, stretch); }
  [[nodiscard]] int longest(int samples) const { return holds(samples) ? samples : stretch; }
};

}  // namespace counterpoise
