#pragma once

#include "bench/peers/mechanism_of.hpp"
#include "engine/dynamics/inverse_dynamics.hpp"
#include "engine/math/pack.hpp"

namespace counterpoise::bench {

/// The engine's inverse dynamics with all it needs, for one tree over its states.
template <class S>
class TreeDynamics {
 public:
  TreeDynamics(const Tree& tree, const States& states)
      : motion_(motion_of<S>(states)), tau_(tree.links.size()) {
    set_design(tree);
    scratch_.resize(tree.links.size());
    for (int block = 0; block < motion_.blocks(); ++block) turn(block);
  }

  void set_design(const Tree& tree) { model_.prepare(mechanism_of(tree)); }

  [[nodiscard]] int blocks() const { return motion_.blocks(); }

  /// Sines and cosines of a block's joint positions.
  void turn(int block) {
    const JointState<S> state = motion_.block(block);
    for (std::size_t b = 0; b < tau_.size(); ++b)
      sincos(state.q[b], state.sine[b], state.cosine[b]);
  }

  /// Joint forces of the samples in a block, from positions, rates, sines and cosines.
  std::span<const S> solve(int block) {
    inverse_dynamics<S>(model_, motion_.block(block), scratch_, tau_);
    return tau_;
  }

 private:
  JointMotion<S> motion_;
  TreeModel model_;
  InverseDynamicsScratch<S> scratch_;
  std::vector<S> tau_;
};

}  // namespace counterpoise::bench
