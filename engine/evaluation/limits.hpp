#pragma once

#include "engine/evaluation/pipeline.hpp"

namespace counterpoise {

/// Everything one design's loads are judged by, laid out block by block.
template <class S>
struct LoadHistory {
  int samples = 0;
  double step = 0.0;
  std::size_t actuators = 0, springs = 0;
  std::vector<S> loads;     // one per block and actuator
  std::vector<S> tensions;  // one per block and spring; empty without springs
};

/// The first broken limit of each kind and element, springs before actuators; a limit is broken
/// beyond 1e-9 of its size. Each finding's violation is its own worst excess over the motion.
template <class S>
void find_broken_limits(const Mechanism& mechanism, const Pipeline<S>& pipeline,
                        const LoadHistory<S>& history, std::vector<Finding>& findings);

}  // namespace counterpoise
