#include <fmt/format.h>
#include <oneapi/tbb/parallel_for.h>

#include <algorithm>
#include <chrono>
#include <mutex>
#include <stop_token>

#include "optimizer/search.hpp"
#include "studies/cases/case_rows.hpp"
#include "studies/running/handed_over.hpp"
#include "studies/running/run_cases.hpp"

namespace counterpoise {
namespace {

constexpr auto batch_time = std::chrono::milliseconds(250);
constexpr std::size_t longest_batch = 16'384;

std::string start_key(std::int64_t start) {
  return fmt::format("search.start.{}", start);
}

/// The model's own value of a variable that sets a parameter directly, else the middle.
double nominal_of(const Study& study, const Variable& variable) {
  const VariableTarget& target = variable.targets.front();
  const double middle = variable.low + (variable.high - variable.low) / 2.0;
  return target.expression
             ? middle
             : study.model->nominal_values[static_cast<std::size_t>(target.parameter)];
}

SearchOptions options_of(const Study& study, int start) {
  const Search& search = *study.search();
  SearchOptions options;
  for (const std::string& algorithm : search.algorithms) options.stages.push_back({algorithm});
  options.max_evaluations = search.max_evaluations;
  options.seed = search.seed;
  options.start = start;
  for (const Variable& variable : study.variables) {
    options.lower.push_back(variable.low);
    options.upper.push_back(variable.high);
    options.nominal.push_back(nominal_of(study, variable));
  }
  return options;
}

const char* words_for(Stopped why) {
  switch (why) {
    case Stopped::max_evaluations:
      return "max_evaluations";
    case Stopped::converged:
      return "converged";
    case Stopped::cancelled:
      return "cancelled";
  }
  return "";
}

/// The store, shared by the starts.
class SharedStore {
 public:
  explicit SharedStore(const RunState& state) : state_(state), done_(state.store.done_ids()) {
    progress_.done = static_cast<std::int64_t>(done_.size());
    progress_.total = state.study.case_count();
    state.report(progress_);
  }

  /// Whether a row of this id was stored by an earlier run.
  [[nodiscard]] bool contains(std::int64_t id) const { return done_.contains(id); }

  /// Stores rows and empties them.
  void add(RowBatch& rows, const std::vector<StudyEntry>& entries) {
    const std::scoped_lock lock(mutex_);
    state_.store.append({&rows, 1}, entries);
    progress_.done += static_cast<std::int64_t>(rows.size());
    progress_.fresh += static_cast<std::int64_t>(rows.size());
    rows.clear();
    state_.report(progress_);
  }

  void note(const StageCounts& counts, double seconds) {
    const std::scoped_lock lock(mutex_);
    counterpoise::add(counts, stages_);
    worker_seconds_ += seconds;
  }

  /// When all starts have ended.
  [[nodiscard]] RunSummary summary() {
    const std::scoped_lock lock(mutex_);
    RunSummary summary;
    summary.evaluated = progress_.fresh;
    summary.interrupted = state_.interrupted();
    summary.stages = stages_;
    summary.worker_seconds = worker_seconds_;
    return summary;
  }

 private:
  const RunState& state_;
  const IdSet done_;
  std::mutex mutex_;
  Progress progress_;
  StageCounts stages_{};
  double worker_seconds_ = 0.0;
};

void run_start(const RunState& state, int start, SharedStore& store) {
  const Study& study = state.study;
  CaseEvaluator evaluator(study, {state.options.reuse, false});
  evaluator.set_baselines(state.baselines);
  std::stop_source stop;
  CaseOutcome outcome;
  const RowMaker rows_of(study);
  RowBatch rows(state.store.layout());
  const auto begun = std::chrono::steady_clock::now();
  auto last = begun;
  std::int64_t id = std::int64_t{start} * study.search()->max_evaluations;

  const auto evaluate = [&](std::span<const double> x) {
    if (state.interrupted()) stop.request_stop();
    evaluator.evaluate(x, outcome);
    if (!store.contains(++id)) rows_of.add(id, x, outcome, rows);
    if (rows.size() >= longest_batch || std::chrono::steady_clock::now() - last > batch_time) {
      store.add(rows, {});
      last = std::chrono::steady_clock::now();
    }
    return Evaluation{outcome.computable ? outcome.objectives.front() : 0.0, outcome.violation,
                      outcome.computable};
  };
  const SearchSummary summary = search(options_of(study, start), evaluate, stop.get_token());
  std::vector<StudyEntry> entries;
  if (summary.why != Stopped::cancelled)
    entries.push_back({start_key(start), fmt::format("{} after {} evaluations",
                                                     words_for(summary.why), summary.evaluations)});
  store.add(rows, entries);
  store.note(evaluator.counts(),
             std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count());
}

}  // namespace

RunSummary run_searches(const RunState& state) {
  const IdRange range = range_of(state.options.shard, state.study.search()->starts);
  const std::vector<StudyEntry> entries = state.store.study();
  std::vector<int> open;
  for (std::int64_t start = range.first - 1; start < range.last; ++start) {
    const bool finished = std::any_of(entries.begin(), entries.end(), [&](const StudyEntry& e) {
      return e.key == start_key(start);
    });
    if (!finished) open.push_back(static_cast<int>(start));
  }
  SharedStore store(state);
  struct Starts {
    const RunState& state;
    const std::vector<int>& open;
    SharedStore& store;
  } starts{state, open, store};
  const HandedOver<Starts> shared(&starts);
  tbb::parallel_for(
      std::size_t{0}, open.size(),
      [shared](std::size_t i) {
        if (!shared->state.interrupted()) run_start(shared->state, shared->open[i], shared->store);
      },
      tbb::simple_partitioner());
  store.note(state.first.counts(), 0.0);
  return store.summary();
}

}  // namespace counterpoise
