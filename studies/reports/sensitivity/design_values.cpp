#include "studies/reports/sensitivity/design_values.hpp"

#include <algorithm>
#include <limits>
#include <mutex>
#include <utility>

#include "cases/case_evaluator.hpp"
#include "cases/case_order.hpp"
#include "cases/threads.hpp"

namespace counterpoise {
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
    if (study.motion_variable >= 0)
      point_[static_cast<std::size_t>(study.motion_variable)] = plan.motion_levels[motion];
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

}  // namespace counterpoise
