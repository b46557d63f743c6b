#include "cases/searches.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <numeric>
#include <stop_token>

#include "cases/sample_queue.hpp"
#include "cases/threads.hpp"
#include "input/text/stored_json.hpp"

namespace counterpoise {
namespace {

constexpr auto batch_time = std::chrono::milliseconds(250);
constexpr std::size_t longest_batch = 16'384;  // rows of one start that wait for a transaction

/// The model's own value of a variable that sets a parameter directly, else the middle.
double nominal_of(const Study& study, const Variable& variable) {
  const VariableTarget& target = variable.targets.front();
  const double middle = variable.low + (variable.high - variable.low) / 2.0;
  return target.expression ? middle : study.model->nominal_values[target.parameter];
}

/// The key of the study table that says how many cases a start has that ended.
std::string cases_key(std::int64_t start) {
  return start_key(start) + ".cases";
}

/// The number of cases of a start that ended; nothing if it has not.
std::optional<std::int64_t> cases_of(const std::vector<StudyEntry>& entries, std::int64_t start) {
  const std::optional<std::string> stored = value_of(entries, cases_key(start));
  if (!stored) return std::nullopt;
  std::int64_t number = 0;
  const char* const last = stored->data() + stored->size();
  const auto [stop, error] = std::from_chars(stored->data(), last, number);
  if (error != std::errc() || stop != last) return std::nullopt;
  return number;
}

bool has_ended(const Search& search, const std::vector<StudyEntry>& entries, const IdSet& stored,
               std::int64_t start) {
  const std::optional<std::int64_t> count = cases_of(entries, start);
  if (!count) return false;
  const std::int64_t before = search.within > 0.0 ? 0 : start * search.max_evaluations;
  for (std::int64_t id = before + 1; id <= before + *count; ++id)
    if (!stored.contains(id)) return false;
  return true;
}

}  // namespace

std::string start_key(std::int64_t start) {
  return fmt::format("search.start.{}", start);
}

std::string choice_key(std::int64_t start) {
  return fmt::format("search.choice.{}", start);
}

SearchOptions search_options(const Study& study, const std::vector<int>& searched, int start) {
  const Search& search = *study.search();
  SearchOptions options;
  for (const std::string& algorithm : search.algorithms) options.stages.push_back({algorithm});
  options.max_evaluations = search.max_evaluations;
  options.seed = search.seed;
  options.start = start;
  options.tolerance = search.settings.tolerance;
  options.initial_step = search.settings.initial_step;
  options.idle_restarts = search.settings.restarts;
  options.population = search.settings.population;
  for (const int v : searched) {
    const Variable& variable = study.variables[v];
    options.lower.push_back(variable.low);
    options.upper.push_back(variable.high);
    options.nominal.push_back(nominal_of(study, variable));
  }
  return options;
}

std::optional<StartEnd> end_of(const SearchSummary& summary) {
  if (summary.why == Stopped::cancelled) return std::nullopt;
  return StartEnd{summary.why == Stopped::converged ? "converged" : "max_evaluations",
                  summary.evaluations};
}

void add_end(std::int64_t start, const StartEnd& end, std::vector<StudyEntry>& entries) {
  entries.push_back({start_key(start), end.reason});
  entries.push_back({cases_key(start), std::to_string(end.cases)});
}

std::int64_t start_count(const Study& study) {
  return study.search()->task_count() * study.search()->starts;
}

std::vector<int> open_starts(const RunState& state) {
  const Search& search = *state.study.search();
  const IdRange range = range_of(state.options.shard, start_count(state.study));
  const std::vector<StudyEntry> entries = state.store.study();
  const IdSet stored = state.store.done_ids();
  std::vector<int> open;
  for (std::int64_t start = range.first - 1; start < range.last; ++start)
    if (!has_ended(search, entries, stored, start)) open.push_back(static_cast<int>(start));
  return open;
}

void run_starts(const RunState& state, const std::vector<int>& starts,
                const std::function<void(int)>& run) {
  parallel_each(starts.size(), [&](std::size_t i) {
    if (state.interrupted()) return;
    try {
      run(starts[i]);
    } catch (const Interrupted&) {
      return;  // runs again with --resume
    }
  });
}

SearchStore::SearchStore(const RunState& state) : state_(state), done_(state.store.done_ids()) {
  progress_.done = static_cast<std::int64_t>(done_.size());
  progress_.total = state.study.case_count();
  state.report(progress_);
}

void SearchStore::add(RowBatch& rows, const std::vector<StudyEntry>& entries,
                      std::vector<CertificateRow>& certificates) {
  const std::scoped_lock lock(mutex_);
  const WorkMeter meter;
  state_.store.append({&rows, 1}, entries, certificates);
  const double seconds = meter.passed().cpu;
  writer_seconds_ += seconds;
  worker_seconds_ -= seconds;  // note() adds it once more
  progress_.done += static_cast<std::int64_t>(rows.size());
  progress_.fresh += static_cast<std::int64_t>(rows.size());
  rows.clear();
  certificates.clear();
  state_.report(progress_);
}

void SearchStore::note(const EvaluationCounts& counts, const WorkTime& time) {
  const std::scoped_lock lock(mutex_);
  counterpoise::add(scaled(counts, time.cpu_share()), counts_);
  worker_seconds_ += time.cpu;
}

RunSummary SearchStore::summary() {
  const std::scoped_lock lock(mutex_);
  RunSummary summary;
  summary.evaluated = progress_.fresh;
  summary.interrupted = state_.interrupted();
  summary.counts = counts_;
  summary.worker_seconds = worker_seconds_;
  summary.writer_seconds = writer_seconds_;
  return summary;
}

StartRows::StartRows(const RunState& state, SearchStore& store, std::int64_t last_id)
    : store_(store),
      rows_of_(state.study),
      rows_(state.store.layout()),
      id_(last_id),
      last_(std::chrono::steady_clock::now()) {}

void StartRows::add(std::span<const double> point, const CaseOutcome& outcome,
                    std::optional<CertificateRow> certificate) {
  if (rows_.size() >= longest_batch || std::chrono::steady_clock::now() - last_ > batch_time) {
    store_.add(rows_, {}, certificates_);
    last_ = std::chrono::steady_clock::now();
  }
  if (!store_.contains(++id_)) rows_of_.add(id_, point, outcome, rows_);
  if (!certificate) return;
  certificate->id = id_;
  certificates_.push_back(std::move(*certificate));
}

void StartRows::finish(int start, const std::optional<StartEnd>& end,
                       std::vector<StudyEntry> entries) {
  if (end) add_end(start, *end, entries);
  store_.add(rows_, entries, certificates_);
}

namespace {

/// One start of a search over all variables.
void run_start(const RunState& state, int start, SearchStore& store) {
  const Study& study = state.study;
  CaseEvaluator evaluator(study, state.evaluation());
  evaluator.set_baselines(state.baselines);
  std::stop_source stop;
  CaseOutcome outcome;
  const WorkMeter meter;
  StartRows rows(state, store, std::int64_t{start} * study.search()->max_evaluations);

  const auto evaluate = [&](std::span<const double> x) {
    if (state.interrupted()) stop.request_stop();
    evaluator.evaluate(x, outcome);
    rows.add(x, outcome);
    return Evaluation{outcome.computable ? outcome.objectives.front() : 0.0, outcome.violation,
                      outcome.computable};
  };
  std::vector<int> all(study.variables.size());
  std::iota(all.begin(), all.end(), 0);
  const SearchSummary summary =
      search(search_options(study, all, start), evaluate, stop.get_token());
  rows.finish(start, end_of(summary));
  store.note(evaluator.counts(), meter.passed());
}

}  // namespace

RunSummary run_searches(const RunState& state) {
  const std::vector<int> open = open_starts(state);
  SearchStore store(state);
  store.note(state.let_go_of_first(), state.baseline_time);
  run_starts(state, open, [&](int start) { run_start(state, start, store); });
  return store.summary();
}

bool is_finished(const RunState& state) {
  const Study& study = state.study;
  const Search* search = study.search();
  const IdRange places = range_of(state.options.shard, study.case_count());
  IdRange expected{1, study.case_count()};
  if (search == nullptr && places.size() > 0)
    expected = CaseOrder(study, largest_window(state.store.layout(), state.options.window))
                   .ids_around(places);
  const Store::Ids stored = state.store.ids();
  if (stored.count > 0 && (stored.first < expected.first || stored.last > expected.last))
    throw damaged(state.store.path(),
                  fmt::format("it has cases {} to {}, and this run makes none but {} to {}",
                              stored.first, stored.last, expected.first, expected.last));
  if (!state.store.finished()) return false;
  return search == nullptr ? stored.count == places.size() : open_starts(state).empty();
}

StoredChoice read_choice(const std::string& json) {
  const JsonValue text = parse_json(json, "search.choice");
  StoredChoice choice;
  choice.best = number_in(text, "best");
  choice.combinations = number_in(text, "combinations");
  choice.against_own_limits = number_in(text, "against_own_limits");
  if (text.find("equal_to_others") != nullptr)
    choice.equal_to_others = number_in(text, "equal_to_others");
  choice.excluded_by_bound = number_in(text, "excluded_by_bound");
  choice.evaluated = count_in(text, "evaluated");
  choice.against_limits = count_in(text, "against_limits");
  choice.near_best = count_in(text, "near_best");
  if (text.find("not_looked_at") != nullptr) choice.not_looked_at = count_in(text, "not_looked_at");
  choice.all_made_to_order = number_or_null_in(text, "all_made_to_order");
  for (const JsonValue& variable : array_in(text, "variables")) {
    StoredChoice::Variable& own = choice.variables.emplace_back();
    own.name = text_in(variable, "variable");
    own.choices = count_in(variable, "choices");
    own.made_to_order = number_or_null_in(variable, "made_to_order");
    for (const JsonValue& refused : array_in(variable, "refused"))
      own.refused.push_back(text_in(refused, "reason"));
  }
  return choice;
}

}  // namespace counterpoise
