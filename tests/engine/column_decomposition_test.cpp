#include <Eigen/QR>
#include <Eigen/SVD>
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>

#include "engine/math/column_decomposition.hpp"
#include "engine/math/sparse_decomposition.hpp"
#include "tests/support/random.hpp"
#include "tests/support/trials.hpp"

using namespace counterpoise;
using namespace counterpoise::test;

namespace {

/// A matrix with few entries in each row, and its pattern.
struct FewEntries {
  SparseDecomposition::Pattern pattern;
  Eigen::MatrixXd matrix;
  std::vector<double> entries;

  FewEntries(Random& random, int rows, int columns)
      : pattern(static_cast<std::size_t>(rows)), matrix(Eigen::MatrixXd::Zero(rows, columns)) {
    const bool chain = random.below(2) == 0;
    for (int r = 0; r < rows; ++r)
      for (int c = columns; c-- > 0;) {
        const int near = std::abs(r * columns / rows - c);
        const bool there = chain ? near < 3 : r == c || random.below(columns) < 2;
        if (!there) continue;
        pattern[static_cast<std::size_t>(r)].push_back(c);
        matrix(r, c) = random.uniform(-1.0, 1.0) + (r == c ? 2.0 : 0.0);
      }
  }
  void read_entries() {
    entries.clear();
    for (std::size_t r = 0; r < pattern.size(); ++r)
      for (const int c : pattern[r]) entries.push_back(matrix(static_cast<Eigen::Index>(r), c));
  }
};

Eigen::VectorXd random_vector(Random& random, Eigen::Index size) {
  Eigen::VectorXd result(size);
  for (double& x : result) x = random.uniform(-1.0, 1.0);
  return result;
}

std::span<double> span_of(Eigen::VectorXd& vector) {
  return {vector.data(), static_cast<std::size_t>(vector.size())};
}

}  // namespace

TEST_CASE("columns are solved for as singular values do it, and rows with the least norm") {
  Random random(20270301);
  for (int trial = 0; trial < test::trials(300); ++trial) {
    const int columns = 1 + random.below(12), rows = columns + random.below(8);
    CAPTURE(trial, rows, columns);
    Eigen::MatrixXd matrix(rows, columns);
    for (double& x : matrix.reshaped()) x = random.uniform(-1.0, 1.0);
    if (random.below(3) == 0) matrix.row(random.below(rows)).setZero();
    if (random.below(3) == 0) matrix.col(0) = matrix.col(columns - 1) + 1e-3 * matrix.col(0);
    if (columns == rows) matrix.diagonal().array() += 3.0;
    const Eigen::JacobiSVD<Eigen::MatrixXd> svd(matrix, Eigen::ComputeThinU | Eigen::ComputeThinV);
    const double least = svd.singularValues()(columns - 1);
    if (least < 1e-6) continue;
    const double rounding = 1e-14 * svd.singularValues()(0) / least;
    ColumnDecomposition factor;
    factor.compute(matrix);
    CHECK(factor.least_pivot() >= least * (1.0 - 1e-12));
    const Eigen::ColPivHouseholderQR<Eigen::MatrixXd> pivoted(matrix);
    const double last = pivoted.matrixQR().diagonal().cwiseAbs().minCoeff();
    CHECK(std::abs(factor.least_pivot() - last) <= rounding);
    const Eigen::VectorXd right = random_vector(random, rows),
                          below = random_vector(random, columns);
    Eigen::MatrixXd two(rows, 2), x(columns, 2);
    two << right, -3.0 * right;
    factor.solve(two, x);
    const Eigen::VectorXd expected = svd.solve(right);
    CHECK((x.col(0) - expected).norm() <= rounding / least);
    CHECK((x.col(1) + 3.0 * expected).norm() <= 3.0 * rounding / least);
    Eigen::VectorXd y;
    factor.solve_transposed(below, y);
    const Eigen::VectorXd least_norm =
        svd.matrixU() * (svd.matrixV().transpose() * below).cwiseQuotient(svd.singularValues());
    CHECK((y - least_norm).norm() <= rounding / least);
  }
}

TEST_CASE("a matrix with few entries is solved as singular values do it") {
  Random random(20270302);
  for (int trial = 0; trial < test::trials(200); ++trial) {
    const int columns = 1 + random.below(60), rows = columns + random.below(40);
    CAPTURE(trial, rows, columns);
    FewEntries few(random, rows, columns);
    SparseDecomposition factor(few.pattern, columns);
    for (int again = 0; again < 2; ++again) {  // the second matrix has the same pattern
      few.matrix *= -1.7;
      few.read_entries();
      const Eigen::JacobiSVD<Eigen::MatrixXd> svd(few.matrix,
                                                  Eigen::ComputeThinU | Eigen::ComputeThinV);
      const double least = svd.singularValues()(columns - 1);
      factor.compute(few.entries);
      CHECK(factor.least_pivot() >= least * (1.0 - 1e-10) - 1e-14);
      if (least < 1e-6) continue;
      const double error = 1e-13 * svd.singularValues()(0) / (least * least);
      Eigen::VectorXd right = random_vector(random, rows), below = random_vector(random, columns);
      Eigen::VectorXd x(columns), y(rows);
      factor.solve(span_of(right), span_of(x));
      CHECK((x - svd.solve(right)).norm() <= error);
      factor.solve_transposed(span_of(below), span_of(y));
      const Eigen::VectorXd least_norm =
          svd.matrixU() * (svd.matrixV().transpose() * below).cwiseQuotient(svd.singularValues());
      CHECK((y - least_norm).norm() <= error);
      // the share of each row is that of its place in the columns' span
      const Eigen::VectorXd shares = svd.matrixU().rowwise().squaredNorm();
      std::size_t next = 0;
      for (std::size_t r = 0; r < few.pattern.size(); ++r) {
        const std::span<const double> row =
            std::span<const double>(few.entries).subspan(next, few.pattern[r].size());
        CHECK(std::abs(factor.leverage(few.pattern[r], row) -
                       shares(static_cast<Eigen::Index>(r))) <= error);
        next += row.size();
      }
    }
  }
}

TEST_CASE("spanning columns are as many as the rank, and well apart") {
  Random random(20270303);
  int waited = 0;
  for (int trial = 0; trial < test::trials(200); ++trial) {
    const int columns = 2 + random.below(50), rows = columns / 2 + random.below(60);
    CAPTURE(trial, rows, columns);
    FewEntries few(random, std::max(rows, 1), columns);
    for (int c = 0; c < columns; ++c)  // some columns are nearly zero, and some are
      if (random.below(8) == 0) few.matrix.col(c) *= random.below(2) == 0 ? 0.0 : 1e-14;
    few.read_entries();
    const SpanningColumns found = spanning_columns(few.pattern, columns, few.entries);
    const Eigen::JacobiSVD<Eigen::MatrixXd> svd(few.matrix);
    const double largest = svd.singularValues()(0);
    const auto rank = (svd.singularValues().array() > 1e-9 * largest).count();
    const auto count = std::count_if(found.pivots.begin(), found.pivots.end(), [&](double pivot) {
      return pivot > 1e-9 * found.pivots.front();
    });
    REQUIRE(count == rank);
    CHECK(std::is_sorted(found.pivots.rbegin(), found.pivots.rend()));
    if (rank == 0) continue;
    Eigen::MatrixXd chosen(few.matrix.rows(), rank);
    for (Eigen::Index j = 0; j < rank; ++j)
      chosen.col(j) = few.matrix.col(found.columns[static_cast<std::size_t>(j)]);
    const Eigen::JacobiSVD<Eigen::MatrixXd> of_chosen(chosen);
    CHECK(of_chosen.singularValues()(rank - 1) > 1e-3 * svd.singularValues()(rank - 1));
    waited += rank < columns ? 1 : 0;
  }
  CHECK(waited > 5);
}
