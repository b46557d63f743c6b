#pragma once

#include <chrono>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "cases/case_rows.hpp"
#include "cases/clock.hpp"
#include "cases/run_options.hpp"
#include "optimizer/search/search.hpp"

namespace counterpoise {

/// The key of the study table that says why a start has ended. Starts are counted over all tasks of
/// a search.
std::string start_key(std::int64_t start);

/// The key of the result of a choice of springs from catalogues.
std::string choice_key(std::int64_t start);

/// Why a start has ended, in a word or two, and how many cases it has: those with the ids from its
/// first one on.
struct StartEnd {
  std::string reason;
  std::int64_t cases = 0;
};
/// Nothing where the search was cancelled.
std::optional<StartEnd> end_of(const SearchSummary& summary);
/// Adds what the study table says of the end of a start.
void add_end(std::int64_t start, const StartEnd& end, std::vector<StudyEntry>& entries);

/// The variables of `searched` (indices of Study::variables), their bounds and where a search
/// begins.
SearchOptions search_options(const Study& study, const std::vector<int>& searched, int start);

/// The starts of a shard that have not ended yet, of all tasks, or whose cases are not all stored.
std::vector<int> open_starts(const RunState& state);
/// The number of starts of all tasks of a search.
std::int64_t start_count(const Study& study);

/// Runs `run(start)` for each start on the arena's threads, until interrupted. If it throws
/// Interrupted the start has not ended.
void run_starts(const RunState& state, const std::vector<int>& starts,
                const std::function<void(int)>& run);

/// The store, shared by the starts of a search.
class SearchStore {
 public:
  explicit SearchStore(const RunState& state);

  /// Whether a row of this id was stored by an earlier run.
  [[nodiscard]] bool contains(std::int64_t id) const { return done_.contains(id); }

  /// Stores rows and certificates and empties them.
  void add(RowBatch& rows, const std::vector<StudyEntry>& entries,
           std::vector<CertificateRow>& certificates);
  /// Adds the counts of a thread that worked for so long, storing included.
  void note(const EvaluationCounts& counts, const WorkTime& time);
  /// The summary, when all starts have ended.
  [[nodiscard]] RunSummary summary();

 private:
  const RunState& state_;
  const IdSet done_;
  std::mutex mutex_;
  Progress progress_;
  EvaluationCounts counts_;
  double worker_seconds_ = 0.0, writer_seconds_ = 0.0;  // CPU time
};

/// The rows of one start on their way to the store.
class StartRows {
 public:
  /// The first row gets the id after `last_id`.
  StartRows(const RunState& state, SearchStore& store, std::int64_t last_id);

  /// Adds the next row, with its certificate if it has one, which gets the row's id. Rows of an
  /// earlier run are not stored again.
  void add(std::span<const double> point, const CaseOutcome& outcome,
           std::optional<CertificateRow> certificate = {});
  /// Stores the remaining rows with further entries of the study table, and that the start has
  /// ended if `end` says so.
  void finish(int start, const std::optional<StartEnd>& end, std::vector<StudyEntry> entries = {});

 private:
  SearchStore& store_;
  RowMaker rows_of_;
  RowBatch rows_;
  std::vector<CertificateRow> certificates_;
  std::int64_t id_;
  std::chrono::steady_clock::time_point last_;
};

/// Runs the starts of a search that are not finished yet, one thread each.
RunSummary run_searches(const RunState& state);

/// Whether the store of a sampled study or a search is marked as finished and has every case that
/// it should have. Throws StoreError (unusable) if it has other cases.
bool is_finished(const RunState& state);

/// The result of a choice of springs from catalogues, as stored in the study table of a results
/// file (see choice_summary).
struct StoredChoice {
  struct Variable {
    std::string name;
    std::int64_t choices = 0;
    std::vector<std::string> refused;  // reason for each choice that does not fit
    std::optional<double> made_to_order;
  };
  double best = 0.0;
  double combinations = 0.0, against_own_limits = 0.0, excluded_by_bound = 0.0;
  double equal_to_others = 0.0;  // 0 also in files of earlier versions, which did not count them
  std::int64_t evaluated = 0, against_limits = 0, near_best = 0;
  std::int64_t not_looked_at = 0;  // as enough tie with the best
  std::optional<double> all_made_to_order;
  std::vector<Variable> variables;
};

/// Reads a stored choice. Throws InputError if the text is not what was written.
StoredChoice read_choice(const std::string& json);

}  // namespace counterpoise
