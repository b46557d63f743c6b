#include "results/keeping/column_totals.hpp"

#include <bit>
#include <limits>

namespace counterpoise {
namespace {

constexpr unsigned dropped_bits = 48;  // keeps the exponent and four bits behind the point

/// Bins are numbered from the lowest up; 0 begins at zero.
int number_of(double x) {
  const auto bits = std::bit_cast<std::uint64_t>(x);
  const auto size = static_cast<int>((bits & ~(std::uint64_t{1} << 63U)) >> dropped_bits);
  return bits >> 63U != 0 ? -1 - size : size;
}

/// The bound towards zero of a bin of positive numbers.
double bound(int number) {
  const double value = std::bit_cast<double>(static_cast<std::uint64_t>(number) << dropped_bits);
  return value <= std::numeric_limits<double>::max() ? value : std::numeric_limits<double>::max();
}

}  // namespace

void Histogram::add(double x) {
  add(number_of(x == 0.0 ? 0.0 : x), 1);  // no negative zero
}

void Histogram::add(const Bin& bin) {
  if (bin.low >= 0.0)
    add(number_of(bin.low), bin.count);
  else
    add(number_of(bin.high == 0.0 ? -0.0 : bin.high), bin.count);
}

void Histogram::add(const Histogram& other) {
  for (std::size_t i = 0; i < other.counts_.size(); ++i)
    if (other.counts_[i] != 0) add(other.first_ + static_cast<int>(i), other.counts_[i]);
}

void Histogram::add(int number, std::int64_t count) {
  if (counts_.empty()) first_ = number;
  if (number < first_) {
    counts_.insert(counts_.begin(), static_cast<std::size_t>(first_ - number), 0);
    first_ = number;
  }
  const auto place = static_cast<std::size_t>(number - first_);
  if (place >= counts_.size()) counts_.resize(place + 1);
  counts_[place] += count;
}

std::vector<Histogram::Bin> Histogram::bins() const {
  std::vector<Bin> bins;
  for (std::size_t i = 0; i < counts_.size(); ++i) {
    if (counts_[i] == 0) continue;
    const int number = first_ + static_cast<int>(i);
    if (number >= 0)
      bins.push_back({bound(number), bound(number + 1), counts_[i]});
    else
      bins.push_back({-bound(-number), number == -1 ? 0.0 : -bound(-1 - number), counts_[i]});
  }
  return bins;
}

void ColumnTotals::add(double value, std::int64_t id) {
  value += 0.0;  // negative zero is zero
  if (count == 0 || value < least || (value == least && id < least_id)) {
    least = value;
    least_id = id;
  }
  if (count == 0 || value > most || (value == most && id < most_id)) {
    most = value;
    most_id = id;
  }
  ++count;
  sum.add(value);
  histogram.add(value);
}

void ColumnTotals::add(const ColumnTotals& other) {
  if (other.count == 0) return;
  if (count == 0 || other.least < least || (other.least == least && other.least_id < least_id)) {
    least = other.least;
    least_id = other.least_id;
  }
  if (count == 0 || other.most > most || (other.most == most && other.most_id < most_id)) {
    most = other.most;
    most_id = other.most_id;
  }
  count += other.count;
  sum.add(other.sum);
  histogram.add(other.histogram);
}

}  // namespace counterpoise
