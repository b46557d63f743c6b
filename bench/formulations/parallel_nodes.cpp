// What one node of a parallel manipulator's inverse dynamics costs, by the momentum screw and by
// the whole Newton-Euler system: the 6000 nodes of paper 004's motion of its 2UPS+2UPU manipulator.
// Both must give the same forces before either is timed.
#include <benchmark/benchmark.h>

#include <cmath>
#include <cstdio>

#include "bench/counters.hpp"
#include "formulations/parallel/momentum_screw.hpp"
#include "formulations/parallel/newton_euler.hpp"
#include "input/definition/parametric_motion.hpp"
#include "input/reading/read.hpp"
#include "input/text/json_document.hpp"

namespace counterpoise::bench {
namespace {

using namespace parallel;

const std::filesystem::path example = COUNTERPOISE_EXAMPLES "/schoenflies";
constexpr int nodes = 6000;

struct Setting {
  Manipulator manipulator;
  std::vector<PlatformMotion> motions;  // one a node
};

/// The linear actuators of the model as limbs; the first and last are UPU.
Manipulator manipulator_of(const Mechanism& mechanism) {
  Manipulator manipulator;
  manipulator.gravity = mechanism.gravity;
  const Body& platform = mechanism.bodies[find_body(mechanism, "platform")];
  manipulator.platform = {platform.mass, platform.com, platform.inertia};
  for (const Actuator& leg : mechanism.actuators) {
    const auto end = [&](std::size_t k) { return mechanism.points[leg.points[k]].position; };
    manipulator.limbs.push_back(
        {.base_point = end(0), .platform_point = end(1), .lower = leg.tube, .upper = leg.rod});
  }
  manipulator.limbs.front().kind = manipulator.limbs.back().kind = LimbKind::upu;
  return manipulator;
}

PlatformMotion motion_at(const Motion& motion, double t) {
  std::array<ProfileValue, 4> at;  // x, y, z and the turn about z
  for (std::size_t k = 0; k < at.size(); ++k)
    at[k] = evaluate(motion.drives[k].profile, t, motion.duration);
  PlatformMotion platform;
  platform.position = {at[0].position, at[1].position, at[2].position};
  platform.velocity = {at[0].velocity, at[1].velocity, at[2].velocity};
  platform.acceleration = {at[0].acceleration, at[1].acceleration, at[2].acceleration};
  platform.rotation = Eigen::AngleAxisd(at[3].position, Vec3d::UnitZ()).toRotationMatrix();
  platform.omega = at[3].velocity * Vec3d::UnitZ();
  platform.alpha = at[3].acceleration * Vec3d::UnitZ();
  return platform;
}

Setting read_setting() {
  const Model model = read_model(example / "model_spinless.json", read_text_file);
  const Motion motion = read_motion(example / "motion.json", model, read_text_file).nominal;
  Setting setting{manipulator_of(model.nominal), {}};
  for (int k = 0; k < nodes; ++k) setting.motions.push_back(motion_at(motion, k * motion.step));
  return setting;
}

/// Largest difference of any driving force between the two [N].
double largest_difference(const Setting& setting) {
  MomentumScrewScratch screw;
  NewtonEulerScratch newton_euler;
  std::array<LimbForces, 4> forces;
  std::array<LimbReactions, 4> reactions;
  double largest = 0.0;
  for (const PlatformMotion& motion : setting.motions) {
    if (momentum_screw_forces(setting.manipulator, motion, screw, forces) ||
        newton_euler_reactions(setting.manipulator, motion, newton_euler, reactions))
      return INFINITY;
    for (std::size_t i = 0; i < forces.size(); ++i)
      largest = std::max(largest, std::abs(forces[i].drive - reactions[i].drive));
  }
  return largest;
}

/// Times all nodes, one after the other.
template <class Scratch, class Force>
void add(const char* name, const Setting& setting,
         std::optional<SingularPose> (*solve)(const Manipulator&, const PlatformMotion&, Scratch&,
                                              std::span<Force>)) {
  benchmark::RegisterBenchmark(name, [&setting, solve](benchmark::State& state) {
    Scratch scratch;
    std::array<Force, 4> forces;
    for (auto _ : state)
      for (const PlatformMotion& motion : setting.motions) {
        auto singular = solve(setting.manipulator, motion, scratch, forces);
        benchmark::DoNotOptimize(singular);
        benchmark::DoNotOptimize(forces.data());
        benchmark::ClobberMemory();
      }
    state.counters["node"] = time_of_each(state, nodes);
  });
}

}  // namespace
}  // namespace counterpoise::bench

int main(int argc, char** argv) {
  using namespace counterpoise::bench;
  const Setting setting = read_setting();
  const double difference = largest_difference(setting);
  std::printf("Largest difference of a driving force over %d nodes: %.2g N\n", nodes, difference);
  if (!(difference < 1e-9)) return 1;
  add("nodes_6000/momentum_screw", setting, counterpoise::parallel::momentum_screw_forces);
  add("nodes_6000/newton_euler", setting, counterpoise::parallel::newton_euler_reactions);
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}
