#pragma once

#include "engine/kinematics/chains/path.hpp"

namespace counterpoise {

/// Three axes at right angles in the ancestor's axes of a path that moves in one plane.
struct PlaneAxes {
  Vec3d normal, e1, e2;
};

/// One chain of a path whose moving joints keep it in one plane, in the coordinates along e1 and e2
/// of that plane: a turn is one angle, and every vector has two components. Made once per design
/// from a trace in space with all joints of the chain at zero; fixed joints are gone.
struct PlaneChain {
  struct PlaneJoint {
    BodyIndex body;
    std::size_t position;  // in the chain
    bool turns;            // else it slides
    double sign;           // of a turn about the normal
    Vec2<double> along;    // direction of a slide
    Vec2<double> way;      // from the joint's origin to that of the next one, or to the end
  };

  Vec2<double> start;  // origin of the first moving joint, or the end
  std::vector<PlaneJoint> joints;
  double height = 0.0;  // of the end along the normal

  /// Takes over the numbers of a design. `trace` is scratch, sized for the chain. Allocates at the
  /// first call only.
  void set(const DesignGeometry& geometry, const Path& path, std::size_t end,
           const PlaneAxes& plane, const JointView<double>& at_zero, Trace<double>& trace);
};

/// The positions of a planar chain with their slopes, as Trace has them.
template <class S>
struct PlaneTrace {
  std::vector<Vec2<S>> origin;  // of each moving joint
  std::vector<Vec2<S>> column;  // dp/dq of each moving joint
  Vec2<S> p;                    // the end point

  /// Computes all of them at a state. Cost: one turn of two vectors per joint.
  void follow(const PlaneChain& chain, const JointView<S>& state);
  /// Returns the acceleration of the end, from positions computed at the same state.
  [[nodiscard]] Vec2<S> acceleration(const PlaneChain& chain, const JointView<S>& state) const;
};

}  // namespace counterpoise
