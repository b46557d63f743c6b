#pragma once

#include <cstdint>
#include <vector>

#include "engine/mechanism/mechanism.hpp"

namespace counterpoise {

/// When something last changed, counted in designs seen. A result made at stamp s from numbers that
/// changed no later than s still holds.
using Stamp = std::uint64_t;

/// Compares each design with the one before it, number by number and bit by bit, and stamps what
/// changed. What a design leaves as it was needs no computing again.
class Revisions {
 public:
  /// The next design, of the same structure. Cost: one look at every number; allocates at the first
  /// design only.
  void see(const Mechanism& mechanism);
  /// Stamps everything as changed at the next design.
  void forget() { known_ = false; }

  /// Of the latest design.
  [[nodiscard]] Stamp now() const { return now_; }
  /// Geometry of the joint that precedes a body.
  [[nodiscard]] Stamp joint(int body) const { return joints_[at(body)]; }
  [[nodiscard]] Stamp point(int index) const { return points_[at(index)]; }
  /// Axes and rotation of a loop; its points are points.
  [[nodiscard]] Stamp loop(int index) const { return loops_[at(index)]; }
  [[nodiscard]] Stamp coupling(int index) const { return couplings_[at(index)]; }
  /// The latest change of anything that poses depend on: joints, loops, couplings, and points of
  /// loops and two-point actuators.
  [[nodiscard]] Stamp kinematics() const { return kinematics_; }
  /// The latest change of gravity, a mass, a centre of mass or an inertia, of bodies and legs.
  [[nodiscard]] Stamp masses() const { return masses_; }

 private:
  void begin(const Mechanism& mechanism);
  void see_elements(const Mechanism& mechanism);
  static std::size_t at(int index) { return static_cast<std::size_t>(index); }

  bool known_ = false;
  Stamp now_ = 0;
  Stamp kinematics_ = 0, masses_ = 0;
  std::vector<Stamp> joints_, points_, loops_, couplings_;
  std::vector<char> closes_;  // whether a point belongs to a loop or an actuator
  Mechanism last_;
};

}  // namespace counterpoise
