#include <catch2/catch.hpp>

#include "bench/formulations/tree_operations.hpp"
#include "tests/formulations/rod_tree_case.hpp"

using namespace counterpoise;
using namespace counterpoise::bench;
using namespace counterpoise::rod_tree;

namespace {

using Count = TreeOperations (*)(const RodTree&);

/// A formulation and the coefficients of n_m^2 in its dense counts, added up by hand from the loops
/// over pairs of rods: a product of 4x4 matrices takes 64 products and 48 sums, one of 3x3 matrices
/// 27 and 18, of a 3x3 matrix and a vector 9 and 6, a cross product 6 and 3, a trace 16 and 15.
struct Row {
  Count count;
  double products, sums;
};
const std::array<Row, 3> rows = {{
    // per pair: two products and a trace of 4x4 matrices, one product of 3x3, 2 Tr, Pi, assembly
    {formulation_operations<GibbsAppell>, (64 + 64 + 16 + 1 + 27) / 2.0,
     (48 + 48 + 15 + 18 + 1 + 1) / 2.0},
    // out: acceleration, its force, D; back: trace and D, assembly
    {formulation_operations<Lagrangian>, (3 * 64 + 16 + 64) / 2.0,
     (3 * 48 + 16 + 15 + 48 + 1) / 2.0},
    // out: two vectors turned, three cross products, mass, inertia, wrench added; all the way back:
    // two vectors turned and a cross product; assembly
    {formulation_operations<GibbsAppellByRotations>, (2 * 9 + 3 * 6 + 3 + 9) / 2.0 + 2 * 9 + 6,
     (2 * 6 + 3 * 3 + 3 + 3 + 6 + 3 + 6 + 1) / 2.0 + 2 * 6 + 3 + 3},
}};

std::array<double, 2> dense(const Row& row, int branches, int rods) {
  const Tally tally = row.count(star(branches, rods)).dense;
  return {static_cast<double>(tally.products), static_cast<double>(tally.sums)};
}

}  // namespace

TEST_CASE("operations are tallied one by one, and again without constants that need none") {
  const Tallied x = Tallied::input(0.7), y = Tallied::input(-1.3);
  const auto counts = [](auto work) {
    const TreeOperations found = operations_of(work);
    return std::array<long long, 4>{found.dense.products, found.dense.sums, found.sparse.products,
                                    found.sparse.sums};
  };
  using Four = std::array<long long, 4>;
  CHECK(counts([&] { return x * y; }) == Four{1, 0, 1, 0});
  CHECK(counts([&] { return x + y; }) == Four{0, 1, 0, 1});
  CHECK(counts([&] { return x - y; }) == Four{0, 1, 0, 1});
  CHECK(counts([&] { return -x; }) == Four{0, 0, 0, 0});
  CHECK(counts([&] { return x * 2.0; }) == Four{1, 0, 1, 0});
  CHECK(counts([&] { return x * 1.0 + x * -1.0 + x * 0.0; }) == Four{3, 2, 0, 1});
  CHECK(counts([&] { return 1.0 * x - -1.0 * x - 0.0 * x; }) == Four{3, 2, 0, 1});
  CHECK(counts([&] { return 0.0 + x; }) == Four{0, 1, 0, 0});
  CHECK(counts([&] { return Tallied(2.0) * 3.0 + 4.0; }) == Four{1, 1, 0, 0});
  CHECK(counts([&] { return x * (Tallied(2.0) * 3.0 - 6.0) + y; }) == Four{2, 2, 0, 0});
  CHECK((x * y - 2.0).value() == 0.7 * -1.3 - 2.0);
  // a number that happens to be zero is not a constant
  CHECK(counts([&] { return (x - x) * y + y; }) == Four{1, 2, 1, 2});

  const Mat4<Tallied> A = Mat4<Tallied>::Constant(x);
  CHECK(counts([&] { return Mat4<Tallied>(A * A); }) == Four{64, 48, 64, 48});
}

TEST_CASE("counted numbers give the equations that doubles give") {
  const RodTree tree = paper_tree();
  const auto branches = divide_into_branches(tree);
  const auto state = some_state<Tallied>(tree, Tallied::input);
  const auto numbers = some_state<double>(tree, [](double value) { return value; });
  const auto expected = test::equations_by<GibbsAppell<double>>(tree, numbers);
  GibbsAppell<Tallied> formulation;
  Equations<Tallied> of_branch, of_tree;
  derive_equations<Tallied>(tree, branches, state, formulation, of_branch, of_tree);
  for (int i = 0; i < tree.freedoms(); ++i) {
    CHECK(of_tree.right_side(i).value() == Approx(expected.right_side(i)).epsilon(1e-12));
    for (int j = 0; j < tree.freedoms(); ++j)
      CHECK(of_tree.inertia(i, j).value() ==
            Approx(expected.inertia(i, j)).epsilon(1e-12).margin(1e-13));
  }
}

TEST_CASE("counted operations are n_b times a square of n_m, as in Table 1 of paper 002") {
  for (std::size_t at = 0; at < rows.size(); ++at) {
    const Row& row = rows[at];
    for (const std::size_t kind : {0u, 1u}) {
      const auto count = [&](int branches, int rods) { return dense(row, branches, rods)[kind]; };
      const double leading = kind == 0 ? row.products : row.sums;
      for (const int n : {2, 3, 7, 20, 50}) {
        CAPTURE(at, kind, n);
        const double now = count(1, n), second = count(1, n + 2) - 2.0 * count(1, n + 1) + now;
        CHECK(second == 2.0 * leading);
        CHECK(count(4, n) == 4.0 * now);
        CHECK(count(9, n) == 9.0 * now);
      }
    }
  }
}

TEST_CASE("formulations rank by counts as in Table 1, and composite bodies need the least") {
  const auto less = [](const Tally& a, const Tally& b) {
    return a.products < b.products && a.sums < b.sums;
  };
  for (const int n : {2, 4, 10, 50, 200}) {
    const RodTree tree = star(1, n);
    const TreeOperations combined = formulation_operations<GibbsAppell>(tree),
                         rotations = formulation_operations<GibbsAppellByRotations>(tree),
                         lagrangian = formulation_operations<Lagrangian>(tree),
                         engine = engine_operations(tree);
    CAPTURE(n);
    CHECK(less(combined.dense, lagrangian.dense));
    CHECK(less(rotations.dense, combined.dense));
    CHECK(less(engine.dense, rotations.dense));
    if (n > 2) CHECK(less(engine.sparse, rotations.sparse));
    CHECK(less(combined.sparse, combined.dense));
  }
}
