#pragma once

#include <span>
#include <vector>

#include "engine/falls/scenario.hpp"
#include "engine/kinematics/closure/equation_system.hpp"
#include "engine/kinematics/closure/joint_frame.hpp"
#include "engine/kinematics/closure/joint_motion.hpp"
#include "engine/kinematics/closure/path.hpp"

namespace counterpoise {

/// The motion of a body in world axes.
struct BodyState {
  Mat3d rotation = Mat3d::Identity();  // R_WB
  Vec3d origin = Vec3d::Zero();        // of the body's axes                              [m]
  Vec3d axis = Vec3d::Zero();          // of the joint before the body
  Vec3d omega = Vec3d::Zero();         // [rad/s]
  Vec3d velocity = Vec3d::Zero();      // of the origin                                 [m/s]
  Vec3d alpha = Vec3d::Zero();         // [rad/s^2]
  Vec3d acceleration = Vec3d::Zero();  // of the origin                               [m/s^2]

  [[nodiscard]] Vec3d place(const Vec3d& point) const { return origin + rotation * point; }
  [[nodiscard]] Vec3d velocity_at(const Vec3d& place) const {
    return velocity + omega.cross(place - origin);
  }
  [[nodiscard]] Vec3d acceleration_at(const Vec3d& place) const {
    const Vec3d r = place - origin;
    return acceleration + alpha.cross(r) + omega.cross(omega.cross(r));
  }
};

/// Positions, velocities and accelerations of all bodies of a tree at one sample, by one sweep from
/// base to tips (paper 000, section 4.2), and what follows from them.
class BodyStates {
 public:
  /// Takes the state's q, v and a. Allocates only when the number of bodies changes.
  void compute(const DesignGeometry& geometry, const JointView<double>& state);

  /// The state of a body; that of the world rests at the origin.
  [[nodiscard]] const BodyState& of(BodyIndex body) const {
    return body == world_body ? world_ : states_[body];
  }
  /// Adds direction . (velocity of the place on `first` minus that on `second` per unit rate of
  /// each joint) to `row`, one entry per body. The place is in world axes. Joints before the
  /// nearest common ancestor of both bodies move neither against the other.
  void add_slopes(const DesignGeometry& geometry, BodyIndex first, BodyIndex second,
                  const Vec3d& place, const Vec3d& direction, std::span<double> row) const;
  /// The kinetic energy of all bodies, and their potential energy in the mechanism's gravity, which
  /// is zero at the world's origin [J].
  [[nodiscard]] double kinetic_energy(const Mechanism& mechanism) const;
  [[nodiscard]] double potential_energy(const Mechanism& mechanism) const;

 private:
  BodyState world_;
  std::vector<BodyState> states_;
};

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

  /// Returns the value of gap i at the state, and adds its slope by each joint to `row`, one entry
  /// per body; without entries no slope is computed. `bodies` must have been computed at the same
  /// state.
  GapValue evaluate(std::size_t i, const DesignGeometry& geometry, const JointView<double>& state,
                    const BodyStates& bodies, std::span<double> row);
  /// The moving joints that the value of gap i depends on, as body indices.
  [[nodiscard]] std::vector<BodyIndex> joints_of(std::size_t i, const Mechanism& mechanism) const;
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
  /// The path of a stop that limits a length.
  [[nodiscard]] const Path& path_of(const Stop& stop) const;

  const Paths* paths_;
  std::vector<Contact> contacts_;
  std::vector<Stop> stops_;
  std::vector<Gap> gaps_;
  std::vector<Line<double>> lines_;  // per gap
};

}  // namespace counterpoise
