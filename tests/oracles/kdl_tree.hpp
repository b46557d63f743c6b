#pragma once

#include <array>
#include <vector>

/// Inverse dynamics of a tree by Orocos KDL, behind an interface of plain numbers: the library is
/// packaged for a generic processor, and its vectors must not mix with ours.
namespace counterpoise::oracle {

enum class KdlJoint { fixed, revolute, prismatic };

struct KdlLink {
  int parent = -1;  // index of an earlier link, -1 for the ground
  KdlJoint joint = KdlJoint::fixed;
  std::array<double, 3> axis{};      // in the link's own axes
  std::array<double, 3> origin{};    // in the parent's axes at q = 0
  std::array<double, 9> rotation{};  // link to parent at q = 0, row by row
  double mass = 0.0;
  std::array<double, 3> com{};
  std::array<double, 6> inertia{};  // about the centre of mass: xx yy zz xy xz yz
};

/// A force and a moment on a link at its origin, both in the link's own axes.
struct KdlWrench {
  std::array<double, 3> force{}, moment{};
};

/// Torque or force of every link's joint (0 where fixed); one entry per link in q, v, a, in
/// `outside`, which is what acts on the links from outside, and in the result.
std::vector<double> kdl_inverse_dynamics(const std::vector<KdlLink>& links,
                                         const std::array<double, 3>& gravity,
                                         const std::vector<double>& q, const std::vector<double>& v,
                                         const std::vector<double>& a,
                                         const std::vector<KdlWrench>& outside);

}  // namespace counterpoise::oracle
