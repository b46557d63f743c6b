#include "engine/evaluation/stages/spring_geometry.hpp"

#include <algorithm>

#include "engine/evaluation/stages/extremes.hpp"
#include "engine/math/pack.hpp"
#include "engine/math/same_bits.hpp"

namespace counterpoise {
namespace {

/// The vector e(q) between the ends of a spring across one joint, the only motion between them:
///   revolute   e = fixed + cos q * along + sin q * across
///   prismatic  e = fixed + q * along
struct Swing {
  Vec3d fixed, along, across;
};

Swing swing_of(JointType type, const Trace<double>& moving, std::size_t position,
               const Vec3d& other) {
  const Vec3d& axis = moving.axis[position];
  if (type == JointType::prismatic) return {moving.p - other, axis, Vec3d::Zero()};
  const Vec3d arm = moving.p - moving.origin[position];
  const Vec3d up = axis * axis.dot(arm);
  return {moving.origin[position] + up - other, arm - up, axis.cross(arm)};
}

template <class S>
S length_of(const Vec3<S>& e) {
  return sqrt(S(e(0) * e(0) + e(1) * e(1) + e(2) * e(2)));
}

}  // namespace

template <class S>
SpringGeometry<S>::SpringGeometry(const EvaluationPlan& plan) : rest_(plan.nominal.body_count()) {
  for (std::size_t s = 0; s < plan.nominal.springs.size(); ++s) {
    const std::vector<ActuatorIndex>& influenced = plan.influenced[s];
    OneSpring& spring = springs_.emplace_back();
    spring.path = &plan.paths.springs[s];
    spring.joints = &plan.spring_joints[s];
    spring.influenced = influenced.size();
    spring.line.resize(*spring.path);
    for (std::size_t end : {0u, 1u}) spring.rest[end].resize(spring.path->chains[end].size());
    for (BodyIndex joint : *spring.joints)
      for (const ForceShare& share : plan.force_shares[joint]) {
        const auto place = find_on_path(*spring.path, joint).value_or(PathJoint{});
        const auto at = std::find(influenced.begin(), influenced.end(), share.actuator);
        spring.shares.push_back(
            {place.end, place.position, share, static_cast<std::size_t>(at - influenced.begin())});
      }
  }
}

template <class S>
void SpringGeometry<S>::forget() {
  for (OneSpring& spring : springs_)
    for (SpringShape<S>& shape : spring.shapes) shape.map = 0;
}

template <class S>
void SpringGeometry<S>::run(std::size_t index, const Mechanism& mechanism,
                            const ActuatorJacobian<S>& map, Stamp map_stamp,
                            const Kinematics<S>& kinematics) {
  OneSpring& spring = springs_[index];
  const Spring& element = mechanism.springs[index];
  std::array<Vec3d, 2> mounts = {Vec3d::Zero(), Vec3d::Zero()};
  if (element.type != SpringType::torsion)
    for (std::size_t end : {0u, 1u}) mounts[end] = mechanism.points[element.points[end]].position;
  if (recall(mounts, map_stamp, spring)) {
    ++reused_;
    return;
  }
  ++runs_;
  spring.current = spring.next;
  spring.next = (spring.next + 1) % remembered;
  SpringShape<S>& shape = spring.shapes[spring.current];
  shape.id = ++last_id_;
  shape.map = map_stamp;
  shape.mounts = mounts;
  compute(mechanism, element, map, kinematics, spring, shape);
}

/// Makes the shape of these mounts the current one if it is remembered.
template <class S>
bool SpringGeometry<S>::recall(const std::array<Vec3d, 2>& mounts, Stamp map_stamp,
                               OneSpring& spring) {
  for (std::size_t i = 0; i < remembered; ++i) {
    const SpringShape<S>& shape = spring.shapes[i];
    if (shape.map != map_stamp || !same_bits<3>(shape.mounts[0].data(), mounts[0].data()) ||
        !same_bits<3>(shape.mounts[1].data(), mounts[1].data()))
      continue;
    spring.current = i;
    return true;
  }
  return false;
}

template <class S>
void SpringGeometry<S>::compute(const Mechanism& mechanism, const Spring& element,
                                const ActuatorJacobian<S>& map, const Kinematics<S>& kinematics,
                                OneSpring& spring, SpringShape<S>& shape) {
  const auto blocks = static_cast<std::size_t>(kinematics.joints().blocks());
  shape.length.resize(blocks);
  shape.influence.resize(blocks * spring.influenced);
  if (element.type == SpringType::torsion)
    on_joint(element, map, kinematics, spring, shape);
  else if (spring.joints->size() == 1)
    across_one_joint(mechanism, map, kinematics, spring, shape);
  else
    along_path(mechanism, map, kinematics, spring, shape);
  const Extremes extremes = extremes_of<S>(shape.length);
  shape.shortest = extremes.least;
  shape.longest = extremes.greatest;
}

template <class S>
void SpringGeometry<S>::on_joint(const Spring& element, const ActuatorJacobian<S>& map,
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
void SpringGeometry<S>::across_one_joint(const Mechanism& mechanism, const ActuatorJacobian<S>& map,
                                         const Kinematics<S>& kinematics, OneSpring& spring,
                                         SpringShape<S>& shape) {
  const PathJoint joint = find_on_path(*spring.path, spring.joints->front()).value_or(PathJoint{});
  const JointType type = kinematics.frames()[joint.body].type;
  for (std::size_t end : {0u, 1u}) {
    trace_end(kinematics.geometry(mechanism), *spring.path, end, rest_.view(), spring.rest[end]);
  }
  const Swing swing =
      swing_of(type, spring.rest[joint.end], joint.position, spring.rest[1 - joint.end].p);
  const Vec3d &fixed = swing.fixed, &along = swing.along, &across = swing.across;

  const JointMotion<S>& joints = kinematics.joints();
  const bool turns = type == JointType::revolute;
  const std::span<const S> first = turns ? joints.cosine(joint.body) : joints.q(joint.body);
  const std::span<const S> second = joints.sine(joint.body);
  const std::size_t blocks = first.size();
  for (std::size_t block = 0; block < blocks; ++block) {
    const S& x = first[block];
    const S y = turns ? second[block] : S(0.0);
    Vec3<S> e, turn;  // e and its slope by q
    for (int i = 0; i < 3; ++i) {
      e(i) = x * along(i) + fixed(i) + y * across(i);
      turn(i) = turns ? S(x * across(i) - y * along(i)) : S(along(i));
    }
    const S length = length_of(e);
    const S slope = (e(0) * turn(0) + e(1) * turn(1) + e(2) * turn(2)) / larger(length, S(1e-300));
    shape.length[block] = length;
    for (const Share& share : spring.shares)
      shape.influence[share.influence * blocks + block] =
          share.share.series < 0 ? slope : S(slope * map.series(share.share)[block]);
  }
}

template <class S>
void SpringGeometry<S>::along_path(const Mechanism& mechanism, const ActuatorJacobian<S>& map,
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

template class SpringGeometry<double>;
template class SpringGeometry<Pack>;

}  // namespace counterpoise
