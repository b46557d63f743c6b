#include "results/rows/totals.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <limits>

namespace counterpoise {

std::string kind_of_reason(std::string_view reason) {
  const auto digit = [](char c) { return c >= '0' && c <= '9'; };
  const auto in_word = [&](char c) {
    return digit(c) || c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  };
  reason = reason.substr(0, std::min(reason.find(" at t="), reason.find(" (")));
  std::string kind;
  for (std::size_t i = 0; i < reason.size();) {
    if (!digit(reason[i]) || (i > 0 && in_word(reason[i - 1]))) {
      kind += reason[i++];
      continue;
    }
    double number = 0.0;
    const char* const end =
        std::from_chars(reason.data() + i, reason.data() + reason.size(), number).ptr;
    i = static_cast<std::size_t>(end - reason.data());
    kind += "...";
  }
  return kind;
}

void Totals::add(const RowBatch& batch, std::size_t row) {
  ++statuses[static_cast<std::size_t>(batch.status(row))];
  if (const FailureRow* failure = batch.failure(row)) {
    if (failure->kind == told_in_words)
      ++in_words[kind_of_reason(batch.reason(row))];
    else
      ++failures[{failure->kind, failure->of}];
  }
  if (batch.status(row) != Status::feasible) return;
  const std::span<const double> numbers = batch.numbers(row).last(columns.size());
  for (std::size_t i = 0; i < columns.size(); ++i) columns[i].add(numbers[i], batch.id(row));
}

void Totals::add(const Totals& other) {
  for (std::size_t i = 0; i < statuses.size(); ++i) statuses[i] += other.statuses[i];
  for (std::size_t i = 0; i < columns.size(); ++i) columns[i].add(other.columns[i]);
  for (const auto& [key, count] : other.failures) failures[key] += count;
  for (const auto& [words, count] : other.in_words) in_words[words] += count;
}

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

void ExactSum::Part::add(std::int64_t more_high, std::int64_t more_low) {
  constexpr int bits = 32;
  low += more_low;
  high += more_high + (low >> bits);  // rounds down
  low &= (std::int64_t{1} << bits) - 1;
}

void ExactSum::add(double x) {
  int exponent = 0;
  const double part = std::frexp(x, &exponent);  // x is part * 2^exponent
  if (x != 0.0) parts_[exponent - 53].add(0, static_cast<std::int64_t>(std::ldexp(part, 53)));
}

void ExactSum::add(const ExactSum& other) {
  for (const auto& [exponent, part] : other.parts_) parts_[exponent].add(part.high, part.low);
}

double ExactSum::value() const {
  long double sum = 0.0L;
  for (auto at = parts_.rbegin(); at != parts_.rend(); ++at) {
    const auto& [exponent, part] = *at;
    sum += std::ldexp(
        std::ldexp(static_cast<long double>(part.high), 32) + static_cast<long double>(part.low),
        exponent);
  }
  return static_cast<double>(sum);
}

std::string ExactSum::text() const {
  std::string text;
  for (const auto& [exponent, part] : parts_) {
    if (part.high == 0 && part.low == 0) continue;
    if (!text.empty()) text += ' ';
    text += fmt::format("{}:{}:{}", exponent, part.high, part.low);
  }
  return text.empty() ? "0" : text;
}

std::optional<ExactSum> ExactSum::parse(std::string_view text) {
  ExactSum sum;
  if (text == "0") return sum;
  if (text.find('x') != std::string_view::npos) return parse_hexadecimal(text);
  const char* at = text.data();
  const char* const end = at + text.size();
  const auto read = [&](auto& number, char before) {
    if (before != '\0' && (at == end || *at++ != before)) return false;
    const auto [stop, error] = std::from_chars(at, end, number);
    at = stop;
    return error == std::errc();
  };
  do {
    int exponent = 0;
    std::int64_t high = 0, low = 0;
    if (!read(exponent, sum.parts_.empty() ? '\0' : ' ') || !read(high, ':') || !read(low, ':'))
      return std::nullopt;
    sum.parts_[exponent].add(high, low);
  } while (at != end);
  if (sum.text() != text) return std::nullopt;
  return sum;
}

std::optional<ExactSum> ExactSum::parse_hexadecimal(std::string_view text) {
  const std::int64_t sign = text.starts_with('-') ? -1 : 1;
  if (sign < 0) text.remove_prefix(1);
  const std::size_t p = text.find('p');
  if (!text.starts_with("0x") || p == std::string_view::npos) return std::nullopt;
  int exponent = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data() + p + 1, end, exponent);
  if (error != std::errc() || stop != end) return std::nullopt;
  ExactSum sum;
  for (std::size_t place = p - 1; place > 1; --place, exponent += 4) {
    int digit = 0;
    const char* const at = text.data() + place;
    if (std::from_chars(at, at + 1, digit, 16).ec != std::errc()) return std::nullopt;
    sum.parts_[exponent].add(0, sign * digit);
  }
  if (sum.parts_.empty()) return std::nullopt;
  return sum;
}

}  // namespace counterpoise
