#include "studies/reports/robustness/robustness.hpp"

#include <algorithm>
#include <limits>

#include "cases/case_evaluator.hpp"
#include "cases/case_rows.hpp"
#include "cases/threads.hpp"
#include "optimizer/sampling/box_samples.hpp"
#include "results/ranking/ranking.hpp"

namespace counterpoise {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

/// The objects with which every design is evaluated; shared by all threads.
struct Shared {
  const Study& study;
  const Tolerances& tolerances;
  ToleranceBox box;
  std::shared_ptr<const Baselines> baselines;
  std::vector<std::vector<double>> samples;  // of the sampled parameters
  std::size_t objective = 0;
  std::size_t draws = 0;
  Interruption interrupted;
};

/// Sequences for samples and for draws have nothing in common.
std::uint64_t seed_of_draws(const Tolerances& tolerances) {
  return tolerances.seed + (std::uint64_t{1} << 60);
}

/// The objective of every random design.
void draw(const Shared& shared, std::span<const ToleranceInterval> intervals, DeviatedCase& at,
          RobustDesign& design, std::vector<double>& values) {
  const ToleranceBox& box = shared.box;
  SobolSequence sequence = shifted_sobol(box.dimensions(), seed_of_draws(shared.tolerances));
  std::vector<double> shares(box.dimensions());
  std::vector<ParameterSetting> settings;
  CaseOutcome outcome;
  std::size_t broken = 0;
  values.clear();
  for (std::size_t i = 0; i < shared.draws; ++i) {
    sequence.point(static_cast<std::int64_t>(i) + 1, shares);
    box.settings(intervals, shares, settings);
    if (at.bind(settings, outcome)) {
      for (const std::span<Mechanism> mechanisms : {at.mechanisms(), at.fall_mechanisms()})
        for (Mechanism& mechanism : mechanisms)
          for (std::size_t d = 0; d < box.spring_parts().size(); ++d) {
            const ToleranceBox::SpringPart& part = box.spring_parts()[d];
            ToleranceBox::deviate(part, intervals[part.tolerance], shares[box.sampled().size() + d],
                                  mechanism.springs[part.spring]);
          }
      at.evaluate(outcome);
    }
    const bool feasible = outcome.status == CaseStatus::feasible;
    values.push_back(feasible ? outcome.objectives[shared.objective] : infinite);
    if (feasible) continue;
    if (broken++ == 0) design.broken_reason = outcome.reason;
  }
  design.broken_share = static_cast<double>(broken) / static_cast<double>(shared.draws);
}

/// Nothing is derived for falls over the box of the springs, so the worst case is that of all
/// designs tried.
void take_draws(RobustDesign& design, const std::vector<double>& values) {
  WorstCase& worst = design.worst;
  worst.sampled = true;
  if (!worst.infeasible && design.broken_share > 0.0) {
    worst.infeasible = true;
    worst.reason = design.broken_reason;
  }
  for (const double value : values)
    if (value < infinite) worst.value = std::max(worst.value, value);
}

void look_at(const Shared& shared, RobustDesign& design, std::vector<double>& values) {
  const std::vector<double> point = point_of(shared.study, design.row);
  DeviatedCase at(shared.study, shared.baselines, shared.interrupted);
  at.set_point(point);
  CaseOutcome outcome;
  if (at.bind({}, outcome)) at.evaluate(outcome);
  const std::vector<ToleranceInterval> intervals = shared.box.intervals(point, at.parameters());
  const double stored = design.row.objectives[shared.objective];
  const bool feasible = outcome.status == CaseStatus::feasible;
  design.nominal = feasible ? outcome.objectives[shared.objective] : stored;
  design.as_stored = feasible && design.nominal == stored;
  design.worst =
      worst_case(shared.study, shared.box, intervals, shared.samples, shared.objective, at);
  draw(shared, intervals, at, design, values);
  if (at.falls()) take_draws(design, values);
  design.percentile = percentile_of(values, shared.tolerances.percentile);
}

void compare(const std::vector<std::vector<double>>& values, RobustRanking& ranking) {
  std::vector<double> nominal, worst, percentile;
  for (const RobustDesign& design : ranking.designs) {
    nominal.push_back(design.nominal);
    worst.push_back(design.worst.infeasible ? infinite : design.worst.value);
    percentile.push_back(design.percentile.value);
  }
  ranking.tau_worst = kendall_tau(nominal, worst);
  ranking.tau_percentile = kendall_tau(nominal, percentile);
  const std::vector<std::size_t> times = times_best(values);
  for (std::size_t d = 0; d < times.size(); ++d)
    ranking.designs[d].best_share =
        static_cast<double>(times[d]) / static_cast<double>(values[d].size());
}

std::size_t objective_of(const Study& study, const std::string& by) {
  for (std::size_t i = 0; i < study.objectives.size(); ++i)
    if (study.objectives[i].name == by) return i;
  return 0;
}

std::size_t draw_count(const ToleranceBox& box, const Tolerances& tolerances) {
  return box.dimensions() == 0 ? 1
                               : draws_per_sample * static_cast<std::size_t>(tolerances.samples);
}

}  // namespace

RobustnessSize size_of(const Study& study, const Tolerances& tolerances) {
  const ToleranceBox box(study, tolerances);
  return {box.sampled().size(),
          box_samples(box.sampled().size(), tolerances.samples, tolerances.seed).size(),
          box.spring_parts().size(), draw_count(box, tolerances)};
}

std::vector<RobustRanking> robustness(const ResultsFile& results, const Study& study,
                                      const Tolerances& tolerances,
                                      const RobustnessOptions& options) {
  RankOptions wanted;
  wanted.by = options.by;
  wanted.top = options.top;
  wanted.motion = options.motion;
  const std::vector<Ranking> rankings = rank(results, wanted);

  Shared shared{study, tolerances, ToleranceBox(study, tolerances), {}, {}, 0, 0, {}};
  shared.baselines = std::make_shared<const Baselines>(CaseEvaluator(study).evaluate_baselines());
  shared.samples = box_samples(shared.box.sampled().size(), tolerances.samples, tolerances.seed);
  shared.objective = objective_of(study, options.by);
  shared.draws = draw_count(shared.box, tolerances);
  shared.interrupted = options.interrupted;

  Threads threads(options.threads);
  std::vector<RobustRanking> robust;
  for (const Ranking& ranking : rankings) {
    RobustRanking& own = robust.emplace_back();
    own.motion = ranking.motion;
    for (const std::vector<Value>& row : ranking.table.rows)
      own.designs.emplace_back().row = *results.find(std::get<std::int64_t>(row[1]));
    std::vector<std::vector<double>> values(own.designs.size());
    threads.run([&] {
      parallel_each(own.designs.size(),
                    [&](std::size_t d) { look_at(shared, own.designs[d], values[d]); });
    });
    compare(values, own);
  }
  return robust;
}

}  // namespace counterpoise
