#pragma once

#include <concepts>
#include <cstddef>
#include <vector>

namespace counterpoise {

/// A whole number as a place in a list.
constexpr std::size_t at(int index) {
  return static_cast<std::size_t>(index);
}

/// The index of an element in a mechanism's list of its kind; -1 stands for none. It converts from
/// and to plain numbers, but not to the index of another kind of element, so that a point is never
/// taken for a body.
template <class Element>
class Index {
 public:
  constexpr Index() = default;
  template <std::integral Number>
  constexpr Index(Number value)  // NOLINT(google-explicit-constructor): a number is a place
      : value_(static_cast<int>(value)) {}
  constexpr operator int() const {
    return value_;
  }  // NOLINT(google-explicit-constructor): as above

  constexpr Index& operator++() {
    ++value_;
    return *this;
  }

 private:
  int value_ = -1;
};

/// A list of elements that takes indices of its own kind and of no other.
template <class Element>
class List : public std::vector<Element> {
 public:
  using std::vector<Element>::vector;
  using std::vector<Element>::operator=;

  Element& operator[](std::size_t i) { return std::vector<Element>::operator[](i); }
  const Element& operator[](std::size_t i) const { return std::vector<Element>::operator[](i); }
  Element& operator[](Index<Element> i) { return (*this)[static_cast<std::size_t>(i)]; }
  const Element& operator[](Index<Element> i) const { return (*this)[static_cast<std::size_t>(i)]; }
  template <class Other>
  Element& operator[](Index<Other> i) = delete;
  template <class Other>
  const Element& operator[](Index<Other> i) const = delete;
};

struct Body;
struct Point;
struct Spring;
struct Actuator;
struct Loop;
struct Coupling;
struct AppliedForce;
struct Obstacle;

using BodyIndex = Index<Body>;  // index of a body, and of the joint that precedes it
using PointIndex = Index<Point>;
using SpringIndex = Index<Spring>;
using ActuatorIndex = Index<Actuator>;
using LoopIndex = Index<Loop>;
using CouplingIndex = Index<Coupling>;
using ForceIndex = Index<AppliedForce>;
using ObstacleIndex = Index<Obstacle>;

/// Index of the world where that of a body is expected.
inline constexpr BodyIndex world_body = -1;

}  // namespace counterpoise
