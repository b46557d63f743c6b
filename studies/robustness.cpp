#include "studies/robustness.hpp"

#include <algorithm>
#include <limits>

#include "cases/case_evaluator.hpp"
#include "cases/case_rows.hpp"
#include "cases/threads.hpp"
#include "optimizer/sampling/box_samples.hpp"
#include "results/ranking.hpp"

namespace counterpoise {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

std::size_t objective_of(const Study& study, const std::string& by) {
  for (std::size_t i = 0; i < study.objectives.size(); ++i)
    if (study.objectives[i].name == by) return i;
  return 0;
}

std::size_t draw_count(const ToleranceBox& box, const Tolerances& tolerances) {
  return box.dimensions() == 0 ? 1
                               : draws_per_sample * static_cast<std::size_t>(tolerances.samples);
}

/// The objects with which every design is evaluated; shared by all threads.
struct Shared {
  Shared(const Study& of, const Tolerances& wanted, const std::string& by,
         const Interruption& interruption)
      : study(of),
        tolerances(wanted),
        box(of, wanted),
        baselines(std::make_shared<const Baselines>(CaseEvaluator(of).evaluate_baselines())),
        samples(box_samples(box.sampled().size(), wanted.samples, wanted.seed)),
        objective(objective_of(of, by)),
        draws(draw_count(box, wanted)),
        interrupted(interruption) {}

  const Study& study;
  const Tolerances& tolerances;
  ToleranceBox box;
  std::shared_ptr<const Baselines> baselines;
  std::vector<std::vector<double>> samples;  // of the sampled parameters
  std::size_t objective;
  std::size_t draws;
  Interruption interrupted;
};

void require_no_mounts(const Study& study) {
  for (const StudyDrive& drive : study.drives)
    if (drive.mount)
      throw InputError(drive.mount->where,
                       "robustness chooses no drives for robots as built, and cannot carry what "
                       "those of a study weigh; leave out \"mounted_on\"");
}

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

/// Nothing is derived for falls over the box of the springs but limits of their motions, so the
/// worst case is that of all designs tried.
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
  require_no_mounts(study);
  RankOptions wanted;
  wanted.by = options.by;
  wanted.top = options.top;
  wanted.motion = options.motion;
  const std::vector<Ranking> rankings = rank(results, wanted);
  const Shared shared(study, tolerances, options.by, options.interrupted);

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

RobustDesign robust_design(const Study& study, const Tolerances& tolerances, const CaseRow& row,
                           const Interruption& interrupted) {
  require_no_mounts(study);
  const Shared shared(study, tolerances, "", interrupted);
  RobustDesign design;
  design.row = row;
  std::vector<double> values;
  look_at(shared, design, values);
  return design;
}

DeviatedCase::DeviatedCase(const Study& study, const std::shared_ptr<const Baselines>& baselines,
                           const Interruption& interrupted)
    : study_(&study),
      interrupted_(interrupted),
      varying_(study.model->varying_elements()),
      design_(study),
      judge_(study),
      falls_(study) {
  judge_.set_baselines(baselines);
  for (const LoadCase& load_case : study.motions) {
    evaluators_.push_back({Evaluator(study.model->nominal, load_case.motion.nominal), 0});
    evaluators_.back().evaluator.set_varying(varying_);
  }
}

void DeviatedCase::set_point(std::span<const double> point) {
  point_.assign(point.begin(), point.end());
  const int selected = design_.set_point(point);
  pair_ = selected < 0 ? 0 : static_cast<std::size_t>(selected);
  motions_.clear();
  for (std::size_t m = 0; m < study_->motions.size(); ++m)
    if (selected < 0 || m == static_cast<std::size_t>(selected)) motions_.push_back(m);
  mechanisms_.assign(motions_.size(), study_->model->nominal);
  metrics_.assign(motions_.size(), {});
  parts_.clear();
  for (std::size_t i = 0; i < motions_.size(); ++i) {
    const LoadCase& load_case = study_->motions[motions_[i]];
    parts_.push_back({&metrics_[i], load_case.motion.nominal.extent(), load_case.weight});
  }
}

std::string DeviatedCase::in_motion(std::size_t of_design) const {
  return study_->motions.size() > 1 ? " in motion " + study_->motions[motions_[of_design]].name
                                    : std::string();
}

std::string DeviatedCase::describe(const Finding& finding, std::size_t of_design) const {
  return counterpoise::describe(finding, mechanisms_[of_design],
                                design_.motion(motions_[of_design])) +
         in_motion(of_design);
}

bool DeviatedCase::bind(std::span<const ParameterSetting> besides, CaseOutcome& out) {
  interrupted_.poll();
  out.begin();
  design_.set_point(point_);
  design_.set_besides(besides);
  const auto reason = design_.bind();
  for (std::size_t i = 0; i < motions_.size(); ++i) {
    const std::size_t m = motions_[i];
    // what no motion runs cannot be against a case
    if (reason && study_->motions[m].settings.empty()) {
      out.refuse(*reason, 1.0);
      return false;
    }
    if (const auto own_reason = design_.bind_motion(m)) {
      out.refuse(*own_reason + in_motion(i), 1.0);
      return false;
    }
    OwnMotion& own = evaluators_[m];
    if (own.revision != design_.motion_revision(m)) {
      own.revision = design_.motion_revision(m);
      own.evaluator.set_motion(design_.motion(m));
    }
    copy_elements(varying_, design_.mechanism(m), mechanisms_[i]);
  }
  return falls_.bind(design_, out);
}

bool DeviatedCase::refused(const std::optional<Finding>& finding, std::size_t of_design,
                           CaseOutcome& out) {
  if (!finding) return false;
  out.refuse(describe(*finding, of_design), finding->violation);
  return true;
}

void DeviatedCase::evaluate(CaseOutcome& out) {
  out.begin();
  falls_.forget(out);
  for (std::size_t i = 0; i < motions_.size(); ++i) {
    const Evaluator::Options options{.springs = true, .limits = true, .first_finding_only = true};
    Evaluator& evaluator = evaluators_[motions_[i]].evaluator;
    if (refused(evaluator.evaluate(mechanisms_[i], options, metrics_[i]), i, out)) return;
    parts_[i].metrics = &metrics_[i];
  }
  combine(parts_, out.metrics);
  out.computable = true;
  if (falls_.any()) {
    judge_.take(design_.parameters(), pair_, out);
    judge_.hold_against_cheap_constraints(out);
    out.computable = out.status == CaseStatus::feasible && falls_.run(design_, out);
    if (!out.computable) return;
  }
  judge(out);
}

bool DeviatedCase::take_apart(std::vector<AffineLoads>& loads, CaseOutcome& out) {
  loads.resize(motions_.size());
  for (std::size_t i = 0; i < motions_.size(); ++i)
    if (refused(evaluators_[motions_[i]].evaluator.take_apart(mechanisms_[i], loads[i]), i, out))
      return false;
  for (AffineLoads& motion : loads) motion.add_bent_springs();  // of which none deviates here
  return true;
}

void DeviatedCase::judge(CaseOutcome& out) {
  judge_.judge(design_.parameters(), pair_, out);
  judge_.hold_against_constraints(out);
}

namespace {

/// One design on its way through the box.
class BoxWalk {
 public:
  BoxWalk(const Study& study, const ToleranceBox& box, std::span<const ToleranceInterval> intervals,
          std::size_t objective, DeviatedCase& at)
      : objective_(study.objectives[objective]),
        index_(objective),
        box_(box),
        intervals_(intervals),
        case_(at) {}

  /// Evaluates the design with these parameters over all springs. Returns false, with the reason,
  /// where it is infeasible.
  bool look(std::span<const ParameterSetting> settings) {
    return case_.bind(settings, outcome_) && inside() && over_springs();
  }

  [[nodiscard]] WorstCase result() const {
    WorstCase worst;
    worst.infeasible = outcome_.status != CaseStatus::feasible;
    worst.reason = outcome_.reason;
    worst.value = found_.value_or(0.0);
    worst.upper_bound = upper_bound_;
    return worst;
  }

 private:
  /// The springs as they are.
  bool inside() {
    case_.evaluate(outcome_);
    return take();
  }

  bool take() {
    if (outcome_.status != CaseStatus::feasible) return false;
    const double value = outcome_.objectives[index_];
    found_ = std::max(found_.value_or(value), value);
    return true;
  }

  bool over_springs() {
    if (box_.spring_parts().empty()) return true;
    if (!case_.take_apart(loads_, outcome_)) return false;
    const std::span<const Mechanism> mechanisms = case_.mechanisms();
    motions_.resize(loads_.size());
    for (std::size_t i = 0; i < loads_.size(); ++i) {
      motions_[i].corners = corners_of(mechanisms[i], box_, intervals_);
      std::swap(motions_[i].loads, loads_[i]);
      if (const auto finding =
              first_broken_limit(mechanisms[i], motions_[i].loads, motions_[i].corners)) {
        outcome_.refuse(case_.describe(*finding, i), finding->violation);
        return false;
      }
    }
    if (case_.falls()) return true;  // their metrics are known where a design falls, only
    BoxMetrics metrics(motions_, case_.parts(), outcome_.metrics, most_corners);
    upper_bound_ = upper_bound_ || !is_attained(metrics);
    for (std::size_t corner = 0; corner < metrics.count(); ++corner) {
      outcome_.begin();
      static_cast<Metrics&>(outcome_.metrics) = metrics.at(corner);
      case_.judge(outcome_);
      if (!take()) return false;
    }
    return true;
  }

  /// Whether the largest value found is one that the objective can have.
  [[nodiscard]] bool is_attained(const BoxMetrics& metrics) const {
    if (metrics.every_corner()) return true;
    if (objective_.expression) return false;
    if (objective_.statistic == Statistic::max || objective_.statistic == Statistic::peak_power)
      return true;
    return objective_.actuators.size() == 1 &&
           metrics.attained(static_cast<std::size_t>(objective_.actuators.front()));
  }

  const Objective& objective_;
  std::size_t index_;
  const ToleranceBox& box_;
  std::span<const ToleranceInterval> intervals_;
  DeviatedCase& case_;
  CaseOutcome outcome_;
  std::vector<AffineLoads> loads_;
  std::vector<BoxMotion> motions_;
  std::optional<double> found_;
  bool upper_bound_ = false;
};

}  // namespace

WorstCase worst_case(const Study& study, const ToleranceBox& box,
                     std::span<const ToleranceInterval> intervals,
                     std::span<const std::vector<double>> samples, std::size_t objective,
                     DeviatedCase& at) {
  BoxWalk walk(study, box, intervals, objective, at);
  std::vector<ParameterSetting> settings;
  bool feasible = walk.look(settings);
  for (std::size_t i = 0; feasible && i < samples.size(); ++i) {
    box.settings(intervals, samples[i], settings);
    feasible = walk.look(settings);
  }
  return walk.result();
}

}  // namespace counterpoise
