#include "studies/instants.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "engine/evaluation/evaluator.hpp"
#include "engine/mechanism/elements.hpp"

namespace counterpoise {
namespace {

AffineLoads loads_of(const Mechanism& mechanism, const Motion& motion) {
  AffineLoads loads;
  const auto finding = Evaluator(mechanism, motion).take_apart(mechanism, loads);
  assert(!finding);
  static_cast<void>(finding);
  return loads;
}

Mechanism without_load_friction(Mechanism mechanism) {
  for (Body& body : mechanism.bodies) body.friction.load_coefficient = 0.0;
  return mechanism;
}

double share_of(const AffineLoads& loads, const AffineLoads::Influence& influence,
                const std::vector<Spring>& springs, std::size_t sample) {
  const auto spring = static_cast<std::size_t>(influence.spring);
  return influence.per_tension[sample] *
         tension_of(springs[spring], loads.springs[spring].length[sample]);
}

/// A local maximum of one motion.
struct Peak {
  std::size_t motion;  // among the motions compared
  std::size_t sample;
  double size;
};

std::vector<Peak> largest_peaks(const std::vector<std::vector<double>>& sizes) {
  double largest = 0.0;
  for (const auto& of_motion : sizes)
    largest = std::max(largest, *std::max_element(of_motion.begin(), of_motion.end()));
  std::vector<Peak> peaks;
  for (std::size_t m = 0; m < sizes.size(); ++m)
    for (const std::size_t k : separate_peaks(sizes[m], ActuatorInstants::dip * largest))
      if (sizes[m][k] >= (1.0 - ActuatorInstants::near) * largest)
        peaks.push_back({m, k, sizes[m][k]});
  std::stable_sort(peaks.begin(), peaks.end(),
                   [](const Peak& a, const Peak& b) { return a.size > b.size; });
  return peaks;
}

}  // namespace

SplitLoads::SplitLoads(const Mechanism& mechanism, const Motion& motion)
    : springs_(mechanism.springs) {
  if (has_load_friction(mechanism)) {
    split(without_load_friction(mechanism), motion);
    add_load_friction(mechanism, motion);
  } else {
    split(mechanism, motion);
  }
}

/// Splits the loads of a design whose friction does not grow with reactions.
void SplitLoads::split(const Mechanism& mechanism, const Motion& motion) {
  loads_ = loads_of(mechanism, motion);
  Motion rest = motion;
  rest.inertia = false;
  at_rest_ = loads_of(mechanism, rest);
  if (has_friction(mechanism)) {
    Mechanism smooth = mechanism;
    for (Body& body : smooth.bodies) body.friction = {};
    for (Spring& spring : smooth.springs) spring.friction = 0.0;
    smooth_ = loads_of(smooth, motion);
  }
  if (mechanism.forces.empty()) return;
  Mechanism free = mechanism;
  for (AppliedForce& force : free.forces) force.force = force.moment = Vec3d::Zero();
  gravity_ = loads_of(free, rest);
}

void SplitLoads::add_load_friction(const Mechanism& mechanism, const Motion& motion) {
  const auto run = simulate(mechanism, motion, {});
  assert(std::holds_alternative<Simulation>(run));
  for (std::size_t a = 0; a < mechanism.actuators.size(); ++a) {
    std::vector<double>& added = load_friction_.emplace_back(load(a));
    const std::vector<double>& all =
        column_of(std::get<Simulation>(run), mechanism.actuators[a].name + ".load");
    for (std::size_t k = 0; k < added.size(); ++k) added[k] = left_out(k) ? 0.0 : all[k] - added[k];
  }
}

LoadSplit SplitLoads::at(std::size_t actuator, std::size_t sample) const {
  const AffineLoads::ActuatorLoad& load = loads_.actuators[actuator];
  LoadSplit split;
  split.load = load.bare[sample];
  const double at_rest = at_rest_.actuators[actuator].bare[sample];
  split.gravity = gravity_ ? gravity_->actuators[actuator].bare[sample] : at_rest;
  split.forces = at_rest - split.gravity;
  const double smooth = smooth_ ? smooth_->actuators[actuator].bare[sample] : load.bare[sample];
  split.inertia = smooth - at_rest;
  split.friction = load.bare[sample] - smooth;
  if (!load_friction_.empty()) {
    split.friction += load_friction_[actuator][sample];
    split.load += load_friction_[actuator][sample];
  }
  for (const AffineLoads::Influence& influence : load.influences) {
    const double share = share_of(loads_, influence, springs_, sample);
    split.springs.push_back({influence.spring, share});
    split.load += share;
  }
  return split;
}

std::vector<double> SplitLoads::load(std::size_t actuator) const {
  const AffineLoads::ActuatorLoad& load = loads_.actuators[actuator];
  std::vector<double> sum = load.bare;
  for (const AffineLoads::Influence& influence : load.influences)
    for (std::size_t k = 0; k < sum.size(); ++k) sum[k] += share_of(loads_, influence, springs_, k);
  for (std::size_t k = 0; k < sum.size() && actuator < load_friction_.size(); ++k)
    sum[k] += load_friction_[actuator][k];
  return sum;
}

std::vector<std::size_t> separate_peaks(std::span<const double> values, double dip) {
  std::vector<std::size_t> peaks;
  bool rising = true;
  std::size_t highest = 0, lowest = 0;
  for (std::size_t k = 0; k < values.size(); ++k) {
    if (rising) {
      if (values[k] > values[highest]) highest = k;
      if (values[k] >= values[highest] - dip) continue;
      peaks.push_back(highest);
      rising = false;
      lowest = k;
    } else {
      if (values[k] < values[lowest]) lowest = k;
      if (values[k] <= values[lowest] + dip) continue;
      rising = true;
      highest = k;
    }
  }
  if (rising && !values.empty()) peaks.push_back(highest);
  return peaks;
}

std::vector<ActuatorInstants> critical_instants(const std::vector<ComparedMotion>& motions,
                                                std::span<const int> actuators) {
  std::vector<SplitLoads> loads;
  for (const ComparedMotion& motion : motions)
    loads.emplace_back(motion.robot.design.mechanism, motion.robot.design.motion);
  std::vector<ActuatorInstants> all;
  for (const int index : actuators) {
    const auto actuator = static_cast<std::size_t>(index);
    std::vector<std::vector<double>> sizes;
    for (const SplitLoads& of_motion : loads) {
      sizes.push_back(of_motion.load(actuator));
      for (double& size : sizes.back()) size = std::abs(size);
    }
    const std::vector<Peak> peaks = largest_peaks(sizes);
    ActuatorInstants& found = all.emplace_back();
    found.actuator = index;
    for (const Peak& peak : peaks) {
      if (found.instants.size() == ActuatorInstants::most) break;
      const ComparedMotion& motion = motions[peak.motion];
      const double step = motion.robot.design.motion.step;
      CriticalInstant& instant = found.instants.emplace_back();
      instant.motion = motion.motion;
      instant.sample = peak.sample;
      instant.time = static_cast<double>(peak.sample) * step;
      instant.pose = pose_of(motion.robot.design.motion, motion.robot.design.mechanism,
                             static_cast<int>(peak.sample));
      instant.split = loads[peak.motion].at(actuator, peak.sample);
      if (!motion.baseline) continue;
      const std::string& name = motion.robot.design.mechanism.actuators[actuator].name;
      const std::vector<double>& times = column_of(motion.baseline->run, "t");
      const auto at = std::lower_bound(times.begin(), times.end(), instant.time);
      if (at == times.end() || *at != instant.time) continue;  // the baseline does not get there
      instant.baseline = column_of(motion.baseline->run, name + ".load")[at - times.begin()];
    }
    found.left_out = peaks.size() - found.instants.size();
  }
  return all;
}

namespace {

/// A run without the samples that are left out.
std::variant<Simulation, Finding> reached_samples(const MotionDesign& design,
                                                  const SimulationOptions& options) {
  auto run = simulate(design.mechanism, design.motion, options);
  if (auto* simulation = std::get_if<Simulation>(&run)) remove_left_out(simulation->columns);
  return run;
}

/// A run with reactions; without, and the reason in `no_reactions`, where they cannot be shared.
std::variant<Simulation, Finding> run_of(const MotionDesign& design, std::string& no_reactions) {
  try {
    return reached_samples(design, {.reactions = true});
  } catch (const MechanismError& error) {
    no_reactions = error.what();
    return reached_samples(design, {});
  }
}

void add_baselines(CaseEvaluator& evaluator, ComparedMotion& compared) {
  try {
    MotionDesign design = evaluator.baseline_design(compared.motion);
    auto run = run_of(design, compared.no_reactions);
    if (const auto* finding = std::get_if<Finding>(&run)) {
      compared.no_baseline = describe(*finding, design.mechanism, design.motion);
      return;
    }
    compared.baseline = {std::move(design), std::get<Simulation>(std::move(run))};
  } catch (const InputError& error) {
    compared.no_baseline = error.message();
    return;
  }
  try {
    MotionDesign design = evaluator.baseline_design(compared.motion, false);
    auto run = reached_samples(design, {.springs = false});
    if (auto* simulation = std::get_if<Simulation>(&run))
      compared.without_springs = {std::move(design), std::move(*simulation)};
  } catch (const InputError&) {
    return;  // no drives suffice for that robot, so that nothing says what it carries
  }
}

}  // namespace

std::vector<ComparedMotion> compared_motions(const Study& study, CaseEvaluator& evaluator,
                                             std::span<const double> point) {
  std::vector<ComparedMotion> all;
  for (std::size_t m = 0; m < study.motions.size(); ++m) {
    if (study.motion_variable >= 0) {
      const auto v = static_cast<std::size_t>(study.motion_variable);
      const auto level = static_cast<std::size_t>(point[v]);
      if (study.variables[v].motions[level] != static_cast<int>(m)) continue;
    }
    ComparedMotion& compared = all.emplace_back();
    compared.motion = m;
    compared.robot.design = evaluator.design(point, m);
    auto run = run_of(compared.robot.design, compared.no_reactions);
    if (const auto* finding = std::get_if<Finding>(&run))
      throw InputError(study.motions[m].where, describe(*finding, compared.robot.design.mechanism,
                                                        compared.robot.design.motion));
    compared.robot.run = std::get<Simulation>(std::move(run));
    add_baselines(evaluator, compared);
  }
  return all;
}

const std::vector<double>& column_of(const Simulation& simulation, std::string_view name) {
  const auto found = std::find_if(simulation.columns.begin(), simulation.columns.end(),
                                  [&](const Series& series) { return series.name == name; });
  assert(found != simulation.columns.end());
  return found->values;
}

std::string tension_column(const Spring& spring) {
  return spring.name + (spring.type == SpringType::torsion ? ".torque" : ".tension");
}

std::string length_column(const Spring& spring) {
  return spring.name + (spring.type == SpringType::torsion ? ".angle" : ".length");
}

std::vector<int> named_actuators(const Study& study) {
  std::vector<bool> named(study.model->nominal.actuators.size(), false);
  for (const Objective& objective : study.objectives) {
    for (const int actuator : objective.actuators) named[actuator] = true;
    if (!objective.expression) continue;
    for (const int used : objective.expression->used()) {
      if (used < study.metric_offset() || used >= study.baseline_offset()) continue;
      const MetricName& metric = study.metrics[used - study.metric_offset()];
      if (metric.of == MetricOf::actuator) named[metric.element] = true;
      if (metric.of != MetricOf::motor) continue;
      const int drive = study.motor_metrics[metric.element].drive;
      for (std::size_t d = 0; d < study.drives.size(); ++d)
        if (drive < 0 ? study.drives[d].chosen() : static_cast<int>(d) == drive)
          named[study.drives[d].actuator] = true;
    }
  }
  std::vector<int> actuators;
  for (std::size_t a = 0; a < named.size(); ++a)
    if (named[a]) actuators.push_back(static_cast<int>(a));
  return actuators;
}

std::string in_motion(const Study& study, std::size_t motion) {
  return study.motions.size() > 1 ? " in motion " + study.motions[motion].name : std::string();
}

}  // namespace counterpoise
