#include "engine/evaluation/simulation.hpp"

#include <cmath>

#include "engine/dynamics/reactions.hpp"
#include "engine/evaluation/loads.hpp"
#include "engine/math/pack.hpp"

namespace counterpoise {
namespace {

/// Reads lanes of a finished run into columns.
template <class S>
class Columns {
 public:
  Columns(Simulation& simulation, int samples) : simulation_(simulation), samples_(samples) {}

  /// `value(block)` of every sample.
  template <class Value>
  void add(std::string name, const Value& value) {
    Series series{std::move(name), std::vector<double>(static_cast<std::size_t>(samples_))};
    for (int k = 0; k < samples_; ++k) {
      const SamplePlace<S> place(k);
      series.values[static_cast<std::size_t>(k)] = lane(value(place.block), place.lane);
    }
    simulation_.columns.push_back(std::move(series));
  }

 private:
  Simulation& simulation_;
  int samples_;
};

template <class S>
void add_reactions(const Mechanism& mechanism, const Motion& motion, Pipeline<S>& pipeline,
                   const LoadHistory<S>& history, Simulation& simulation) {
  Reactions reactions(mechanism);
  const std::size_t first = simulation.columns.size();
  for (int b : reactions.bodies())
    for (const char* component : {"fx", "fy", "fz", "mx", "my", "mz"})
      simulation.columns.push_back(
          {mechanism.bodies[static_cast<std::size_t>(b)].name + ".reaction." + component, {}});
  SampleState sample(mechanism.body_count());
  const JointState<double> to = sample.view();
  std::vector<double> loads(history.actuators),
      tensions(history.tensions.empty() ? 0 : history.springs);
  for (int k = 0; k < history.samples; ++k) {
    const SamplePlace<S> place(k);
    const auto block = static_cast<std::size_t>(place.block);
    const JointState<S> from = pipeline.joints(place.block);
    for (std::size_t b = 0; b < to.q.size(); ++b) {
      to.q[b] = lane(from.q[b], place.lane);
      to.v[b] = motion.inertia ? lane(from.v[b], place.lane) : 0.0;
      to.a[b] = motion.inertia ? lane(from.a[b], place.lane) : 0.0;
      to.sine[b] = lane(from.sine[b], place.lane);
      to.cosine[b] = lane(from.cosine[b], place.lane);
    }
    for (std::size_t a = 0; a < loads.size(); ++a)
      loads[a] = lane(history.loads[block * history.actuators + a], place.lane);
    for (std::size_t s = 0; s < tensions.size(); ++s)
      tensions[s] = lane(history.tensions[block * history.springs + s], place.lane);
    reactions.compute(mechanism, pipeline.tree(), pipeline.frames(), to, loads, tensions);
    std::size_t column = first;
    for (int b : reactions.bodies())
      for (const Vec3d* vector : {&reactions.of(b).force, &reactions.of(b).moment})
        for (Eigen::Index i = 0; i < 3; ++i)
          simulation.columns[column++].values.push_back((*vector)(i));
  }
}

/// The first time at which some column is not a finite number, or nothing.
std::optional<Finding> find_not_finite(const Simulation& simulation) {
  const std::vector<double>& t = simulation.columns.front().values;
  for (std::size_t k = 0; k < t.size(); ++k)
    for (const Series& series : simulation.columns)
      if (!std::isfinite(series.values[k])) return Finding{FindingKind::not_finite, -1, t[k]};
  return std::nullopt;
}

template <class S>
std::variant<Simulation, Finding> simulate_in(const Mechanism& mechanism, const Motion& motion,
                                              const SimulationOptions& options) {
  Pipeline<S> pipeline(std::make_shared<const EvaluationPlan>(mechanism, motion, options.closure));
  if (const auto finding = pipeline.run(mechanism, motion, options.springs)) return *finding;
  LoadHistory<S> history;
  sum_loads(mechanism, pipeline, motion.step, options.springs, history);

  Simulation simulation;
  find_broken_limits(mechanism, pipeline, history, simulation.broken_limits);
  simulation.columns.push_back({"t", {}});
  for (int k = 0; k < history.samples; ++k)
    simulation.columns.front().values.push_back(k * motion.step);

  Columns<S> columns(simulation, history.samples);
  const auto at = [](int block, std::size_t width, std::size_t i) {
    return static_cast<std::size_t>(block) * width + i;
  };
  for (std::size_t a = 0; a < mechanism.actuators.size(); ++a) {
    const std::string& name = mechanism.actuators[a].name;
    columns.add(name + ".position", [&](int block) { return pipeline.positions(block)[a]; });
    columns.add(name + ".velocity", [&](int block) { return pipeline.velocities(block)[a]; });
    columns.add(name + ".load",
                [&](int block) { return history.loads[at(block, history.actuators, a)]; });
  }
  for (int body = 0; body < mechanism.body_count(); ++body) {
    if (!mechanism.moves(body)) continue;
    const auto b = static_cast<std::size_t>(body);
    const std::string& name = mechanism.bodies[b].name;
    columns.add(name + ".q", [&](int block) { return pipeline.joints(block).q[b]; });
    columns.add(name + ".qd", [&](int block) { return pipeline.joints(block).v[b]; });
    columns.add(name + ".qdd", [&](int block) { return pipeline.joints(block).a[b]; });
  }
  for (std::size_t s = 0; s < mechanism.springs.size() && options.springs; ++s) {
    const Spring& spring = mechanism.springs[s];
    const bool torsion = spring.type == SpringType::torsion;
    columns.add(spring.name + (torsion ? ".angle" : ".length"),
                [&](int block) { return pipeline.lengths(block)[s]; });
    columns.add(spring.name + (torsion ? ".torque" : ".tension"),
                [&](int block) { return history.tensions[at(block, history.springs, s)]; });
  }
  if (options.reactions) add_reactions(mechanism, motion, pipeline, history, simulation);
  if (const auto finding = find_not_finite(simulation)) return *finding;
  return simulation;
}

}  // namespace

std::variant<Simulation, Finding> simulate(const Mechanism& mechanism, const Motion& motion,
                                           const SimulationOptions& options) {
  return options.lanes_of_samples == Lanes::pack ? simulate_in<Pack>(mechanism, motion, options)
                                                 : simulate_in<double>(mechanism, motion, options);
}

}  // namespace counterpoise
