#include "tests/oracles/charmie_kinematics.hpp"

#include <cmath>
#include <numbers>
#include <vector>

namespace counterpoise::oracle {
namespace {

using std::numbers::pi;

/// Eq. 17. Its upper right entry is printed s1 s3; with that, no rotation comes out of eqs. 2-3.
Mat3d zxz_euler(double z1, double x2, double z3) {
  const double c1 = std::cos(z1), s1 = std::sin(z1);
  const double c2 = std::cos(x2), s2 = std::sin(x2);
  const double c3 = std::cos(z3), s3 = std::sin(z3);
  Mat3d rotation;
  rotation << c1 * c3 - s1 * c2 * s3, -c1 * s3 - s1 * c2 * c3, s1 * s2,  //
      s1 * c3 + c1 * c2 * s3, c1 * c2 * c3 - s1 * s3, -c1 * s2,          //
      s2 * s3, s2 * c3, c2;
  return rotation;
}

/// A row of table 2: the joint before a body, and where the preceding body holds it.
struct Link {
  char type;      // P, R or F
  char axis;      // x, y, z
  Vec3d before;   // B of the preceding body, in that body's axes
  double amount;  // d of eq. 1, or the angle
};

Vec3d unit(char axis) {
  return axis == 'x' ? Vec3d::UnitX() : axis == 'y' ? Vec3d::UnitY() : Vec3d::UnitZ();
}

/// Eq. 18, and eq. 2 for the fixed joint of the left arm.
Mat3d rotation_between(const Link& link) {
  if (link.type == 'F') return zxz_euler(pi / 2, -pi / 2, pi);
  if (link.type == 'P') return zxz_euler(0, 0, 0);
  if (link.axis == 'x') return zxz_euler(0, link.amount, 0);
  if (link.axis == 'y') return zxz_euler(pi / 2, link.amount, -pi / 2);
  return zxz_euler(0, 0, link.amount);
}

}  // namespace

double lift_displacement(double actuator_length) {
  const double B3z = 0.29;
  const double D3y = -0.1644, D3z = 0.02;
  const double Ey = -0.03, E4z = 0.1908;  // y alike in bodies 3 and 4
  const double rise = std::sqrt(actuator_length * actuator_length - (Ey - D3y) * (Ey - D3y));
  return B3z - (D3z + rise - E4z);
}

double lean_angle(double actuator_length) {
  const double B4y = 0.0, B4z = 0.434;
  const double F4y = -0.1, F4z = 0.07;
  const double G5y = -0.1, G5z = 0.036;  // A_5 is the origin
  const double e4 = std::hypot(F4y - B4y, F4z - B4z);
  const double act = actuator_length;
  const double l4 = (act * act - (G5y * G5y + G5z * G5z) + e4 * e4) / (2 * e4);
  const double h4 = std::sqrt(act * act - l4 * l4);
  // Eqs. 13-14 print both second terms with +, which leads off both circles: they are the two
  // components of a vector across B - F, so one of them is negative. With the actuator on the side
  // of -y, as here, it is that of eq. 13.
  const double G4y = l4 / e4 * (B4y - F4y) - h4 / e4 * (B4z - F4z) + F4y;
  const double G4z = l4 / e4 * (B4z - F4z) + h4 / e4 * (B4y - F4y) + F4z;
  // Eqs. 8-9 with the arctangent of two arguments: G lies behind the joint, where that of the
  // quotient is off by pi. (Eq. 9 calls alpha_4 alpha_5.)
  const double beta = std::atan2(G5y, G5z);
  const double alpha = std::atan2(G4z - B4z, G4y - B4y);
  return alpha + beta - pi / 2;
}

Vec3d left_claw_centre(const LeftArmCoordinates& at) {
  const double d4 = lift_displacement(at.lift);
  const std::vector<Link> links = {
      {'P', 'x', {0, 0, 0}, -at.base_x},
      {'P', 'y', {0, 0, 0}, -at.base_y},
      {'R', 'z', {0, 0, 0}, at.base_yaw},
      {'P', 'z', {0, 0, 0.29}, d4},
      {'R', 'x', {0, 0, 0.434}, lean_angle(at.lean)},
      {'F', 'z', {-0.2, 0.003, 0.46}, 0},
      {'R', 'z', {0, 0, 0.03}, at.arm[0]},
      {'R', 'x', {0, 0, 0.0615}, at.arm[1]},
      {'R', 'z', {0, 0, 0.145}, at.arm[2]},
      {'R', 'x', {0, 0, 0.145}, at.arm[3]},
      {'R', 'z', {0, 0, 0.14}, at.arm[4]},
      {'R', 'x', {0, 0, 0.14}, at.arm[5]},
  };
  Mat3d R = Mat3d::Identity();
  Vec3d shift = Vec3d::Zero();  // of the preceding body: its points are R P' + shift
  for (const Link& link : links) {
    const Vec3d B_before = R * link.before + shift;
    R = R * rotation_between(link);  // eq. 16
    Vec3d A = Vec3d::Zero();
    if (link.type == 'P') A = unit(link.axis) * link.amount;  // eq. 1
    shift = B_before - R * A;  // eq. 19, which prints A'' of the preceding body
  }
  return R * Vec3d(0, 0, 0.1023) + shift;  // eq. 15
}

}  // namespace counterpoise::oracle
