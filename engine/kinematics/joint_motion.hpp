#pragma once

#include <cassert>
#include <cstddef>
#include <span>
#include <vector>

#include "engine/math/scalar.hpp"

namespace counterpoise {

/// All joints at `lanes<S>` samples: one entry per body, in body order; fixed joints hold zeros.
/// Positions and rates [rad or m, /s, /s^2]; sine and cosine of the angle of revolute joints.
template <class S>
struct JointState {
  std::span<S> q, v, a, sine, cosine;
};

/// Joint motion over all samples of a motion, in blocks of `lanes<S>` consecutive samples. Spare
/// lanes of the last block repeat the last sample.
template <class S>
class JointMotion {
 public:
  void resize(int bodies, int samples) {
    bodies_ = static_cast<std::size_t>(bodies);
    samples_ = samples;
    blocks_ = (samples + lanes<S> - 1) / lanes<S>;
    const std::size_t size = bodies_ * static_cast<std::size_t>(blocks_);
    for (std::vector<S>* values : {&q_, &v_, &a_, &sine_}) values->assign(size, S(0.0));
    cosine_.assign(size, S(1.0));
  }

  [[nodiscard]] int samples() const { return samples_; }
  [[nodiscard]] int blocks() const { return blocks_; }

  JointState<S> block(int b) {
    return {part(q_, b), part(v_, b), part(a_, b), part(sine_, b), part(cosine_, b)};
  }

 private:
  std::span<S> part(std::vector<S>& values, int b) const {
    assert(0 <= b && b < blocks_);
    return std::span<S>(values).subspan(static_cast<std::size_t>(b) * bodies_, bodies_);
  }

  std::size_t bodies_ = 0;
  int samples_ = 0;
  int blocks_ = 0;
  std::vector<S> q_, v_, a_, sine_, cosine_;
};

/// The sample of time index k lives in this lane of this block; spare lanes repeat the last sample.
template <class S>
struct SamplePlace {
  explicit SamplePlace(int k) : block(k / lanes<S>), lane(k % lanes<S>) {}
  int block;
  int lane;
};

}  // namespace counterpoise
