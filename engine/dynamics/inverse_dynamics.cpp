#include "engine/dynamics/inverse_dynamics.hpp"

#include "engine/dynamics/inverse_dynamics_sweeps.hpp"
#include "engine/math/pack.hpp"

namespace counterpoise {

template struct InverseDynamicsScratch<double>;
template struct InverseDynamicsScratch<Pack>;
template void inverse_dynamics(const TreeModel&, const JointView<double>&,
                               InverseDynamicsScratch<double>&, std::span<double>);
template void inverse_dynamics(const TreeModel&, const JointView<Pack>&,
                               InverseDynamicsScratch<Pack>&, std::span<Pack>);

}  // namespace counterpoise
