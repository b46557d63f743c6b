#include "engine/dynamics/leg_forces.hpp"

#include "engine/math/pack.hpp"

namespace counterpoise {

template <class S>
LegForces<S>::LegForces(const Mechanism& mechanism) {
  for (std::size_t a = 0; a < mechanism.actuators.size(); ++a) {
    if (!mechanism.actuators[a].linear()) continue;
    legs_.push_back({a, path_from_world(mechanism, mechanism.actuators[a].points)});
    lines_.emplace_back().resize(legs_.back().path);
  }
}

template <class S>
std::array<Vec3<S>, 2> LegForces<S>::end_forces(std::size_t leg, const DesignGeometry& geometry,
                                                const JointView<S>& state) {
  const Path& path = legs_[leg].path;
  const Actuator& actuator = geometry.mechanism.actuators[legs_[leg].actuator];
  Line<S>& line = lines_[leg];
  trace_line<S>(geometry, path, state, line);
  const EndState<S> first = trace_motion<S>(geometry.frames, path.chains[0], state, line.ends[0]);
  const EndState<S> second = trace_motion<S>(geometry.frames, path.chains[1], state, line.ends[1]);

  const Vec3<S>& e = line.direction;
  const S per_length = S(1.0) / larger(line.length, S(1e-300));
  const Vec3<S> v = second.v - first.v, a = second.a - first.a;
  const Vec3<S> omega = e.cross(v) * per_length;
  const Vec3<S> alpha = (e.cross(a) - omega * S(e.dot(v) * 2.0)) * per_length;
  const Vec3<S> swing = alpha.cross(e) + omega.cross(Vec3<S>(omega.cross(e)));
  const Vec3<S> gravity = geometry.mechanism.gravity.cast<S>();

  // a virtual motion turns both parts by e x (second - first) / l and carries each by its own point
  const LegPart &tube = actuator.tube, &rod = actuator.rod;
  const Vec3<S> on_tube = (first.a + swing * S(tube.com) - gravity) * S(tube.mass);
  const Vec3<S> on_rod = (second.a - swing * S(rod.com) - gravity) * S(rod.mass);
  const Vec3<S> moment = alpha * S(tube.transverse + rod.transverse) +
                         e.cross(on_tube) * S(tube.com) - e.cross(on_rod) * S(rod.com);
  const Vec3<S> pair = moment.cross(e) * per_length;
  return {on_tube - pair, on_rod + pair};
}

template <class S>
void LegForces<S>::add(std::size_t leg, const DesignGeometry& geometry, const JointView<S>& state,
                       std::span<S> tau) {
  const std::array<Vec3<S>, 2> forces = end_forces(leg, geometry, state);
  for (std::size_t end : {0u, 1u}) {
    const std::vector<BodyIndex>& chain = legs_[leg].path.chains[end];
    for (std::size_t k = 0; k < chain.size(); ++k)
      tau[chain[k]] += lines_[leg].ends[end].column[k].dot(forces[end]);
  }
}

template class LegForces<double>;
template class LegForces<Pack>;

}  // namespace counterpoise
