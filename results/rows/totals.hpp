#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "results/rows/row_batch.hpp"

namespace counterpoise {

/// A sum of finite doubles without rounding, so that it does not depend on their order: a fixed
/// point number wide enough for 2^63 of the largest. Takes 560 bytes; adding a number takes three
/// additions of integers.
class ExactSum {
 public:
  void add(double x);
  void add(const ExactSum& other);

  /// The sum rounded once, to the nearest double, ties to even; infinite beyond the largest.
  [[nodiscard]] double value() const;

  /// The exact sum as "-0x1a2bp-52", which means -0x1a2b * 2^-52; one text for each sum.
  [[nodiscard]] std::string text() const;
  /// Reads what text() writes; nothing for anything else.
  static std::optional<ExactSum> parse(std::string_view text);

 private:
  static constexpr std::size_t limb_count = 70;
  static constexpr int limb_bits = 32;
  static constexpr int lowest = -1088;  // exponent of the first limb's last bit

  using Limbs = std::array<std::int64_t, limb_count>;
  /// The sum's size with all limbs from 0 to 2^32 - 1, and whether it is negative.
  struct Magnitude {
    Limbs limbs{};
    bool negative = false;
    int top = -1;  // the highest limb that is not zero, or -1
  };
  void carry();
  [[nodiscard]] Magnitude magnitude() const;

  Limbs limbs_{};                 // the sum of limb i times 2^(32 i - 1088)
  std::int64_t since_carry_ = 0;  // numbers added; each changes a limb by less than 2^32
};

/// How often numbers fell into bins that are the same for every study: each octave (from 2^n to
/// 2^(n+1)) of positive and of negative numbers has 16 of equal width. So a histogram needs to know
/// nothing beforehand, and those of parts of a study add up.
class Histogram {
 public:
  /// Numbers from low to below high; of negative ones above low and up to high.
  struct Bin {
    double low = 0.0, high = 0.0;
    std::int64_t count = 0;

    bool operator==(const Bin&) const = default;
  };

  /// `x` is finite.
  void add(double x);
  void add(const Histogram& other);
  /// Adds what bins() told of another histogram.
  void add(const Bin& bin);
  /// The bins that are not empty, by rising bounds.
  [[nodiscard]] std::vector<Bin> bins() const;

 private:
  void add(int number, std::int64_t count);

  int first_ = 0;  // number of the first bin in counts_
  std::vector<std::int64_t> counts_;
};

/// What all values of one metric or objective come to, whatever order they came in.
struct ColumnTotals {
  std::int64_t count = 0;
  double least = 0.0, most = 0.0;          // if there is a value
  std::int64_t least_id = 0, most_id = 0;  // the first cases that have them
  ExactSum sum;
  Histogram histogram;

  void add(double value, std::int64_t id);
  void add(const ColumnTotals& other);
  /// The exact sum, rounded, through the count. There is a value.
  [[nodiscard]] double mean() const { return sum.value() / static_cast<double>(count); }
};

/// What a reason says before it tells a time or opens a parenthesis, with "..." for each number. A
/// digit within a word, as in the name s1, belongs to the word.
std::string kind_of_reason(std::string_view reason);

/// What all cases of a study come to, stored or not. Does not depend on the order in which cases or
/// parts of the study are added.
struct Totals {
  explicit Totals(const StoreLayout& layout)
      : columns(layout.metrics.size() + layout.objectives.size()) {}

  /// Cost: some tens of nanoseconds for each metric and objective of a feasible case.
  void add(const RowBatch& batch, std::size_t row);
  void add(const Totals& other);

  [[nodiscard]] std::int64_t count(Status status) const {
    return statuses[static_cast<std::size_t>(status)];
  }
  [[nodiscard]] std::int64_t cases() const { return statuses[0] + statuses[1] + statuses[2]; }

  std::array<std::int64_t, 3> statuses{};  // cases of each Status
  std::vector<ColumnTotals> columns;       // metrics, then objectives, over the feasible cases
  std::map<std::pair<std::int64_t, std::int64_t>, std::int64_t> failures;  // by kind and `of`
  std::map<std::string, std::int64_t> in_words;  // failures told in words only, by kind_of_reason()
};

}  // namespace counterpoise
