#include "engine/kinematics/closure/closure_columns.hpp"

#include <algorithm>

#include "engine/math/pack.hpp"

namespace counterpoise {

template <class S>
ClosureColumns<S>::ClosureColumns(const Path& path)
    : path_(&path), joints_(path.chains[0].size() + path.chains[1].size()) {
  line_.resize(path);
}

template <class S>
void ClosureColumns<S>::resize(int blocks) {
  const auto size = static_cast<std::size_t>(blocks);
  columns_.resize(size * joints_, Vec3<S>::Constant(S(0.0)));
  directions_.resize(size);
  lengths_.resize(size);
}

template <class S>
void ClosureColumns<S>::write(int block, const Line<S>& line) {
  for (std::size_t end : {0u, 1u})
    std::copy(line.ends[end].column.begin(), line.ends[end].column.end(),
              &columns_[index(block, end, 0)]);
  directions_[block] = line.direction;
  lengths_[block] = line.length;
}

template <class S>
void ClosureColumns<S>::require(const DesignGeometry& geometry, const JointMotion<S>& motion) {
  if (kept_ && current_) return;
  resize(motion.blocks());
  for (int block = 0; block < motion.blocks(); ++block) {
    trace_line<S>(geometry, *path_, motion.block(block), line_);
    write(block, line_);
  }
  current_ = true;
}

template <class S>
ClosureJacobian<S>::ClosureJacobian(const Paths& paths)
    : loops(paths.loops.begin(), paths.loops.end()),
      actuators(paths.actuators.begin(), paths.actuators.end()) {}

template <class S>
ClosureColumns<S>* ClosureJacobian<S>::of(const Equation& equation) {
  const auto element = static_cast<std::size_t>(equation.element);
  if (equation.kind == EquationKind::loop) return &loops[element];
  if (equation.kind == EquationKind::line_drive) return &actuators[element];
  return nullptr;
}

template class ClosureColumns<double>;
template class ClosureColumns<Pack>;
template struct ClosureJacobian<double>;
template struct ClosureJacobian<Pack>;

}  // namespace counterpoise
