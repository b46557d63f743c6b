#pragma once

#include "bench/models/tree.hpp"

namespace counterpoise::bench {

/// Random states of a tree, the same in every program: samples times links, sample by sample.
/// Angles within 1.5 rad, slides within 0.1 m, rates and accelerations of about that per second.
struct States {
  int samples = 0;
  int links = 0;
  std::vector<double> q, v, a;

  [[nodiscard]] std::size_t at(int sample, int link) const {
    return static_cast<std::size_t>(sample) * static_cast<std::size_t>(links) +
           static_cast<std::size_t>(link);
  }
};

inline constexpr int sample_count = 1000;

States random_states(const Tree& tree, int samples = sample_count);

}  // namespace counterpoise::bench
