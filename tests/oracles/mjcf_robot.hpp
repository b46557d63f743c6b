#pragma once

#include <array>
#include <map>
#include <memory>
#include <string>
#include <vector>

/// A robot in MJCF as MuJoCo reads and computes it.
namespace counterpoise::oracle {

/// Position, velocity and acceleration of a joint.
struct JointState {
  double q = 0.0, v = 0.0, a = 0.0;
};

/// How far equality constraints are from being kept.
struct ConstraintError {
  int equations = 0;
  double largest = 0.0;  // [m] or [rad]
};

/// Mass, centre in the body's frame, and principal moments, the largest first.
struct BodyMass {
  double mass = 0.0;                          // [kg]
  std::array<double, 3> centre{}, moments{};  // [m], [kg m^2]
};

/// The length of a tendon [m], and how it changes with the position of each joint.
struct Tendon {
  double length = 0.0;
  std::map<std::string, double> slopes;
};

class MjcfRobot {
 public:
  /// Reads a file. Throws std::runtime_error with MuJoCo's words.
  explicit MjcfRobot(const std::string& file);
  ~MjcfRobot();
  MjcfRobot(const MjcfRobot&) = delete;
  MjcfRobot& operator=(const MjcfRobot&) = delete;

  [[nodiscard]] const std::vector<std::string>& joints() const { return joints_; }

  /// Of a body, of which 0 is the world.
  [[nodiscard]] BodyMass mass_of(int body) const;

  /// The force that each joint, in the order of joints(), needs at this state (mj_inverse), less
  /// what the motors with these loads and the actuators of constant force give. Constraints are
  /// left out.
  [[nodiscard]] std::vector<double> missing_forces(
      const std::map<std::string, JointState>& states,
      const std::map<std::string, double>& loads) const;

  /// The errors of all equality constraints at this state.
  [[nodiscard]] ConstraintError constraint_error(
      const std::map<std::string, JointState>& states) const;

  /// A tendon at this state, of a model with dense Jacobians.
  [[nodiscard]] Tendon tendon(const std::string& name,
                              const std::map<std::string, JointState>& states) const;

  /// What is left of forces on the joints, in the order of joints(), in the directions in which
  /// MuJoCo's equality constraints let the joints move at this state. The rest, which lies in the
  /// row space of their Jacobian, is for the constraints to take.
  [[nodiscard]] std::vector<double> free_part(const std::map<std::string, JointState>& states,
                                              const std::vector<double>& forces) const;

  /// The accelerations of the joints, in the order of joints(), with these loads of motors
  /// (mj_forward). Equality constraints act softly: `impedance`, between 0 and 1, is how much of
  /// what would open them they undo (MuJoCo's solimp).
  [[nodiscard]] std::vector<double> accelerations(const std::map<std::string, JointState>& states,
                                                  const std::map<std::string, double>& loads,
                                                  double impedance) const;

  /// The generalised forces for positions, velocities and accelerations as MuJoCo lays them out,
  /// of joints of any kind (mj_inverse). Constraints are left out.
  [[nodiscard]] std::vector<double> inverse(const std::vector<double>& qpos,
                                            const std::vector<double>& qvel,
                                            const std::vector<double>& qacc) const;

 private:
  void set_state(const std::map<std::string, JointState>& states) const;

  struct Parts;
  std::unique_ptr<Parts> parts_;
  std::vector<std::string> joints_;
};

}  // namespace counterpoise::oracle
