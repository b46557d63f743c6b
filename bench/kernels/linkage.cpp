// Closed linkages: the forward recursion along a chain, and a slider-crank in closed form.
#include <benchmark/benchmark.h>

#include "bench/counters.hpp"
#include "bench/kernels/kernels.hpp"
#include "engine/kinematics/closure/closed_form.hpp"
#include "engine/kinematics/closure/equation_system.hpp"
#include "engine/math/pack.hpp"

namespace counterpoise::bench {
namespace {

constexpr int samples = 608;  // a multiple of 4 and of 8: all blocks are full

/// A crank of 0.2 m whose tip is pinned to a slider. The slider is on a post that the first joint
/// raises.
Mechanism slider_crank() {
  Mechanism mechanism;
  const auto add = [&](const char* name, int parent, JointType type, const Vec3d& axis) {
    mechanism.bodies.push_back({name, parent, {type, axis}});
  };
  add("post", world_body, JointType::prismatic, Vec3d::UnitZ());
  add("crank", world_body, JointType::revolute, Vec3d::UnitY());
  add("slider", 0, JointType::prismatic, Vec3d::UnitX());
  mechanism.points = {{"crank.tip", 1, {0.2, 0.0, 0.0}}, {"slider.pin", 2, Vec3d::Zero()}};
  mechanism.loops = {{"pin", {0, 1}}};
  return mechanism;
}

template <class S>
struct Setting {
  Mechanism mechanism = slider_crank();
  Paths paths = Paths(mechanism);
  std::vector<JointFrame> frames;
  JointMotion<S> motion;
  std::array<Trace<S>, 2> ends;
  std::array<Trace<double>, 2> plane_ends;
  SampleState zero = SampleState(mechanism.body_count());

  Setting() {
    prepare_frames(mechanism, frames);
    motion.resize(mechanism.body_count(), samples);
    for (int k = 0; k < samples; ++k) {
      const SamplePlace<S> place(k);
      set_lane(motion.block(place.block).q[0], place.lane, 0.1 * std::sin(0.01 * k));
    }
    for (std::size_t end : {0u, 1u}) {
      ends[end].resize(path().chains[end].size());
      plane_ends[end].resize(path().chains[end].size());
    }
  }
  [[nodiscard]] DesignGeometry geometry() const { return {mechanism, frames}; }
  [[nodiscard]] const Loop& loop() const { return mechanism.loops.front(); }
  [[nodiscard]] const Path& path() const { return paths.loops.front(); }
};

template <class S>
void forward_recursion(benchmark::State& state) {
  Setting<S> setting;
  const std::size_t end = 1;  // post and slider
  for (auto _ : state)
    for (int block = 0; block < setting.motion.blocks(); ++block) {
      trace_positions(setting.frames, setting.path().chains[end], Vec3d::Zero(),
                      setting.motion.block(block), setting.ends[end]);
      benchmark::DoNotOptimize(setting.ends[end].p.data());
      benchmark::ClobberMemory();
    }
  state.counters["sample"] = time_of_each(state, samples);
  state.counters["body"] = time_of_each(state, samples * 2);
}

template <class S>
void dyad(benchmark::State& state) {
  Setting<S> setting;
  const std::array<BodyIndex, 2> unknowns = {1, 2};
  const Dyad pair = make_dyad(setting.loop(), setting.path(), unknowns).value();
  const PlaneAxes plane = find_plane(setting.geometry(), setting.loop(), setting.path(), pair,
                                     setting.zero.view(), setting.plane_ends)
                              .value();
  PlanarLoop loop;
  loop.set(setting.geometry(), setting.path(), pair, plane, setting.zero.view(),
           setting.plane_ends);
  DyadEnds<S> ends;
  ends.begin(loop, pair, setting.motion.block(0));
  for (auto _ : state)
    for (int block = 0; block < setting.motion.blocks(); ++block) {
      auto solution = solve_dyad(loop, pair, 1.0, setting.motion.block(block), ends);
      benchmark::DoNotOptimize(solution);
    }
  state.counters["sample"] = time_of_each(state, samples);
}

template <class S>
void add_cases(const std::string& scalar) {
  benchmark::RegisterBenchmark(("forward_recursion/" + scalar).c_str(), forward_recursion<S>);
  benchmark::RegisterBenchmark(("slider_crank/" + scalar).c_str(), dyad<S>);
}

}  // namespace

void add_linkage() {
  add_cases<Pack>("lanes");
  add_cases<double>("one_sample");
}

}  // namespace counterpoise::bench
