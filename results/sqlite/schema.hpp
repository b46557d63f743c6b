#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "results/rows/layout.hpp"
#include "results/sqlite/database.hpp"

namespace counterpoise {

// Keys of the table `study` that results themselves read.
inline constexpr const char* format_key = "format";
inline constexpr const char* finished_key = "finished";  // "1" at the end
inline constexpr const char* shard_key = "shard";        // of a run: "2/3"
inline constexpr const char* shards_key = "shards";      // of an incomplete merge: "1/3 3/3"
inline constexpr const char* joined_key = "joined";  // of a merge: the files, their sizes and times
inline constexpr const char* birth_name_key = "born_as";  // the temporary name it was created with

/// The size of a page of a results file: few, long writes.
inline constexpr int bytes_of_page = 16'384;

/// Lays out SQLite's cache for the whole process, if nothing has used SQLite yet: by default every
/// page is a piece of memory of its own, for which the system finds four pages of its own at some
/// microseconds each, and so they lie in large pages where the system has these. What does not fit
/// is taken as by default. Only a program that is Counterpoise's own should call it.
void lay_out_cache();

/// The bytes of a results file with its tables study, columns, variables and baselines filled and
/// the tables of cases empty. Throws std::invalid_argument if the keep rule is invalid.
std::string image_of(const Birth& birth);

/// Creates the table of certificates if it is missing, as it may be in files of earlier versions.
void create_certificates(Database& database);

/// Whether the database has tables of failures, which files of earlier versions lack.
bool has_failures(Database& database);

/// Whether the database has no tables at all; throws StoreError (unusable) if it has tables of
/// another kind than results, or SQL of its own.
bool has_no_tables(Database& database, const std::string& path);

// These functions check what they read, because another program may have changed it. Each throws
// StoreError (unusable) for data that is not as it was written.
std::vector<StudyEntry> read_study(Database& database);
StoreLayout read_layout(Database& database);
std::vector<VariableRow> read_variables(Database& database, const StoreLayout& layout);
std::vector<BaselineRow> read_baselines(Database& database, const StoreLayout& layout);
/// Cases, by ascending id, one after the other: all, or those that are feasible. Database and
/// layout must outlive the reader.
class CaseReader {
 public:
  /// Only those with ids larger than `after`.
  CaseReader(Database& database, const StoreLayout& layout, std::int64_t after = 0);
  static CaseReader feasible(Database& database, const StoreLayout& layout);
  /// Of each case only id, status and variables.
  static CaseReader points(Database& database, const StoreLayout& layout);
  /// Of each case only id and status, in a fraction of the time.
  static CaseReader outcomes(Database& database, const StoreLayout& layout);
  /// Of each feasible case id, reason, objectives and motion; `motion` is the column of a choice of
  /// one, if the study has it.
  static CaseReader objectives(Database& database, const StoreLayout& layout,
                               std::optional<std::size_t> motion);
  /// No case but those that find() is asked for.
  static CaseReader finder(Database& database, const StoreLayout& layout);

  /// Replaces `row` by the next case; false after the last.
  bool next(CaseRow& row);
  /// Of a finder: the case, if there is one.
  std::optional<CaseRow> find(std::int64_t id);

 private:
  enum class Part { whole, point, outcome, objectives };
  CaseReader(Database& database, const StoreLayout& layout, Part part, const std::string& query)
      : layout_(&layout), part_(part), rows_(database, query) {}
  void require(bool holds, const char* what, std::int64_t id) const;
  void read_variables(CaseRow& row, int column) const;
  void read_cells(CaseRow& row) const;
  void read_objectives(CaseRow& row) const;

  const StoreLayout* layout_;
  Part part_;
  Statement rows_;
  std::optional<std::size_t> motion_;  // the only variable that is read, of objectives()
  std::int64_t last_ = 0;              // id
};
/// Why cases failed, by ascending id, one after the other. Files of earlier versions have none.
class FailureReader {
 public:
  explicit FailureReader(Database& database, std::int64_t after = 0);
  /// Replaces `row` by the next failure; false after the last.
  bool next(FailureRow& row);

 private:
  std::optional<Statement> rows_;
};
/// What the numbers of failures mean.
std::vector<FailureNameRow> read_failure_names(Database& database);
/// All certificates by ascending id, or that of one case.
std::vector<CertificateRow> read_certificates(Database& database, std::optional<std::int64_t> id);

const char* to_text(Status status);

/// The status with this name; nothing for any other text.
std::optional<Status> to_status(std::string_view text);

/// Throws StoreError (unusable) unless a query of a table has these columns.
void require_columns(const Statement& rows, const char* table,
                     const std::vector<std::string>& columns);

/// Replaces `numbers` by the values of `count` columns from `column` on, or by none if the row is
/// not feasible. Returns false if a feasible row has a value that is not a finite number; where
/// `null_allowed`, NULL is read as NaN.
bool read_numbers(const Statement& statement, int column, std::size_t count, bool feasible,
                  std::vector<double>& numbers, bool null_allowed = false);

/// Binds `count` numbers from `parameter` on, or NULL for each if there are none. Returns the next
/// parameter.
int bind_numbers(Statement& statement, int parameter, const std::vector<double>& numbers,
                 std::size_t count);

/// That many parameters as SQL text: "?,?,?".
std::string parameters(std::size_t count);

/// Throws StoreError (unusable), naming it, for anything in a database's schema that no results
/// file has: nothing that a file brings along is run. Results have tables alone, of known names,
/// whose columns have a name and one of the types TEXT, REAL and INTEGER and at most a primary key:
/// no views, triggers, indices of their own, virtual tables, columns that are computed, have a
/// default or are checked.
void require_plain_tables(Database& database);

/// What of this SQL, which makes a table, is not plain as said above; empty if all is.
std::string not_plain(std::string_view sql);

}  // namespace counterpoise
