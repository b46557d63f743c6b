#pragma once

#include <list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "results/rows/layout.hpp"

namespace counterpoise {

/// Cases on their way into a store, side by side in memory. Adding a row to a batch that has held
/// as many rows before allocates memory only where its reasons need more than theirs.
class RowBatch {
 public:
  explicit RowBatch(const StoreLayout& layout);
  RowBatch(const RowBatch&) = delete;
  RowBatch& operator=(const RowBatch&) = delete;
  RowBatch(RowBatch&&) noexcept = default;
  RowBatch& operator=(RowBatch&&) noexcept = default;
  ~RowBatch() = default;

  /// The cells of a new row, all 0 or empty. `numbers` holds the variables that are not texts (row
  /// numbers of catalogues too), metrics and objectives, each in the layout's order; for a case
  /// that is not feasible only the variables. `texts` must outlive the batch's rows. The spans are
  /// valid until the next row is added.
  struct Cells {
    std::span<double> numbers;
    std::span<std::string_view> texts;
  };
  Cells add(std::int64_t id, Status status, std::string_view reason = {});
  /// Sets what made the last row added infeasible or failed; the id is the row's.
  void set_failure(FailureRow failure);
  /// The failure of a row, or null.
  [[nodiscard]] const FailureRow* failure(std::size_t row) const {
    return failure_of_[row] < 0 ? nullptr : &failures_[failure_of_[row]];
  }
  /// Adds a row, whose texts are copied. Throws std::logic_error for a row that does not fit the
  /// layout.
  void add(const CaseRow& row);

  void reserve(std::size_t rows);
  void clear();
  [[nodiscard]] std::size_t size() const { return ids_.size(); }
  [[nodiscard]] std::int64_t id(std::size_t row) const { return ids_[row]; }
  [[nodiscard]] Status status(std::size_t row) const { return statuses_[row]; }
  /// Valid until the next row is added.
  [[nodiscard]] std::string_view reason(std::size_t row) const {
    const std::size_t begin = row == 0 ? 0 : reason_ends_[row - 1];
    return std::string_view(reasons_).substr(begin, reason_ends_[row] - begin);
  }
  /// As Cells::numbers: of a case that is not feasible only the variables.
  [[nodiscard]] std::span<const double> numbers(std::size_t row) const {
    const std::size_t begin = row == 0 ? 0 : number_ends_[row - 1];
    return std::span(numbers_).subspan(begin, number_ends_[row] - begin);
  }
  [[nodiscard]] std::span<const std::string_view> texts(std::size_t row) const {
    return std::span(texts_).subspan(row * text_count_, text_count_);
  }
  /// How many of a row's numbers are variables; they come first.
  [[nodiscard]] std::size_t variable_numbers() const {
    return number_count_ - metric_count_ - objective_count_;
  }
  [[nodiscard]] CaseRow row(std::size_t row) const;

  /// The most memory that a row takes in a batch, without its reason and failure, and the places of
  /// its numbers and reason.
  static std::size_t bytes_of_row(const StoreLayout& layout);

 private:
  std::vector<ColumnType> variables_;
  std::size_t metric_count_, objective_count_, text_count_, number_count_;
  std::vector<std::int64_t> ids_;
  std::vector<Status> statuses_;
  std::vector<double> numbers_;  // of all rows, one after the other
  std::vector<std::size_t> number_ends_;
  std::vector<std::string_view> texts_;
  std::string reasons_;  // of all rows, one after the other
  std::vector<std::size_t> reason_ends_;
  std::vector<FailureRow> failures_;
  std::vector<std::int32_t> failure_of_;  // place in failures_ of each row, or -1
  std::list<std::string>
      copied_;  // texts of rows that were copied; a deque takes memory to be moved
};

}  // namespace counterpoise
