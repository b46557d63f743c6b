#include <catch2/catch.hpp>
#include <set>

#include "optimizer/statistics/sobol_indices.hpp"

using namespace counterpoise;

namespace {

/// All rows, asked for one after the other.
std::vector<std::vector<double>> rows_of(std::size_t factors, std::int64_t base_samples,
                                         std::uint64_t seed) {
  SaltelliDesign design(factors, seed);
  std::vector<std::vector<double>> rows(
      static_cast<std::size_t>(SaltelliDesign::rows(factors, base_samples)),
      std::vector<double>(factors));
  for (std::size_t r = 0; r < rows.size(); ++r) design.row(static_cast<std::int64_t>(r), rows[r]);
  return rows;
}

}  // namespace

TEST_CASE("row AB_i is row A with column i from row B") {
  const std::size_t factors = 5, block = factors + 2;
  const auto rows = rows_of(factors, 32, 3);
  for (std::size_t at = 0; at < rows.size(); at += block) {
    const auto &a = rows[at], &b = rows[at + block - 1];
    for (std::size_t i = 0; i < factors; ++i) {
      auto expected = a;
      expected[i] = b[i];
      CHECK(rows[at + 1 + i] == expected);
      CHECK(a[i] != b[i]);
    }
  }
}

TEST_CASE("of a power of two of points each column of A and B has one in every interval") {
  const std::size_t factors = 6, block = factors + 2, count = 64;
  for (std::uint64_t seed : {0u, 1u, 77u}) {
    const auto rows = rows_of(factors, count, seed);
    for (std::size_t matrix : {std::size_t{0}, block - 1})
      for (std::size_t i = 0; i < factors; ++i) {
        std::set<int> intervals;
        for (std::size_t at = 0; at < rows.size(); at += block) {
          const double u = rows[at + matrix][i];
          REQUIRE((u >= 0.0 && u < 1.0));
          intervals.insert(static_cast<int>(u * count));
        }
        CHECK(intervals.size() == count);
      }
  }
}

TEST_CASE("a row does not depend on those that were asked for before") {
  const std::size_t factors = 3;
  const auto rows = rows_of(factors, 64, 5);
  SaltelliDesign design(factors, 5);
  std::vector<double> u(factors);
  for (std::size_t r : {200u, 0u, 4u, 5u, 319u, 10u, 9u, 1u}) {
    design.row(static_cast<std::int64_t>(r), u);
    CHECK(u == rows[r]);
  }
}

TEST_CASE("another seed is another design") {
  CHECK(rows_of(2, 16, 1) != rows_of(2, 16, 2));
  CHECK(rows_of(2, 16, 1) == rows_of(2, 16, 1));
}
