#include "studies/failure_report.hpp"

#include <fmt/format.h>
#include <oneapi/tbb/task_arena.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <system_error>
#include <thread>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "cases/case_evaluator.hpp"
#include "cases/case_points.hpp"
#include "cases/case_rows.hpp"
#include "cases/clock.hpp"
#include "cases/study_units.hpp"
#include "cases/threads.hpp"
#include "optimizer/search/hitting_set.hpp"
#include "results/results_file.hpp"
#include "results/rows/rows.hpp"
#include "springs/exact.hpp"
#include "springs/problem/spring_roles.hpp"

namespace counterpoise {

/// Counts why the cases of a results file failed: one tally for each limit and reason that occurs.
/// Reads the failures along with the cases, one at a time, so the memory does not grow with them.
class StoredTallies {
 public:
  /// All three must outlive this object.
  StoredTallies(const ResultsFile& results, const Study& study, const StatedLimits& stated);

  /// Takes the cases by ascending id. Throws StoreError (unusable) where the file contradicts
  /// itself, as finish() does.
  void see(const CaseRow& row);
  /// Takes the totals over all cases instead, for a file that keeps only some cases.
  void see(const Totals& totals);
  /// Returns the tallies; none for a file of an earlier version.
  std::vector<FailureReport::Tally> finish();

 private:
  void count(const CaseRow& row);
  void add(std::int64_t kind, std::int64_t element, std::int64_t count);
  void add_in_words(const std::string& words, std::int64_t count);

  const ResultsFile* results_;
  const StatedLimits* stated_;
  ResultsFile::FailureCursor cursor_;
  FailureRow next_;
  bool more_ = false;
  StoredKinds kinds_;
  std::map<std::pair<FailureKind, int>, FailureReport::Tally> known_;
  std::map<std::string, FailureReport::Tally> in_words_;
};

namespace {

using Key = std::pair<FailureKind, int>;
using Tally = FailureReport::Tally;

/// How cases are grouped by one variable: by level, or by part of the range.
class Parts {
 public:
  explicit Parts(const Variable& variable) : variable_(&variable) {
    constexpr std::size_t parts_of_range = 5, most_levels = 12;
    const std::size_t levels = variable.discrete() ? level_count() : 0;
    parts_ = levels == 0 ? parts_of_range : std::min(levels, most_levels);
  }

  [[nodiscard]] FailureReport::OfVariable empty(const std::string& unit) const {
    FailureReport::OfVariable of{variable_->name, unit, {}};
    for (std::size_t part = 0; part < parts_; ++part)
      of.shares.push_back({label(part), ends(part), 0, 0});
    return of;
  }

  [[nodiscard]] std::size_t part_of(double value) const {
    const double share = variable_->discrete()
                             ? value / static_cast<double>(level_count())
                             : (value - variable_->low) / (variable_->high - variable_->low);
    const double part = std::floor(share * static_cast<double>(parts_));
    return static_cast<std::size_t>(std::clamp(part, 0.0, static_cast<double>(parts_ - 1)));
  }

 private:
  [[nodiscard]] std::size_t level_count() const {
    return static_cast<std::size_t>(variable_->level_count());
  }
  /// The first and the last level of a part.
  [[nodiscard]] std::pair<std::size_t, std::size_t> levels(std::size_t part) const {
    // the first level whose part is at least this one
    const auto first = [&](std::size_t p) { return (p * level_count() + parts_ - 1) / parts_; };
    return {first(part), first(part + 1) - 1};
  }
  [[nodiscard]] std::vector<double> ends(std::size_t part) const {
    if (!variable_->discrete()) {
      const double width = (variable_->high - variable_->low) / static_cast<double>(parts_);
      const double low = variable_->low + width * static_cast<double>(part);
      return {low, low + width};
    }
    if (!variable_->numeric()) return {};
    const auto [first, last] = levels(part);
    if (first == last) return {variable_->values[first]};
    return {variable_->values[first], variable_->values[last]};
  }
  [[nodiscard]] std::string label(std::size_t part) const {
    if (const std::vector<double> numbers = ends(part); !numbers.empty()) {
      const std::string first = fmt::format("{:.4g}", numbers.front());
      return numbers.size() == 1 ? first : fmt::format("{} to {:.4g}", first, numbers.back());
    }
    const auto [first, last] = levels(part);
    const std::string& label = variable_->labels[first];
    return first == last ? label : label + " to " + variable_->labels[last];
  }

  const Variable* variable_;
  std::size_t parts_ = 1;
};

/// Whether the results have just the cases that a run says it evaluated.
bool written_by_run(const ResultsFile& results, const FailedCases* failed) {
  if (failed == nullptr || !failed->all) return false;
  const std::optional<Digest> digest = results.digest();
  return digest && digest->statuses == failed->counts.statuses;
}

void sort_tallies(std::vector<Tally>& tallies) {
  std::stable_sort(tallies.begin(), tallies.end(),
                   [](const Tally& a, const Tally& b) { return a.count > b.count; });
}

/// First reasons of cases that were evaluated again.
std::vector<Tally> evaluated_tallies(const StatedLimits& stated,
                                     const std::vector<BrokenLimits>& broken) {
  std::map<Key, Tally> known;
  for (const BrokenLimits& one : broken) {
    if (one.failures.empty()) continue;
    const Failure& first = one.failures.front();
    Tally& tally = known[{first.kind, first.of}];
    tally.name = stated.name_of(first.kind, first.of);
    ++tally.count;
  }
  std::vector<Tally> tallies;
  for (auto& [key, tally] : known) tallies.push_back(std::move(tally));
  return tallies;
}

/// Whether a spring breaks `other` only because it breaks `failure`. A spring that may only pull or
/// only push, and is too short or too long for that, may break several limits by its length alone.
bool follows(const Failure& other, const Failure& failure) {
  if (other.of != failure.of) return false;
  const auto is = [](const Failure& one, FindingKind kind) { return one.kind == kind_of(kind); };
  using enum FindingKind;
  if (is(other, spring_below_free_length)) return is(failure, spring_too_short);
  if (is(other, spring_above_free_length)) return is(failure, spring_too_long);
  if (is(other, spring_pushes))
    return is(failure, spring_too_short) || is(failure, spring_below_free_length);
  if (is(other, spring_pulls))
    return is(failure, spring_too_long) || is(failure, spring_above_free_length);
  return false;
}

/// Leaves out the failures of a case that follow from its other failures. Returns whether there
/// were any: all of them concern how a spring acts.
bool leave_out_following(BrokenLimits& broken) {
  const std::vector<Failure> all = broken.failures;
  return std::erase_if(broken.failures, [&](const Failure& one) {
           return std::any_of(all.begin(), all.end(),
                              [&](const Failure& other) { return follows(one, other); });
         }) > 0;
}

/// Combines limits that are stated together: keeps the one broken worst, under the name of the
/// first.
void join_stated(const StatedLimits& stated, BrokenLimits& broken) {
  std::map<Key, Failure> joined;
  for (Failure failure : broken.failures) {
    failure.of = stated.first_of(failure.kind, failure.of);
    const auto [at, fresh] = joined.try_emplace({failure.kind, failure.of}, failure);
    if (!fresh && excess_of(failure) > excess_of(at->second)) at->second = failure;
  }
  broken.failures.clear();
  for (const auto& [key, failure] : joined) broken.failures.push_back(failure);
}

/// Whether two limits or reasons are against a case that are not stated together, so that it tells
/// nothing about loosening one alone.
bool has_two_reasons(const StatedLimits& stated, BrokenLimits broken) {
  leave_out_following(broken);
  join_stated(stated, broken);
  return broken.failures.size() > 1;
}

std::vector<FailureReport::Opening> openings_of(const StatedLimits& stated,
                                                const std::vector<BrokenLimits>& broken,
                                                const std::vector<bool>& acting,
                                                const std::vector<std::int64_t>& ids) {
  struct Alone {
    std::vector<std::pair<double, std::size_t>> excess;  // with the index of the case
  };
  std::map<Key, Alone> alone;
  for (std::size_t i = 0; i < broken.size(); ++i) {
    if (!broken[i].whole || broken[i].failures.size() != 1) continue;
    const Failure& only = broken[i].failures.front();
    if (stated.name_of(only.kind, only.of).limit)
      alone[{only.kind, only.of}].excess.emplace_back(excess_of(only), i);
  }
  std::vector<FailureReport::Opening> openings;
  for (auto& [key, cases] : alone) {
    std::sort(cases.excess.begin(), cases.excess.end());
    const auto& [least, nearest] = cases.excess.front();
    FailureReport::Opening& opening = openings.emplace_back();
    opening.name = stated.name_of(key.first, key.second);
    opening.count = static_cast<std::int64_t>(cases.excess.size());
    opening.half = cases.excess[(cases.excess.size() - 1) / 2].first;
    opening.all = cases.excess.back().first;
    opening.nearest = ids[nearest];
    opening.nearest_excess = least;
    opening.nearest_relative = broken[nearest].failures.front().violation;
    opening.acts = std::any_of(cases.excess.begin(), cases.excess.end(),
                               [&](const auto& one) { return acting[one.second]; });
  }
  std::stable_sort(openings.begin(), openings.end(),
                   [](const auto& a, const auto& b) { return a.count > b.count; });
  return openings;
}

FailureReport::Excluding excluding_of(const StatedLimits& stated,
                                      const std::vector<BrokenLimits>& broken) {
  std::map<Key, int> numbers;
  std::vector<Key> keys;
  std::vector<std::vector<int>> sets;
  for (const BrokenLimits& one : broken) {
    if (one.failures.empty()) continue;
    std::vector<int>& set = sets.emplace_back();
    for (const Failure& failure : one.failures) {
      const auto [at, fresh] =
          numbers.try_emplace({failure.kind, failure.of}, static_cast<int>(keys.size()));
      if (fresh) keys.push_back(at->first);
      set.push_back(at->second);
    }
  }
  const HittingSet found = hitting_set(std::move(sets));
  FailureReport::Excluding excluding;
  // what ends an evaluation, such as a loop that cannot close, hides what else is against a case
  excluding.known =
      std::all_of(broken.begin(), broken.end(), [](const BrokenLimits& one) { return one.whole; });
  excluding.smallest = found.smallest && excluding.known;
  for (const int element : found.elements) {
    const auto& [kind, of] = keys[element];
    excluding.names.push_back(stated.name_of(kind, of));
  }
  return excluding;
}

/// What the report tells of cases beside the limits that each breaks alone: where nothing is
/// feasible, what excludes them all; of a file that does not know why they failed, their first
/// reasons.
Reasons reasons_needed(std::int64_t feasible, bool typed) {
  return feasible == 0 || !typed ? Reasons::all : Reasons::up_to_two;
}

/// Leaves the variables that an exact search moves from outside: a failed design has no springs and
/// masses yet, but where combinations of a catalogue are kept.
void leave_searched(const Study& study, FailureReport& report) {
  if (study.search()->within > 0.0) return;
  const SpringRoles roles = find_spring_roles(study);
  std::size_t v = 0;
  std::erase_if(report.variables, [&](const FailureReport::OfVariable&) {
    return roles.roles[v++] != SpringRole::outer;
  });
}

}  // namespace

FailureReport failures_of(const ResultsFile& results, const Study& study,
                          const FailureOptions& options) {
  const WorkMeter reading;
  FailureReport report;
  report.typed = !results.failure_names().empty();
  report.exact_springs =
      study.search() != nullptr && study.search()->method == SearchMethod::exact_springs;
  const StatedLimits stated(study);
  std::vector<Parts> parts;
  // points of a sampling follow from its ids, so that they are read only to be counted
  const bool light = !options.by_variable && study.search() == nullptr;
  for (const Variable& variable : study.variables) {
    if (!options.by_variable) break;
    parts.emplace_back(variable);
    report.variables.push_back(parts.back().empty(unit_of(study, variable)));
  }
  FailedSample sample(study, options.on);
  StoredTallies tallies(results, study, stated);
  const std::optional<KeepRule>& rule = results.keep_rule();
  report.sampled = rule.has_value();
  const IdSample kept = rule ? IdSample(rule->cases, rule->sample, rule->seed) : IdSample(0, 0, 0);
  const Totals* known = nullptr;  // of all cases, which then are not read
  bool begun = false;             // whether the run has chosen the sample and evaluates it
  std::optional<Totals> stored_totals;
  if (report.sampled) {
    known = &stored_totals.emplace(results.totals());
  } else if (light && report.typed && written_by_run(results, options.failed)) {
    known = &options.failed->counts;
    begun = options.begun.valid();
    for (const std::int64_t id : options.failed->ids)
      if (!begun) sample.offer(id, {});
  }
  const bool read = known == nullptr || report.sampled;  // if sampled, only the sample is read
  auto cases = light ? results.outcomes() : results.points();
  std::vector<double> point;
  for (CaseRow row; read && cases.next(row);) {
    if (report.sampled && !kept.contains(row.id)) continue;
    const bool failed = row.status != Status::feasible;
    if (!light) point = point_of(study, row);
    for (std::size_t v = 0; v < parts.size(); ++v) {
      FailureReport::Share& share = report.variables[v].shares[parts[v].part_of(point[v])];
      ++share.cases;
      share.failed += failed ? 1 : 0;
    }
    if (!report.sampled) {
      ++report.cases;
      ++(failed ? report.failed : report.feasible);
      tallies.see(row);
    }
    if (failed && !report.exact_springs) sample.offer(row.id, point);
  }
  if (known != nullptr) {
    tallies.see(*known);
    report.cases = known->cases();
    report.feasible = known->count(Status::feasible);
    report.failed = report.cases - report.feasible;
  }
  std::vector<Tally> stored = tallies.finish();
  report.seconds = reading.passed().cpu;
  if (report.typed) report.tallies = std::move(stored);
  if (!report.exact_springs && report.failed > 0) {
    if (!begun && options.failed != nullptr) sample.take_known(*options.failed);
    EvaluatedOn on = begun ? options.begun.get()
                           : evaluate_on(study, std::move(sample),
                                         reasons_needed(report.feasible, report.typed), options.on);
    report.seconds += on.seconds;
    std::vector<BrokenLimits>& broken = on.broken;
    std::vector<bool> acting;
    for (BrokenLimits& one : broken) {
      acting.push_back(leave_out_following(one));
      join_stated(stated, one);
    }
    report.evaluated = static_cast<std::int64_t>(broken.size());
    if (!report.typed) report.tallies = evaluated_tallies(stated, broken);
    report.openings = openings_of(stated, broken, acting, on.ids);
    if (report.feasible == 0 && report.evaluated > 0)
      report.excluding = excluding_of(stated, broken);
  }
  sort_tallies(report.tallies);
  if (report.exact_springs && options.by_variable) leave_searched(study, report);
  return report;
}

std::vector<Failure> failures_of_case(const ResultsFile& results, const Study& study,
                                      const CaseRow& row) {
  const std::vector<std::vector<double>> points = {point_of(study, row)};
  const auto baselines =
      std::make_shared<const Baselines>(CaseEvaluator(study).evaluate_baselines());
  if (const auto sized = sized_again(study, results, row, points.front(), baselines))
    return broken_limits_of(*sized).failures;
  return broken_limits(study, points, Reasons::all, baselines).front().failures;
}

namespace {

constexpr std::size_t points_per_task = 256, falling_points_per_task = 4;

}  // namespace

std::vector<BrokenLimits> broken_limits(const Study& study,
                                        std::span<const std::vector<double>> points,
                                        Reasons reasons, std::shared_ptr<const Baselines> baselines,
                                        const Interruption& interrupted, double* others) {
  std::vector<BrokenLimits> found(points.size());
  EvaluationOptions options = EvaluationOptions().with_all_reasons();
  options.every_fall = reasons == Reasons::all || !study.runs_scenarios();
  const StatedLimits stated(study);
  if (!baselines)
    baselines = std::make_shared<const Baselines>(CaseEvaluator(study).evaluate_baselines());
  const std::size_t size = study.runs_scenarios() ? falling_points_per_task : points_per_task;
  // an evaluator takes as long to make as hundreds of cases, so there is one a thread
  std::atomic<std::size_t> next{0};
  const std::size_t tasks = (points.size() + size - 1) / size;
  const auto threads = static_cast<std::size_t>(tbb::this_task_arena::max_concurrency());
  const std::thread::id here = std::this_thread::get_id();
  std::mutex mutex;
  double elsewhere = 0.0;
  parallel_each(std::min(tasks, threads), [&](std::size_t) {
    const WorkMeter meter;
    CaseEvaluator evaluator(study, options);
    evaluator.set_baselines(baselines);
    CaseOutcome outcome;
    for (std::size_t first = next.fetch_add(size); first < points.size();
         first = next.fetch_add(size))
      for (std::size_t i = first; i < std::min(first + size, points.size()); ++i) {
        interrupted.poll();
        evaluator.evaluate(points[i], outcome);
        found[i] = broken_limits_of(outcome);
        if (found[i].whole || options.every_fall || has_two_reasons(stated, found[i])) continue;
        evaluator.evaluate_on(outcome);
        found[i] = broken_limits_of(outcome);
      }
    if (std::this_thread::get_id() == here) return;
    const std::scoped_lock lock(mutex);
    elsewhere += meter.passed().cpu;
  });
  if (others != nullptr) *others += elsewhere;
  return found;
}

FailedChoice choice_of(const Study& study, const EvaluateOnOptions& options) {
  const std::size_t most = study.runs_scenarios()
                               ? std::min(options.most_falling, options.most_evaluated)
                               : options.most_evaluated;
  return {most, options.seed};
}

void FailedSample::offer(std::int64_t id, const std::vector<double>& point) {
  const std::uint64_t rank = choice_.rank(id);
  if (chosen_.size() == choice_.most) {
    if (chosen_.empty() || rank >= chosen_.front().rank) return;
    std::pop_heap(chosen_.begin(), chosen_.end());
    chosen_.pop_back();
  }
  chosen_.push_back({rank, {id, point}});
  std::push_heap(chosen_.begin(), chosen_.end());
}

void FailedSample::take_known(const FailedCases& failed) {
  std::unordered_map<std::int64_t, const BrokenLimits*> known;
  for (const FailedCases::EvaluatedOn& on : failed.evaluated_on) known.emplace(on.id, &on.broken);
  for (Ranked& one : chosen_)
    if (const auto at = known.find(one.failed.id); at != known.end())
      one.failed.broken = *at->second;
  seconds = failed.seconds;
}

bool FailedSample::is_known() const {
  return std::all_of(chosen_.begin(), chosen_.end(),
                     [](const Ranked& one) { return one.failed.broken.has_value(); });
}

std::vector<FailedCase> FailedSample::finish(const Study& study) {
  std::vector<FailedCase> cases;
  for (Ranked& one : chosen_) cases.push_back(std::move(one.failed));
  chosen_.clear();
  std::sort(cases.begin(), cases.end(),
            [](const FailedCase& a, const FailedCase& b) { return a.id < b.id; });
  std::optional<PointSource> source;
  for (FailedCase& one : cases) {
    if (one.broken || !one.point.empty() || study.variables.empty()) continue;
    if (!source) source.emplace(study);
    one.point.resize(study.variables.size());
    source->point(one.id, one.point);
  }
  return cases;
}

EvaluatedOn evaluate_on(const Study& study, FailedSample sample, Reasons reasons,
                        const EvaluateOnOptions& options) {
  const WorkMeter meter;
  EvaluatedOn found;
  double others = 0.0;
  std::vector<FailedCase> cases = sample.finish(study);
  std::vector<std::vector<double>> points;
  for (FailedCase& one : cases)
    if (!one.broken) points.push_back(std::move(one.point));
  std::vector<BrokenLimits> fresh;
  if (!points.empty())
    Threads(options.threads).run([&] {
      fresh =
          broken_limits(study, points, reasons, options.baselines, options.interrupted, &others);
    });
  auto next = fresh.begin();
  for (FailedCase& one : cases) {
    found.ids.push_back(one.id);
    found.broken.push_back(one.broken ? std::move(*one.broken) : std::move(*next++));
  }
  found.seconds = meter.passed().cpu + others + sample.seconds;
  return found;
}

std::shared_future<EvaluatedOn> begin_to_evaluate_on(const Study& study, const FailedCases& failed,
                                                     const EvaluateOnOptions& options) try {
  if (!failed.all || failed.ids.empty() || study.search() != nullptr || study.keep) return {};
  FailedSample sample(study, options);
  for (const std::int64_t id : failed.ids) sample.offer(id, {});
  sample.take_known(failed);
  const bool alone = sample.is_known() || Threads(options.threads).count() == 1;
  const Reasons reasons = reasons_needed(failed.counts.count(Status::feasible), true);
  return std::async(alone ? std::launch::deferred : std::launch::async,
                    [&study, sample = std::move(sample), reasons, options]() mutable {
                      return evaluate_on(study, std::move(sample), reasons, options);
                    })
      .share();
} catch (const std::system_error&) {
  return {};  // no thread available; the run goes on to store its rows
}

static_assert(told_in_words == static_cast<std::int64_t>(FailureKind::other));

StoredKinds::StoredKinds(const ResultsFile& results, const Study& study) {
  using Meaning = std::tuple<std::int64_t, std::string, std::string>;
  std::multimap<Meaning, FailureKind> today;  // a singular pose has two: in a sample, and between
  for (const FailureName& name : failure_names(study))
    today.emplace(Meaning{name.of, name.element, name.what}, name.kind);
  for (const FailureNameRow& row : results.failure_names()) {
    const auto [first, last] = today.equal_range({row.of, row.element, row.what});
    const auto same = std::find_if(first, last, [&](const auto& meaning) {
      return static_cast<std::int64_t>(meaning.second) == row.kind;
    });
    if (first != last) kinds_.insert({{row.kind, row.of}, (same != last ? same : first)->second});
  }
}

std::optional<FailureKind> StoredKinds::kind(std::int64_t number, std::int64_t of) const {
  const auto found = kinds_.find({number, of});
  return found == kinds_.end() ? std::nullopt : std::optional(found->second);
}

StoredTallies::StoredTallies(const ResultsFile& results, const Study& study,
                             const StatedLimits& stated)
    : results_(&results),
      stated_(&stated),
      cursor_(results.failure_cursor()),
      kinds_(results, study) {
  more_ = cursor_.next(next_);
}

void StoredTallies::see(const CaseRow& row) {
  if (!more_ || next_.id > row.id) return;
  if (next_.id < row.id || row.status == Status::feasible)
    throw damaged(results_->path(), fmt::format("case {} did not fail", next_.id));
  count(row);
  more_ = cursor_.next(next_);
}

void StoredTallies::count(const CaseRow& row) {
  if (next_.kind != told_in_words) {
    add(next_.kind, next_.of, 1);
    return;
  }
  const std::optional<CaseRow> whole = results_->find(row.id);  // as `row` may lack its reason
  add_in_words(kind_of_reason(whole ? whole->reason : row.reason), 1);
}

void StoredTallies::add_in_words(const std::string& words, std::int64_t count) {
  FailureReport::Tally& tally = in_words_[words];
  tally.name.what = words;
  tally.count += count;
}

void StoredTallies::add(std::int64_t kind_number, std::int64_t element, std::int64_t count) {
  const std::optional<FailureKind> kind = kinds_.kind(kind_number, element);
  if (!kind)
    throw damaged(results_->path(), fmt::format("failures of kind {} and {} are none of its study",
                                                kind_number, element));
  const int of = stated_->first_of(*kind, static_cast<int>(element));
  const auto [at, fresh] = known_.try_emplace({*kind, of});
  if (fresh) at->second.name = stated_->name_of(*kind, of);
  at->second.count += count;
}

void StoredTallies::see(const Totals& totals) {
  more_ = false;  // these are all failures, and the file's own some of them
  for (const auto& [key, count] : totals.failures) add(key.first, key.second, count);
  for (const auto& [words, count] : totals.in_words) add_in_words(words, count);
}

std::vector<FailureReport::Tally> StoredTallies::finish() {
  if (more_) throw damaged(results_->path(), fmt::format("case {} did not fail", next_.id));
  std::vector<FailureReport::Tally> tallies;
  for (auto& [key, tally] : known_) tallies.push_back(std::move(tally));
  for (auto& [words, tally] : in_words_) tallies.push_back(std::move(tally));
  return tallies;
}

}  // namespace counterpoise
