#include "engine/dynamics/applied_forces.hpp"

#include "engine/math/pack.hpp"

namespace counterpoise {

template <class S>
AppliedForces<S>::AppliedForces(const Mechanism& mechanism) {
  for (const AppliedForce& force : mechanism.forces) {
    paths_.push_back(path_to(mechanism, mechanism.points[force.point].body, force.point));
    traces_.emplace_back().resize(chain(paths_.size() - 1).size());
  }
}

template <class S>
void AppliedForces<S>::add(std::size_t index, const DesignGeometry& geometry,
                           const JointView<S>& state, const S& factor, std::span<S> tau) {
  const AppliedForce& applied = geometry.mechanism.forces[index];
  Trace<S>& trace = traces_[index];
  trace_end<S>(geometry, paths_[index], 1, state, trace);
  Vec3<S> force = applied.force.cast<S>() * factor, moment = applied.moment.cast<S>() * factor;
  if (applied.turns_with_body) {
    force = trace.rotation * force;
    moment = trace.rotation * moment;
  }
  for (std::size_t k = 0; k < chain(index).size(); ++k) {
    const BodyIndex body = chain(index)[k];
    S& to = tau[static_cast<std::size_t>(body)];
    to += trace.column[k].dot(force);
    if (geometry.type_of(body) == JointType::revolute) to += trace.axis[k].dot(moment);
  }
}

template class AppliedForces<double>;
template class AppliedForces<Pack>;

}  // namespace counterpoise
