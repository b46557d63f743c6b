#pragma once

#include <exception>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "results/rows/digest.hpp"
#include "results/rows/kept_cases.hpp"
#include "results/rows/row_batch.hpp"
#include "results/sqlite/checksum.hpp"
#include "results/sqlite/database.hpp"
#include "results/sqlite/placement.hpp"
#include "results/sqlite/schema.hpp"

namespace counterpoise {

/// Rows of batches, and what made them fail, as tables that SQL can read from, so that one
/// statement stores them all without binding and stepping for each row. The tables belong to the
/// connection and are not part of the file. The object must stay in place as long as the connection
/// is open.
class RowSource {
 public:
  static constexpr const char* table_name = "rows_of_batches";
  static constexpr const char* failures_name = "failures_of_batches";

  RowSource(Database& database, const StoreLayout& layout);
  RowSource(const RowSource&) = delete;
  RowSource& operator=(const RowSource&) = delete;
  ~RowSource() = default;

  /// Lists the rows of these batches by rising id; the batches must stay in place. Returns the
  /// number of rows.
  std::size_t list(std::span<const RowBatch> batches);
  /// From now on the table holds `count` of the listed rows, from `first` on.
  void show(std::size_t first, std::size_t count);

  /// The failure of the row with this index between begin() and end(); null if it has none.
  [[nodiscard]] const FailureRow* failure(std::size_t row) const {
    return places_[row].batch->failure(places_[row].row);
  }

  /// Calls take(batch, row) for each of the rows shown.
  template <class Take>
  void each_shown(const Take& take) const {
    for (std::size_t place = begin_; place < end_; ++place)
      take(*places_[place].batch, places_[place].row);
  }
  /// Adds the rows shown, as they are stored, to the sums of `cases` and `failures`.
  void sum(RowSummer& cases, RowSummer& failures) const;

  /// Throws the exception that occurred while a statement read from the table and could not pass
  /// through SQLite. Call it when the statement has failed.
  void rethrow();

  /// A row whose parts have been looked up.
  struct Row {
    std::int64_t id = 0;
    Status status = Status::failed;
    std::string_view reason;
    std::span<const double> numbers;
    std::span<const std::string_view> texts;
    const FailureRow* failure = nullptr;
  };
  [[nodiscard]] Row row(std::size_t index) const;

  /// One of the tables, for SQLite: columns as in `cases`, or as in `failures`.
  struct Table {
    RowSource* source;
    bool failures;

    /// The first row that the table has from this one on.
    [[nodiscard]] std::size_t from(std::size_t row) const;
    /// Gives one cell to an object with functions as CellBytes has them.
    template <class To>
    void give(const Row& row, std::size_t column, To& to) const;
    [[nodiscard]] std::size_t columns() const;
    [[nodiscard]] std::string declaration() const;
  };
  [[nodiscard]] std::size_t begin() const { return begin_; }
  [[nodiscard]] std::size_t end() const { return end_; }
  void keep_exception() noexcept { exception_ = std::current_exception(); }

 private:
  struct Place {
    std::int64_t id;
    const RowBatch* batch;
    std::size_t row;
  };
  enum class Kind { id, status, reason, text, integer, variable, result };
  struct Cell {
    Kind kind;
    std::size_t index = 0;  // in the row's texts or numbers
  };

  template <class To>
  void give_case(const Row& row, std::size_t column, To& to) const;

  Table cases_{this, false}, failures_{this, true};
  std::vector<Cell> cells_;  // per column of cases
  std::size_t results_;      // the last of them: metrics and objectives
  std::vector<Place> places_;
  std::size_t begin_ = 0, end_ = 0;
  std::exception_ptr exception_;  // on its way around SQLite
};

/// What a Store holds open: the file in its place, and the statements that write rows into it.
class StoreConnection {
 public:
  explicit StoreConnection(Placement placed);

  Placement placement;  // declared first, so that its lock outlives the connection
  Database database;
  StoreLayout layout;
  std::optional<Selection> selection;  // if only some cases are kept

  /// Lists the rows of batches for write(); returns their number.
  std::size_t list(std::span<const RowBatch> batches);
  /// One transaction: `count` of the listed rows from `first` on, the entries and the certificates.
  void write(std::size_t first, std::size_t count, std::span<const StudyEntry> entries,
             std::span<const CertificateRow> certificates);
  /// Does what changes the selection, and then the same to the file in one transaction: of the rows
  /// of these batches those that are kept now are added, and rows that are not kept any more are
  /// removed; the entries are stored with them. If that fails, the selection is as the file has it.
  void select(std::span<const RowBatch> batches, const std::function<void()>& change,
              std::span<const StudyEntry> entries = {});
  /// Removes a key of the study table.
  void forget(const std::string& key);
  /// Removes what the whole study does not need, and the room that it took.
  void shrink();
  /// Marks the results as finished and stores their checksum. If all cases are kept, their digest
  /// is stored too, for which the cases are read unless all were written by this object.
  void conclude();
  /// Stores the checksum of what the file holds.
  void sum_up();

 private:
  /// What the end needs of the rows that were written.
  struct Summary {
    DigestMaker digest;
    RowSummer cases{"cases"}, failures{"failures"};
  };

  void settle();
  void prepare();
  void load_selection();
  void restore_rows();
  void prepare_certificates();
  void write_rows(std::size_t first, std::size_t count);
  void set(const StudyEntry& entry);
  void certify(const CertificateRow& row);
  void remove_case(std::int64_t id);
  void begin_summary();
  void note_written() noexcept;
  bool summary_is_whole();
  std::optional<Digest> digest_of_all();
  std::int64_t others_writes();

  std::optional<RowSource> rows_;
  std::optional<Statement> insert_;
  std::optional<Statement> set_;
  std::optional<Statement> certify_;
  std::optional<Statement> fail_;   // a file of an earlier version has no table for it
  std::vector<Statement> remove_;   // by id, from each table that rows are in
  std::optional<Summary> summary_;  // if no others are in the file
  std::int64_t others_writes_ = 0;  // when there were no cases yet
};

}  // namespace counterpoise
