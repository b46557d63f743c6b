#include "engine/motion/motion.hpp"

#include <cmath>

namespace counterpoise {

int Motion::sample_count() const {
  return static_cast<int>(std::lround(duration / step)) + 1;
}

}  // namespace counterpoise
