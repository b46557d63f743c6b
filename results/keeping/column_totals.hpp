#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "results/keeping/exact_sum.hpp"

namespace counterpoise {

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

}  // namespace counterpoise
