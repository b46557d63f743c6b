#include <Eigen/SVD>
#include <catch2/catch.hpp>
#include <cmath>

#include "engine/math/column_decomposition.hpp"
#include "tests/support/random.hpp"
#include "tests/support/trials.hpp"

using namespace counterpoise;
using namespace counterpoise::test;

namespace {

Eigen::VectorXd random_vector(Random& random, Eigen::Index size) {
  Eigen::VectorXd result(size);
  for (double& x : result) x = random.uniform(-1.0, 1.0);
  return result;
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
    CHECK(factor.least_pivot() <= least * std::pow(2.0, columns) * columns);
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
