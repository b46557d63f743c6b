#include "studies/run_plan.hpp"

#include <oneapi/tbb/info.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

#include "cases/case_rows.hpp"
#include "cases/clock.hpp"
#include "cases/sample_queue.hpp"
#include "cases/searches.hpp"
#include "results/sqlite/schema.hpp"
#include "springs/exact.hpp"
#include "studies/run.hpp"

namespace counterpoise {
namespace {

using Points = std::vector<std::vector<double>>;

constexpr std::int64_t stretches = 16, stretch_length = 33;  // cases
constexpr std::size_t most_geometries = 64;
constexpr double patience = 4.0;  // for one geometry, in times of all
// Measured on a machine with two cores and a disk that is quick to synchronise.
constexpr double seconds_of_row = 0.6e-6, seconds_of_byte = 2.5e-9;

/// Points of the study at which these variables lie anywhere in their ranges.
Points random_points(const Study& study, const std::vector<int>& moved, std::int64_t count,
                     std::mt19937_64& random) {
  Points points(static_cast<std::size_t>(count), std::vector<double>(study.variables.size()));
  for (std::vector<double>& point : points)
    for (const int v : moved) {
      const Variable& variable = study.variables[v];
      point[v] = std::uniform_real_distribution<double>(variable.low, variable.high)(random);
    }
  return points;
}

/// The points of a run's cases in the order of their evaluation.
class PointsInOrder {
 public:
  PointsInOrder(const Study& study, const RunOptions& options, const StoreLayout& layout,
                const IdRange& places)
      : places_(places),
        is_grid_(std::get<Sampling>(study.method).method == SamplingMethod::grid),
        width_(study.variables.size()),
        order_(study, largest_window(layout, options.window)),
        source_(study) {}

  /// The points of `count` cases in a row, or fewer, after the first `before`.
  Points after(std::int64_t before, std::int64_t count) {
    // samples are sorted window by window; a window of a grid may begin anywhere
    const std::int64_t skipped = is_grid_ ? 0 : before % order_.largest();
    const IdRange window = order_.window(places_.first + before - skipped, places_.last);
    std::vector<std::uint32_t> offsets;
    std::vector<double> known;
    const std::int64_t base = order_.arrange(window, offsets, known);
    Points points;
    const std::size_t end = std::min(static_cast<std::size_t>(skipped + count), offsets.size());
    for (auto i = static_cast<std::size_t>(skipped); i < end; ++i) {
      std::vector<double>& point = points.emplace_back(width_);
      if (known.empty())
        source_.point(base + offsets[i], point);
      else
        std::copy_n(known.begin() + static_cast<std::ptrdiff_t>(i * width_), width_, point.begin());
    }
    return points;
  }

 private:
  IdRange places_;
  bool is_grid_;
  std::size_t width_;
  CaseOrder order_;
  PointSource source_;
};

/// In SQLite: a key and a length, a byte a column that says its type, numbers and texts themselves.
double stored_bytes(const StoreLayout& layout, const RowBatch& rows, std::size_t row) {
  const std::size_t always = 3;  // id, status, reason
  std::size_t bytes = 6 + always + layout.variables.size() + layout.metrics.size() +
                      layout.objectives.size() + 8 * rows.numbers(row).size();
  bytes += status_name(static_cast<CaseStatus>(rows.status(row))).size() + rows.reason(row).size();
  for (const std::string_view text : rows.texts(row)) bytes += text.size();
  constexpr std::size_t why_it_failed = 33;  // in a table of its own
  if (static_cast<CaseStatus>(rows.status(row)) != CaseStatus::feasible) bytes += why_it_failed;
  return static_cast<double>(bytes);
}

/// The number of cases that a file keeps, without its front, whose size is not known beforehand.
double kept_cases(const Study& study, double cases) {
  if (!study.keep) return cases;
  double kept = static_cast<double>(study.keep->best) +
                static_cast<double>(study.keep->sample) * cases /
                    std::max(static_cast<double>(study.case_count()), 1.0);
  for (const int variable : study.keep->per)
    kept += static_cast<double>(study.variables[variable].level_count());
  return std::min(kept, cases);
}

/// As many threads as are wanted and have a processor and work.
int threads_for(const RunOptions& options, std::int64_t tasks) {
  const int processors = tbb::info::default_concurrency();
  const int wanted = options.threads > 0 ? std::min(options.threads, processors) : processors;
  return static_cast<int>(std::clamp<std::int64_t>(tasks, 1, wanted));
}

RunPlan plan_cases(const Study& study, const RunOptions& options, double longest) {
  const StoreLayout layout = layout_of(study);
  check_layout(layout);
  const Search* const search = study.search();
  const IdRange range = range_of(options.shard, search ? start_count(study) : study.case_count());
  RunPlan plan;
  plan.kind = search ? RunPlan::Kind::search : RunPlan::Kind::cases;
  plan.count = search ? range.size() * search->max_evaluations : range.size();
  plan.threads = threads_for(options, range.size());

  const Clock::time_point begun = Clock::now();
  CaseEvaluator evaluator(study, {Reuse::remember, search == nullptr, false, false,
                                  planned_holding(study, plan.threads)});
  evaluator.set_baselines(std::make_shared<const Baselines>(evaluator.evaluate_baselines()));
  const double setup = seconds_since(begun);

  const std::unique_ptr<PointsInOrder> in_order =
      search ? nullptr : std::make_unique<PointsInOrder>(study, options, layout, range);
  std::mt19937_64 random(search ? search->seed : 0);
  std::vector<int> all(study.variables.size());
  std::iota(all.begin(), all.end(), 0);
  const RowMaker maker(study);
  RowBatch rows(layout);
  CaseOutcome outcome;
  double bytes = 0.0;
  const std::int64_t step = std::max<std::int64_t>(plan.count / stretches, 1);
  const Clock::time_point start = Clock::now();
  for (std::int64_t i = 0; i < stretches; ++i) {
    const std::int64_t before = 7 * i % stretches * step;  // whenever it ends, they are spread
    if (before >= plan.count) continue;
    if (plan.tried > 0 && seconds_since(start) > longest) break;
    const double until = longest * static_cast<double>(i + 1) / stretches;
    const std::int64_t count = std::min({stretch_length, step, plan.count - before});
    // the first case computes what others of its neighbourhood have left to it in a run
    double first = 0.0, others = 0.0;
    rows.clear();
    for (const std::vector<double>& point :
         search ? random_points(study, all, count, random) : in_order->after(before, count)) {
      if (rows.size() > 0 && seconds_since(start) > until) break;
      const Clock::time_point from = Clock::now();
      evaluator.evaluate(point, outcome);
      maker.add(++plan.tried, point, outcome, rows);
      (rows.size() == 1 ? first : others) += seconds_since(from);
    }
    plan.each.push_back(rows.size() > 1 ? others / static_cast<double>(rows.size() - 1) : first);
    for (std::size_t row = 0; row < rows.size(); ++row) {
      plan.feasible += rows.status(row) == Status::feasible ? 1 : 0;
      bytes += stored_bytes(layout, rows, row);
    }
  }
  std::sort(plan.each.begin(), plan.each.end());

  const auto cases = static_cast<double>(plan.count);
  const double kept = kept_cases(study, cases);
  plan.kept = std::llround(kept);
  plan.bytes_per_row = plan.tried > 0 ? bytes / static_cast<double>(plan.tried) : 0.0;
  const double storing = kept * (seconds_of_row + seconds_of_byte * plan.bytes_per_row);
  // workers and the thread that writes share the processors
  const auto clock_time = [&](double each) {
    const double work = std::max(each, 0.0) * cases;
    return setup + std::max({work / plan.threads, storing,
                             (work + storing) / tbb::info::default_concurrency()});
  };
  plan.seconds = clock_time(plan.mean());
  plan.least = clock_time(plan.mean() - plan.doubt());
  plan.most = clock_time(plan.mean() + plan.doubt());
  return plan;
}

RunPlan plan_geometries(const Study& study, const RunOptions& options, double longest) {
  using Kind = RunPlan::Kind;
  const Search& search = *study.search();
  Clock::time_point begin = Clock::time_point::max();  // of trying
  GeometrySizer sizer(study, Interruption([&] {
                        return options.interrupted.asked() ||
                               seconds_since(begin) > patience * longest;
                      }));
  RunPlan plan;
  const std::int64_t starts = range_of(options.shard, start_count(study)).size();
  plan.kind = search.proof               ? Kind::proof
              : sizer.geometry().empty() ? Kind::single
                                         : Kind::geometries;
  plan.count = search.proof                ? search.proof->max_simplices
               : plan.kind == Kind::single ? starts
                                           : starts * search.max_evaluations;
  plan.threads = threads_for(options, search.proof ? search.proof->max_simplices : starts);
  std::mt19937_64 random(search.seed);
  begin = Clock::now();
  const std::size_t most = plan.kind == Kind::single ? 1 : most_geometries;
  while (plan.each.size() < most && seconds_since(begin) < longest && plan.whole) {
    const Points point = random_points(study, sizer.geometry(), 1, random);
    const Clock::time_point from = Clock::now();
    try {
      plan.feasible += sizer.size(point.front()).value ? 1 : 0;
    } catch (const Interrupted&) {
      options.interrupted.poll();
      plan.whole = false;
    }
    plan.each.push_back(seconds_since(from));
  }
  std::sort(plan.each.begin(), plan.each.end());
  plan.tried = static_cast<std::int64_t>(plan.each.size());
  const auto clock_time = [&](double each) {
    return each * static_cast<double>(plan.count) / plan.threads;
  };
  plan.seconds = clock_time(plan.mean());
  plan.least = clock_time(plan.each.front());
  plan.most = clock_time(plan.each.back());
  return plan;
}

}  // namespace

double RunPlan::file_bytes() const {
  constexpr double tables = 11.0;  // with the list of them
  return tables * bytes_of_page + bytes_per_row * static_cast<double>(kept);
}

double RunPlan::mean() const {
  const auto count = static_cast<double>(each.size());
  return each.empty() ? 0.0 : std::accumulate(each.begin(), each.end(), 0.0) / count;
}

double RunPlan::doubt() const {
  if (each.size() < 2) return 0.0;
  double squares = 0.0;
  for (const double one : each) squares += (one - mean()) * (one - mean());
  const auto count = static_cast<double>(each.size());
  return 2.0 * std::sqrt(squares / (count - 1.0) / count);
}

RunPlan plan_run(const Study& study, const RunOptions& options, double longest) {
  check_search(study, options.interrupted);
  const Search* const search = study.search();
  return search != nullptr && search->method == SearchMethod::exact_springs
             ? plan_geometries(study, options, longest)
             : plan_cases(study, options, longest);
}

}  // namespace counterpoise
