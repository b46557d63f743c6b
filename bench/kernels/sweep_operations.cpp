// How many operations the recursive Newton-Euler sweep takes. In a file of its own: the sweep's
// templates, whose scalar counts here, would be compiled for lanes, too, where kernels are timed.
#include "engine/dynamics/inverse_dynamics_sweeps.hpp"

#include "bench/counters.hpp"
#include "bench/formulations/operation_tally.hpp"
#include "bench/peers/mechanism_of.hpp"

namespace counterpoise::bench {

double operations_of_sweep(const Tree& tree) {
  TreeModel model;
  model.prepare(mechanism_of(tree));
  JointMotion<Tallied> motion;
  motion.resize(tree.size(), 1);
  const JointState<Tallied> state = motion.block(0);
  InverseDynamicsScratch<Tallied> scratch;
  scratch.resize(tree.links.size());
  std::vector<Tallied> tau(tree.links.size());
  for (std::size_t b = 0; b < tau.size(); ++b)
    for (const auto& series : {state.q, state.v, state.a, state.sine, state.cosine})
      series[b] = Tallied::input(0.5);
  const Tally before = Tallied::dense();
  inverse_dynamics<Tallied>(model, state, scratch, tau);
  const Tally count = Tallied::dense() - before;
  return static_cast<double>(count.products + count.sums);
}

}  // namespace counterpoise::bench
