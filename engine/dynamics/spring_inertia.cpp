#include "engine/dynamics/spring_inertia.hpp"

#include <algorithm>

#include "engine/math/pack.hpp"

namespace counterpoise {

template <class S>
SpringInertia<S>::SpringInertia(const Mechanism& mechanism) {
  for (std::size_t s = 0; s < mechanism.springs.size(); ++s) {
    if (!mechanism.springs[s].heavy) continue;
    Coil& coil = coils_.emplace_back();
    coil.spring = s;
    coil.path = path_from_world(mechanism, mechanism.springs[s].points);
    for (const std::vector<BodyIndex>& chain : coil.path.chains)
      coil.movers.insert(coil.movers.end(), chain.begin(), chain.end());
    std::sort(coil.movers.begin(), coil.movers.end());
    coil.movers.erase(std::unique(coil.movers.begin(), coil.movers.end()), coil.movers.end());
    lines_.emplace_back().resize(coil.path);
  }
}

template <class S>
std::array<Vec3<S>, 2> SpringInertia<S>::end_forces(std::size_t coil, double mass,
                                                    const DesignGeometry& geometry,
                                                    const JointView<S>& state) {
  const Path& path = coils_[coil].path;
  Line<S>& line = lines_[coil];
  for (const std::size_t end : {0u, 1u}) trace_end(geometry, path, end, state, line.ends[end]);
  const Vec3<S> gravity = geometry.mechanism.gravity.cast<S>();
  const Vec3<S> first =
      trace_motion<S>(geometry.frames, path.chains[0], state, line.ends[0]).a - gravity;
  const Vec3<S> second =
      trace_motion<S>(geometry.frames, path.chains[1], state, line.ends[1]).a - gravity;
  const S own(mass / 3.0), other(mass / 6.0);
  return {first * own + second * other, first * other + second * own};
}

template <class S>
void SpringInertia<S>::add(std::size_t coil, double mass, const DesignGeometry& geometry,
                           const JointView<S>& state, std::span<S> tau) {
  const std::array<Vec3<S>, 2> forces = end_forces(coil, mass, geometry, state);
  for (const std::size_t end : {0u, 1u}) {
    const std::vector<BodyIndex>& chain = coils_[coil].path.chains[end];
    for (std::size_t k = 0; k < chain.size(); ++k)
      tau[chain[k]] += lines_[coil].ends[end].column[k].dot(forces[end]);
  }
}

template class SpringInertia<double>;
template class SpringInertia<Pack>;

}  // namespace counterpoise
