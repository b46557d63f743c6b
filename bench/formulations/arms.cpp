// The arms of paper 000, Table 5: 2, 4 and 6 revolute joints over 1000 steps, kinematics only and
// with dynamics. Prints Markdown: medians over rounds in which all take turns.
//
//   bench_arms [ROUNDS]

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "bench/formulations/arm.hpp"
#include "bench/stopwatch.hpp"
#include "engine/kinematics/drive_samples.hpp"
#include "engine/math/pack.hpp"

namespace counterpoise::bench {

/// Ends the program unless the tip's position is that of multiplied transformations, its velocity
/// and acceleration are differences of that, and the torques' power is the change of energy.
template <class S>
void require_right_answers(Arm<S>& arm);

namespace {

constexpr std::array joint_counts = {2, 4, 6};
constexpr double least_time = 0.01;  // of one arm's turn [s]

enum Work { joint_motion, kinematics, with_dynamics };
constexpr int works = 3;

template <class T>
void keep(const T& value) {
  asm volatile("" : : "g"(&value) : "memory");
}

/// 1000 steps, once; another motion each time, so that nothing is remembered.
template <class S>
void run(Arm<S>& arm, Work work) {
  arm.move();
  for (int block = 0; work != joint_motion && block < arm.blocks(); ++block) {
    keep(arm.place(block));
    if (work == with_dynamics) keep(arm.forces(block));
  }
}

/// CPU time of 1000 steps [s].
template <class S>
double time_of(Arm<S>& arm, Work work) {
  run(arm, work);
  const Stopwatch watch;
  int runs = 0;
  do run(arm, work);
  while (++runs, watch.cpu() < least_time);
  return watch.cpu() / runs;
}

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

/// One arm's times over the rounds.
struct Series {
  std::array<std::vector<double>, works> times;

  [[nodiscard]] double micros(int work) const { return 1e6 * median(times.at(work)); }
  /// Of the whole time, what the dynamics take; the median of the ratios within a round.
  [[nodiscard]] double share() const {
    std::vector<double> shares;
    for (std::size_t i = 0; i < times[0].size(); ++i)
      shares.push_back(1.0 - times[kinematics][i] / times[with_dynamics][i]);
    return median(shares);
  }
};

template <class S>
void measure(const char* scalar, int rounds) {
  std::vector<std::unique_ptr<Arm<S>>> arms;
  for (int joints : joint_counts) {
    arms.push_back(std::make_unique<Arm<S>>(joints));
    require_right_answers(*arms.back());
  }
  std::array<Series, joint_counts.size()> series;
  for (int round = 0; round < rounds; ++round)
    for (std::size_t i = 0; i < arms.size(); ++i)
      for (int work = 0; work < works; ++work)
        series[i].times.at(work).push_back(time_of(*arms[i], static_cast<Work>(work)));

  std::printf("\n#### %s\n\n", scalar);
  std::printf(
      "| joints | joint motion, µs | kinematics, µs | with dynamics, µs | "
      "share of dynamics |\n| ---: | ---: | ---: | ---: | ---: |\n");
  for (std::size_t i = 0; i < arms.size(); ++i)
    std::printf("| %d | %.2f | %.2f | %.2f | %.0f %% |\n", joint_counts[i],
                series[i].micros(joint_motion), series[i].micros(kinematics),
                series[i].micros(with_dynamics), 100.0 * series[i].share());
  for (std::size_t i = 1; i < arms.size(); ++i) {
    const auto growth = [&](int work) {
      return (series[i].micros(work) - series[i - 1].micros(work)) /
             (joint_counts[i] - joint_counts[i - 1]);
    };
    std::printf("| each from %d to %d | %.2f | %.2f | %.2f | |\n", joint_counts[i - 1] + 1,
                joint_counts[i], growth(joint_motion), growth(kinematics), growth(with_dynamics));
  }
}

}  // namespace
}  // namespace counterpoise::bench

int main(int argc, char** argv) {
  using namespace counterpoise;
  const int rounds = argc > 1 ? std::atoi(argv[1]) : 15;
  if (rounds < 1) return 2;
  std::printf(
      "### Arms of 2, 4 and 6 revolute joints: CPU time of %d steps, medians of %d rounds\n",
      bench::arm_samples, rounds);
  const std::string lanes_of_pack = std::to_string(lanes<Pack>) + " lanes";
  bench::measure<Pack>(lanes_of_pack.c_str(), rounds);
  bench::measure<double>("One sample at a time", rounds);
  std::printf(
      "\nPaper 000, section 6: time grows linearly with the bodies of the arms; without "
      "inverse dynamics 60 to\n70 %% of it goes, the more the bigger the model. That "
      "includes starting the program; these times do not.\n");
  return 0;
}

namespace counterpoise::bench {
namespace {

/// Tip and energy of the arm at time t, in world axes throughout.
struct Snapshot {
  Vec3d tip;
  double energy = 0.0;  // kinetic and potential [J]
};

Snapshot snapshot(const Mechanism& mechanism, const Motion& motion, double t) {
  Snapshot now;
  Eigen::Isometry3d link = Eigen::Isometry3d::Identity();
  Vec3d omega = Vec3d::Zero(), velocity = Vec3d::Zero();
  for (std::size_t b = 0; b < mechanism.bodies.size(); ++b) {
    const Body& body = mechanism.bodies[b];
    const ProfileValue joint = evaluate(motion.drives[b].profile, t, motion.duration);
    const Vec3d before = link.translation();
    link = link * Eigen::Translation3d(body.joint.origin) *
           Eigen::AngleAxisd(joint.position, body.joint.axis);
    velocity += omega.cross(link.translation() - before);
    omega += link.linear() * body.joint.axis * joint.velocity;
    const Vec3d centre = link * body.com;
    const Vec3d speed = velocity + omega.cross(centre - link.translation());
    const Vec3d turning = link.linear().transpose() * omega;
    now.energy += body.mass * (speed.squaredNorm() / 2.0 - mechanism.gravity.dot(centre)) +
                  turning.dot(body.inertia * turning) / 2.0;
  }
  now.tip = link * arm_tip;
  return now;
}

void require(double off, double size, const char* what) {
  if (off <= 1e-6 * size) return;  // truncation h^2 and rounding 1e-16 / h^2 of the differences
  std::fprintf(stderr, "%s of an arm is off by %g of %g; nothing is timed\n", what, off, size);
  std::exit(1);
}

template <class S>
Vec3d lane_of(const Vec3<S>& v, int i) {
  return {lane(v(0), i), lane(v(1), i), lane(v(2), i)};
}

}  // namespace

template <class S>
void require_right_answers(Arm<S>& arm) {
  arm.move();
  const Motion& motion = arm.motion();
  const double h = 1e-4;
  for (int k = 1; k < arm_samples - 1; ++k) {
    const double t = k * motion.step;
    if (std::abs(t - motion.duration / 2.0) <= h) continue;  // the acceleration jumps there
    const SamplePlace<S> place(k);
    const EndState<S> tip = arm.place(place.block);
    const std::span<const S> torques = arm.forces(place.block);
    const Snapshot now = snapshot(arm.mechanism(), motion, t);
    const Snapshot before = snapshot(arm.mechanism(), motion, t - h);
    const Snapshot after = snapshot(arm.mechanism(), motion, t + h);

    require((lane_of(tip.p, place.lane) - now.tip).norm(), 1.0, "The tip's position");
    const Vec3d velocity = (after.tip - before.tip) / (2.0 * h);
    require((lane_of(tip.v, place.lane) - velocity).norm(), 1.0, "The tip's velocity");
    const Vec3d acceleration = (after.tip - 2.0 * now.tip + before.tip) / (h * h);
    require((lane_of(tip.a, place.lane) - acceleration).norm(), 10.0, "The tip's acceleration");
    double power = 0.0;
    for (std::size_t b = 0; b < torques.size(); ++b)
      power += lane(torques[b], place.lane) *
               evaluate(motion.drives[b].profile, t, motion.duration).velocity;
    require(std::abs(power - (after.energy - before.energy) / (2.0 * h)), 10.0, "The power");
  }
}

template void require_right_answers(Arm<double>&);
template void require_right_answers(Arm<Pack>&);

}  // namespace counterpoise::bench
