#include "engine/dynamics/mass_matrix.hpp"

#include "engine/dynamics/mass_matrix_sweeps.hpp"
#include "engine/math/pack.hpp"

namespace counterpoise {

template struct MassMatrixScratch<double>;
template struct MassMatrixScratch<Pack>;

template void mass_matrix(const TreeModel&, const JointView<double>&, MassMatrixScratch<double>&,
                          Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic>&);
template void mass_matrix(const TreeModel&, const JointView<Pack>&, MassMatrixScratch<Pack>&,
                          Eigen::Matrix<Pack, Eigen::Dynamic, Eigen::Dynamic>&);
template void gravity_forces(const TreeModel&, const JointView<double>&, MassMatrixScratch<double>&,
                             std::span<double>);
template void gravity_forces(const TreeModel&, const JointView<Pack>&, MassMatrixScratch<Pack>&,
                             std::span<Pack>);

}  // namespace counterpoise
