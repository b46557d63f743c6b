// The arms of paper 000, Table 5: 2, 4 and 6 revolute joints over 1000 steps, kinematics only and
// with dynamics. Prints Markdown: medians over rounds in which all take turns.
//
//   bench_arms [ROUNDS]
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "bench/arms/arm.hpp"
#include "bench/arms/check.hpp"
#include "bench/stopwatch.hpp"
#include "engine/math/pack.hpp"

namespace counterpoise::bench {
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
