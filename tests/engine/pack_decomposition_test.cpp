#include <Eigen/LU>
#include <Eigen/SVD>
#include <catch2/catch.hpp>
#include <cmath>

#include "engine/math/orthogonal_decomposition.hpp"
#include "tests/support/random.hpp"
#include "tests/support/trials.hpp"

using namespace counterpoise;
using namespace counterpoise::test;

namespace {

/// One matrix per lane, with its decomposition.
struct Matrices {
  std::vector<Eigen::MatrixXd> each;
  PackDecomposition factor;

  Matrices(Random& random, int rows, int columns) : factor(rows, columns) {
    for (int k = 0; k < lanes<Pack>; ++k) {
      Eigen::MatrixXd& matrix = each.emplace_back(rows, columns);
      for (double& x : matrix.reshaped()) x = random.uniform(-1.0, 1.0);
      if (rows == columns) matrix.diagonal().array() += 2.0;
      matrix *= std::pow(10.0, random.uniform(-3.0, 3.0));
      if (random.below(2) == 0) matrix.row(0) *= -1.0;
      for (int j = 0; j < columns; ++j)
        for (int i = 0; i < rows; ++i) set_lane(factor.column(j)[i], k, matrix(i, j));
    }
    factor.compute();
  }
};

std::vector<Pack> random_packs(Random& random, int size) {
  std::vector<Pack> packs(static_cast<std::size_t>(size));
  for (Pack& pack : packs)
    for (int k = 0; k < lanes<Pack>; ++k) set_lane(pack, k, random.uniform(-1.0, 1.0));
  return packs;
}

Eigen::VectorXd lane_of(const std::vector<Pack>& packs, int k) {
  Eigen::VectorXd result(static_cast<Eigen::Index>(packs.size()));
  for (std::size_t i = 0; i < packs.size(); ++i)
    result(static_cast<Eigen::Index>(i)) = lane(packs[i], k);
  return result;
}

}  // namespace

TEST_CASE("every lane solves as singular values do in the least-squares sense") {
  Random random(20270101);
  for (int trial = 0; trial < test::trials(200); ++trial) {
    const int columns = 1 + random.below(15), rows = columns + random.below(2) * random.below(9);
    CAPTURE(trial, rows, columns);
    Matrices matrices(random, rows, columns);
    const std::vector<Pack> right = random_packs(random, rows);
    std::vector<Pack> work = right, x(static_cast<std::size_t>(columns));
    matrices.factor.solve(work, x);
    const Pack conditioning = matrices.factor.conditioning();
    for (int k = 0; k < lanes<Pack>; ++k) {
      const Eigen::JacobiSVD<Eigen::MatrixXd> svd(matrices.each[k],
                                                  Eigen::ComputeThinU | Eigen::ComputeThinV);
      const Eigen::VectorXd& values = svd.singularValues();
      const double tolerance = 1e-13 * std::pow(values(0) / values(columns - 1), 2);
      const Eigen::VectorXd expected_x = svd.solve(lane_of(right, k));
      CHECK((lane_of(x, k) - expected_x).norm() <= tolerance * expected_x.norm());
      const double expected = 1.0 / (values.norm() * values.cwiseInverse().norm());
      CHECK(lane(conditioning, k) == Approx(expected).epsilon(1e-9));
    }
  }
}

TEST_CASE("the determinant of every lane is that of elimination, and else the volume") {
  Random random(20270102);
  int negative = 0;
  for (int trial = 0; trial < test::trials(200); ++trial) {
    const int columns = 1 + random.below(10), rows = columns + (trial % 2) * random.below(5);
    CAPTURE(trial, rows, columns);
    const Matrices matrices(random, rows, columns);
    for (int k = 0; k < lanes<Pack>; ++k) {
      const Eigen::MatrixXd& matrix = matrices.each[k];
      const double found = lane(matrices.factor.determinant(), k);
      if (rows == columns) {
        const double expected = matrix.partialPivLu().determinant();
        CHECK(found == Approx(expected).epsilon(1e-9));
        negative += expected < 0.0 ? 1 : 0;
      } else {
        const Eigen::MatrixXd squares = matrix.transpose() * matrix;
        CHECK(found * found == Approx(squares.partialPivLu().determinant()).epsilon(1e-6));
      }
    }
  }
  CHECK(negative > test::trials(100));
}

TEST_CASE("a matrix that lost its rank has no conditioning, and leaves other lanes alone") {
  PackDecomposition factor(3, 2);
  const double first[] = {1.0, 2.0, 2.0}, second[] = {2.0, 4.0, 4.5};
  for (std::size_t i = 0; i < 3; ++i) {
    factor.column(0)[i] = Pack(first[i]);
    factor.column(1)[i] = Pack(second[i]);
    set_lane(factor.column(1)[i], 1, 2.0 * first[i]);
    set_lane(factor.column(0)[i], 2, 0.0);
  }
  factor.compute();
  const PackMask sound = factor.conditioning() >= Pack(1e-6);
  CHECK(holds(sound, 1));
  CHECK(!holds(sound, 2));
  CHECK(sound.bits[2] == 0);
  CHECK(sound.bits[3] != 0);
}
