#pragma once

#include <oneapi/tbb/parallel_for.h>

#include "studies/running/handed_over.hpp"

namespace counterpoise {

/// Calls body(i) for i = 0 .. count - 1, each as a task of its own, on the threads of this arena.
template <class Body>
void parallel_each(std::size_t count, const Body& body) {
  const HandedOver<const Body> shared(&body);
  tbb::parallel_for(
      std::size_t{0}, count, [shared](std::size_t i) { (*shared.operator->())(i); },
      tbb::simple_partitioner());
}

}  // namespace counterpoise
