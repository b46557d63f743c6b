#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "results/rows/digest.hpp"
#include "results/rows/keep_rule.hpp"
#include "results/rows/layout.hpp"
#include "results/rows/rows.hpp"
#include "results/rows/totals.hpp"

namespace counterpoise {

/// How much of its study a results file holds.
struct Extent {
  std::int64_t done = 0;           // cases that were evaluated
  std::optional<std::int64_t> of;  // cases of the whole study, even if the file is a shard of it;
                                   // for an unfinished search at most so many; absent if not known
  bool finished = false;           // whether a run or merge completed what this file should hold
  std::string shard;               // "1/3" if the file is a part of the study; else empty

  bool complete() const { return finished && shard.empty() && (!of || done == *of); }
};

/// The reader of a results file. It works also while the file is being written or after its writer
/// was killed. Every function throws StoreError (unusable).
class ResultsFile {
 public:
  explicit ResultsFile(const std::filesystem::path& path);
  ResultsFile(ResultsFile&&) noexcept;
  ResultsFile& operator=(ResultsFile&&) = delete;
  ~ResultsFile();

  /// Has `call` called now and then while cases are read. What it throws ends the reading.
  void between_rows(std::function<void()> call);

  const std::filesystem::path& path() const;
  const StoreLayout& layout() const;
  const std::vector<StudyEntry>& study() const;
  const std::vector<VariableRow>& variables() const;
  const std::vector<BaselineRow>& baselines() const;

  /// The value of a key of the study table, if it is there.
  std::optional<std::string> value(const std::string& key) const;

  /// The baseline of this name and motion; nullptr if there is none.
  const BaselineRow* baseline(const std::string& name, const std::string& motion) const;

  std::optional<CaseRow> find(std::int64_t id) const;
  /// The proof that no better springs exist for a case; nothing unless the study asked for exact
  /// springs.
  std::optional<CertificateRow> certificate(std::int64_t id) const;
  /// All certificates, by ascending id.
  std::vector<CertificateRow> certificates() const;
  /// Why cases failed, by ascending id; nothing in files of earlier versions.
  std::vector<FailureRow> failures() const;
  /// What the numbers of failures mean.
  std::vector<FailureNameRow> failure_names() const;
  /// The rule by which only some of the cases are kept; nothing if all are.
  const std::optional<KeepRule>& keep_rule() const;
  /// What all cases come to, of a file that keeps some only.
  Totals totals() const;
  /// The ids of all cases that were evaluated, of a file that keeps some only.
  IdSet evaluated() const;
  /// While it exists, everything is read as of one moment, and nobody writes the file.
  class Moment {
   public:
    explicit Moment(const ResultsFile& results);
    Moment(const Moment&) = delete;
    Moment& operator=(const Moment&) = delete;
    ~Moment();

   private:
    struct State;
    std::unique_ptr<State> state_;
  };

  /// What was stored of all cases together when the run or merge finished. Nothing where it did
  /// not, where it was one of an earlier version, or where the file has been changed since.
  std::optional<Digest> digest() const;
  /// Cases that were evaluated, whether they are kept or not; with this status.
  std::int64_t count() const;
  std::int64_t count(Status status) const;
  /// Cases in the file.
  std::int64_t kept_count() const;
  /// The smallest and the largest id in the file; nothing without cases.
  std::optional<std::pair<std::int64_t, std::int64_t>> ids() const;
  /// Compares all rows of all tables with the checksum that was stored when the file was finished.
  /// Reads the whole file. No other function does.
  struct Check {
    bool known = false;     // false: no checksum: not finished, or of an earlier version
    std::int64_t rows = 0;  // of all tables
    std::string fault;      // in words; empty if all is as it was
  };
  Check check() const;
  /// How much of its study the file holds. Reads what is known of all cases together, else the ids
  /// of all once.
  Extent extent() const;

  /// Iterates over all cases, or the feasible ones, by ascending id; one is in memory at a time.
  class Cursor {
   public:
    Cursor(Cursor&&) noexcept;
    Cursor& operator=(Cursor&&) = delete;
    ~Cursor();

    /// Replaces `row` by the next case; false after the last.
    bool next(CaseRow& row);

   private:
    friend class ResultsFile;
    struct State;
    explicit Cursor(std::unique_ptr<State> state);
    std::unique_ptr<State> state_;
  };
  /// `after`: only those with larger ids.
  Cursor cases(std::int64_t after = 0) const;
  Cursor feasible_cases() const;
  /// The same, but of each row only id, reason and objectives are set, and of its variables the
  /// choice of a motion (motion_column()), if the study has one.
  Cursor feasible_objectives(std::optional<std::size_t> motion) const;
  /// The same as cases(), but only id, status and variables of each row are set.
  Cursor points() const;
  /// The same as cases(), but only id and status of each row are set.
  Cursor outcomes() const;

  /// Iterates over what failures() lists, with one in memory at a time.
  class FailureCursor {
   public:
    FailureCursor(FailureCursor&&) noexcept;
    FailureCursor& operator=(FailureCursor&&) = delete;
    ~FailureCursor();

    /// Replaces `row` by the next failure; false after the last.
    bool next(FailureRow& row);

   private:
    friend class ResultsFile;
    struct State;
    explicit FailureCursor(std::unique_ptr<State> state);
    std::unique_ptr<State> state_;
  };
  FailureCursor failure_cursor(std::int64_t after = 0) const;

 private:
  struct Connection;
  std::unique_ptr<Connection> connection_;
};

}  // namespace counterpoise
