#include "cases/case_rows.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cases/case_evaluator.hpp"
#include "cases/case_points.hpp"
#include "cases/provenance.hpp"
#include "results/rows/rows.hpp"

namespace counterpoise {
namespace {

Status status_of(const CaseOutcome& outcome) {
  return static_cast<Status>(outcome.status);
}

std::vector<double> stored_metrics(const Study& study, const CaseOutcome& outcome) {
  std::vector<double> values;
  if (outcome.status != CaseStatus::feasible) return values;
  for (int metric : study.stored)
    values.push_back(value_of(outcome.metrics, study.metrics[metric]));
  return values;
}

BaselineRow baseline_row(const Study& study, std::string name, const std::string& motion,
                         const CaseOutcome& outcome) {
  BaselineRow row;
  row.name = std::move(name);
  row.motion = motion;
  row.status = status_of(outcome);
  row.reason = outcome.reason;
  row.metrics = stored_metrics(study, outcome);
  if (outcome.status == CaseStatus::feasible) row.objectives = outcome.objectives;
  return row;
}

std::string kind_name(VariableKind kind) {
  switch (kind) {
    case VariableKind::values:
      return "values";
    case VariableKind::levels:
    case VariableKind::continuous:
      return "range";
    case VariableKind::catalogue:
      return "catalogue";
    case VariableKind::motion:
      return motion_kind;
  }
  return "values";
}

}  // namespace

StoreLayout layout_of(const Study& study) {
  StoreLayout layout;
  for (const Variable& variable : study.variables) {
    layout.variables.push_back(
        {variable.name, variable.numeric() ? ColumnType::real : ColumnType::text});
    if (variable.kind == VariableKind::catalogue)
      layout.variables.push_back({variable.name + ".row", ColumnType::integer});
  }
  for (int metric : study.stored) layout.metrics.push_back(study.metrics[metric].name);
  for (const Objective& objective : study.objectives) layout.objectives.push_back(objective.name);
  return layout;
}

Birth birth_of(const Study& study, const Baselines& baselines, const Shard& shard) {
  Birth birth;
  birth.study = provenance_of(study, shard);
  birth.layout = layout_of(study);
  for (const Variable& variable : study.variables)
    birth.variables.push_back({variable.name, kind_name(variable.kind), variable.definition});

  for (const FailureName& name : failure_names(study))
    birth.failure_names.push_back(
        {static_cast<std::int64_t>(name.kind), name.of, name.element, name.what, name.unit});

  const Variable* choice =
      study.motion_variable < 0 ? nullptr : &study.variables[study.motion_variable];
  for (std::size_t p = 0; p < baselines.pairs.size(); ++p) {
    const bool chosen =
        choice == nullptr || std::find(choice->motions.begin(), choice->motions.end(),
                                       static_cast<int>(p)) != choice->motions.end();
    if (!chosen) continue;
    const std::string motion = choice == nullptr ? "" : study.motions[p].name;
    const Baselines::Pair& pair = baselines.pairs[p];
    birth.baselines.push_back(baseline_row(study, baseline_name, motion, pair.baseline));
    birth.baselines.push_back(
        baseline_row(study, without_springs_name, motion, pair.without_springs));
  }
  return birth;
}

RowMaker::RowMaker(const Study& study) : study_(&study) {
  for (int metric : study.stored) metrics_.emplace_back(study.metrics[metric]);
}

void RowMaker::add(std::int64_t id, std::span<const double> point, const CaseOutcome& outcome,
                   RowBatch& batch) const {
  const RowBatch::Cells cells = batch.add(id, status_of(outcome), outcome.reason);
  auto number = cells.numbers.begin();
  auto text = cells.texts.begin();
  for (std::size_t v = 0; v < point.size(); ++v) {
    const Variable& variable = study_->variables[v];
    if (!variable.discrete()) {
      *number++ = point[v];
      continue;
    }
    const auto level = static_cast<std::size_t>(point[v]);
    if (variable.numeric())
      *number++ = variable.values[level];
    else
      *text++ = variable.labels[level];
    if (variable.kind == VariableKind::catalogue) *number++ = variable.rows[level];
  }
  if (!outcome.failures.empty()) {
    const Failure& first = outcome.failures.front();
    batch.set_failure({0, static_cast<std::int64_t>(first.kind), first.of, first.motion, first.time,
                       first.value, first.bound});
  }
  if (outcome.status != CaseStatus::feasible) return;
  for (const MetricPlace& metric : metrics_) *number++ = metric.of(outcome.metrics);
  std::copy(outcome.objectives.begin(), outcome.objectives.end(), number);
}

CaseRow row_of(const Study& study, std::int64_t id, std::span<const double> point,
               const CaseOutcome& outcome) {
  RowBatch batch(layout_of(study));
  RowMaker(study).add(id, point, outcome, batch);
  return batch.row(0);
}

std::vector<double> point_of(const Study& study, const CaseRow& row) {
  std::vector<double> point;
  std::size_t column = 0;
  const auto level_of = [&](const Variable& variable, const auto& choices, const auto& choice) {
    const auto at = std::find(choices.begin(), choices.end(), choice);
    if (at == choices.end())
      throw StoreError(StoreError::Kind::unusable,
                       fmt::format("case {}: the stored choice of variable {} is none of the "
                                   "study's: the results are damaged",
                                   row.id, variable.name));
    return static_cast<double>(at - choices.begin());
  };
  for (const Variable& variable : study.variables) {
    const Value& value = row.variables[column++];
    if (variable.kind == VariableKind::catalogue)
      point.push_back(
          level_of(variable, variable.rows, std::get<std::int64_t>(row.variables[column++])));
    else if (variable.kind == VariableKind::motion)
      point.push_back(level_of(variable, variable.labels, std::get<std::string>(value)));
    else
      point.push_back(variable.discrete()
                          ? level_of(variable, variable.values, std::get<double>(value))
                          : std::get<double>(value));
  }
  return point;
}

std::optional<CaseRow> any_case(const ResultsFile& results, std::int64_t id) {
  std::optional<CaseRow> row = results.find(id);
  if (row || !results.keep_rule() || !results.evaluated().contains(id)) return row;
  const Study study = stored_study(results);
  CaseEvaluator evaluator(study);
  evaluator.set_baselines(std::make_shared<const Baselines>(evaluator.evaluate_baselines()));
  std::vector<double> point(study.variables.size());
  PointSource(study).point(id, point);
  CaseOutcome outcome;
  evaluator.evaluate(point, outcome);
  return row_of(study, id, point, outcome);
}

}  // namespace counterpoise
