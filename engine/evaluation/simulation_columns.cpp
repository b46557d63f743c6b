#include "engine/evaluation/simulation_columns.hpp"

#include <cmath>

#include "engine/math/pack.hpp"
#include "engine/mechanism/spring_law.hpp"

namespace counterpoise {
namespace {

double tension_at(const Mechanism& mechanism, std::size_t spring, double length) {
  const SpringLaw law = law_of(mechanism.springs[spring]);
  return length * law.rate + law.offset;
}

}  // namespace

template <class S>
SimulationColumns<S>::SimulationColumns(const Mechanism& mechanism, const Motion& motion,
                                        const SimulationOptions& options)
    : step_(motion.step),
      inertia_(motion.inertia),
      springs_(options.springs ? mechanism.springs.size() : 0),
      sample_(mechanism.body_count()),
      loads_(mechanism.actuators.size()),
      tensions_(springs_) {
  if (options.reactions) reactions_.emplace(mechanism);
  add_names(mechanism);
}

template <class S>
void SimulationColumns<S>::add_names(const Mechanism& mechanism) {
  const auto add = [this](const std::string& stem, const auto&... quantities) {
    (columns_.push_back({stem + std::string(quantities), {}}), ...);
  };
  add("t", "");
  for (const Actuator& actuator : mechanism.actuators)
    add(actuator.name, ".position", ".velocity", ".load");
  for (BodyIndex body = 0; body < mechanism.body_count(); ++body)
    if (mechanism.moves(body)) add(mechanism.bodies[body].name, ".q", ".qd", ".qdd");
  for (std::size_t s = 0; s < springs_; ++s) {
    const Spring& spring = mechanism.springs[s];
    const bool torsion = spring.type == SpringType::torsion;
    add(spring.name, torsion ? ".angle" : ".length", torsion ? ".torque" : ".tension");
  }
  first_reaction_ = columns_.size();
  if (!reactions_) return;
  for (const Body& body : mechanism.bodies)
    for (const std::string_view component : wrench_components)
      add(body.name + ".reaction.", component);
  for (const Loop& loop : mechanism.loops)
    for (const std::string_view component : wrench_components)
      add(loop.name + ".closure.", component);
}

/// Fills the next column with `value(block)` of every sample.
template <class S>
template <class Value>
void SimulationColumns<S>::fill(const Pipeline<S>& pipeline, std::size_t& column,
                                const Value& value) {
  std::vector<double>& values = columns_[column++].values;
  values.resize(static_cast<std::size_t>(pipeline.samples()));
  for (int k = 0; k < pipeline.samples(); ++k) {
    const SamplePlace<S> place(k);
    values[static_cast<std::size_t>(k)] =
        lane(value(static_cast<std::size_t>(place.block)), place.lane);
  }
}

template <class S>
void SimulationColumns<S>::compute(const Mechanism& mechanism, const Pipeline<S>& pipeline) {
  std::vector<double>& times = columns_.front().values;
  times.resize(static_cast<std::size_t>(pipeline.samples()));
  for (int k = 0; k < pipeline.samples(); ++k)
    times[static_cast<std::size_t>(k)] = (pipeline.stretch().first + k) * step_;
  std::size_t column = 1;
  const auto add = [&](const auto& value) { fill(pipeline, column, value); };
  const ActuatorMotion<S>& moves = pipeline.actuator_motion();
  for (std::size_t a = 0; a < mechanism.actuators.size(); ++a) {
    add([&](std::size_t block) { return moves.position(a)[block]; });
    add([&](std::size_t block) { return moves.velocity(a)[block]; });
    add(pipeline.load(a));
  }
  const auto joints = [&](std::size_t block) { return pipeline.joints(static_cast<int>(block)); };
  for (BodyIndex body = 0; body < mechanism.body_count(); ++body) {
    if (!mechanism.moves(body)) continue;
    const auto b = static_cast<std::size_t>(body);
    add([&](std::size_t block) { return joints(block).q[b]; });
    add([&](std::size_t block) { return joints(block).v[b]; });
    add([&](std::size_t block) { return joints(block).a[b]; });
  }
  for (std::size_t s = 0; s < springs_; ++s) {
    const SpringShape<S>& shape = pipeline.shape(s);
    const SpringLaw law = law_of(mechanism.springs[s]);
    add([&](std::size_t block) { return shape.length[block]; });
    add([&](std::size_t block) { return S(shape.length[block] * law.rate + law.offset); });
  }
}

template <class S>
void SimulationColumns<S>::compute_reactions(const Mechanism& mechanism,
                                             const Pipeline<S>& pipeline, Simulation& simulation) {
  if (!reactions_) return;
  for (std::size_t c = first_reaction_; c < columns_.size(); ++c) columns_[c].values.clear();
  for (int k = 0; k < pipeline.samples(); ++k) {
    const SamplePlace<S> place(k);
    const auto block = static_cast<std::size_t>(place.block);
    sample_.read_lane<S>(pipeline.joints(place.block), place.lane);
    if (!inertia_) sample_.stop();
    for (std::size_t a = 0; a < loads_.size(); ++a)
      loads_[a] = lane(pipeline.load(a)(block), place.lane);
    for (std::size_t s = 0; s < tensions_.size(); ++s)
      tensions_[s] = tension_at(mechanism, s, lane(pipeline.shape(s).length[block], place.lane));
    reactions_->compute(pipeline.geometry(mechanism), pipeline.tree(), sample_.view(), loads_,
                        tensions_);
    std::size_t column = first_reaction_;
    const auto add = [&](const Wrench& wrench) {
      for (const Vec3d& vector : {wrench.force, wrench.moment})
        for (const double value : vector) columns_[column++].values.push_back(value);
    };
    for (BodyIndex b = 0; b < mechanism.body_count(); ++b) add(reactions_->of_body(b));
    for (int l = 0; l < static_cast<int>(mechanism.loops.size()); ++l) add(reactions_->of_loop(l));
    if (reactions_->open_numbers() > simulation.open_reactions) {
      simulation.open_reactions = reactions_->open_numbers();
      simulation.open_joints = reactions_->open_joints();
    }
  }
}

template <class S>
std::optional<Finding> SimulationColumns<S>::find_not_finite() const {
  const std::vector<double>& t = columns_.front().values;
  for (std::size_t k = 0; k < t.size(); ++k)
    for (const Series& series : columns_)
      if (!std::isfinite(series.values[k])) return Finding{FindingKind::not_finite, -1, t[k]};
  return std::nullopt;
}

template class SimulationColumns<double>;
template class SimulationColumns<Pack>;

}  // namespace counterpoise
