#pragma once

#include <array>
#include <optional>
#include <span>
#include <vector>

#include "engine/evaluation/mount_motion.hpp"
#include "optimizer/interval.hpp"
#include "springs/mounts/mount_functions.hpp"

namespace counterpoise {

/// A spring in one motion, as functions of the coordinates z of its mounts that may change. At
/// every sample the vector d between its ends and d's slope J by an actuator are affine in z, with
/// numbers that the motion gives. The spring has
///   length L = |d|,   f = d . J,   e = dL/d(actuator) = f / L,
/// and a tension a + b L loads the actuator by a e + b f, which has no root where a is 0.
class MovingSpring {
 public:
  static constexpr std::size_t most_coordinates = 6;
  static constexpr std::size_t pairs = most_coordinates * (most_coordinates + 1) / 2;

  /// `spring` is an index of Mechanism::springs. Throws std::invalid_argument where numbers are
  /// beyond 1e30 in size.
  MovingSpring(std::size_t motion, std::size_t spring, const MountMotion& mounts,
               const Mechanism& mechanism, const std::vector<MovingCoordinate>& moving);

  [[nodiscard]] std::size_t motion() const { return motion_; }
  [[nodiscard]] std::size_t spring() const { return spring_; }
  [[nodiscard]] int samples() const { return samples_; }
  [[nodiscard]] std::size_t coordinates() const { return coordinates_; }
  [[nodiscard]] const std::vector<int>& actuators() const { return actuators_; }

  /// Whether another one has the same numbers at every sample.
  [[nodiscard]] bool has_numbers_of(const MovingSpring& other) const {
    return actuators_ == other.actuators_ && coordinates_ == other.coordinates_ &&
           numbers_ == other.numbers_;
  }

  using Triple = std::array<Interval, 3>;
  /// Enclosures at one sample at one place, which may be a box of z.
  struct Line {
    Triple d;
    Interval length;
  };
  [[nodiscard]] Line line(int sample, std::span<const Interval> z) const;
  /// J of the actuator with this place in actuators().
  [[nodiscard]] Triple slope(int sample, std::size_t actuator, std::span<const Interval> z) const;

  /// Places such that all others are convex combinations of them, so that d and J have their
  /// extremes there: corners of a simplex of z, or a box of z as the only one.
  using Lines = std::span<const Line>;
  using Slopes = std::span<const Triple>;
  /// The length at all convex combinations.
  [[nodiscard]] static Interval length(Lines places);
  /// f, a quadratic form in the weights of the places.
  [[nodiscard]] static Interval f(Lines places, Slopes slopes);
  /// At least the size of e, whatever the length.
  [[nodiscard]] static double most_e(Slopes slopes);
  /// e where the length is this, above 0.
  [[nodiscard]] static Interval e(Lines places, Slopes slopes, const Interval& length);

  /// Slopes and second derivatives by z of one function at all convex combinations.
  struct Bend {
    std::array<Interval, most_coordinates> slopes;
    std::array<Interval, pairs> curvatures;  // see SmoothNumber::pair()
  };
  /// The quantities that all bends of one sample share. The length must not reach 0.
  struct Shape {
    Interval length, inverse;                      // L, 1 / L
    std::array<Interval, most_coordinates> along;  // slopes of L
    std::array<Interval, pairs> across;            // second derivatives of L, times L
  };
  [[nodiscard]] Shape shape(int sample, Lines places, const Interval& length) const;
  void bend_of_length(const Shape& shape, Bend& out) const;
  void bend_of_f(int sample, std::size_t actuator, Lines places, Slopes slopes, Bend& out) const;
  void bend_of_e(int sample, std::size_t actuator, Lines places, Slopes slopes, const Shape& shape,
                 Bend& out) const;

  /// Second derivatives along an edge of a simplex over which d and J are affine, at its middle,
  /// and how much more or less they are anywhere in it: a form that bounds the difference between
  /// those at any two places, along the edge.
  struct Curvature {
    Interval middle;
    double spread = 0.0;
  };
  /// The middle of a simplex, given by its corners, and how far from it places may be.
  struct Middle {
    Triple u;                // direction at the middle
    Interval length, least;  // there, and at least at all places
    Interval inverse;        // of the length there
    Interval turn, sine;     // the largest angle between directions and u
    Interval of_inverse;     // how much 1 / L differs
    Interval of_square;      // how much 1 / L^2 differs
  };
  /// Nothing where a place may be too near to length 0.
  [[nodiscard]] static std::optional<Middle> middle(Lines corners, const Interval& length);
  /// The curvature of the length along the edges between corners, in the order of
  /// SimplexTerms::edge().
  static void curvatures_of_length(Lines corners, const Middle& middle, std::span<Curvature> edges);
  static void curvatures_of_f(Lines corners, Slopes slopes, std::span<Curvature> edges);
  static void curvatures_of_e(Lines corners, Slopes slopes, const Middle& middle,
                              std::span<Curvature> edges);

 private:
  /// Three numbers of a sample: `place` 0 is the constant, place i + 1 the factor of z_i.
  [[nodiscard]] const double* vector_at(int sample, std::size_t place) const {
    return &numbers_[static_cast<std::size_t>(sample) * stride_ + 3 * place];
  }
  [[nodiscard]] const double* slope_at(int sample, std::size_t actuator, std::size_t place) const {
    return vector_at(sample, (1 + actuator) * (1 + coordinates_) + place);
  }
  [[nodiscard]] Triple affine(const double* first, std::span<const Interval> z) const;

  std::size_t motion_, spring_;
  int samples_ = 0;
  std::size_t coordinates_ = 0, stride_ = 0;
  std::vector<int> actuators_;
  std::vector<double> numbers_;  // of each sample: d, then J of each actuator
};

}  // namespace counterpoise
