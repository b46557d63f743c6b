#include "engine/evaluation/simulation.hpp"

#include <cmath>

#include "engine/dynamics/reactions/reactions.hpp"
#include "engine/evaluation/limits.hpp"
#include "engine/math/pack.hpp"
#include "engine/mechanism/spring_law.hpp"

namespace counterpoise {
namespace {

/// Reads lanes of a finished run into columns.
template <class S>
class Columns {
 public:
  Columns(Simulation& simulation, int samples) : simulation_(simulation), samples_(samples) {}

  /// Adds a column with `value(block)` of every sample.
  template <class Value>
  void add(std::string name, const Value& value) {
    Series series{std::move(name), std::vector<double>(static_cast<std::size_t>(samples_))};
    for (int k = 0; k < samples_; ++k) {
      const SamplePlace<S> place(k);
      series.values[static_cast<std::size_t>(k)] =
          lane(value(static_cast<std::size_t>(place.block)), place.lane);
    }
    simulation_.columns.push_back(std::move(series));
  }

 private:
  Simulation& simulation_;
  int samples_;
};

double tension_at(const Mechanism& mechanism, std::size_t spring, double length) {
  const SpringLaw law = law_of(mechanism.springs[spring]);
  return length * law.rate + law.offset;
}

template <class S>
void add_reactions(const Mechanism& mechanism, const Motion& motion, Pipeline<S>& pipeline,
                   bool springs, Simulation& simulation) {
  Reactions reactions(mechanism);
  const std::size_t first = simulation.columns.size();
  const auto add_columns = [&](const std::string& stem) {
    for (const std::string_view component : wrench_components)
      simulation.columns.push_back({stem + std::string(component), {}});
  };
  for (const Body& body : mechanism.bodies) add_columns(body.name + ".reaction.");
  for (const Loop& loop : mechanism.loops) add_columns(loop.name + ".closure.");
  SampleState sample(mechanism.body_count());
  std::vector<double> loads(mechanism.actuators.size()),
      tensions(springs ? mechanism.springs.size() : 0);
  for (int k = 0; k < pipeline.samples(); ++k) {
    const SamplePlace<S> place(k);
    const auto block = static_cast<std::size_t>(place.block);
    sample.read_lane<S>(pipeline.joints(place.block), place.lane);
    if (!motion.inertia) sample.stop();
    for (std::size_t a = 0; a < loads.size(); ++a)
      loads[a] = lane(pipeline.load(a)(block), place.lane);
    for (std::size_t s = 0; s < tensions.size(); ++s)
      tensions[s] = tension_at(mechanism, s, lane(pipeline.shape(s).length[block], place.lane));
    reactions.compute(pipeline.geometry(mechanism), pipeline.tree(), sample.view(), loads,
                      tensions);
    std::size_t column = first;
    const auto add = [&](const Wrench& wrench) {
      for (const Vec3d& vector : {wrench.force, wrench.moment})
        for (const double value : vector) simulation.columns[column++].values.push_back(value);
    };
    for (BodyIndex b = 0; b < mechanism.body_count(); ++b) add(reactions.of_body(b));
    for (int l = 0; l < static_cast<int>(mechanism.loops.size()); ++l) add(reactions.of_loop(l));
    if (reactions.open_numbers() > simulation.open_reactions) {
      simulation.open_reactions = reactions.open_numbers();
      simulation.open_joints = reactions.open_joints();
    }
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
  Pipeline<S> pipeline(std::make_shared<const EvaluationPlan>(mechanism, motion, options.closure),
                       motion, Reuse::remember);
  if (const auto finding = pipeline.follow(mechanism)) return *finding;
  const std::size_t springs = options.springs ? mechanism.springs.size() : 0;
  for (std::size_t s = 0; s < springs; ++s) {
    pipeline.place_spring(mechanism, s);
    if (const auto finding = find_lost_direction(mechanism, pipeline, s)) return *finding;
  }
  pipeline.carry(mechanism);
  Metrics metrics;
  if (!pipeline.judge(mechanism, options.springs, metrics)) return Finding{FindingKind::not_finite};

  Simulation simulation;
  for (std::size_t s = 0; s < springs; ++s) {
    find_broken_spring_limits(mechanism, pipeline, s, simulation.broken_limits);
    if (const auto wrong = find_wrong_sense(mechanism, pipeline, s))
      simulation.wrong_senses.push_back(*wrong);
  }
  find_broken_actuator_limits(mechanism, pipeline, metrics, simulation.broken_limits);
  simulation.columns.push_back({"t", {}});
  for (int k = 0; k < pipeline.samples(); ++k)
    simulation.columns.front().values.push_back(k * motion.step);

  Columns<S> columns(simulation, pipeline.samples());
  for (std::size_t a = 0; a < mechanism.actuators.size(); ++a) {
    const std::string& name = mechanism.actuators[a].name;
    const ActuatorMotion<S>& moves = pipeline.actuator_motion();
    columns.add(name + ".position", [&](std::size_t block) { return moves.position(a)[block]; });
    columns.add(name + ".velocity", [&](std::size_t block) { return moves.velocity(a)[block]; });
    columns.add(name + ".load", pipeline.load(a));
  }
  const auto joints = [&](std::size_t block) { return pipeline.joints(static_cast<int>(block)); };
  for (BodyIndex body = 0; body < mechanism.body_count(); ++body) {
    if (!mechanism.moves(body)) continue;
    const auto b = static_cast<std::size_t>(body);
    const std::string& name = mechanism.bodies[b].name;
    columns.add(name + ".q", [&](std::size_t block) { return joints(block).q[b]; });
    columns.add(name + ".qd", [&](std::size_t block) { return joints(block).v[b]; });
    columns.add(name + ".qdd", [&](std::size_t block) { return joints(block).a[b]; });
  }
  for (std::size_t s = 0; s < springs; ++s) {
    const Spring& spring = mechanism.springs[s];
    const bool torsion = spring.type == SpringType::torsion;
    const SpringShape<S>& shape = pipeline.shape(s);
    const SpringLaw law = law_of(spring);
    columns.add(spring.name + (torsion ? ".angle" : ".length"),
                [&](std::size_t block) { return shape.length[block]; });
    columns.add(spring.name + (torsion ? ".torque" : ".tension"),
                [&](std::size_t block) { return S(shape.length[block] * law.rate + law.offset); });
  }
  if (options.reactions) add_reactions(mechanism, motion, pipeline, options.springs, simulation);
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
