#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/math/vector.hpp"

namespace counterpoise::rod_tree {

using Mat4d = Eigen::Matrix4d;
using Vec4d = Eigen::Vector4d;
template <class S>
using Mat4 = Eigen::Matrix<S, 4, 4>;
template <class S>
using Vec4 = Eigen::Matrix<S, 4, 1>;
template <class S>
using Matrix = Eigen::Matrix<S, Eigen::Dynamic, Eigen::Dynamic>;
template <class S>
using Vector = Eigen::Matrix<S, Eigen::Dynamic, 1>;

/// The parent of a rod that starts from the floating point O_1.
inline constexpr int floating_base = -1;

/// A straight uniform rod along the x axis of its own frame, whose origin is its joint. The joint
/// turns it about z, relative to its parent's frame, at the parent's far end.
struct Rod {
  int parent = floating_base;    // index of a rod before this one, or floating_base
  double length = 1.0;           // [m]
  double mass_per_length = 1.0;  // mu                                                 [kg/m]
  /// J', the inertia of a slice about its centre, in the rod's axes [kg m].
  Mat3d inertia_per_length = Mat3d::Zero();
};

/// The tree-type robotic system of paper 002: rods from a point O_1 that floats in the plane z = 0.
/// Its n + 2 coordinates are theta = (q_1 ... q_n, X_1, X_2): the relative joint angles [rad], of
/// rods at the base the angle to the X_1 axis, and the position of O_1 [m].
struct RodTree {
  Vec3d gravity = Vec3d(0.0, -9.81, 0.0);  // [m/s^2]
  std::vector<Rod> rods;                   // parent < index

  [[nodiscard]] int freedoms() const { return static_cast<int>(rods.size()) + 2; }
};

/// The example of paper 002: ten rods, numbers of Table 2, branches as in Fig. 4.
RodTree paper_tree();

/// Says in words which number is impossible and on which rod, or returns nothing. These are
/// impossible: a parent that is not an earlier rod, a length or mass per length that is not
/// positive, an inertia that is not symmetric or has a negative diagonal, and any number that is
/// not finite.
std::optional<std::string> find_fault(const RodTree& tree);

/// A rod in one branch. In a branch where the rod is virtual (not real) it has no mass.
struct BranchRod {
  int rod = 0;  // index in the tree
  bool real = true;
  Mat4d end = Mat4d::Identity();        // E_i, eq. 5: the frame at the rod's far end
  Mat4d second_moment = Mat4d::Zero();  // B_1i = 1/2 integral of mu r r', eq. 15
  Vec4d first_moment = Vec4d::Zero();   // c_i = integral of mu r, eq. 20      [kg m, kg]
  Mat3d inertia = Mat3d::Zero();        // B_2i = integral of J', eq. 16         [kg m^2]
};

/// The rods on the way from O_1 to one tip.
using Branch = std::vector<BranchRod>;

/// One branch for each tip, in the order of tips. A rod of several branches is real in the first of
/// them only (section 2). The paper calls such a rod massless "in all those branches"; its own
/// example gives it its mass in the first. The tree must be free of faults.
std::vector<Branch> divide_into_branches(const RodTree& tree);

/// Where the tree is, how it moves and what drives it, one entry per rod.
template <class S>
struct State {
  std::vector<S> sine, cosine;                        // of the joint angles
  std::vector<S> rate;                                // of the joint angles           [rad/s]
  std::vector<S> torque;                              // tau on the rod from its parent  [N m]
  Vec2<S> base = Vec2<S>::Constant(S(0.0));           // X                                [m]
  Vec2<S> base_velocity = Vec2<S>::Constant(S(0.0));  // dX/dt                          [m/s]

  explicit State(std::size_t rods)
      : sine(rods, S(0.0)), cosine(rods, S(1.0)), rate(rods, S(0.0)), torque(rods, S(0.0)) {}
};

/// The state without torques at theta and its rates, n + 2 entries each.
State<double> state_at(const Eigen::VectorXd& theta, const Eigen::VectorXd& rates);

}  // namespace counterpoise::rod_tree
