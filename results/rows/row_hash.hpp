#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "results/rows/row_batch.hpp"

namespace counterpoise {

/// Makes one number of the values of a row: XXH3, 64 bits. It tells a row that was changed, but is
/// no protection against forgery. Rows have the same hash if each of their texts, whole numbers and
/// numbers is the same, in the order of its kind. Zeros of both signs are one number, and so is
/// every NaN, as in the file.
class RowHash {
 public:
  void text(std::string_view value);
  void whole(std::int64_t value);
  void number(double value) { numbers({&value, 1}); }
  void numbers(std::span<const double> values);
  void null();
  /// The hash of the values since the last one.
  std::uint64_t take();
  /// Forgets these values, as after an exception between them.
  void drop();

 private:
  std::string words_;  // texts and whole numbers
  std::vector<double> numbers_;
};

/// The hash of a case: id, status, reason, texts, then numbers, row numbers of catalogues among
/// them. A case has the same in a batch and as a row.
std::uint64_t hash_of_case(RowHash& hash, const RowBatch& batch, std::size_t row);
std::uint64_t hash_of_case(RowHash& hash, const CaseRow& row);

/// The hash of what a ranking reads of a feasible case: id, reason, motion and objectives. `motion`
/// is the column of its motion, in a batch the place among its texts, where a study has a choice of
/// one.
std::uint64_t hash_of_ranked(RowHash& hash, const RowBatch& batch, std::size_t row,
                             std::size_t objectives, std::optional<std::size_t> motion);
std::uint64_t hash_of_ranked(RowHash& hash, const CaseRow& row, std::optional<std::size_t> motion);

/// What is known of the rows of a table, or of a block of them, in any order. A row that is put in
/// twice is out again.
struct RowSum {
  std::int64_t rows = 0;
  std::uint64_t hash = 0;  // of all, each bit the parity of the rows'

  void add(std::uint64_t row) { ++rows, hash ^= row; }
  void remove(std::uint64_t row) { --rows, hash ^= row; }
  bool operator==(const RowSum&) const = default;
};

}  // namespace counterpoise
