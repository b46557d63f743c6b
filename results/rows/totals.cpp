#include "results/rows/totals.hpp"

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

namespace {

constexpr std::uint64_t low_bits = 0xffffffffu;
constexpr std::int64_t most_between_carries = std::int64_t{1} << 29;

}  // namespace

void ExactSum::add(double x) {
  const auto bits = std::bit_cast<std::uint64_t>(x);
  const auto exponent = static_cast<int>((bits >> 52U) & 0x7ffU);
  std::uint64_t mantissa = bits & ((std::uint64_t{1} << 52U) - 1);
  if (exponent != 0) mantissa |= std::uint64_t{1} << 52U;
  // x is mantissa * 2^(max(exponent, 1) - 1075)
  const int place = (exponent == 0 ? 1 : exponent) - 1075 - lowest;
  const auto limb = static_cast<std::size_t>(place / limb_bits);
  const auto shift = static_cast<unsigned>(place % limb_bits);
  const std::uint64_t low = mantissa << shift;
  const std::uint64_t high = shift == 0 ? 0 : mantissa >> (64U - shift);
  const std::int64_t sign = (bits >> 63U) != 0 ? -1 : 1;
  limbs_[limb] += sign * static_cast<std::int64_t>(low & low_bits);
  limbs_[limb + 1] += sign * static_cast<std::int64_t>(low >> 32U);
  limbs_[limb + 2] += sign * static_cast<std::int64_t>(high);
  if (++since_carry_ == most_between_carries) carry();
}

void ExactSum::add(const ExactSum& other) {
  ExactSum settled = other;
  settled.carry();
  carry();
  for (std::size_t i = 0; i < limb_count; ++i) limbs_[i] += settled.limbs_[i];
  carry();
}

/// Leaves 0 .. 2^32 - 1 in all limbs but the last, which has the sign.
void ExactSum::carry() {
  for (std::size_t i = 0; i + 1 < limb_count; ++i) {
    const std::int64_t over = limbs_[i] >> limb_bits;  // rounds down
    limbs_[i] -= over * (std::int64_t{1} << limb_bits);
    limbs_[i + 1] += over;
  }
  since_carry_ = 0;
}

ExactSum::Magnitude ExactSum::magnitude() const {
  ExactSum settled = *this;
  settled.carry();
  Magnitude size;
  size.negative = settled.limbs_.back() < 0;
  if (size.negative) {
    for (std::int64_t& limb : settled.limbs_) limb = -limb;
    settled.carry();
  }
  size.limbs = settled.limbs_;
  for (std::size_t i = 0; i < limb_count; ++i)
    if (size.limbs[i] != 0) size.top = static_cast<int>(i);
  return size;
}

double ExactSum::value() const {
  const Magnitude size = magnitude();
  if (size.top < 0) return 0.0;
  const auto limb = [&](int i) {
    return i < 0 ? std::uint64_t{0}
                 : static_cast<std::uint64_t>(size.limbs[static_cast<std::size_t>(i)]);
  };
  // the leading 64 bits, of which the last stands for all behind them too
  const auto unused = static_cast<unsigned>(std::countl_zero(limb(size.top)) - limb_bits);
  std::uint64_t head = (limb(size.top) << 32U | limb(size.top - 1)) << unused;
  const std::uint64_t next = limb(size.top - 2);
  if (unused > 0) head |= next >> (32U - unused);
  bool rest = (next << unused & low_bits) != 0;
  for (int i = size.top - 3; i >= 0 && !rest; --i) rest = limb(i) != 0;
  head |= rest ? 1U : 0U;
  const int exponent = lowest + limb_bits * (size.top - 1) - static_cast<int>(unused);
  const double value = std::ldexp(static_cast<double>(head), exponent);
  return size.negative ? -value : value;
}

std::string ExactSum::text() const {
  constexpr std::string_view digits = "0123456789abcdef";
  const Magnitude size = magnitude();
  if (size.top < 0) return "0";
  std::string hex;
  for (int i = size.top; i >= 0; --i)
    for (int shift = limb_bits - 4; shift >= 0; shift -= 4)
      hex +=
          digits[static_cast<std::size_t>(size.limbs[static_cast<std::size_t>(i)] >> shift & 15)];
  hex.erase(0, hex.find_first_not_of('0'));
  const std::size_t used = hex.find_last_not_of('0') + 1;
  const auto trimmed = static_cast<int>(hex.size() - used);
  hex.resize(used);
  return (size.negative ? "-0x" : "0x") + hex + 'p' + std::to_string(lowest + 4 * trimmed);
}

std::optional<ExactSum> ExactSum::parse(std::string_view text) {
  ExactSum sum;
  if (text == "0") return sum;
  const std::string_view whole = text;
  const std::int64_t sign = text.starts_with('-') ? -1 : 1;
  if (sign < 0) text.remove_prefix(1);
  const std::size_t p = text.find('p');
  if (!text.starts_with("0x") || p == std::string_view::npos) return std::nullopt;
  int exponent = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data() + p + 1, end, exponent);
  if (error != std::errc() || stop != end || exponent < lowest || (exponent - lowest) % 4 != 0)
    return std::nullopt;
  const std::string_view hex = text.substr(2, p - 2);
  auto place = static_cast<std::size_t>(exponent - lowest);
  for (auto digit = hex.rbegin(); digit != hex.rend(); ++digit, place += 4) {
    int value = 0;
    const std::string_view one(&*digit, 1);
    if (std::from_chars(one.data(), one.data() + 1, value, 16).ec != std::errc() ||
        place / limb_bits + 1 >= limb_count)
      return std::nullopt;
    sum.limbs_[place / limb_bits] += sign * (std::int64_t{value} << place % limb_bits);
  }
  sum.carry();
  if (sum.text() != whole) return std::nullopt;
  return sum;
}

}  // namespace counterpoise
