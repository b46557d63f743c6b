#pragma once

#include <span>
#include <vector>

#include "engine/contact/contact.hpp"
#include "engine/dynamics/body_states.hpp"
#include "engine/kinematics/chains/two_point.hpp"
#include "engine/kinematics/closure/equations.hpp"

namespace counterpoise {

/// How far a point is from a surface, or an element from the end of its travel: positive while
/// open, negative beyond.
struct GapValue {
  double gap = 0.0;           // [m], of joints [rad or m]
  double rate = 0.0;          // its first time derivative, negative while closing
  double acceleration = 0.0;  // its second one, at the state's accelerations
};

/// All gaps of the contacts and stops of a scenario: one for each point of each contact, one for
/// each end of each stop.
class Gaps {
 public:
  struct Gap {
    int contact = -1;   // index of the contact, or number of contacts + index of the stop
    int point = -1;     // index into the contact's points; -1 of a stop
    double sign = 1.0;  // of stops: +1 of the lower end, -1 of the upper one
    double end = 0.0;   // of stops: the position that closes the gap
    double restitution = 0.0;
  };

  Gaps(const Mechanism& mechanism, const Paths& paths, std::span<const Contact> contacts,
       std::span<const Stop> stops);

  [[nodiscard]] std::size_t size() const { return gaps_.size(); }
  [[nodiscard]] const Gap& operator[](std::size_t i) const { return gaps_[i]; }
  /// Whether the gap's value is a length, not an angle.
  [[nodiscard]] bool is_length(std::size_t i, const Mechanism& mechanism) const;

  /// Sets the value of gap i at the state, and adds its slope by each joint to `row`, one entry per
  /// body. `bodies` must have been computed at the same state.
  GapValue evaluate(std::size_t i, const DesignGeometry& geometry, const JointView<double>& state,
                    const BodyStates& bodies, std::span<double> row);
  /// The angle between the velocity of a contact's point, seen from the surface, and the surface's
  /// normal [rad]; zero of stops and of points at rest.
  double angle(std::size_t i, const DesignGeometry& geometry, const BodyStates& bodies) const;

 private:
  GapValue of_surface(const Gap& gap, const DesignGeometry& geometry, const BodyStates& bodies,
                      std::span<double> row) const;
  GapValue of_line(const Path& path, Line<double>& line, const Gap& gap,
                   const DesignGeometry& geometry, const JointView<double>& state,
                   std::span<double> row) const;
  [[nodiscard]] BodyIndex joint_of(const Stop& stop, const Mechanism& mechanism) const;

  const Paths* paths_;
  std::vector<Contact> contacts_;
  std::vector<Stop> stops_;
  std::vector<Gap> gaps_;
  std::vector<Line<double>> lines_;  // per gap
};

}  // namespace counterpoise
