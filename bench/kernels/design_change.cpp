// What one more case of CHARMIE costs, by what it changes: 601 samples of its squat, all metrics.
#include <benchmark/benchmark.h>

#include <functional>

#include "bench/kernels/kernels.hpp"
#include "engine/evaluation/evaluator.hpp"
#include "input/definition/parametric_motion.hpp"
#include "input/reading/read.hpp"
#include "input/text/json_document.hpp"

namespace counterpoise::bench {
namespace {

const std::filesystem::path example = COUNTERPOISE_EXAMPLES "/charmie24";

Vec3d& point(Mechanism& mechanism, const std::string& name) {
  const auto at = std::find_if(mechanism.points.begin(), mechanism.points.end(),
                               [&](const Point& p) { return p.name == name; });
  if (at == mechanism.points.end()) throw std::runtime_error("no point " + name);
  return at->position;
}

void design_change(benchmark::State& state, Reuse reuse,
                   const std::function<void(Mechanism&, double)>& change) {
  const Model model = read_model(example / "model.json", read_text_file);
  const ParametricMotion motion = read_motion(example / "motion_squat.json", model, read_text_file);
  Mechanism mechanism = model.nominal;
  Evaluator evaluator(mechanism, motion.nominal, reuse);
  Metrics metrics;
  int step = 0;
  for (auto _ : state) {
    step = (step + 389) % 1024;
    change(mechanism, (step - 511.5) * 1e-9);  // never far from the example, rarely back
    if (evaluator.evaluate(mechanism, {}, metrics)) state.SkipWithError("infeasible");
    benchmark::DoNotOptimize(metrics.actuators.data());
  }
}

}  // namespace

void add_design_changes() {
  const auto add = [](const char* name, Reuse reuse,
                      std::function<void(Mechanism&, double)> change) {
    benchmark::RegisterBenchmark(
        (std::string("design_change/") + name).c_str(),
        [reuse, change](benchmark::State& state) { design_change(state, reuse, change); });
  };
  const auto springs = [](Mechanism& m, double by) {
    for (Spring& spring : m.springs) spring.rate += by;
  };
  const auto mounts = [](Mechanism& m, double by) {
    for (const char* name : {"left_crank.spring", "right_crank.spring", "trunk.lean_spring"})
      point(m, name).x() += by;
  };
  add("nothing", Reuse::remember, [](Mechanism&, double) {});
  add("springs", Reuse::remember, springs);
  add("springs_and_mounts", Reuse::remember, [=](Mechanism& m, double by) {
    springs(m, by);
    mounts(m, by);
  });
  add("crank_lengths", Reuse::remember, [](Mechanism& m, double by) {
    for (const char* name : {"left_crank.tip", "right_crank.tip"}) point(m, name).x() += by;
  });
  add("masses", Reuse::remember, [](Mechanism& m, double by) { m.bodies.back().mass += by; });
  add("torso_height", Reuse::remember,
      [](Mechanism& m, double by) { m.bodies[3].joint.origin.z() += by; });
  add("springs_nothing_remembered", Reuse::recompute, springs);
}

}  // namespace counterpoise::bench
