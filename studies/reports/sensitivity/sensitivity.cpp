#include "studies/reports/sensitivity/sensitivity.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "cases/threads.hpp"
#include "studies/reports/sensitivity/design_values.hpp"

namespace counterpoise {
namespace {

constexpr std::int64_t samples_a_trajectory = 16;

std::vector<std::size_t> chosen_objectives(const Study& study,
                                           const std::vector<std::string>& names) {
  std::vector<std::string> known;
  for (const Objective& objective : study.objectives) known.push_back(objective.name);
  std::vector<std::size_t> chosen;
  for (const std::string& name : names) {
    const auto found = std::find(known.begin(), known.end(), name);
    if (found == known.end())
      throw InputError(
          {.file = "--objective " + name},
          fmt::format("found {}, expected an objective of the study ({}){}", in_quotes(name),
                      fmt::join(known, ", "), did_you_mean(name, known)));
    const auto index = static_cast<std::size_t>(found - known.begin());
    if (std::find(chosen.begin(), chosen.end(), index) == chosen.end()) chosen.push_back(index);
  }
  if (names.empty())
    for (std::size_t o = 0; o < known.size(); ++o) chosen.push_back(o);
  return chosen;
}

std::string name_of_motion(const Study& study, int level) {
  if (level < 0) return "";
  const Variable& variable = study.variables[static_cast<std::size_t>(study.motion_variable)];
  return variable.labels[static_cast<std::size_t>(level)];
}

void count_designs(const SensitivityPlan& plan, const DesignValues& values,
                   MotionSensitivity& motion) {
  motion.designs = plan.sobol_rows;
  const auto end = values.states.begin() + static_cast<std::ptrdiff_t>(plan.sobol_rows);
  motion.within = std::count(values.states.begin(), end, DesignState::within_limits);
  motion.computable =
      motion.within + std::count(values.states.begin(), end, DesignState::breaks_limit);
  motion.reason = values.reason;
}

ObjectiveSensitivity estimated(const Study& study, const SensitivityPlan& plan,
                               std::size_t objective, std::span<const double> values,
                               const SensitivityOptions& options) {
  const std::uint64_t seed = options.seed;
  ObjectiveSensitivity result;
  result.objective = objective;
  const auto sobol_rows = static_cast<std::size_t>(plan.sobol_rows);
  const auto morris_rows = static_cast<std::size_t>(plan.morris_rows);
  result.sobol = estimate_sobol(values.first(sobol_rows), plan.factors.size(), seed,
                                default_resamples, options.interrupted);
  MorrisDesign morris = morris_design(study, plan, seed);
  result.morris = estimate_morris(morris, values.subspan(sobol_rows, morris_rows), seed,
                                  default_resamples, options.interrupted);
  const std::span<const double> ends = values.subspan(sobol_rows + morris_rows);
  result.tornado = tornado(tornado_design(study, plan), ends);
  if (!std::isnan(ends.front())) result.centre = {0.0, ends.front(), true};
  return result;
}

/// Estimates of every motion and objective, each by one thread.
void estimate_all(const Study& study, const SensitivityPlan& plan,
                  const SensitivityOptions& options, const std::vector<DesignValues>& values,
                  Sensitivity& result) {
  const std::size_t objectives = plan.objectives.size();
  for (std::size_t m = 0; m < values.size(); ++m) {
    MotionSensitivity& motion = result.motions.emplace_back();
    motion.motion = name_of_motion(study, plan.motion_levels[m]);
    count_designs(plan, values[m], motion);
    motion.objectives.resize(objectives);
  }
  parallel_each(values.size() * objectives, [&](std::size_t task) {
    const std::size_t m = task / objectives, o = task % objectives;
    options.interrupted.poll();
    result.motions[m].objectives[o] =
        estimated(study, plan, plan.objectives[o], values[m].objectives[o], options);
  });
}

}  // namespace

SensitivityPlan plan_sensitivity(const Study& study, const SensitivityOptions& options) {
  if (options.samples < fewest_samples || options.samples > most_samples)
    throw InputError({.file = fmt::format("--samples {}", options.samples)},
                     fmt::format("expected {} to {} base samples", fewest_samples, most_samples));
  SensitivityPlan plan;
  plan.factors = factors_of(study);
  const std::size_t count = plan.factors.size();
  const Location where{.file = study.path.string(), .pointer = "/variables"};
  if (count == 0)
    throw InputError(where, study.variables.empty()
                                ? "there is none, so that there is nothing to analyse"
                                : "only the motion varies, so that there is nothing to analyse");
  if (count > SaltelliDesign::most_factors)
    throw InputError(where, fmt::format("found {} variables, expected at most {}", count,
                                        SaltelliDesign::most_factors));
  plan.objectives = chosen_objectives(study, options.objectives);
  if (study.motion_variable < 0)
    plan.motion_levels = {-1};
  else
    for (std::int64_t level = 0;
         level < study.variables[static_cast<std::size_t>(study.motion_variable)].level_count();
         ++level)
      plan.motion_levels.push_back(static_cast<int>(level));
  plan.base_samples =
      static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(options.samples)));
  plan.trajectories = std::clamp<std::int64_t>(plan.base_samples / samples_a_trajectory, 10, 1000);
  plan.sobol_rows = SaltelliDesign::rows(count, plan.base_samples);
  plan.morris_rows = plan.trajectories * static_cast<std::int64_t>(count + 1);
  plan.tornado_rows = tornado_design(study, plan).rows();
  return plan;
}

Sensitivity analyse_sensitivity(const Study& study, const SensitivityPlan& plan,
                                const SensitivityOptions& options) {
  Threads threads(options.threads);
  Sensitivity result;
  threads.run([&] {
    try {
      const std::vector<DesignValues> values =
          evaluate_designs(study, plan, options, threads.count());
      options.interrupted.poll();
      estimate_all(study, plan, options, values, result);
    } catch (const Interrupted&) {
      result.interrupted = true;
      result.motions.clear();
    }
  });
  return result;
}

}  // namespace counterpoise
