#include "results/rows/totals.hpp"

#include <algorithm>
#include <bit>
#include <boost/multiprecision/cpp_int.hpp>
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <random>
#include <sstream>
#include <vector>

using namespace counterpoise;
using boost::multiprecision::cpp_int;

namespace {

constexpr int unit = -1200;  // all numbers are whole multiples of 2^unit

cpp_int scaled(double x) {
  int exponent = 0;
  const double part = std::frexp(x, &exponent);  // x is part * 2^exponent, at least 2^-1074
  cpp_int whole(static_cast<std::int64_t>(std::ldexp(part, 53)));
  const int shift = exponent - 53 - unit;
  return shift >= 0 ? cpp_int(whole << shift) : cpp_int(whole >> -shift);
}

/// The distance of an exact sum from a double.
cpp_int distance(const cpp_int& sum, double x) {
  return abs(cpp_int(sum - scaled(x)));
}

std::vector<double> random_numbers(std::mt19937_64& random, int kind) {
  std::vector<double> numbers(1 + random() % 300);
  for (double& x : numbers) {
    do {
      x = std::bit_cast<double>(random());  // of any size, also subnormal
      if (kind == 1) x = std::ldexp(1.0 + std::fmod(x, 1.0), static_cast<int>(random() % 60));
    } while (!std::isfinite(x));
    if (random() % 16 == 0) x = 0.0;
  }
  if (kind == 2)  // nearly everything cancels
    for (std::size_t i = 1; i < numbers.size(); i += 2) numbers[i] = -numbers[i - 1];
  return numbers;
}

ExactSum sum_of(const std::vector<double>& numbers) {
  ExactSum sum;
  for (const double x : numbers) sum.add(x);
  return sum;
}

}  // namespace

TEST_CASE("a sum is exact, whatever the sizes of its numbers") {
  std::mt19937_64 random(1);
  for (int trial = 0; trial < 600; ++trial) {
    const std::vector<double> numbers = random_numbers(random, trial % 3);
    cpp_int expected = 0;
    for (const double x : numbers) expected += scaled(x);
    const ExactSum sum = sum_of(numbers);

    cpp_int told = 0, largest = 0;
    std::istringstream parts(sum.text() == "0" ? "" : sum.text());
    char colon = ':';
    std::int64_t exponent = 0, high = 0, low = 0;
    while (parts >> exponent >> colon >> high >> colon >> low) {
      const cpp_int part = ((cpp_int(high) << 32) + low) * (cpp_int(1) << (exponent - unit));
      told += part;
      largest = std::max(largest, cpp_int(abs(part)));
    }
    CHECK(parts.eof());
    CHECK(told == expected);
    // rounded to the 64 bits of the largest part, as often as there are parts, and to a double
    const double value = sum.value();
    if (std::isfinite(value))
      CHECK((distance(expected, value) << 52) <= abs(expected) + (largest >> 2));
  }
}

TEST_CASE("a sum does not depend on the order of its numbers, nor on how they were shared out") {
  std::mt19937_64 random(2);
  for (int trial = 0; trial < 100; ++trial) {
    std::vector<double> numbers = random_numbers(random, trial % 3);
    const std::string text = sum_of(numbers).text();
    std::shuffle(numbers.begin(), numbers.end(), random);
    const auto middle = numbers.begin() + static_cast<std::ptrdiff_t>(random() % numbers.size());
    ExactSum parts = sum_of({numbers.begin(), middle});
    parts.add(sum_of({middle, numbers.end()}));
    CHECK(parts.text() == text);
    REQUIRE(ExactSum::parse(text));
    CHECK(ExactSum::parse(text)->text() == text);
  }
}

TEST_CASE("a text that is no sum is not read") {
  for (const char* text : {"",
                           "1",
                           "1:2",
                           "1:2:",
                           "1:2:3:4",
                           "1:2:3 ",
                           " 1:2:3",
                           "1:2:3  4:5:6",
                           "4:5:6 1:2:3",
                           "1:2:3 1:2:3",
                           "1:0:0",
                           "1:2:4294967296",
                           "1:2:-1",
                           "01:2:3",
                           "0x",
                           "0xp0",
                           "0x1",
                           "0x1p",
                           "-0",
                           "0xgp0",
                           "0x1p0 ",
                           " 0x1p0",
                           "--0x1p0"})
    CHECK_FALSE(ExactSum::parse(text));
  CHECK(ExactSum::parse("-4:3:1 7:0:2")->value() == (3.0 * 4294967296.0 + 1.0) / 16.0 + 256.0);
}

TEST_CASE("sums of earlier versions are read") {
  CHECK(ExactSum::parse("-0x3p-4")->value() == -3.0 / 16.0);
  CHECK(ExactSum::parse("0x123456789abcdef01p-4")->value() == 0x123456789abcdef01p-4);
  ExactSum more = *ExactSum::parse("0x3p-4");
  more.add(-3.0 / 16.0);
  CHECK(more.value() == 0.0);
}

TEST_CASE("a bin of a histogram holds the numbers between its bounds") {
  std::mt19937_64 random(3);
  std::vector<double> numbers = {0.0,
                                 -0.0,
                                 1.0,
                                 -1.0,
                                 std::numeric_limits<double>::max(),
                                 std::numeric_limits<double>::lowest(),
                                 std::numeric_limits<double>::denorm_min(),
                                 -std::numeric_limits<double>::denorm_min()};
  for (const double x : random_numbers(random, 0)) numbers.push_back(x);
  for (int i = 0; i < 5000; ++i) numbers.push_back(std::normal_distribution<>(1.0, 2.0)(random));
  Histogram all, first, second;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    all.add(numbers[i]);
    (i % 3 == 0 ? first : second).add(numbers[i]);
  }
  const std::vector<Histogram::Bin> bins = all.bins();
  std::int64_t count = 0;
  for (std::size_t b = 0; b < bins.size(); ++b) {
    const auto& [low, high, cases] = bins[b];
    CHECK(low < high);
    if (b > 0) CHECK(low >= bins[b - 1].high);
    CHECK(cases ==
          std::count_if(numbers.begin(), numbers.end(), [&, low = low, high = high](double x) {
            if (low >= 0.0)
              return low <= x && (x < high || high == std::numeric_limits<double>::max());
            return (low < x || low == std::numeric_limits<double>::lowest()) && x <= high &&
                   !(x == 0.0);
          }));
    if (low > 1e-300) CHECK(high <= low * 1.0626);
    count += cases;
  }
  CHECK(count == static_cast<std::int64_t>(numbers.size()));
  second.add(first);
  CHECK(second.bins() == bins);
  Histogram read;
  for (const Histogram::Bin& bin : bins) read.add(bin);
  CHECK(read.bins() == bins);
}
