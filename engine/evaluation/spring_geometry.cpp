#include "engine/evaluation/spring_geometry.hpp"

#include <algorithm>

#include "engine/math/pack.hpp"
#include "engine/math/same_bits.hpp"
#include "engine/mechanism/elements.hpp"

namespace counterpoise {
namespace {

Swing swing_of(JointType type, const Trace<double>& moving, std::size_t position,
               const Vec3d& other) {
  const Vec3d& axis = moving.axis[position];
  if (type == JointType::prismatic) {
    const Vec3d fixed = moving.p - other;
    return {fixed, axis, Vec3d::Zero(), {fixed.dot(axis), axis.squaredNorm(), 0.0}};
  }
  const Vec3d arm = moving.p - moving.origin[position];
  const Vec3d up = axis * axis.dot(arm);
  const Vec3d fixed = moving.origin[position] + up - other;
  const Vec3d along = arm - up, across = axis.cross(arm);
  return {fixed, along, across, {0.0, fixed.dot(across), -fixed.dot(along)}};
}

/// The length up to which the ends of a spring meet, which is at most this long.
double meeting_length(const Mechanism& mechanism, const Path& path, double longest) {
  double size = longest;
  for (const std::size_t end : {0u, 1u}) {
    size += mechanism.points[path.points[end]].position.norm();
    for (const BodyIndex body : path.chains[end])
      size += mechanism.bodies[body].joint.origin.norm();
  }
  return meeting_share * size;
}

/// A Swing over a motion. Where the joint slides, y is any number, which is multiplied by zero.
template <class S>
class SwungSpring {
 public:
  SwungSpring(const Swing& swing, const Kinematics<S>& kinematics, BodyIndex body) : swing_(swing) {
    const JointMotion<S>& joints = kinematics.joints();
    const bool turns = kinematics.frames()[body].type == JointType::revolute;
    x_ = turns ? joints.cosine(body) : joints.q(body);
    y_ = turns ? joints.sine(body) : x_;
  }

  [[nodiscard]] std::size_t blocks() const { return x_.size(); }
  /// The square of the length.
  [[nodiscard]] S square(std::size_t block) const {
    S square(0.0);
    for (int i = 0; i < 3; ++i) {
      const S e = x_[block] * swing_.along(i) + swing_.fixed(i) + y_[block] * swing_.across(i);
      square += e * e;
    }
    return square;
  }
  /// Half of the slope of the square by q.
  [[nodiscard]] S half_slope(std::size_t block) const {
    return swing_.slope[0] + x_[block] * swing_.slope[1] + y_[block] * swing_.slope[2];
  }

 private:
  Swing swing_;
  std::span<const S> x_, y_;
};

}  // namespace

template <class S>
SpringGeometry<S>::SpringGeometry(const EvaluationPlan& plan) : rest_(plan.nominal.body_count()) {
  for (std::size_t s = 0; s < plan.nominal.springs.size(); ++s) {
    const std::vector<ActuatorIndex>& influenced = plan.influenced[s];
    const Spring& element = plan.nominal.springs[s];
    OneSpring& spring = springs_.emplace_back(plan.nominal, element);
    spring.path = &plan.paths.springs[s];
    spring.joints = &plan.spring_joints[s];
    spring.influenced = influenced.size();
    for (const ObstacleIndex obstacle : element.clear_of)
      for (const PointIndex point : plan.nominal.obstacles[obstacle].points)
        if (point >= 0) spring.beside.push_back(point);
    spring.line.resize(*spring.path);
    for (std::size_t end : {0u, 1u}) spring.rest[end].resize(spring.path->chains[end].size());
    const Cable& cable = plan.paths.cables[s];
    const std::size_t stops = cable.stops.size();
    spring.on_cable.cable = &cable;
    spring.on_cable.line.resize(cable);
    for (BodyIndex joint : *spring.joints)
      for (const ForceShare& share : plan.force_shares[joint]) {
        for (std::size_t i = 0; i < stops; ++i) {
          const std::vector<BodyIndex>& chain = cable.stops[i].chain;
          const auto place = std::find(chain.begin(), chain.end(), joint);
          if (place != chain.end())
            spring.on_cable.movers.push_back(
                {spring.shares.size(), i, static_cast<std::size_t>(place - chain.begin())});
        }
        const auto place = find_on_path(*spring.path, joint).value_or(PathJoint{});
        const auto at = std::find(influenced.begin(), influenced.end(), share.actuator);
        spring.shares.push_back(
            {place.end, place.position, share, static_cast<std::size_t>(at - influenced.begin())});
      }
  }
}

template <class S>
void SpringGeometry<S>::outline(std::size_t index, const Mechanism& mechanism,
                                const Transmission<S>& map, Stamp inputs,
                                const Kinematics<S>& kinematics) {
  OneSpring& spring = springs_[index];
  const Spring& element = mechanism.springs[index];
  std::array<Vec3d, 2> mounts = {Vec3d::Zero(), Vec3d::Zero()};
  if (element.type != SpringType::torsion)
    for (std::size_t end : {0u, 1u}) mounts[end] = mechanism.points[element.points[end]].position;
  if (recall(mounts, mechanism, inputs, spring)) {
    ++reused_;
    return;
  }
  ++runs_;
  spring.current = spring.next;
  spring.next = (spring.next + 1) % remembered;
  SpringShape<S>& shape = spring.shapes[spring.current];
  shape.id = ++last_id_;
  shape.inputs = inputs;
  shape.mounts = mounts;
  shape.cleared = false;
  shape.beside.clear();
  for (const PointIndex point : spring.beside)
    shape.beside.push_back(mechanism.points[point].position);
  compute(mechanism, index, map, kinematics, spring, shape);
}

/// Makes the shape of these mounts the current one if it is remembered.
template <class S>
bool SpringGeometry<S>::recall(const std::array<Vec3d, 2>& mounts, const Mechanism& mechanism,
                               Stamp inputs, OneSpring& spring) {
  const auto is_beside_same = [&](const SpringShape<S>& shape) {
    for (std::size_t i = 0; i < spring.beside.size(); ++i)
      if (!same_bits<3>(shape.beside[i].data(), mechanism.points[spring.beside[i]].position.data()))
        return false;
    return true;
  };
  for (std::size_t i = 0; i < remembered; ++i) {
    const SpringShape<S>& shape = spring.shapes[i];
    if (shape.inputs != inputs || !same_bits<3>(shape.mounts[0].data(), mounts[0].data()) ||
        !same_bits<3>(shape.mounts[1].data(), mounts[1].data()) || !is_beside_same(shape))
      continue;
    spring.current = i;
    return true;
  }
  return false;
}

template <class S>
void SpringGeometry<S>::compute(const Mechanism& mechanism, std::size_t index,
                                const Transmission<S>& map, const Kinematics<S>& kinematics,
                                OneSpring& spring, SpringShape<S>& shape) {
  const Spring& element = mechanism.springs[index];
  const auto blocks = static_cast<std::size_t>(kinematics.joints().blocks());
  shape.length.resize(blocks);
  shape.influence.resize(blocks * spring.influenced);
  spring.slopes.resize(blocks);
  shape.swing.reset();
  shape.complete = true;
  const bool torsion = element.type == SpringType::torsion;
  const bool cable = element.is_cable();
  if (!torsion && !cable && spring.joints->size() == 1) {
    outline_across_one_joint(mechanism, kinematics, spring, shape);
  } else {
    if (torsion)
      on_joint(element, map, kinematics, spring, shape);
    else if (cable)
      along_cable(mechanism, index, map, kinematics, spring, shape);
    else
      along_path(mechanism, map, kinematics, spring, shape);
    const Extremes extremes =
        extremes_of<S>(shape.length, kinematics.stretch().starts(), spring.extremes);
    shape.shortest = extremes.least;
    shape.longest = extremes.greatest;
  }
  if (!torsion && !cable) shape.meeting = meeting_length(mechanism, *spring.path, shape.longest);
}

template <class S>
void SpringGeometry<S>::on_joint(const Spring& element, const Transmission<S>& map,
                                 const Kinematics<S>& kinematics, const OneSpring& spring,
                                 SpringShape<S>& shape) {
  const std::span<const S> q = kinematics.joints().q(element.joint);
  const std::size_t blocks = q.size();
  std::copy(q.begin(), q.end(), shape.length.begin());
  for (const Share& share : spring.shares) {
    S* influence = &shape.influence[share.influence * blocks];
    for (std::size_t block = 0; block < blocks; ++block)
      influence[block] = share.share.series < 0 ? S(1.0) : map.series(share.share)[block];
  }
}

/// Computes the common case in closed form: a single moving joint lies between the ends.
template <class S>
void SpringGeometry<S>::outline_across_one_joint(const Mechanism& mechanism,
                                                 const Kinematics<S>& kinematics, OneSpring& spring,
                                                 SpringShape<S>& shape) {
  const PathJoint joint = find_on_path(*spring.path, spring.joints->front()).value_or(PathJoint{});
  for (std::size_t end : {0u, 1u}) {
    trace_end(kinematics.geometry(mechanism), *spring.path, end, rest_.view(), spring.rest[end]);
  }
  shape.complete = false;
  shape.swing = swing_of(kinematics.frames()[joint.body].type, spring.rest[joint.end],
                         joint.position, spring.rest[1 - joint.end].p);
  const SwungSpring<S> swung(*shape.swing, kinematics, joint.body);
  shape.square.resize(swung.blocks());
  S* squares = shape.square.data();
  RunningExtremes<S> running =
      kinematics.stretch().starts() ? RunningExtremes<S>(swung.square(0)) : *spring.extremes;
  for (std::size_t block = 0; block < swung.blocks(); ++block) {
    squares[block] = swung.square(block);
    running.see(squares[block]);
  }
  spring.extremes = running;
  const Extremes extremes = running.extremes();
  shape.shortest = std::sqrt(extremes.least);
  shape.longest = std::sqrt(extremes.greatest);
}

template <class S>
void SpringGeometry<S>::complete(std::size_t index, const Transmission<S>& map,
                                 const Kinematics<S>& kinematics) {
  OneSpring& spring = springs_[index];
  SpringShape<S>& shape = spring.shapes[spring.current];
  if (shape.complete) return;
  shape.complete = true;
  const SwungSpring<S> swung(*shape.swing, kinematics, spring.joints->front());
  const std::size_t blocks = swung.blocks();
  const S* squares = shape.square.data();
  S* lengths = shape.length.data();
  S* slopes = spring.slopes.data();
  for (std::size_t block = 0; block < blocks; ++block) {
    const S root = reciprocal_root(squares[block]);
    lengths[block] = squares[block] * root;
    slopes[block] = swung.half_slope(block) * root;
  }
  for (const Share& share : spring.shares) {
    S* influence = &shape.influence[share.influence * blocks];
    if (share.share.series < 0) {
      std::copy_n(slopes, blocks, influence);
      continue;
    }
    const std::span<const S> series = map.series(share.share);
    for (std::size_t block = 0; block < blocks; ++block)
      influence[block] = slopes[block] * series[block];
  }
}

template <class S>
void SpringGeometry<S>::along_path(const Mechanism& mechanism, const Transmission<S>& map,
                                   const Kinematics<S>& kinematics, OneSpring& spring,
                                   SpringShape<S>& shape) {
  const std::size_t blocks = shape.length.size();
  const DesignGeometry geometry = kinematics.geometry(mechanism);
  std::fill(shape.influence.begin(), shape.influence.end(), S(0.0));
  for (std::size_t block = 0; block < blocks; ++block) {
    const JointView<S> state = kinematics.joints().block(static_cast<int>(block));
    trace_line<S>(geometry, *spring.path, state, spring.line);
    shape.length[block] = spring.line.length;
    for (const Share& share : spring.shares) {
      const S slope = length_slope(spring.line, share.end, share.position);
      shape.influence[share.influence * blocks + block] +=
          share.share.series < 0 ? slope : S(slope * map.series(share.share)[block]);
    }
  }
}

/// Lays the cable at one sample of the stretch, in the order of samples; returns its length, or 0
/// where it has none.
template <class S>
double SpringGeometry<S>::lay(const Mechanism& mechanism, std::size_t index,
                              const Kinematics<S>& kinematics, int sample, OnCable& on) {
  const Stretch& stretch = kinematics.stretch();
  const std::span<const char> left_out = kinematics.left_out();
  const bool counts = sample < stretch.samples && (left_out.empty() || left_out[at(sample)] == 0);
  const auto found = [&](FindingKind kind, const CableFault& fault) {
    if (counts && on.fault.element < 0)
      on.fault = {kind, static_cast<int>(index), (stretch.first + sample) * kinematics.step(),
                  fault.distance, fault.least};
  };
  if (const auto fault = on.line.lay(mechanism, *on.cable, SamplePlace<S>(sample).lane)) {
    constexpr std::array<FindingKind, 5> kinds = {
        FindingKind::cable_in_pulley, FindingKind::spring_without_direction,
        FindingKind::cable_askew, FindingKind::cable_without_course, FindingKind::cable_off_cam};
    found(kinds[static_cast<std::size_t>(fault->kind)], *fault);
    return 0.0;
  }
  if (!stretch.poses && on.line.slips()) found(FindingKind::cable_without_course, {});
  return on.line.length();
}

template <class S>
void SpringGeometry<S>::along_cable(const Mechanism& mechanism, std::size_t index,
                                    const Transmission<S>& map, const Kinematics<S>& kinematics,
                                    OneSpring& spring, SpringShape<S>& shape) {
  OnCable& on = spring.on_cable;
  if (kinematics.stretch().starts()) {
    on.fault = {};
    on.line.forget();
  }
  const std::size_t blocks = shape.length.size();
  const DesignGeometry geometry = kinematics.geometry(mechanism);
  std::fill(shape.influence.begin(), shape.influence.end(), S(0.0));
  for (std::size_t block = 0; block < blocks; ++block) {
    on.line.trace(geometry, *on.cable, kinematics.joints().block(static_cast<int>(block)));
    for (int k = 0; k < lanes<S>; ++k)
      set_lane(shape.length[block], k,
               lay(mechanism, index, kinematics, static_cast<int>(block) * lanes<S> + k, on));
    for (const auto& [share, stop, position] : on.movers) {
      const S slope = on.line.slope(geometry.frames, *on.cable, stop, position);
      const ForceShare& part = spring.shares[share].share;
      shape.influence[spring.shares[share].influence * blocks + block] +=
          part.series < 0 ? slope : S(slope * map.series(part)[block]);
    }
  }
  shape.fault = on.fault;
}

template <class S>
void SpringGeometry<S>::clear(std::size_t index, const Mechanism& mechanism,
                              const Kinematics<S>& kinematics) {
  OneSpring& spring = springs_[index];
  SpringShape<S>& shape = spring.shapes[spring.current];
  if (shape.cleared || !spring.clearance.any()) return;
  const auto blocks = static_cast<std::size_t>(kinematics.joints().blocks());
  shape.distance.resize(blocks);
  shape.nearest.resize(blocks);
  const DesignGeometry geometry = kinematics.geometry(mechanism);
  for (std::size_t block = 0; block < blocks; ++block) {
    const auto nearest =
        spring.clearance.nearest(geometry, kinematics.joints().block(static_cast<int>(block)));
    shape.distance[block] = nearest.distance;
    shape.nearest[block] = nearest.obstacle;
  }
  shape.least_distance =
      extremes_of<S>(shape.distance, kinematics.stretch().starts(), spring.distances).least;
  shape.cleared = true;
}

template class SpringGeometry<double>;
template class SpringGeometry<Pack>;

}  // namespace counterpoise
