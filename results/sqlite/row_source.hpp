#pragma once

#include <exception>
#include <vector>

#include "results/rows/row_batch.hpp"
#include "results/sqlite/database.hpp"

struct sqlite3_context;

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

  /// The failure of one of the rows shown, counted from begin() to end(); null if it has none.
  [[nodiscard]] const FailureRow* failure(std::size_t row) const {
    return places_[row].batch->failure(places_[row].row);
  }

  /// Calls take(batch, row) for each of the rows shown.
  template <class Take>
  void each_shown(const Take& take) const {
    for (std::size_t place = begin_; place < end_; ++place)
      take(*places_[place].batch, places_[place].row);
  }

  /// Throws the exception that occurred while a statement read from the table and could not pass
  /// through SQLite. Call it when the statement has failed.
  void rethrow();

  /// One of the tables, for SQLite: columns as in `cases`, or as in `failures`.
  struct Table {
    RowSource* source;
    bool failures;

    /// The first row that the table has from this one on.
    [[nodiscard]] std::size_t from(std::size_t row) const;
    void give(std::size_t row, std::size_t column, sqlite3_context* context) const;
    [[nodiscard]] std::string declaration() const;
  };
  [[nodiscard]] std::size_t begin() const { return begin_; }
  [[nodiscard]] std::size_t end() const { return end_; }
  [[nodiscard]] std::int64_t id(std::size_t row) const { return places_[row].id; }
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

  void give_case(std::size_t row, std::size_t column, sqlite3_context* context) const;

  Table cases_{this, false}, failures_{this, true};
  std::vector<Cell> cells_;  // per column of cases
  std::vector<Place> places_;
  std::size_t begin_ = 0, end_ = 0;
  std::exception_ptr exception_;  // on its way around SQLite
};

}  // namespace counterpoise
