#include "tests/oracles/charmie_reactions.hpp"

#include <Eigen/LU>
#include <cmath>
#include <numbers>

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

}  // namespace counterpoise::oracle
