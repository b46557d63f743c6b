#include "tests/oracles/charmie_reactions.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/oracles/energy.hpp"

namespace counterpoise::oracle {
namespace {

using std::numbers::pi;

Vec3d euler(const MovingBody& body) {
  return body.inertia * body.alpha + body.omega.cross(body.inertia * body.omega);
}

/// Paper 000, eq. 35, which prints the elongation as L_0 - L_s: a spring that is stretched would
/// pull less. Paper 001, eqs. 5 and 15, has it right.
double pull_of(const SpringNumbers& spring, const Vec3d& one, const Vec3d& other) {
  return spring.rate * ((one - other).norm() - spring.free_length) + spring.initial_tension;
}

/// Paper 000, eqs. 20-21: the angle at S_i between the axis on which R_i lies and the way to S_j.
/// Eq. 21 prints the cosine as if it were the angle. An angle by its cosine has no sign and few
/// digits where it is small, so R_i is taken on the axis across the springs, never along them.
double angle_at(const Vec3d& S_i, const Vec3d& S_j, const Vec3d& R_i) {
  const double l = (S_i - S_j).norm(), b = (R_i - S_i).norm(), a = (R_i - S_j).norm();
  return std::acos((l * l + b * b - a * a) / (2 * l * b));
}

/// Paper 000, eqs. 39-41, for one half of the balancing mechanism.
CharmieShares::Crank solve_crank(const CharmieInstant::Crank& at, const SpringNumbers& spring) {
  CharmieShares::Crank shares;
  const double F = pull_of(spring, at.spring_pin, at.anchor);
  const double from_x = angle_at(at.spring_pin, at.anchor, at.spring_pin + 0.1 * Vec3d::UnitX());
  const double alpha_4 = pi / 2 - from_x;
  const Vec3d f_4srb(F * std::sin(alpha_4), 0.0, F * std::cos(alpha_4));  // 39
  shares.spring_pin.force = f_4srb;

  const Vec3d r_pin = at.tip - at.pivot, r_spring = at.spring_pin - at.pivot;
  const double a_5 = f_4srb.z() * r_spring.x() - f_4srb.x() * r_spring.z();  // 41
  // Eq. 40 calls f_4src and f_3sra alike what bodies 4src and 3 apply, but its first two rows hold
  // only if f_3sra is what body 3 gets from the crank, while the third needs f_4src as the crank
  // gets it from the slider. (Superscripts 3 and 4: these axes are parallel.)
  Mat3d matrix;
  matrix << 0, 1, 0,  //
      -1, 0, 1,       //
      -r_pin.x(), 0, 0;
  const Vec3d x = matrix.inverse() * Vec3d(f_4srb.x(), f_4srb.z(), a_5);
  shares.pin.force = Vec3d(0, 0, -x[0]);
  shares.pivot.force = Vec3d(-x[1], 0, -x[2]);
  return shares;
}

/// Paper 000, eqs. 35-38.
void solve_trunk(const CharmieInstant& now, CharmieShares& shares) {
  const Vec3d C5 = now.trunk.centre;
  const double F_5s = pull_of(now.lean_spring, now.spring_pin, now.spring_foot);
  const double from_y =
      angle_at(now.spring_pin, now.spring_foot, now.spring_pin + 0.1 * Vec3d::UnitY());
  const Vec3d f_5s(0.0, F_5s * std::cos(from_y), -F_5s * std::sin(from_y));
  shares.lean_spring_pin.force = f_5s;

  // Eqs. 33, 34. Eq. 37 has the spring in a term of its own and still sums four succeeding bodies:
  // three are left, 6a, 6b, 6c.
  Vec3d sum_f = now.trunk.mass * now.trunk.acceleration - f_5s;
  Vec3d sum_mu = euler(now.trunk) - f_5s.cross(C5 - now.spring_pin);
  for (std::size_t jb = 0; jb < 3; ++jb) {
    sum_f += now.children[jb].force;
    sum_mu += now.children[jb].force.cross(C5 - now.child_origins[jb]) + now.children[jb].moment;
  }
  const Vec3d r_5d = C5 - now.lean_pin, r_4 = C5;
  // Eq. 36, fifth row: as a turn about x that eqs. 2 and 18 count, alpha_5d has the other sign.
  const Vec3d along = now.lean_pin - now.lean_foot;
  const double alpha_5d = std::atan2(along.y(), along.z());
  Eigen::Matrix<double, 6, 6> matrix;
  matrix << 1, 0, 0, 1, 0, 0,                               //
      0, 1, 0, 0, 1, 0,                                     //
      0, 0, 1, 0, 0, 1,                                     //
      0, r_5d.z(), -r_5d.y(), 0, r_4.z(), -r_4.y(),         //
      0, std::cos(alpha_5d), -std::sin(alpha_5d), 0, 0, 0,  //
      -1, 0, 0, 1, 0, 0;
  Eigen::Matrix<double, 6, 1> known;
  known << sum_f, sum_mu.x(), 0, 0;
  const Eigen::Matrix<double, 6, 1> forces = matrix.fullPivLu().solve(known);
  shares.lean_pin.force = forces.head<3>();
  shares.trunk.force = forces.tail<3>();

  sum_mu -= shares.lean_pin.force.cross(r_5d) + shares.trunk.force.cross(r_4);
  Eigen::Matrix4d halves;  // 38
  halves << 1, 0, 1, 0,    //
      0, 1, 0, 1,          //
      1, 0, -1, 0,         //
      0, 1, 0, -1;
  const Eigen::Vector4d moments = halves.inverse() * Eigen::Vector4d(sum_mu.y(), sum_mu.z(), 0, 0);
  shares.lean_pin.moment = Vec3d(0, moments[0], moments[1]);
  shares.trunk.moment = Vec3d(0, moments[2], moments[3]);
}

/// Paper 000, eqs. 42-43.
void solve_torso(const CharmieInstant& now, CharmieShares& shares) {
  const Vec3d C4 = now.torso.centre;
  Vec3d sum_f = now.torso.mass * now.torso.acceleration;
  Vec3d sum_mu = euler(now.torso);
  const auto succeeding = [&](const Vec3d& force, const Vec3d& moment, const Vec3d& B) {
    sum_f += force;
    sum_mu += force.cross(C4 - B) + moment;
  };
  // The actuator and the spring stand on body 4 with their lower ends. Both have no mass, so what
  // they pass on may as well act where their upper ends are now.
  const auto on_trunk = [&](const Load& load, const Vec3d& place) {
    succeeding(now.trunk_to_torso * load.force, now.trunk_to_torso * load.moment,
               now.hinge + now.trunk_to_torso * place);
  };
  on_trunk(shares.trunk, Vec3d::Zero());
  on_trunk(shares.lean_pin, now.lean_pin);
  on_trunk(shares.lean_spring_pin, now.spring_pin);
  for (std::size_t side : {0u, 1u})
    succeeding(-shares.cranks[side].pin.force, Vec3d::Zero(), now.cranks[side].tip);

  const Vec3d along = now.lift_pin - now.lift_foot;
  const double alpha_4d = std::atan2(along.y(), along.z());  // its sign as in eq. 36
  Eigen::Matrix4d matrix;                                    // 42
  matrix << 0, 0, 1, 0,                                      //
      1, 0, 0, 1,                                            //
      0, 1, 0, 0,                                            //
      std::cos(alpha_4d), -std::sin(alpha_4d), 0, 0;
  const Eigen::Vector4d x = matrix.inverse() * Eigen::Vector4d(sum_f.x(), sum_f.y(), sum_f.z(), 0);
  shares.lift_pin.force = Vec3d(0, x[0], x[1]);
  shares.torso.force = Vec3d(x[2], x[3], 0);

  sum_mu -= shares.lift_pin.force.cross(C4 - now.lift_pin) + shares.torso.force.cross(C4);
  // Eq. 43 gives the cranks' halves to bodies 3slr and 3slc, which do not exist: 4src and 4slc. Its
  // sums run over them too, not over two preceding bodies.
  Eigen::Matrix4d halves;
  halves << 1, 0, 0, 0,  //
      0, 1, 0, 0,        //
      0, 0, 1, 1,        //
      0, 0, 1, -1;
  const Eigen::Vector4d mu =
      halves.inverse() * Eigen::Vector4d(sum_mu.x(), sum_mu.y(), sum_mu.z(), 0);
  shares.torso.moment = Vec3d(mu[0], mu[1], 0);
  for (std::size_t side : {0u, 1u}) {
    shares.cranks[side].pin.moment = Vec3d(0, 0, mu[static_cast<Eigen::Index>(2 + side)]);
    shares.cranks[side].pivot.moment = shares.cranks[side].pin.moment;  // passed on, below eq. 41
  }
}

}  // namespace

CharmieShares shares_of_paper_000(const CharmieInstant& now) {
  CharmieShares shares;
  solve_trunk(now, shares);
  for (std::size_t side : {0u, 1u})
    shares.cranks[side] = solve_crank(now.cranks[side], now.lift_spring);
  solve_torso(now, shares);
  return shares;
}

CharmieShares shares_of_paper_001(const CharmieInstant& now) {
  CharmieShares shares;
  // Eq. 3 prints f R for a column f; eqs. 1 and 2 have R f. Vectors lead from where a force acts to
  // the centre of mass: a, b, c from 6a to 6c, d the actuator, e the spring, f the joint.
  const Vec3d C5 = now.trunk.centre;
  const Vec3d a5 = C5 - now.child_origins[0], b5 = C5 - now.child_origins[1];
  const Vec3d c5 = C5 - now.child_origins[2], d5 = C5 - now.lean_pin;
  const Vec3d e5 = C5 - now.spring_pin, f5 = C5;
  const Vec3d &F6a = now.children[0].force, &mu6a = now.children[0].moment;
  const Vec3d &F6b = now.children[1].force, &mu6b = now.children[1].moment;
  const Vec3d &F6c = now.children[2].force, &mu6c = now.children[2].moment;
  const double m5 = now.trunk.mass;
  const Vec3d p5 = now.trunk.acceleration, euler5 = euler(now.trunk);
  const Vec3d along_spring = now.spring_foot - now.spring_pin;
  const double beta_5 = std::atan2(along_spring.y(), along_spring.z());
  const Vec3d along_lean = now.lean_pin - now.lean_foot;
  const double alpha_5 = std::atan2(along_lean.y(), along_lean.z());

  Vec3d Fs5 = Vec3d::Zero(), Fact5, Fj5;
  const double Ft_s5 = pull_of(now.lean_spring, now.spring_pin, now.spring_foot);  // 5
  Fs5.y() = Ft_s5 * std::sin(beta_5);                                              // 6
  Fs5.z() = Ft_s5 * std::cos(beta_5);
  // Eq. 7 takes the moments of all forces about j5 and that of the momentum about C5: the body's
  // own mass with the arm f5 is missing (its first two terms here).
  const double mu_x_aux = -m5 * p5.y() * f5.z() + m5 * p5.z() * f5.y() + euler5.x() -
                          Fs5.y() * (e5.z() - f5.z()) + Fs5.z() * (e5.y() - f5.y()) +
                          F6a.y() * (a5.z() - f5.z()) - F6a.z() * (a5.y() - f5.y()) + mu6a.x() +
                          F6b.y() * (b5.z() - f5.z()) - F6b.z() * (b5.y() - f5.y()) + mu6b.x() +
                          F6c.y() * (c5.z() - f5.z()) - F6c.z() * (c5.y() - f5.y()) + mu6c.x();
  const double Ft_act5 = mu_x_aux / (std::sin(alpha_5) * (d5.z() - f5.z()) -
                                     std::cos(alpha_5) * (d5.y() - f5.y()));  // 8
  Fact5.y() = Ft_act5 * std::sin(alpha_5);                                    // 9
  Fact5.z() = Ft_act5 * std::cos(alpha_5);
  Fj5.y() = m5 * p5.y() + F6a.y() + F6b.y() + F6c.y() - Fact5.y() - Fs5.y();  // 10
  Fj5.z() = m5 * p5.z() + F6a.z() + F6b.z() + F6c.z() - Fact5.z() - Fs5.z();  // 11
  Fj5.x() = Fact5.x() = (m5 * p5.x() + F6a.x() + F6b.x() + F6c.x()) / 2;      // 12
  Vec3d mu_j5 = Vec3d::Zero();
  mu_j5.y() = (euler5.y() - Fs5.z() * e5.x() + Fs5.x() * e5.z() - Fact5.z() * d5.x() +
               Fact5.x() * d5.z() - Fj5.z() * f5.x() + Fj5.x() * f5.z() + F6a.z() * a5.x() -
               F6a.x() * a5.z() + mu6a.y() + F6b.z() * b5.x() - F6b.x() * b5.z() + mu6b.y() +
               F6c.z() * c5.x() - F6c.x() * c5.z() + mu6c.y()) /
              2;  // 13
  mu_j5.z() = (euler5.z() - Fs5.x() * e5.y() + Fs5.y() * e5.x() - Fact5.x() * d5.y() +
               Fact5.y() * d5.x() - Fj5.x() * f5.y() + Fj5.y() * f5.x() + F6a.x() * a5.y() -
               F6a.y() * a5.x() + mu6a.z() + F6b.x() * b5.y() - F6b.y() * b5.x() + mu6b.z() +
               F6c.x() * c5.y() - F6c.y() * c5.x() + mu6c.z()) /
              2;  // 14
  const Vec3d mu_act5 = mu_j5;
  shares.lean_spring_pin.force = Fs5;
  shares.lean_pin = {Fact5, mu_act5};
  shares.trunk = {Fj5, mu_j5};

  std::array<double, 2> Fz_srt;
  for (std::size_t side : {0u, 1u}) {
    const CharmieInstant::Crank& at = now.cranks[side];
    const double Ft_s4 = pull_of(now.lift_spring, at.spring_pin, at.anchor);  // 15
    const Vec3d along = at.anchor - at.spring_pin;
    const double gamma_4 = std::atan2(along.x(), along.z());
    const double Fx_s4 = Ft_s4 * std::sin(gamma_4), Fz_s4 = Ft_s4 * std::cos(gamma_4);  // 16
    const Vec3d h = at.spring_pin - at.pivot, j = at.tip - at.pivot;
    Fz_srt[side] = (Fz_s4 * h.x() - Fx_s4 * h.z()) / j.x();  // 17
    // Eq. 18 adds Fz_srt4, which eqs. 17 and 19 count as the torso gets it; the crank gets the
    // opposite, so body 3 gets the difference.
    const double Fx_jr4 = Fx_s4, Fz_jr4 = Fz_s4 - Fz_srt[side];
    shares.cranks[side].spring_pin.force = Vec3d(Fx_s4, 0, Fz_s4);
    shares.cranks[side].pin.force = Vec3d(0, 0, Fz_srt[side]);
    shares.cranks[side].pivot.force = -Vec3d(Fx_jr4, 0, Fz_jr4);
  }

  // Body 4: a the spring of body 5, b its joint, c its actuator, d the actuator of body 4, e and f
  // the cranks, g the joint. What acts between 5 and 4 is taken where body 5 gets it, turned.
  const Mat3d& R = now.trunk_to_torso;
  Fs5 = R * Fs5;
  Fact5 = R * Fact5;
  Fj5 = R * Fj5;
  const Vec3d mu_j = R * mu_j5, mu_act = R * mu_act5;
  const Vec3d C4 = now.torso.centre;
  const Vec3d a4 = C4 - (now.hinge + R * now.spring_pin), b4 = C4 - now.hinge;
  const Vec3d c4 = C4 - (now.hinge + R * now.lean_pin), d4 = C4 - now.lift_pin, g4 = C4;
  const Vec3d e4 = C4 - now.cranks[1].tip, f4 = C4 - now.cranks[0].tip;
  const double Fz_srt4 = Fz_srt[1], Fz_slt4 = Fz_srt[0];
  const double m4 = now.torso.mass;
  const Vec3d p4 = now.torso.acceleration, euler4 = euler(now.torso);
  const Vec3d along_lift = now.lift_pin - now.lift_foot;
  const double alpha_4 = std::atan2(along_lift.y(), along_lift.z());
  Vec3d Fact4 = Vec3d::Zero(), Fj4 = Vec3d::Zero(), mu_j4 = Vec3d::Zero();
  Fact4.z() = m4 * p4.z() + Fact5.z() + Fj5.z() + Fs5.z() - Fz_srt4 - Fz_slt4;  // 19
  Fact4.y() = Fact4.z() * std::tan(alpha_4);                                    // 20
  Fj4.x() = m4 * p4.x() + Fact5.x() + Fj5.x();                                  // 21
  Fj4.y() = m4 * p4.y() + Fact5.y() + Fj5.y() + Fs5.y() - Fact4.y();            // 22
  const double mu_z = (euler4.z() - Fj4.x() * g4.y() + Fj4.y() * g4.x() + Fact4.y() * d4.x() -
                       Fs5.y() * a4.x() + Fj5.x() * b4.y() - Fj5.y() * b4.x() + mu_j.z() +
                       Fact5.x() * c4.y() - Fact5.y() * c4.x() + mu_act.z()) /
                      2;  // 23
  // Eqs. 24 and 25 print e for both cranks and, for the left one, the wrong component of it: a
  // force along z has the arm y about x and x about y.
  mu_j4.x() = euler4.x() + Fz_srt4 * e4.y() + Fz_slt4 * f4.y() - Fact4.y() * d4.z() +
              Fact4.z() * d4.y() - Fj4.y() * g4.z() + Fs5.y() * a4.z() - Fs5.z() * a4.y() +
              Fj5.y() * b4.z() - Fj5.z() * b4.y() + Fact5.y() * c4.z() - Fact5.z() * c4.y();  // 24
  // Eq. 25 prints the moment of j5 twice, that of act5 is meant.
  mu_j4.y() = euler4.y() - Fz_srt4 * e4.x() - Fz_slt4 * f4.x() - Fact4.z() * d4.x() +
              Fact4.x() * d4.z() + Fj4.x() * g4.z() + Fs5.z() * a4.x() + Fj5.z() * b4.x() -
              Fj5.x() * b4.z() + mu_j.y() + Fact5.z() * c4.x() - Fact5.x() * c4.z() +
              mu_act.y();  // 25
  shares.lift_pin.force = Fact4;
  shares.torso = {Fj4, mu_j4};
  for (CharmieShares::Crank& crank : shares.cranks)
    crank.pin.moment = crank.pivot.moment = Vec3d(0, 0, mu_z);
  return shares;
}

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

namespace {

template <class List>
std::size_t index_of(const List& list, const std::string& name) {
  const auto found =
      std::find_if(list.begin(), list.end(), [&](const auto& item) { return item.name == name; });
  if (found == list.end()) throw std::runtime_error("no " + name);
  return static_cast<std::size_t>(found - list.begin());
}

const Body& body(const Mechanism& mechanism, const std::string& name) {
  return mechanism.bodies[index_of(mechanism.bodies, name)];
}

Vec3d point(const Mechanism& mechanism, const std::string& name) {
  return mechanism.points[index_of(mechanism.points, name)].position;
}

SpringNumbers spring(const Mechanism& mechanism, const std::string& name) {
  const Spring& s = mechanism.springs[index_of(mechanism.springs, name)];
  return {s.rate, s.free_length, s.initial_tension};
}

Mat3d about_x(double angle) {
  const double c = std::cos(angle), s = std::sin(angle);
  Mat3d rotation;
  rotation << 1, 0, 0, 0, c, -s, 0, s, c;
  return rotation;
}

Mat3d about_z(double angle) {
  const double c = std::cos(angle), s = std::sin(angle);
  Mat3d rotation;
  rotation << c, -s, 0, s, c, 0, 0, 0, 1;
  return rotation;
}

/// Eqs. 22-27 of paper 000, which turn the cranks of the other mechanism outwards: the sign of the
/// root in eq. 24 is `inwards` here. Eq. 25 prints one coordinate as equal to itself; the slider's
/// pin is straight above the crank's tip.
CharmieInstant::Crank place_crank(const Mechanism& mechanism, const std::string& side,
                                  double torso_height, double inwards) {
  const Vec3d F = body(mechanism, side + "_crank").joint.origin;
  const double b = std::abs(point(mechanism, side + "_crank.tip").x());
  const double a = std::abs(point(mechanism, side + "_crank.spring").x());
  const double H = torso_height + body(mechanism, side + "_slider").joint.origin.z();
  const double c = -point(mechanism, side + "_slider.pin").z();
  const double tip_z = H - c;                                                            // 22, 23
  const double tip_x = F.x() + inwards * std::sqrt(b * b - std::pow(tip_z - F.z(), 2));  // 24
  const Vec3d tip(tip_x, F.y(), tip_z);
  const Vec3d up(0, 0, torso_height);
  return {.pivot = F - up,
          .tip = tip - up,
          .spring_pin = F + a / b * (tip - F) - up,  // 26, 27
          .anchor = body(mechanism, side + "_lift_spring_upper").joint.origin - up};
}

}  // namespace

CharmieInstant charmie_instant(const Mechanism& mechanism, std::span<const double> q,
                               std::span<const double> v, std::span<const double> a) {
  const auto of = [&](std::span<const double> values, const char* name) {
    return values[index_of(mechanism.bodies, name)];
  };
  CharmieInstant now;
  const Body &torso = body(mechanism, "torso"), &trunk = body(mechanism, "trunk");
  const double yaw = of(q, "base"), yaw_rate = of(v, "base"), yaw_acc = of(a, "base");
  const double lean = of(q, "trunk"), lean_rate = of(v, "trunk"), lean_acc = of(a, "trunk");
  now.trunk_to_torso = about_x(lean);
  const Mat3d to_trunk = now.trunk_to_torso.transpose();

  // both origins stay on the axis of the yaw, one above the other
  const Vec3d of_origin(of(a, "carriage_x"), of(a, "carriage_y"),
                        of(a, "torso") - mechanism.gravity.z());
  const auto moving = [](const Body& part, const Vec3d& omega, const Vec3d& alpha,
                         const Vec3d& origin) {
    return MovingBody{
        part.mass, part.inertia,
        part.com,  omega,
        alpha,     origin + alpha.cross(part.com) + omega.cross(omega.cross(part.com))};
  };
  const Vec3d in_torso = about_z(yaw).transpose() * of_origin;
  now.torso = moving(torso, {0, 0, yaw_rate}, {0, 0, yaw_acc}, in_torso);
  // the lean's axis turns with the yaw: the second component
  now.trunk =
      moving(trunk, to_trunk * Vec3d(lean_rate, 0, yaw_rate),
             to_trunk * Vec3d(lean_acc, yaw_rate * lean_rate, yaw_acc), to_trunk * in_torso);

  const Mat3d world_to_trunk = to_trunk * about_z(yaw).transpose();
  const std::array<const char*, 3> children = {"left_arm_6", "right_arm_6", "neck_6"};
  for (std::size_t i = 0; i < 3; ++i) {
    const std::size_t child = index_of(mechanism.bodies, children[i]);
    const Load load = branch_force(mechanism, q, v, a, static_cast<int>(child));
    now.children[i] = {world_to_trunk * load.force, world_to_trunk * load.moment};
    now.child_origins[i] = mechanism.bodies[child].joint.origin;
  }

  now.hinge = trunk.joint.origin;
  const auto in_trunk = [&](const Vec3d& place) { return Vec3d(to_trunk * (place - now.hinge)); };
  now.lean_pin = point(mechanism, "trunk.lean_actuator");
  now.lean_foot = in_trunk(body(mechanism, "lean_tube").joint.origin);
  now.spring_pin = point(mechanism, "trunk.lean_spring");
  now.spring_foot = in_trunk(body(mechanism, "lean_spring_lower").joint.origin);
  const double height = torso.joint.origin.z() + of(q, "torso");
  now.lift_pin = point(mechanism, "torso.lift_actuator");
  now.lift_foot = body(mechanism, "lift_tube").joint.origin - Vec3d(0, 0, height);
  now.cranks = {place_crank(mechanism, "left", height, 1.0),
                place_crank(mechanism, "right", height, -1.0)};
  now.lean_spring = spring(mechanism, "lean_spring");
  now.lift_spring = spring(mechanism, "left_lift_spring");
  return now;
}

}  // namespace counterpoise::oracle
