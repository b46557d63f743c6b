#pragma once

#include <array>
#include <span>
#include <vector>

#include "engine/dynamics/joint_clusters.hpp"
#include "engine/dynamics/tree_model.hpp"
#include "engine/kinematics/closure/joint_motion.hpp"

namespace counterpoise {

/// A symmetric 3 x 3 matrix. Entry k of `next` belongs to the two axes other than k.
struct Symmetric3 {
  std::array<double, 3> same = {}, next = {};
};

/// The articulated inertia of a body: its branch moves freely at its joints. About the origin and
/// in the axes of TreeModel:
///
///   moment = angular alpha + coupling a,   force = coupling' alpha + linear a
///
/// where a is the acceleration of the body's origin.
struct ArticulatedInertia {
  Symmetric3 angular;              // [kg m^2]
  Mat3d coupling = Mat3d::Zero();  // [kg m]
  Symmetric3 linear;               // [kg]
};

/// Workspace of articulated_bodies: one entry per body of the tree model.
struct ArticulatedBodiesScratch {
  struct Joint {
    Vec3d moment, force;   // what a unit acceleration of the joint alone takes
    double inverse = 0.0;  // of the articulated inertia along the joint; 0 where it cannot move
    double rest = 0.0;     // of the force on the joint: what the branch behind leaves of it
  };
  std::vector<ArticulatedInertia> own, inertia;  // of the bodies alone, and with their branches
  std::vector<Vec3d> moment, force;              // that branches put on their first body
  std::vector<Vec3d> alpha, a;
  std::vector<Joint> joints;
  std::vector<double> mass;                // of the branch                         [kg]
  std::vector<double> own_spread, spread;  // integral of r'r dm, and a bound of the branch's
  std::vector<int> parent;                 // place of the parent in the tree model, or -1
  std::vector<int> place;  // of each of the mechanism's bodies in the tree model, or -1
  std::vector<TiedJoints> tied;
  JointClusters clusters;

  /// Must be called after any change of the tree model. No joints are tied then.
  void prepare(const TreeModel& model, std::size_t bodies);
  /// Ties joints of the model to each other, none of which is held. Their motions may be changed
  /// afterwards, but not in size. `held` is that of articulated_bodies.
  void tie(const TreeModel& model, std::span<const char> held, std::vector<TiedJoints> joints);
};

/// Computes the accelerations that joint forces give a tree at rest without gravity: the x with
/// M(q) x = f on all free joints, and x = 0 on the held ones, without the mass matrix M. What turns
/// with a joint alone, such as a rotor behind gears, adds its inertia to the diagonal of M.
///
///   state         in   q of prismatic joints, sine and cosine of revolute ones
///   held          in   whether the joint keeps its velocity; one entry per body
///   rotors        in   inertia that moves with each joint alone; one entry per body, or none at
///   all
///                                                                                   [kg, kg m^2]
///   force         in   on each joint; one entry per body                        [N, N m]
///   acceleration  out  of each joint; entries of bodies that are not in the model are left alone
///
/// Joints that are tied to each other accelerate by motions * u, with forces of constraint that do
/// no work on `motions`: N' M N u = N' f, x = N u. Each cluster of them is solved by itself as a
/// joint of several freedoms.
///
/// Velocities, gravity and the accelerations of held joints enter through `force`, from which the
/// caller subtracts the result of `inverse_dynamics` with zero acceleration at all free joints.
///
/// Returns false where a free joint might move no mass: where the inertia that it meets is less
/// than 1e-13 of a bound of its branch's, or 1e-20 of another joint's. The mass matrix then has to
/// decide; `acceleration` is not to be used.
///
/// Cost: one sweep from tips to base and one from base to tips, no allocation. For a revolute joint
/// about a main axis about 130 products, and about 200 more if its axis is tilted. For a cluster of
/// k joints with f freedoms about k^2 f + f^3 / 3, and its bodies' depth times k. Source:
/// Featherstone, The calculation of robot dynamics using articulated-body inertias, Int. J. of
/// Robotics Research 2 (1983), 13-30; held joints as in his hybrid dynamics (Rigid Body Dynamics
/// Algorithms, 2008, section 9.2); clusters as in Jain, Multibody graph transformations and
/// analysis, part II, Nonlinear Dynamics 67 (2012), 2153-2170.
[[nodiscard]] bool articulated_bodies(const TreeModel& model, const JointView<double>& state,
                                      std::span<const char> held, std::span<const double> rotors,
                                      std::span<const double> force,
                                      ArticulatedBodiesScratch& scratch,
                                      std::span<double> acceleration);

}  // namespace counterpoise
