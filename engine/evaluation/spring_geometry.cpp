#include "engine/evaluation/spring_geometry.hpp"

#include <algorithm>
#include <numbers>

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
    OneSpring& spring = springs_.emplace_back();
    spring.path = &plan.paths.springs[s];
    spring.joints = &plan.spring_joints[s];
    spring.influenced = influenced.size();
    spring.line.resize(*spring.path);
    for (std::size_t end : {0u, 1u}) spring.rest[end].resize(spring.path->chains[end].size());
    const Cable& cable = plan.paths.cables[s];
    const std::size_t stops = cable.stops.size();
    if (stops > 0) {
      spring.over.cable = &cable;
      spring.over.traces.resize(stops);
      for (std::size_t i = 0; i < stops; ++i)
        spring.over.traces[i].resize(cable.stops[i].chain.size());
      for (auto* places :
           {&spring.over.axes, &spring.over.in, &spring.over.out, &spring.over.direction})
        places->assign(stops, Vec3<S>::Constant(S(0.0)));
      spring.over.stops.resize(stops);
      spring.over.course.resize(stops);
      spring.over.around.resize(stops);
    }
    for (BodyIndex joint : *spring.joints)
      for (const ForceShare& share : plan.force_shares[joint]) {
        for (std::size_t i = 0; i < stops; ++i) {
          const std::vector<BodyIndex>& chain = cable.stops[i].chain;
          const auto place = std::find(chain.begin(), chain.end(), joint);
          if (place != chain.end())
            spring.over.movers.push_back(
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
  if (recall(mounts, mechanism, element, inputs, spring)) {
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
  shape.over.clear();
  for (const PointIndex point : element.over)
    shape.over.push_back(mechanism.points[point].position);
  compute(mechanism, index, map, kinematics, spring, shape);
}

/// Makes the shape of these mounts the current one if it is remembered.
template <class S>
bool SpringGeometry<S>::recall(const std::array<Vec3d, 2>& mounts, const Mechanism& mechanism,
                               const Spring& element, Stamp inputs, OneSpring& spring) {
  const auto is_over_same = [&](const SpringShape<S>& shape) {
    for (std::size_t i = 0; i < element.over.size(); ++i)
      if (!same_bits<3>(shape.over[i].data(), mechanism.points[element.over[i]].position.data()))
        return false;
    return true;
  };
  for (std::size_t i = 0; i < remembered; ++i) {
    const SpringShape<S>& shape = spring.shapes[i];
    if (shape.inputs != inputs || !same_bits<3>(shape.mounts[0].data(), mounts[0].data()) ||
        !same_bits<3>(shape.mounts[1].data(), mounts[1].data()) || !is_over_same(shape))
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
      over_pulleys(mechanism, index, map, kinematics, spring, shape);
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

/// Lays the cable at one sample of the stretch.
template <class S>
void SpringGeometry<S>::lay_lane(const Mechanism& mechanism, std::size_t index,
                                 const Kinematics<S>& kinematics, int sample, OneSpring& spring,
                                 SpringShape<S>& shape) {
  OverPulleys& over = spring.over;
  const SamplePlace<S> place(sample);
  const auto numbers = [&](const Vec3<S>& v) {
    return Vec3d(lane(v(0), place.lane), lane(v(1), place.lane), lane(v(2), place.lane));
  };
  const auto set = [&](Vec3<S>& v, const Vec3d& to) {
    for (int i = 0; i < 3; ++i) set_lane(v(i), place.lane, to(i));
  };
  const std::size_t stops = over.stops.size();
  for (std::size_t i = 0; i < stops; ++i) {
    const Point& point = mechanism.points[over.cable->stops[i].point];
    const bool pulley = point.is_pulley && i > 0 && i + 1 < stops;
    over.stops[i] = {numbers(over.traces[i].p), numbers(over.axes[i]), pulley ? point.radius : 0.0};
  }
  const Stretch& stretch = kinematics.stretch();
  const std::span<const char> left_out = kinematics.left_out();
  const bool counts = sample < stretch.samples && (left_out.empty() || left_out[at(sample)] == 0);
  const auto found = [&](FindingKind kind, double value, double limit) {
    if (counts && over.fault.element < 0)
      over.fault = {kind, static_cast<int>(index), (stretch.first + sample) * kinematics.step(),
                    value, limit};
  };
  if (const auto fault = over.course.lay(over.stops)) {
    constexpr std::array<FindingKind, 4> kinds = {
        FindingKind::cable_in_pulley, FindingKind::spring_without_direction,
        FindingKind::cable_askew, FindingKind::cable_slips};
    found(kinds[static_cast<std::size_t>(fault->kind)], fault->distance, fault->least);
    set_lane(shape.length[at(place.block)], place.lane, 0.0);
    return;
  }
  set_lane(shape.length[at(place.block)], place.lane, over.course.length);
  const bool first = stretch.first + sample == 0;
  for (std::size_t i = 0; i < stops; ++i) {
    set(over.in[i], over.course.in[i]);
    set(over.out[i], over.course.out[i]);
    if (i + 1 < stops) set(over.direction[i], over.course.direction[i]);
    if (!(over.stops[i].radius > 0.0)) continue;
    const double change = over.course.around[i] - over.around[i];
    if (!first && !stretch.poses && std::abs(change) > std::numbers::pi)
      found(FindingKind::cable_slips, over.around[i], over.course.around[i]);
    over.around[i] = over.course.around[i];
  }
}

template <class S>
void SpringGeometry<S>::over_pulleys(const Mechanism& mechanism, std::size_t index,
                                     const Transmission<S>& map, const Kinematics<S>& kinematics,
                                     OneSpring& spring, SpringShape<S>& shape) {
  OverPulleys& over = spring.over;
  if (kinematics.stretch().starts()) over.fault = {};
  const std::size_t blocks = shape.length.size();
  const std::size_t stops = over.stops.size();
  std::fill(shape.influence.begin(), shape.influence.end(), S(0.0));
  for (std::size_t block = 0; block < blocks; ++block) {
    const JointView<S> state = kinematics.joints().block(static_cast<int>(block));
    for (std::size_t i = 0; i < stops; ++i) {
      const Cable::Stop& stop = over.cable->stops[i];
      const Point& point = mechanism.points[stop.point];
      trace_positions<S>(kinematics.frames(), stop.chain, point.position, state, over.traces[i]);
      over.axes[i] = over.traces[i].rotation * point.axis.template cast<S>();
    }
    for (int k = 0; k < lanes<S>; ++k)
      lay_lane(mechanism, index, kinematics, static_cast<int>(block) * lanes<S> + k, spring, shape);
    for (const auto& mover : over.movers) {
      const Trace<S>& trace = over.traces[mover.stop];
      const bool turns =
          kinematics.frames()[over.cable->stops[mover.stop].chain[mover.position]].type ==
          JointType::revolute;
      const Vec3<S>& axis = trace.axis[mover.position];
      const auto moved = [&](const Vec3<S>& place) {
        return turns ? Vec3<S>(axis.cross(place - trace.origin[mover.position])) : axis;
      };
      S slope(0.0);
      if (mover.stop > 0) slope += over.direction[mover.stop - 1].dot(moved(over.in[mover.stop]));
      if (mover.stop + 1 < stops)
        slope -= over.direction[mover.stop].dot(moved(over.out[mover.stop]));
      const Share& share = spring.shares[mover.share];
      shape.influence[share.influence * blocks + block] +=
          share.share.series < 0 ? slope : S(slope * map.series(share.share)[block]);
    }
  }
  shape.fault = over.fault;
}

template class SpringGeometry<double>;
template class SpringGeometry<Pack>;

}  // namespace counterpoise
