#include "studies/sensitivity.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "cases/case_evaluator.hpp"
#include "cases/case_points.hpp"
#include "cases/study_units.hpp"
#include "cases/threads.hpp"

namespace counterpoise {

/// The result of evaluating a design.
enum class DesignState : char { not_computable, breaks_limit, within_limits };

/// The objectives of all designs of a plan for one motion, in the order of its rows: Saltelli's,
/// Morris's, the tornado's.
struct DesignValues {
  std::vector<std::vector<double>> objectives;  // per objective of the plan; NaN: not computable
  std::vector<DesignState> states;
  std::int64_t first_refused = -1;  // the first row that cannot be computed, or -1
  std::string reason;               // why that one cannot be computed
};

/// Morris's and the tornado's designs of a plan. Saltelli's design follows from the plan's numbers.
MorrisDesign morris_design(const Study& study, const SensitivityPlan& plan, std::uint64_t seed);
TornadoDesign tornado_design(const Study& study, const SensitivityPlan& plan);

/// The values for each motion of the plan, computed by the threads of the arena in which it is
/// called. Incomplete when interrupted.
std::vector<DesignValues> evaluate_designs(const Study& study, const SensitivityPlan& plan,
                                           const SensitivityOptions& options, int threads);

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
  const Variable& variable = study.variables[study.motion_variable];
  return variable.labels[level];
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
    for (std::int64_t level = 0; level < study.variables[study.motion_variable].level_count();
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

namespace {

constexpr double no_value = std::numeric_limits<double>::quiet_NaN();
constexpr std::int64_t piece = 256;  // rows a worker takes at a time

/// What the workers share.
struct SharedRows {
  const Study& study;
  const SensitivityPlan& plan;
  const SensitivityOptions& options;
  std::shared_ptr<const Baselines> baselines;
  std::vector<DesignValues> values;   // each row is written by one worker
  std::atomic<std::int64_t> next{0};  // over the rows of all motions
  std::mutex mutex;                   // of what follows, and of reasons in `values`
  Progress progress;

  [[nodiscard]] bool interrupted() const { return options.interrupted.asked(); }
  void report(std::int64_t rows) {
    const std::scoped_lock lock(mutex);
    progress.done += rows;
    progress.fresh += rows;
    if (options.progress) options.progress(progress);
  }
  void refuse(std::size_t motion, std::int64_t row, const std::string& reason) {
    const std::scoped_lock lock(mutex);
    DesignValues& of = values[motion];
    if (of.first_refused >= 0 && of.first_refused < row) return;
    of.first_refused = row;
    of.reason = reason;
  }
};

/// One worker's own tools.
class RowWorker {
 public:
  explicit RowWorker(SharedRows& shared)
      : shared_(shared),
        evaluator_(shared.study, {.reuse = shared.options.reuse, .every_fall = true}),
        saltelli_(shared.plan.factors.size(), shared.options.seed),
        morris_(morris_design(shared.study, shared.plan, shared.options.seed)),
        tornado_(tornado_design(shared.study, shared.plan)),
        coordinates_(shared.plan.factors.size()),
        levels_(shared.plan.factors.size()),
        point_(shared.study.variables.size()) {
    evaluator_.set_baselines(shared.baselines);
  }

  void work(std::int64_t id) {
    const SensitivityPlan& plan = shared_.plan;
    const auto motion = static_cast<std::size_t>(id / plan.rows());
    const std::int64_t row = id % plan.rows();
    set_point(motion, row);
    evaluator_.evaluate(point_, outcome_);

    DesignValues& values = shared_.values[motion];
    const auto at = static_cast<std::size_t>(row);
    for (std::size_t o = 0; o < plan.objectives.size(); ++o)
      values.objectives[o][at] =
          outcome_.computable ? outcome_.objectives[plan.objectives[o]] : no_value;
    values.states[at] = outcome_.status == CaseStatus::feasible ? DesignState::within_limits
                        : outcome_.computable                   ? DesignState::breaks_limit
                                                                : DesignState::not_computable;
    // rows of a piece rise, so only a worker's first can be the first of all
    if (outcome_.computable) return;
    if (refused_in_ == static_cast<std::int64_t>(motion) && row > refused_row_) return;
    refused_in_ = static_cast<std::int64_t>(motion);
    refused_row_ = row;
    shared_.refuse(motion, row, outcome_.reason);
  }

 private:
  void set_point(std::size_t motion, std::int64_t row) {
    const SensitivityPlan& plan = shared_.plan;
    const Study& study = shared_.study;
    if (row < plan.sobol_rows) {
      saltelli_.row(row, coordinates_);
      for (std::size_t i = 0; i < coordinates_.size(); ++i)
        coordinates_[i] = coordinate_at(variable(i), coordinates_[i]);
    } else if (row < plan.sobol_rows + plan.morris_rows) {
      morris_.row(row - plan.sobol_rows, levels_);
      for (std::size_t i = 0; i < coordinates_.size(); ++i)
        coordinates_[i] = coordinate_of_level(variable(i), levels_[i]);
    } else {
      tornado_.row(row - plan.sobol_rows - plan.morris_rows, coordinates_);
    }
    for (std::size_t i = 0; i < coordinates_.size(); ++i)
      point_[plan.factors[i].variable] = coordinates_[i];
    if (study.motion_variable >= 0) point_[study.motion_variable] = plan.motion_levels[motion];
  }
  [[nodiscard]] const Variable& variable(std::size_t factor) const {
    return shared_.study.variables[shared_.plan.factors[factor].variable];
  }

  SharedRows& shared_;
  CaseEvaluator evaluator_;
  SaltelliDesign saltelli_;
  MorrisDesign morris_;
  TornadoDesign tornado_;
  std::vector<double> coordinates_;
  std::vector<int> levels_;
  std::vector<double> point_;
  CaseOutcome outcome_;
  std::int64_t refused_in_ = -1, refused_row_ = 0;
};

void work_rows(SharedRows& shared) {
  const std::int64_t end = shared.plan.evaluations();
  std::int64_t begin = shared.next.fetch_add(piece);
  if (begin >= end) return;
  RowWorker worker(shared);
  for (; begin < end; begin = shared.next.fetch_add(piece)) {
    const std::int64_t last = std::min(begin + piece, end);
    for (std::int64_t id = begin; id < last; ++id) {
      if (shared.interrupted()) return;
      worker.work(id);
    }
    shared.report(last - begin);
  }
}

}  // namespace

MorrisDesign morris_design(const Study& study, const SensitivityPlan& plan, std::uint64_t seed) {
  std::vector<int> levels;
  for (const StudyFactor& factor : plan.factors)
    levels.push_back(grid_levels(study.variables[factor.variable]));
  return {std::move(levels), plan.trajectories, seed};
}

TornadoDesign tornado_design(const Study& study, const SensitivityPlan& plan) {
  std::vector<TornadoFactor> factors;
  for (const StudyFactor& factor : plan.factors)
    factors.push_back(tornado_factor(study.variables[factor.variable], factor.centre));
  return TornadoDesign(std::move(factors));
}

std::vector<DesignValues> evaluate_designs(const Study& study, const SensitivityPlan& plan,
                                           const SensitivityOptions& options, int threads) {
  SharedRows all{study, plan, options, {}, {}, {}, {}, {}};
  all.baselines = std::make_shared<const Baselines>(CaseEvaluator(study).evaluate_baselines());
  all.progress.total = plan.evaluations();
  const auto rows = static_cast<std::size_t>(plan.rows());
  all.values.resize(plan.motion_levels.size());
  for (DesignValues& values : all.values) {
    values.objectives.assign(plan.objectives.size(), std::vector<double>(rows, no_value));
    values.states.assign(rows, DesignState::not_computable);
  }
  parallel_each(static_cast<std::size_t>(threads), [&](std::size_t) { work_rows(all); });
  return std::move(all.values);
}

namespace {

constexpr int grid_of_continuous = 4;  // as Morris and Saltelli recommend
constexpr double same_number = 1e-12;  // relative; two ways to one number

/// The value of every model parameter in the baseline.
std::vector<double> baseline_values(const Study& study) {
  ModelBinder binder(*study.model);
  if (binder.bind(study.baseline)) return study.model->nominal_values;
  return {binder.values().begin(), binder.values().end()};
}

bool near(double a, double b) {
  return std::abs(a - b) <= same_number * std::max(std::abs(a), std::abs(b));
}

void centre_continuous(const Variable& variable, const std::vector<double>& baseline,
                       StudyFactor& factor) {
  factor.centre = variable.low + (variable.high - variable.low) / 2.0;
  for (const VariableTarget& target : variable.targets) {
    const double value = baseline[target.parameter];
    if (!sets_directly(variable, target) || value < variable.low || value > variable.high) continue;
    factor.centre = value;
    factor.centre_is_baseline = true;
    return;
  }
}

/// Whether everything that a level sets is as in the baseline.
bool level_is_baseline(const Variable& variable, std::size_t level,
                       const std::vector<double>& baseline) {
  return std::all_of(variable.targets.begin(), variable.targets.end(),
                     [&](const VariableTarget& target) {
                       return near(target.by_level[level], baseline[target.parameter]);
                     });
}

void centre_discrete(const Variable& variable, const std::vector<double>& baseline,
                     StudyFactor& factor) {
  const auto levels = static_cast<std::size_t>(variable.level_count());
  const std::size_t middle = (levels - 1) / 2;
  factor.centre = static_cast<double>(middle);
  for (std::size_t level = 0; level < levels && !variable.targets.empty(); ++level) {
    if (!level_is_baseline(variable, level, baseline)) continue;
    factor.centre = static_cast<double>(level);
    factor.centre_is_baseline = true;
    return;
  }
  if (!variable.numeric() || variable.targets.empty()) return;
  const VariableTarget& target = variable.targets.front();
  const double wanted = baseline[target.parameter];
  const auto [least, most] = std::minmax_element(target.by_level.begin(), target.by_level.end());
  if (wanted < *least || wanted > *most) return;
  const auto nearest = std::min_element(
      target.by_level.begin(), target.by_level.end(),
      [&](double a, double b) { return std::abs(a - wanted) < std::abs(b - wanted); });
  factor.centre = static_cast<double>(nearest - target.by_level.begin());
}

}  // namespace

std::vector<StudyFactor> factors_of(const Study& study) {
  const std::vector<double> baseline = baseline_values(study);
  std::vector<StudyFactor> factors;
  for (std::size_t v = 0; v < study.variables.size(); ++v) {
    const Variable& variable = study.variables[v];
    if (variable.kind == VariableKind::motion) continue;
    StudyFactor& factor = factors.emplace_back();
    factor.variable = v;
    factor.unit = unit_of(study, variable);
    if (variable.discrete())
      centre_discrete(variable, baseline, factor);
    else
      centre_continuous(variable, baseline, factor);
  }
  return factors;
}

int grid_levels(const Variable& variable) {
  return variable.discrete() ? static_cast<int>(variable.level_count()) : grid_of_continuous;
}

double coordinate_of_level(const Variable& variable, int level) {
  if (variable.discrete()) return level;
  return level == grid_of_continuous - 1
             ? variable.high
             : variable.low + level * (variable.high - variable.low) / (grid_of_continuous - 1);
}

TornadoFactor tornado_factor(const Variable& variable, double centre) {
  if (!variable.discrete()) return {centre, {variable.low, variable.high}, true};
  if (variable.numeric()) {
    const auto begin = variable.values.begin();
    const auto [least, most] = std::minmax_element(begin, variable.values.end());
    return {centre, {static_cast<double>(least - begin), static_cast<double>(most - begin)}, true};
  }
  TornadoFactor factor{centre, {}, false};
  const auto rows = static_cast<double>(variable.level_count());
  for (double row = 0.0; row < rows; row += 1.0) factor.tried.push_back(row);
  return factor;
}

}  // namespace counterpoise
