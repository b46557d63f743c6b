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

/// A sum of finite doubles without rounding, so that it does not depend on their order: of all
/// numbers with the same exponent the sum of their mantissas, which are whole numbers of 53 bits.
class ExactSum {
 public:
  void add(double x);
  void add(const ExactSum& other);

  /// The sum, which is rounded as its largest parts are; infinite beyond the largest double.
  [[nodiscard]] double value() const;

  /// The parts as "exponent:high:low", each (high * 2^32 + low) * 2^exponent; one text for the same
  /// numbers in any order.
  [[nodiscard]] std::string text() const;
  /// Reads what text() writes, and the "-0x1a2bp-52" of earlier versions, which means
  /// -0x1a2b * 2^-52; nothing for anything else.
  static std::optional<ExactSum> parse(std::string_view text);

 private:
  /// high * 2^32 + low, with low from 0 to 2^32 - 1.
  struct Part {
    std::int64_t high = 0, low = 0;

    void add(std::int64_t more_high, std::int64_t more_low);
  };
  static std::optional<ExactSum> parse_hexadecimal(std::string_view text);

  std::map<int, Part> parts_;  // by exponent
};

/// How often numbers fell into bins that are the same for every study: each octave (from 2^n to
/// 2^(n+1)) of positive and of negative numbers has 16 of equal width. So a histogram needs to know
/// nothing beforehand, and histograms of parts of a study add up.
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
  /// The sum through the count. There is a value.
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
