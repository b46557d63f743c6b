#include "engine/kinematics/clearance.hpp"

#include <algorithm>
#include <cmath>

#include "engine/math/pack.hpp"

namespace counterpoise {
namespace {

/// The bodies from the world to each of these, of which each chain loses those that all have in
/// common if `from_ancestor`.
std::vector<std::vector<BodyIndex>> chains_to(const Mechanism& mechanism,
                                              const std::vector<BodyIndex>& bodies,
                                              bool from_ancestor) {
  std::vector<std::vector<BodyIndex>> chains;
  for (const BodyIndex body : bodies) chains.push_back(path_to(mechanism, body, -1).chains[1]);
  const auto shared = [&] {
    return std::all_of(chains.begin(), chains.end(), [&](const auto& chain) {
      return !chain.empty() && !chains.front().empty() && chain.front() == chains.front().front();
    });
  };
  while (from_ancestor && shared())
    for (std::vector<BodyIndex>& chain : chains) chain.erase(chain.begin());
  return chains;
}

}  // namespace

template <class S>
SpringClearance<S>::SpringClearance(const Mechanism& mechanism, const Spring& spring, Axes axes) {
  if (spring.clear_of.empty()) return;
  const std::vector<PointIndex> points = points_along(spring);
  std::vector<BodyIndex> on;
  for (const PointIndex point : points) on.push_back(mechanism.points[point].body);
  for (const ObstacleIndex obstacle : spring.clear_of)
    on.push_back(mechanism.obstacles[obstacle].body);
  const auto chains = chains_to(mechanism, on, axes == Axes::of_ancestor);

  std::vector<BodyIndex> all;
  for (const std::vector<BodyIndex>& chain : chains)
    all.insert(all.end(), chain.begin(), chain.end());
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  for (const BodyIndex body : all) {
    const int parent = place_in(mechanism.bodies[body].parent);
    bodies_.push_back({body, parent, Mat3d::Identity().cast<S>(), Vec3<S>::Constant(S(0.0))});
  }

  for (const std::size_t end : {0u, 1u})
    ends_[end] = {spring.points[end], place_in(mechanism.points[spring.points[end]].body)};
  if (spring.is_cable()) cable_ = cable_of(mechanism, spring);
  for (std::size_t i = 0; i < cable_.stops.size(); ++i) cable_.stops[i].chain = chains[i];
  line_.resize(cable_);
  axis_.resize(points.size() - 1);
  for (const ObstacleIndex obstacle : spring.clear_of)
    obstacles_.push_back({obstacle, place_in(mechanism.obstacles[obstacle].body), {}});
}

template <class S>
int SpringClearance<S>::place_in(BodyIndex body) const {
  const auto at = std::find_if(bodies_.begin(), bodies_.end(),
                               [body](const PlacedBody& one) { return one.body == body; });
  return at == bodies_.end() ? in_base : static_cast<int>(at - bodies_.begin());
}

template <class S>
std::vector<BodyIndex> SpringClearance<S>::bodies() const {
  std::vector<BodyIndex> all;
  for (const PlacedBody& one : bodies_) all.push_back(one.body);
  return all;
}

template <class S>
Vec3<S> SpringClearance<S>::placed(int on, const Vec3d& place) const {
  if (on == in_base) return place.cast<S>();
  const PlacedBody& body = bodies_[static_cast<std::size_t>(on)];
  Vec3<S> at = body.origin;
  for (int i = 0; i < 3; ++i)
    at(i) += body.rotation(i, 0) * place(0) + body.rotation(i, 1) * place(1) +
             body.rotation(i, 2) * place(2);
  return at;
}

template <class S>
void SpringClearance<S>::place_bodies(const DesignGeometry& geometry, const JointView<S>& state) {
  for (PlacedBody& one : bodies_) {
    const auto b = static_cast<std::size_t>(one.body);
    const JointFrame& frame = geometry.frames[b];
    const Vec3<S> origin = origin_in_parent<S>(frame, state.q[b]);
    if (one.parent == in_base) {
      one.rotation = Mat3d::Identity().cast<S>();
      one.origin = origin;
    } else {
      const PlacedBody& parent = bodies_[static_cast<std::size_t>(one.parent)];
      one.rotation = parent.rotation;
      one.origin = parent.origin + parent.rotation * origin;
    }
    turn_to_body<S>(frame, state.sine[b], state.cosine[b], one.rotation);
  }
}

/// Finds the straight parts of the spring's axis.
template <class S>
void SpringClearance<S>::place_axis(const DesignGeometry& geometry, const JointView<S>& state) {
  const Mechanism& mechanism = geometry.mechanism;
  if (cable_.stops.empty()) {
    const auto end = [&](std::size_t i) {
      return placed(ends_[i].on, mechanism.points[ends_[i].point].position);
    };
    axis_.front() = {end(0), end(1)};
    return;
  }
  line_.trace(geometry, cable_, state);
  for (int k = 0; k < lanes<S>; ++k) static_cast<void>(line_.lay(mechanism, cable_, k));
  for (std::size_t i = 0; i < axis_.size(); ++i) axis_[i] = {line_.leaves(i), line_.arrives(i + 1)};
}

template <class S>
typename SpringClearance<S>::Nearest SpringClearance<S>::nearest(const DesignGeometry& geometry,
                                                                 const JointView<S>& state) {
  const Mechanism& mechanism = geometry.mechanism;
  place_bodies(geometry, state);
  place_axis(geometry, state);
  Nearest nearest{S(no_limit), S(-1.0)};
  for (PlacedObstacle& one : obstacles_) {
    const Obstacle& obstacle = mechanism.obstacles[one.obstacle];
    one.middle = {placed(one.on, place_of(mechanism, obstacle, 0)),
                  placed(one.on, place_of(mechanism, obstacle, 1))};
    S square(no_limit);
    for (const Segment<S>& part : axis_)
      square = smaller(square, segment_distance(part, one.middle).square);
    const S distance = sqrt(square) - obstacle.radius;
    const auto nearer = distance < nearest.distance;
    nearest.distance = select(nearer, distance, nearest.distance);
    nearest.obstacle = select(nearer, S(static_cast<double>(one.obstacle)), nearest.obstacle);
  }
  return nearest;
}

template <class S>
Approach SpringClearance<S>::locate(const Mechanism& mechanism, int k) const {
  const auto get = [k](const Segment<S>& segment) {
    Segment<double> own;
    for (int i = 0; i < 3; ++i) {
      own.from(i) = lane(segment.from(i), k);
      own.to(i) = lane(segment.to(i), k);
    }
    return own;
  };
  const auto along = [](const Segment<double>& segment, double share) -> Vec3d {
    return segment.from + share * (segment.to - segment.from);
  };
  Approach found;
  for (const PlacedObstacle& one : obstacles_)
    for (const Segment<S>& part : axis_) {
      const Segment<double> axis = get(part), middle = get(one.middle);
      const SegmentDistance<double> apart = segment_distance(axis, middle);
      const double distance = std::sqrt(apart.square) - mechanism.obstacles[one.obstacle].radius;
      if (!(distance < found.distance)) continue;
      found = {distance, one.obstacle, along(axis, apart.first), along(middle, apart.second)};
    }
  return found;
}

template class SpringClearance<double>;
template class SpringClearance<Pack>;

}  // namespace counterpoise
