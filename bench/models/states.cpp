#include "bench/models/states.hpp"

#include <random>

namespace counterpoise::bench {

States random_states(const Tree& tree, int samples) {
  States states{samples, tree.size(), {}, {}, {}};
  std::mt19937_64 engine(20260401);
  // by hand: the library's distributions may differ from one standard library to another
  const auto within = [&engine](double bound) {
    return bound * (static_cast<double>(engine() >> 11) * 0x1p-52 - 1.0);
  };
  for (int t = 0; t < samples; ++t)
    for (const Link& link : tree.links) {
      states.q.push_back(within(link.revolute ? 1.5 : 0.1));
      states.v.push_back(within(link.revolute ? 1.0 : 0.2));
      states.a.push_back(within(link.revolute ? 2.0 : 0.5));
    }
  return states;
}

}  // namespace counterpoise::bench
