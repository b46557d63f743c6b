#include "engine/kinematics/lanes/watch_lanes.hpp"

namespace counterpoise {
namespace {

// The least cosine between the spans of two consecutive samples. GroupWatch lets a span turn by up
// to 37 degrees before it refers to another one, and looks closer from 60 degrees on; 16 degrees
// more never take it there.
constexpr double little_turn = 0.96;

}  // namespace

WatchLanes::WatchLanes(const GroupLanes& group, int bodies, std::size_t driven_values)
    : product_(static_cast<int>(group.unknowns().size()),
               static_cast<int>(group.unknowns().size())),
      no_drive_(driven_values) {
  at_.resize(bodies, lanes<Pack>);
  const auto rows = static_cast<std::size_t>(group.equations().rows());
  if (rows > group.unknowns().size()) columns_.resize(rows * group.unknowns().size());
}

void WatchLanes::keep(const GroupLanes& group, int lane_kept) {
  determinant_ = lane(group.factor().determinant(), lane_kept);
  if (columns_.empty()) return;
  const auto rows = static_cast<std::size_t>(group.equations().rows());
  for (std::size_t j = 0; j < group.unknowns().size(); ++j)
    for (std::size_t i = 0; i < rows; ++i)
      columns_[j * rows + i] = lane(group.equations().column(j)[i], lane_kept);
}

void WatchLanes::begin(const DesignGeometry& geometry, GroupLanes& group,
                       const JointView<double>& sample) {
  const JointState<Pack> at = at_.block(0);
  for (BodyIndex joint : group.equations().joints()) {
    const auto b = static_cast<std::size_t>(joint);
    at.q[b] = Pack(sample.q[b]);
    at.sine[b] = Pack(sample.sine[b]);
    at.cosine[b] = Pack(sample.cosine[b]);
  }
  group.linearise(geometry, at, no_drive_);
  keep(group, 0);
}

bool WatchLanes::quiet(const GroupLanes& group, int used) {
  const Pack determinant = group.factor().determinant();
  const Pack both = shifted(determinant, determinant_) * determinant;
  PackMask same = both > Pack(0.0);
  if (!columns_.empty()) {
    const auto rows = static_cast<std::size_t>(group.equations().rows());
    const std::size_t m = group.unknowns().size();
    for (std::size_t i = 0; i < m; ++i) {
      for (std::size_t j = 0; j < m; ++j) product_.column(static_cast<int>(j))[i] = Pack(0.0);
      for (std::size_t r = 0; r < rows; ++r) {
        const Pack before = shifted(group.equations().column(i)[r], columns_[i * rows + r]);
        for (std::size_t j = 0; j < m; ++j)
          product_.column(static_cast<int>(j))[i] += before * group.equations().column(j)[r];
      }
    }
    product_.compute();
    same = product_.determinant() >= abs(both) * little_turn;
  }
  if (!holds(same, used)) return false;
  keep(group, used - 1);
  return true;
}

}  // namespace counterpoise
