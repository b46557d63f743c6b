#include "studies/planning/rehearsal.hpp"

#include "cases/case_evaluator.hpp"
#include "cases/case_rows.hpp"
#include "cases/clock.hpp"
#include "studies/planning/stage_walk.hpp"

namespace counterpoise {
namespace {

/// 0 .. count - 1, each once, every beginning spread over all of them: the numbers that count in
/// binary from the highest digit.
std::vector<std::size_t> spread(std::size_t count) {
  std::size_t digits = 1;
  while (digits < count) digits *= 2;
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < digits; ++i) {
    std::size_t reversed = 0;
    for (std::size_t bit = 1; bit < digits; bit *= 2)
      if ((i & bit) != 0) reversed += digits / (2 * bit);
    if (reversed < count) order.push_back(reversed);
  }
  return order;
}

StageCounts minus(const StageCounts& all, const StageCounts& before) {
  StageCounts rest{};
  for (std::size_t i = 0; i < stage_count; ++i)
    rest[i] = {all[i].runs - before[i].runs, all[i].reused - before[i].reused,
               all[i].seconds - before[i].seconds};
  return rest;
}

/// In SQLite: a key and a length, a byte a column that says its type, numbers and texts themselves.
double stored_bytes(const StoreLayout& layout, const RowBatch& rows, std::size_t row) {
  const std::size_t always = 3;  // id, status, reason
  const std::size_t results = layout.metrics.size() + layout.objectives.size();
  std::size_t bytes = 6 + always + layout.variables.size() + results + 8 * rows.numbers(row).size();
  bytes += status_name(static_cast<CaseStatus>(rows.status(row))).size();
  bytes += rows.reason(row).size();
  for (const std::string_view text : rows.texts(row)) bytes += text.size();
  return static_cast<double>(bytes);
}

}  // namespace

Rehearsed rehearse(const Study& study, const std::vector<RunStretch>& stretches,
                   double most_seconds) {
  Rehearsed result;
  const Clock::time_point begun = Clock::now();
  CaseEvaluator evaluator(study, {Reuse::remember, study.search() == nullptr});
  evaluator.set_baselines(std::make_shared<const Baselines>(evaluator.evaluate_baselines()));
  result.setup_seconds = seconds_since(begun);
  const EvaluationCounts first = evaluator.counts();
  result.first = first.stages;

  StageWalk walk(study);
  walk.see_baselines();
  const StageCounts walked_first = walk.counts();

  const StoreLayout layout = layout_of(study);
  const RowMaker maker(study);
  RowBatch rows(layout);
  CaseOutcome outcome;
  const std::size_t width = study.variables.size();
  const Clock::time_point start = Clock::now();
  double case_seconds = 0.0;
  for (const std::size_t s : spread(stretches.size())) {
    const std::span<const double> points(stretches[s]);
    rows.clear();
    const Clock::time_point from = Clock::now();
    std::size_t done = 0;
    for (; done < points.size(); done += width) {
      if (result.cases > 0 && seconds_since(start) >= most_seconds) break;
      const auto point = points.subspan(done, width);
      evaluator.evaluate(point, outcome);
      maker.add(++result.cases, point, outcome, rows);
    }
    case_seconds += seconds_since(from);
    for (std::size_t i = 0; i < done; i += width) walk.see(points.subspan(i, width));
    for (std::size_t row = 0; row < rows.size(); ++row) {
      if (rows.status(row) == Status::feasible) ++result.feasible;
      result.stored_bytes += stored_bytes(layout, rows, row);
      result.reason_bytes += static_cast<double>(rows.reason(row).size());
    }
  }
  const EvaluationCounts counts = evaluator.counts();
  result.counts = minus(counts.stages, result.first);
  result.falls.runs = counts.falls.runs - first.falls.runs;
  result.falls.seconds = counts.falls.seconds - first.falls.seconds;
  result.at_most = minus(walk.counts(), walked_first);
  result.other_seconds = case_seconds - result.falls.seconds;
  for (const StageCount& counted : result.counts) result.other_seconds -= counted.seconds;
  result.other_seconds = std::max(result.other_seconds, 0.0);
  return result;
}

}  // namespace counterpoise
