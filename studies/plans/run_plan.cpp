#include "studies/plans/run_plan.hpp"

#include <oneapi/tbb/info.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

#include "cases/case_evaluator.hpp"
#include "cases/case_rows.hpp"
#include "cases/clock.hpp"
#include "cases/run_options.hpp"
#include "cases/sample_queue.hpp"
#include "cases/searches.hpp"
#include "engine/mechanism/stage.hpp"
#include "input/definition/study.hpp"
#include "studies/plans/stage_walk.hpp"

namespace counterpoise {

/// Counts and times measured by evaluating some of a study's cases.
struct Rehearsed {
  std::int64_t cases = 0, feasible = 0;
  StageCounts counts{};   // of these cases
  StageCounts at_most{};  // what StageWalk counts for these cases
  StageCounts first{};    // of the baselines evaluated before, whose runs also allocate all memory
  StageCount falls;       // of these cases
  double setup_seconds = 0.0;  // time before the first case: for an evaluator and the baselines
  double other_seconds = 0.0;  // time of all these cases outside the stages
  double stored_bytes = 0.0;   // size of their rows in a file
  double reason_bytes = 0.0;   // size of their reasons
};

/// Cases that follow each other in the order of evaluation: their points, one after the other.
using RunStretch = std::vector<double>;

/// Evaluates stretches of cases, one case at least, until all are done or `most_seconds` have
/// passed. The order is such that the evaluated ones are spread over all stretches whenever it
/// ends. Stores nothing. Throws what CaseEvaluator does.
Rehearsed rehearse(const Study& study, const std::vector<RunStretch>& stretches,
                   double most_seconds);

namespace {

constexpr std::int64_t most_walked = 300'000;  // cases
constexpr std::int64_t stretches = 192, stretch_length = 64;
constexpr std::int64_t search_points = 256;
constexpr double search_store_time = 0.25;  // [s]; between batches of a start's rows

// Measured on a machine with two cores and a disk that is quick to synchronise: 47,570 rows of 31
// columns, a sixth of them feasible, take 1.15 us each (218 bytes); all feasible, 1.35 us (293
// bytes); a file is born and finished in 3 ms.
constexpr double seconds_of_row = 0.6e-6, seconds_of_byte = 2.5e-9, seconds_of_file = 3e-3;
// Where only some cases are kept, each costs its place in the sample and the totals of its columns;
// a column's totals take some bins of a histogram.
constexpr double seconds_of_case = 0.08e-6, seconds_of_total = 8e-9, bytes_of_totals = 4096.0;
constexpr double program_bytes = 16.5e6;         // a run of a few cases but for the cache, measured
constexpr double store_cache = 8.0 * (1 << 20);  // bytes

/// The cases of a plan as they pass by.
class Walk {
 public:
  explicit Walk(const Study& study) : stages(study) {}

  /// How many there will be.
  void expect(std::int64_t cases) { step_ = std::max(cases / stretches, stretch_length); }
  void see(std::span<const double> point) {
    stages.see(point);
    if (seen % step_ == 0) rehearsal.emplace_back();
    if (seen % step_ < stretch_length)
      rehearsal.back().insert(rehearsal.back().end(), point.begin(), point.end());
    ++seen;
  }

  StageWalk stages;
  std::int64_t seen = 0;
  std::vector<RunStretch> rehearsal;
  double order_seconds = 0.0;  // of putting them in order

 private:
  std::int64_t step_ = 1;  // from the start of a stretch to the next
};

void see_window(const Study& study, const IdRange& window, CaseOrder& order, Walk& walk) {
  const Clock::time_point start = Clock::now();
  std::vector<std::uint32_t> offsets;
  std::vector<double> points, point(study.variables.size());
  const std::int64_t base = order.arrange(window, offsets, points);
  walk.order_seconds += seconds_since(start);
  PointSource source(study);
  for (std::size_t i = 0; i < offsets.size(); ++i) {
    if (points.empty())
      source.point(base + offsets[i], point);
    else
      std::copy_n(points.begin() + static_cast<std::ptrdiff_t>(i * point.size()), point.size(),
                  point.begin());
    walk.see(point);
  }
}

std::vector<IdRange> windows_of(const CaseOrder& order, const IdRange& range) {
  std::vector<IdRange> windows;
  for (std::int64_t next = range.first; next <= range.last; next = windows.back().last + 1)
    windows.push_back(order.window(next, range.last));
  return windows;
}

/// Goes through as many windows as there is time for: a few series of windows in a row, spread over
/// all of them, so that few of these windows begin with other remembered results than in the run.
std::vector<IdRange> affordable(const std::vector<IdRange>& windows, std::int64_t largest) {
  const std::size_t all = windows.size();
  const auto most = static_cast<std::size_t>(std::max<std::int64_t>(most_walked / largest, 1));
  if (all <= most) return windows;
  const std::size_t places = std::min<std::size_t>(most, 3), length = most / places;
  std::vector<IdRange> some;
  for (std::size_t place = 0; place < places; ++place)
    for (std::size_t i = 0; i < length; ++i)
      some.push_back(windows[place * (all - length) / std::max<std::size_t>(places - 1, 1) + i]);
  return some;
}

/// Walks the windows of a range of cases, or some of them. Returns the largest of all.
std::int64_t walk_samples(const Study& study, const IdRange& range, std::int64_t largest,
                          Walk& walk) {
  CaseOrder order(study, largest);
  std::vector<IdRange> windows = windows_of(order, range);
  largest = 0;
  for (const IdRange& window : windows) largest = std::max(largest, window.size());
  if (range.size() > most_walked) windows = affordable(windows, largest);
  std::int64_t cases = 0;
  for (const IdRange& window : windows) cases += window.size();
  walk.expect(cases);
  for (const IdRange& window : windows) see_window(study, window, order, walk);
  return largest;
}

/// A search moves all its variables at once; where to matters little here.
void walk_search(const Study& study, Walk& walk) {
  std::mt19937_64 random(study.search()->seed);
  std::vector<double> point(study.variables.size());
  walk.expect(search_points);
  for (std::int64_t i = 0; i < search_points; ++i) {
    for (std::size_t v = 0; v < point.size(); ++v)
      point[v] = std::uniform_real_distribution<double>(study.variables[v].low,
                                                        study.variables[v].high)(random);
    walk.see(point);
  }
}

void forecast_stages(const StageCounts& counts, const Rehearsed& rehearsed, RunPlan& plan) {
  for (std::size_t i = 0; i < stage_count; ++i) {
    StageForecast& stage = plan.stages[i];
    stage.stage = static_cast<Stage>(i);
    stage.runs = counts[i].runs;
    stage.of = counts[i].runs + counts[i].reused;
    const StageCount& seen =
        rehearsed.counts[i].runs > 0 ? rehearsed.counts[i] : rehearsed.first[i];
    if (seen.runs == 0) continue;
    stage.seconds_per_run = seen.seconds / static_cast<double>(seen.runs);
    // infeasible cases stop early
    const double share = rehearsed.at_most[i].runs == 0
                             ? 1.0
                             : static_cast<double>(rehearsed.counts[i].runs) /
                                   static_cast<double>(rehearsed.at_most[i].runs);
    stage.seconds = stage.seconds_per_run * static_cast<double>(stage.runs) * share;
  }
}

/// The size of a results file without cases.
double empty_file_bytes(const Study& study) {
  double bytes = 8.0 * 16384;  // a page a table and index, or two
  for (const SourceText& source : study.sources) bytes += static_cast<double>(source.text.size());
  return bytes;
}

/// Cases that a file keeps, without its front, of which nothing is known beforehand.
double kept_cases(const Study& study, double cases) {
  if (!study.keep) return cases;
  double kept = static_cast<double>(study.keep->best) +
                static_cast<double>(study.keep->sample) * cases /
                    std::max(static_cast<double>(study.case_count()), 1.0);
  for (const int variable : study.keep->per)
    kept += static_cast<double>(study.variables[static_cast<std::size_t>(variable)].level_count());
  return std::min(kept, cases);
}

/// Workers and writer share the processors; the run lasts as long as the slowest of them, and then
/// until the rows of the last window are written.
double clock_seconds(const RunPlan& plan, int processors, double setup_seconds,
                     std::int64_t window) {
  double work = plan.other_seconds;
  for (const StageForecast& stage : plan.stages) work += stage.seconds;
  work += plan.falls.seconds;
  const int workers = std::min(plan.threads, processors);
  const double last = plan.store_seconds * static_cast<double>(std::min(window, plan.cases)) /
                      static_cast<double>(std::max<std::int64_t>(plan.cases, 1));
  const double meanwhile = plan.store_seconds - last;
  return setup_seconds + last +
         std::max({work / workers, meanwhile, (work + meanwhile) / processors});
}

/// program + workers * what their stages remember
///         + cases under way * (row + reason or failure + place in the order + point, where sorted
///                              + place in the store's list)
///         + what SQLite has for the file
/// `evaluators`: that work at the same time.
double resident_bytes(const Study& study, const StoreLayout& layout, const RunPlan& plan,
                      int evaluators, std::int64_t in_windows, double reason_bytes,
                      double remembered) {
  const auto width = static_cast<double>(study.variables.size() * sizeof(double));
  const double reason =
      reason_bytes + 2 * sizeof(std::size_t) + sizeof(std::int32_t);  // and places
  // an infeasible row has no results
  const double results =
      static_cast<double>((layout.metrics.size() + layout.objectives.size()) * sizeof(double));
  // what grows by doubling has half as much again in the mean
  const double failure = 1.5 * sizeof(FailureRow);
  const double listed = 1.5 * (sizeof(std::int64_t) + sizeof(void*) + sizeof(std::size_t));
  const double row = static_cast<double>(RowBatch::bytes_of_row(layout)) +
                     (1.0 - plan.feasible_share) * (failure - results) + sizeof(std::uint32_t) +
                     width + reason + listed;
  // of samples a few windows; of a search what it does until it stores
  const auto cases = static_cast<double>(plan.cases);
  const double under_way = plan.search
                               ? std::min(cases * std::min(search_store_time / plan.seconds, 1.0),
                                          static_cast<double>(longest_batch) * evaluators)
                               : std::min(static_cast<double>(in_windows), cases);
  // failed cases are evaluated on by one more thread while the last rows are stored
  const int besides = plan.search || plan.threads == 1 ? 0 : 1;
  return program_bytes + (evaluators + besides) * remembered + under_way * row + store_cache;
}

}  // namespace

RunPlan plan_run(const Study& study, const RunOptions& options, double longest_rehearsal) {
  check_search(study);
  const StoreLayout layout = layout_of(study);
  check_layout(layout);
  RunPlan plan;
  plan.search = study.search() != nullptr;
  const int processors = tbb::info::default_concurrency();
  plan.threads = options.threads > 0 ? options.threads : processors;
  const IdRange range =
      range_of(options.shard, plan.search ? study.search()->starts : study.case_count());
  plan.cases = plan.search ? range.size() * study.search()->max_evaluations : range.size();
  std::int64_t window = 0;  // the largest; a search has none
  const std::int64_t allowed = largest_window(layout, options.window);

  Walk walk(study);
  walk.stages.see_baselines();
  if (plan.search) {
    walk.stages.forget();
    walk_search(study, walk);
  } else {
    window = walk_samples(study, range, allowed, walk);
  }
  plan.walked = walk.seen;
  const double factor =
      walk.seen == 0 ? 0.0 : static_cast<double>(plan.cases) / static_cast<double>(walk.seen);
  const int evaluators = plan.search ? static_cast<int>(range.size()) : plan.threads;
  const Rehearsed rehearsed = rehearse(study, walk.rehearsal, longest_rehearsal);
  forecast_stages(walk.stages.forecast(factor, evaluators), rehearsed, plan);

  const auto cases = static_cast<double>(plan.cases);
  const double per_rehearsed =
      rehearsed.cases == 0 ? 0.0 : cases / static_cast<double>(rehearsed.cases);
  plan.rehearsed = rehearsed.cases;
  plan.feasible_share = rehearsed.cases == 0 ? 0.0
                                             : static_cast<double>(rehearsed.feasible) /
                                                   static_cast<double>(rehearsed.cases);
  plan.other_seconds = rehearsed.other_seconds * per_rehearsed + walk.order_seconds * factor;
  plan.falls.runs = std::llround(static_cast<double>(rehearsed.falls.runs) * per_rehearsed);
  plan.falls.seconds = rehearsed.falls.seconds * per_rehearsed;
  const double kept = kept_cases(study, cases);
  plan.kept = std::llround(kept);
  plan.file_bytes = rehearsed.stored_bytes * per_rehearsed * (cases > 0.0 ? kept / cases : 0.0) +
                    empty_file_bytes(study);
  plan.store_seconds = seconds_of_file + seconds_of_row * kept + seconds_of_byte * plan.file_bytes;
  if (study.keep) {
    const auto columns = static_cast<double>(layout.metrics.size() + layout.objectives.size());
    plan.file_bytes += columns * bytes_of_totals;
    plan.store_seconds +=
        cases * (seconds_of_case + seconds_of_total * columns * plan.feasible_share);
  }
  plan.seconds = clock_seconds(plan, processors, rehearsed.setup_seconds, window);
  const double reason_bytes =
      rehearsed.cases == 0 ? 0.0 : rehearsed.reason_bytes / static_cast<double>(rehearsed.cases);
  const std::int64_t in_windows = window * most_windows(window, allowed);
  const auto at_once = static_cast<int>(std::min<std::int64_t>(plan.threads, range.size()));
  plan.resident_bytes = resident_bytes(study, layout, plan, at_once, in_windows, reason_bytes,
                                       walk.stages.remembered_bytes());
  return plan;
}

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
