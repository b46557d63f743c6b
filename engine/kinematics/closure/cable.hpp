#pragma once

#include <optional>
#include <span>
#include <vector>

#include "engine/kinematics/closure/path.hpp"

namespace counterpoise {

/// The bodies behind a spring's cable (see Spring::over): for each of its points, in their order,
/// the chain from the nearest common ancestor of all of them. Empty if the spring acts along the
/// line of its two points.
struct Cable {
  struct Stop {
    PointIndex point;
    std::vector<BodyIndex> chain;
    std::vector<BodyIndex> turners =
        {};  // of a cam: the bodies of that chain, whose joints turn it
  };
  std::vector<Stop> stops;
};

Cable cable_of(const Mechanism& mechanism, const Spring& spring);
/// The joints that move parts of a cable against each other, ascending.
std::vector<BodyIndex> moving_joints(const Cable& cable, const Mechanism& mechanism);

/// A point that a cable passes, or a pulley that it may lie on, in any common frame.
struct CableStop {
  Vec3d place;          // of the point, or of the pulley's centre [m]
  Vec3d axis;           // of the pulley, a unit vector
  double radius = 0.0;  // [m]; 0: a point or a cam, as the first and the last always are
  // of a cam to which the cable is fixed, at its last knot if the cable ends there, at its first
  // if it begins there
  Vec3d zero = Vec3d::UnitX();      // where its angles count from, a unit vector
  const CamProfile* cam = nullptr;  // its edge; only of the first or the last stop
  std::optional<double> near = {};  // where its turns are counted: an angle of its edge to within
                                    // half a turn of the tangent's [rad]
};

/// The angle by which the joints of a chain turn the body at its end about the axis of a cam on it
/// [rad]: the sum of the positions of the last of these joints that are revolute about parallel
/// axes, with their signs, to 2.5 degrees: it is for the nearest of several turns. `position` gives
/// that of a body's joint.
template <class Position>
auto turned_by(const Mechanism& mechanism, const Point& cam, std::span<const BodyIndex> chain,
               const Position& position) {
  constexpr double parallel = 0.999;
  auto turned = position(chain.empty() ? BodyIndex(0) : chain.back()) * 0.0;
  Vec3d axis = cam.axis;  // in the axes of each body
  for (std::size_t i = chain.size(); i-- > 0;) {
    const Joint& joint = mechanism.bodies[chain[i]].joint;
    if (joint.type == JointType::revolute) {
      const double along = joint.axis.dot(axis);
      if (std::abs(along) < parallel) break;
      turned += position(chain[i]) * (along > 0.0 ? 1.0 : -1.0);
    }
    axis = joint.rotation * axis;
  }
  return turned;
}

/// Why a cable cannot be laid over its stops: a neighbour is inside a pulley, two points meet,
/// pulleys between the same points are not parallel, each course would lie on some pulley by more
/// than a turn or on its other side, or would touch its cam where that has no edge.
struct CableFault {
  enum class Kind { inside, meeting, askew, no_course, off_cam };
  Kind kind = Kind::inside;
  double distance = 0.0;  // between neighbours, across the axis of pulleys [m]; of a cam, the first
                          // angle of its edge [rad]
  double least = 0.0;     // what it has to be; of a cam, the last angle of its edge
};

/// The course of a taut cable over its stops. On its way from the first to the last it turns about
/// the axis of each pulley by the right hand rule. Where it would have to turn the other way, it is
/// lifted off the pulley. The angle about the axis between what it touches before and behind the
/// pulley is less than a turn. An end on the rim of a pulley stays there, as on a drum. Where
/// several courses are possible, which takes stops that are listed out of their order, it is the
/// one that remains of a cable laid on all pulleys, or the shortest where that finds none. Pulleys
/// are frictionless and as wide as needed. Between two points, all pulleys have parallel axes: a
/// cable that also moves along these lies on each pulley as a helix, because both are straight on
/// the unrolled surfaces.
struct CableCourse {
  double length = 0.0;
  // of each stop
  std::vector<Vec3d> in, out;    // where the cable arrives at it and leaves it
  std::vector<double> wrap;      // angle by which it lies on the pulley or cam; 0 where lifted off
  std::vector<double> around;    // angle about the pulley's axis between its neighbours, 0 to 2 pi;
                                 // of a cam, the angle of the tangent
  std::vector<Vec3d> direction;  // from each stop but the last to the next one, unit vectors

  void resize(std::size_t stops);
  /// Lays the cable over at least two stops. Costs a square root, two arc cosines and an arc
  /// tangent for each pulley, again for each that it is lifted off, and no allocation.
  std::optional<CableFault> lay(std::span<const CableStop> stops);

 private:
  std::optional<CableFault> lay_run(std::span<const CableStop> stops, std::size_t first,
                                    std::size_t last);
  bool find_tangents(std::size_t first, std::size_t last);
  struct Flat;
  static bool join_cam(Flat& from, Flat& to);
  std::size_t find_wrong_contact(std::size_t first, std::size_t last);
  bool settle(std::size_t first, std::size_t last);
  bool choose_shortest(std::size_t first, std::size_t last);
  [[nodiscard]] double plan_length(std::size_t first, std::size_t last) const;

  // of one run, in the plane across its axes: x and y
  struct Flat {
    Vec2<double> centre, in, out;
    double signed_radius = 0.0;  // negative where the pulley's axis points the other way
    double sense = 1.0;
    bool touches = true;
    double wrap = 0.0, around = 0.0;
    Vec2<double> leaves;    // direction towards the next stop that is touched
    double straight = 0.0;  // length to it
    std::size_t next = 0;
    const CamProfile* cam = nullptr;
    std::optional<double> near = {};
    Vec2<double> zero = Vec2<double>(1.0, 0.0);
    CamProfile::Contact contact = {};
    double wound = 0.0;   // length on the cam
    bool missed = false;  // it has no tangent to what it was last joined with
  };
  std::vector<Flat> flat_;
};

/// The cable of a spring at the samples of a state, which are laid one by one.
template <class S>
class CableLine {
 public:
  void resize(const Cable& cable);
  /// Places everything that the cable runs over.
  void trace(const DesignGeometry& geometry, const Cable& cable, const JointView<S>& state);
  /// Lays the cable at one of the samples. After a fault, that sample has the last course.
  std::optional<CableFault> lay(const Mechanism& mechanism, const Cable& cable, int sample);
  /// Where the cable leaves a stop towards the next, and where it arrives at one, at all samples
  /// that were laid since the last trace; where it is lifted off, both are the stop it goes on to.
  [[nodiscard]] const Vec3<S>& leaves(std::size_t stop) const { return out_[stop]; }
  [[nodiscard]] const Vec3<S>& arrives(std::size_t stop) const { return in_[stop]; }
  /// The length at the sample that was laid last [m].
  [[nodiscard]] double length() const { return course_.length; }
  /// Whether the cable's neighbours have passed each other about a pulley between the last two
  /// courses for which this was asked, or by more than half a turn.
  bool slips();
  /// Begins a motion, which nothing comes before.
  void forget() { around_.clear(); }
  /// The part in dL/dq of the joint at `position` of the chain to a stop, for all samples.
  [[nodiscard]] S slope(std::span<const JointFrame> frames, const Cable& cable, std::size_t stop,
                        std::size_t position) const;

 private:
  std::vector<Trace<S>> traces_;                              // of each stop
  std::vector<Vec3<S>> axes_, zeros_, in_, out_, direction_;  // as in CableStop and CableCourse
  std::vector<CableStop> stops_;
  std::vector<S> turned_;  // of cams whose turns are counted, as turned_by()
  CableCourse course_;
  std::vector<double> around_;  // when slips() was asked last; empty before
};

}  // namespace counterpoise
