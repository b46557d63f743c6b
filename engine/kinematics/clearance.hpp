#pragma once

#include <vector>

#include "engine/kinematics/closure/cable.hpp"
#include "engine/math/segment_distance.hpp"

namespace counterpoise {

/// Where the axis of a spring comes nearest to one of the obstacles that it keeps clear of, at one
/// sample.
struct Approach {
  double distance = no_limit;  // from the axis to the obstacle's surface, below 0 inside it [m]
  ObstacleIndex obstacle;
  Vec3d on_axis = Vec3d::Zero();    // the nearest place of the spring's axis                [m]
  Vec3d on_middle = Vec3d::Zero();  // and of the obstacle's segment, or its centre          [m]
};

/// The distance of one spring from the obstacles that it keeps clear of (Spring::clear_of). The
/// axis of a spring is the segment between its two points; of one on a cable, every straight part
/// of the cable, but not what lies on pulleys. Obstacles are as Obstacle describes them.
///
/// Everything is placed in the axes of the nearest common ancestor of the bodies concerned, so that
/// no joint between that and the world is read; or in those of the world.
template <class S>
class SpringClearance {
 public:
  enum class Axes { of_ancestor, of_world };
  SpringClearance(const Mechanism& mechanism, const Spring& spring, Axes axes = Axes::of_ancestor);

  /// Whether there is an obstacle that the spring keeps clear of. If not, nothing below is called.
  [[nodiscard]] bool any() const { return !obstacles_.empty(); }
  /// The bodies whose joints place the spring and its obstacles, ascending.
  [[nodiscard]] std::vector<BodyIndex> bodies() const;

  /// The distance of the axis from the nearest obstacle's surface [m], and the index of that
  /// obstacle; below 0, minus the depth. A cable that cannot be laid at a sample has its last
  /// course there. Cost: one rotation product for each body, a segment_distance() for each obstacle
  /// and straight part, the course of a cable; no allocation.
  struct Nearest {
    S distance, obstacle;
  };
  Nearest nearest(const DesignGeometry& geometry, const JointView<S>& state);

  /// Where that is in one lane of the state that nearest() was last given.
  [[nodiscard]] Approach locate(const Mechanism& mechanism, int lane) const;

 private:
  static constexpr int in_base = -1;  // in place of a body: the axes in which all is placed
  struct PlacedBody {
    BodyIndex body;
    int parent = in_base;  // place in bodies_
    Mat3<S> rotation;
    Vec3<S> origin;
  };
  struct PlacedPoint {
    PointIndex point;
    int on = in_base;
  };
  struct PlacedObstacle {
    ObstacleIndex obstacle;
    int on = in_base;
    Segment<S> middle;
  };

  [[nodiscard]] int place_in(BodyIndex body) const;
  [[nodiscard]] Vec3<S> placed(int on, const Vec3d& place) const;
  void place_bodies(const DesignGeometry& geometry, const JointView<S>& state);
  void place_axis(const DesignGeometry& geometry, const JointView<S>& state);

  std::vector<PlacedBody> bodies_;
  std::array<PlacedPoint, 2> ends_;
  std::vector<PlacedObstacle> obstacles_;
  Cable cable_;  // no stops without one
  CableLine<S> line_;
  std::vector<Segment<S>> axis_;  // its straight parts
};

}  // namespace counterpoise
