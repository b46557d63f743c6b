#pragma once

#include <cassert>
#include <cstddef>
#include <span>
#include <type_traits>
#include <vector>

#include "engine/math/scalar.hpp"
#include "engine/mechanism/index.hpp"

namespace counterpoise {

/// One quantity of every joint at one block of samples: a view into storage ordered joint by joint,
/// through which it may be written unless S is const.
template <class S>
class JointColumn {
 public:
  JointColumn(S* first, std::size_t stride, std::size_t size)
      : first_(first), stride_(stride), size_(size) {}

  operator JointColumn<const S>() const {  // NOLINT(google-explicit-constructor): to be read only
    return {first_, stride_, size_};
  }

  [[nodiscard]] std::size_t size() const { return size_; }
  S& operator[](std::size_t body) const {
    assert(body < size_);
    return first_[body * stride_];
  }

 private:
  S* first_;
  std::size_t stride_, size_;
};

template <class S>
void copy(const JointColumn<const S>& from, const JointColumn<S>& to) {
  for (std::size_t b = 0; b < from.size(); ++b) to[b] = from[b];
}
template <class S>
void fill(const JointColumn<S>& column, const S& value) {
  for (std::size_t b = 0; b < column.size(); ++b) column[b] = value;
}

/// The state of all joints at `lanes<S>` samples: one entry per body, in body order; fixed joints
/// hold zeros. Positions and rates [rad or m, /s, /s^2]; sine and cosine of the angle of revolute
/// joints. Whoever holds a state may write through it, unless S is const.
template <class S>
struct JointState {
  JointColumn<S> q, v, a, sine, cosine;

  operator JointState<const S>() const {  // NOLINT(google-explicit-constructor): to be read only
    return {q, v, a, sine, cosine};
  }
};

/// A state that is read only. As the type of a parameter it lets a template's scalar follow from
/// the other parameters.
template <class S>
using JointView = std::type_identity_t<JointState<const S>>;

/// The motion of all joints over all samples of a motion, in blocks of `lanes<S>` consecutive
/// samples. Spare lanes of the last block repeat the last sample. Values are stored joint by joint,
/// so that a reader of one joint only streams through its samples.
template <class S>
class JointMotion {
 public:
  /// Sets all joints to rest at position zero; keeps what is there if no size changes.
  void resize(int bodies, int samples) {
    if (bodies_ == static_cast<std::size_t>(bodies) && samples_ == samples) return;
    bodies_ = static_cast<std::size_t>(bodies);
    samples_ = samples;
    blocks_ = (samples + lanes<S> - 1) / lanes<S>;
    const std::size_t size = bodies_ * static_cast<std::size_t>(blocks_);
    for (std::vector<S>* values : {&q_, &v_, &a_, &sine_}) values->assign(size, S(0.0));
    cosine_.assign(size, S(1.0));
  }

  [[nodiscard]] int samples() const { return samples_; }
  [[nodiscard]] int blocks() const { return blocks_; }

  JointState<S> block(BodyIndex b) {
    return {part<S>(q_, b), part<S>(v_, b), part<S>(a_, b), part<S>(sine_, b), part<S>(cosine_, b)};
  }
  [[nodiscard]] JointView<S> block(BodyIndex b) const {
    return {part<const S>(q_, b), part<const S>(v_, b), part<const S>(a_, b),
            part<const S>(sine_, b), part<const S>(cosine_, b)};
  }

  /// The values of one joint over all blocks.
  [[nodiscard]] std::span<const S> q(BodyIndex body) const { return series(q_, body); }
  [[nodiscard]] std::span<const S> v(BodyIndex body) const { return series(v_, body); }
  [[nodiscard]] std::span<const S> sine(BodyIndex body) const { return series(sine_, body); }
  [[nodiscard]] std::span<const S> cosine(BodyIndex body) const { return series(cosine_, body); }

 private:
  template <class Entry, class Values>
  JointColumn<Entry> part(Values& values, BodyIndex b) const {
    assert(0 <= b && b < blocks_);
    return {values.data() + b, static_cast<std::size_t>(blocks_), bodies_};
  }
  [[nodiscard]] std::span<const S> series(const std::vector<S>& values, BodyIndex body) const {
    const auto size = static_cast<std::size_t>(blocks_);
    return std::span<const S>(values).subspan(static_cast<std::size_t>(body) * size, size);
  }

  std::size_t bodies_ = 0;
  int samples_ = 0;
  int blocks_ = 0;
  std::vector<S> q_, v_, a_, sine_, cosine_;
};

/// The block and lane that hold the sample of time index k; spare lanes repeat the last sample.
template <class S>
struct SamplePlace {
  explicit SamplePlace(int k) : block(k / lanes<S>), lane(k % lanes<S>) {}
  int block;
  int lane;
};

}  // namespace counterpoise
