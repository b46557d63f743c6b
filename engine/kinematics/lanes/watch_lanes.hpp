#pragma once

#include "engine/kinematics/lanes/group_lanes.hpp"

namespace counterpoise {

/// Tells when a block of samples is one in which GroupWatch cannot find that a singular pose was
/// passed. Between two samples with Jacobians J and K of the unknowns, det(J' K) is the product of
/// the volumes that their columns span and of the cosine between the two spans, with the sign that
/// det R (see GroupWatch) changes by. With as many equations as unknowns the sign of det K is
/// enough.
class WatchLanes {
 public:
  WatchLanes(const GroupLanes& group, int bodies, std::size_t driven_values);

  /// Starts from the sample in the first lane of the group's pose.
  void begin(const GroupLanes& group) { keep(group, 0); }
  /// Starts from one sample, and leaves the group linearised there in every lane.
  void begin(const DesignGeometry& geometry, GroupLanes& group, const JointView<double>& sample);
  /// Whether the columns' span turned so little between all consecutive samples, from the last one
  /// known to lane `used` - 1, that GroupWatch, too, sees nothing. Then that lane becomes the last
  /// one known. Cost: with redundant equations that of another decomposition, otherwise nothing.
  bool quiet(const GroupLanes& group, int used);

 private:
  void keep(const GroupLanes& group, int lane_kept);

  PackDecomposition product_;
  std::vector<double> columns_;  // of the last sample; empty if as many equations as unknowns
  double determinant_ = 0.0;     // of the last sample
  JointMotion<Pack> at_;         // one block, of which only the joints in the equations are used
  std::vector<Pack> no_drive_;   // zeros, as only the Jacobian is needed
};

}  // namespace counterpoise
