#include "studies/side_effects.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

#include "engine/evaluation/evaluator.hpp"

namespace counterpoise {
namespace {

constexpr double no_sign =
    1e-9;  // of the largest |load| of any of the robots: has no sign below this
constexpr double no_reaction = 1e-9;  // of the largest reaction of its kind, or load: is rounding

using RunOf = const Simulation& (*)(const ComparedMotion&);

const Simulation& own_run(const ComparedMotion& motion) {
  return motion.robot.run;
}
const Simulation& baseline_run(const ComparedMotion& motion) {
  return motion.baseline->run;
}

/// The largest size over all samples of all motions, the first of equal ones.
Extreme extreme_of(const std::vector<ComparedMotion>& motions, RunOf run_of,
                   const std::function<std::vector<double>(const Simulation&)>& sizes_of) {
  Extreme largest;
  bool first = true;
  for (const ComparedMotion& motion : motions) {
    const std::vector<double> sizes = sizes_of(run_of(motion));
    const auto at = std::max_element(sizes.begin(), sizes.end());
    if (!first && *at <= largest.value) continue;
    first = false;
    largest = {*at, motion.motion, column_of(run_of(motion), "t")[at - sizes.begin()]};
  }
  return largest;
}

bool all_have_baselines(const std::vector<ComparedMotion>& motions) {
  return std::all_of(motions.begin(), motions.end(),
                     [](const ComparedMotion& motion) { return motion.baseline.has_value(); });
}

/// The sizes of a vector whose components are three columns.
std::vector<double> sizes_of_vector(const Simulation& run, const std::string& stem,
                                    const std::array<const char*, 3>& components) {
  const auto& x = column_of(run, stem + components[0]);
  const auto& y = column_of(run, stem + components[1]);
  const auto& z = column_of(run, stem + components[2]);
  std::vector<double> sizes;
  for (std::size_t k = 0; k < x.size(); ++k) sizes.push_back(std::hypot(x[k], y[k], z[k]));
  return sizes;
}

bool is_open(const std::vector<ComparedMotion>& motions, const std::string& joint) {
  const auto listed = [&](const Simulation& run) {
    return std::find(run.open_joints.begin(), run.open_joints.end(), joint) !=
           run.open_joints.end();
  };
  return std::any_of(motions.begin(), motions.end(), [&](const ComparedMotion& motion) {
    return listed(motion.robot.run) || listed(motion.baseline->run);
  });
}

/// The largest load of any actuator in any robot [N or N m].
double largest_load(const std::vector<ComparedMotion>& motions) {
  double largest = 0.0;
  const auto look_at = [&](const Mechanism& mechanism, const Simulation& run) {
    for (const Actuator& actuator : mechanism.actuators)
      for (const double load : column_of(run, actuator.name + ".load"))
        largest = std::max(largest, std::abs(load));
  };
  for (const ComparedMotion& motion : motions) {
    const Mechanism& mechanism = motion.robot.design.mechanism;
    look_at(mechanism, motion.robot.run);
    look_at(mechanism, motion.baseline->run);
    if (motion.without_springs) look_at(mechanism, motion.without_springs->run);
  }
  return largest;
}

/// Keeps the reactions that changed, largest change first; returns how many more there are.
/// `largest` is the largest load: beside it, where all reactions of a kind are rounding, as moments
/// in a planar linkage are, nothing changed. A force counts as a moment at one metre.
std::size_t keep_largest_changes(std::vector<ReactionChange>& reactions, double largest) {
  for (const ReactionChange& reaction : reactions)
    largest = std::max({largest, reaction.robot.value, reaction.baseline.value});
  std::erase_if(reactions, [&](const ReactionChange& reaction) {
    const double change = std::abs(reaction.change());
    return change <= SideEffects::least_change * reaction.baseline.value ||
           change <= no_reaction * largest;
  });
  std::stable_sort(reactions.begin(), reactions.end(),
                   [](const ReactionChange& a, const ReactionChange& b) {
                     return std::abs(a.change()) > std::abs(b.change());
                   });
  const std::size_t kept = std::min(reactions.size(), SideEffects::most_reactions);
  const std::size_t left_out = reactions.size() - kept;
  reactions.resize(kept);
  return left_out;
}

void compare_reactions(const std::vector<ComparedMotion>& motions, SideEffects& effects) {
  for (const ComparedMotion& motion : motions) {
    effects.no_reactions = motion.baseline ? motion.no_reactions : motion.no_baseline;
    if (!effects.no_reactions.empty()) return;
  }
  const Mechanism& mechanism = motions.front().robot.design.mechanism;
  const auto compare = [&](const std::string& joint, const std::string& stem,
                           const std::array<const char*, 3>& components) {
    const auto sizes = [&](const Simulation& run) {
      return sizes_of_vector(run, stem, components);
    };
    return ReactionChange{joint, is_open(motions, joint), extreme_of(motions, own_run, sizes),
                          extreme_of(motions, baseline_run, sizes)};
  };
  const auto add = [&](const std::string& joint, const char* kind) {
    effects.forces.push_back(compare(joint, joint + kind, {"fx", "fy", "fz"}));
    effects.moments.push_back(compare(joint, joint + kind, {"mx", "my", "mz"}));
  };
  for (const Body& body : mechanism.bodies) add(body.name, ".reaction.");
  for (const Loop& loop : mechanism.loops) add(loop.name, ".closure.");
  const double load = largest_load(motions);
  effects.forces_left_out = keep_largest_changes(effects.forces, load);
  effects.moments_left_out = keep_largest_changes(effects.moments, load);
}

void compare_pulls(const std::vector<ComparedMotion>& motions, SideEffects& effects) {
  const Mechanism& mechanism = motions.front().robot.design.mechanism;
  for (std::size_t s = 0; s < mechanism.springs.size(); ++s) {
    const Spring& spring = mechanism.springs[s];
    const std::string name = tension_column(spring);
    const auto sizes = [&](const Simulation& run) {
      std::vector<double> tensions = column_of(run, name);
      if (spring.rubs) {
        const std::vector<double>& friction = column_of(run, spring.name + ".friction");
        std::transform(tensions.begin(), tensions.end(), friction.begin(), tensions.begin(),
                       std::plus<>());
      }
      for (double& tension : tensions) tension = std::abs(tension);
      return tensions;
    };
    SpringPull pull{static_cast<int>(s), extreme_of(motions, own_run, sizes), {}};
    if (all_have_baselines(motions)) pull.baseline = extreme_of(motions, baseline_run, sizes);
    effects.springs.push_back(pull);
  }
}

/// One robot in one motion.
struct RobotRun {
  const Simulation* run = nullptr;
  Metrics metrics;

  RobotRun(const MotionDesign& design, const Simulation& simulation, bool springs)
      : run(&simulation) {
    const auto finding = Evaluator(design.mechanism, design.motion)
                             .evaluate(design.mechanism, {springs, false, false}, metrics);
    static_cast<void>(finding);  // it has followed the motion already
  }
  [[nodiscard]] Work work(std::size_t actuator, const std::string& name, double zero) const {
    const ActuatorMetrics& own = metrics.actuators[actuator];
    return {sign_changes(column_of(*run, name + ".load"), zero), own.energy, own.peak_power};
  }
};

void compare_work(const ComparedMotion& motion, std::span<const int> actuators,
                  SideEffects& effects) {
  const RobotRun robot(motion.robot.design, motion.robot.run, true);
  std::optional<RobotRun> baseline, without_springs;
  if (motion.baseline) baseline.emplace(motion.baseline->design, motion.baseline->run, true);
  if (motion.without_springs)
    without_springs.emplace(motion.without_springs->design, motion.without_springs->run, false);
  for (const int index : actuators) {
    const auto a = static_cast<std::size_t>(index);
    const std::string& name = motion.robot.design.mechanism.actuators[a].name;
    double largest = robot.metrics.actuators[a].max;
    for (const auto* other : {&baseline, &without_springs})
      if (*other) largest = std::max(largest, (*other)->metrics.actuators[a].max);
    const double zero = no_sign * largest;
    ActuatorWork work{index, motion.motion, robot.work(a, name, zero), {}, {}};
    if (baseline) work.baseline = baseline->work(a, name, zero);
    if (without_springs) work.without_springs = without_springs->work(a, name, zero);
    effects.actuators.push_back(work);
  }
}

}  // namespace

int sign_changes(std::span<const double> values, double zero) {
  int changes = 0;
  double last = 0.0;  // that had a sign
  for (const double value : values) {
    if (std::abs(value) <= zero) continue;
    if (value * last < 0.0) ++changes;
    last = value > 0.0 ? 1.0 : -1.0;
  }
  return changes;
}

SideEffects side_effects(const std::vector<ComparedMotion>& motions,
                         std::span<const int> actuators) {
  SideEffects effects;
  compare_reactions(motions, effects);
  compare_pulls(motions, effects);
  for (const ComparedMotion& motion : motions) compare_work(motion, actuators, effects);
  std::stable_sort(
      effects.actuators.begin(), effects.actuators.end(),
      [](const ActuatorWork& a, const ActuatorWork& b) { return a.actuator < b.actuator; });
  return effects;
}

}  // namespace counterpoise
