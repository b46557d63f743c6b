#include "optimizer/convex/epigraph_simplex.hpp"

#include <glpk.h>

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <random>

#include "optimizer/convex/linear_program.hpp"
#include "tests/support/trials.hpp"

using namespace counterpoise;

namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

/// Minimise t, which is at least some sums of epigraph columns and a linear function of the
/// unknowns, under limits on others.
struct MinimaxProgram {
  LinearColumns columns;
  LinearRows rows;
  std::vector<int> epigraph;

  void add_row(double lower) {
    rows.starts.push_back(static_cast<int>(rows.columns.size()));
    rows.lower.push_back(lower);
  }
  void entry(int column, double coefficient) {
    rows.columns.push_back(column);
    rows.coefficients.push_back(coefficient);
  }
};

struct Shape {
  int unknowns = 4, epigraph = 6, pieces = 2, limits = 1;
  bool integers = false;  // small ones, so that many multipliers and rows tie
  double room = 2.0;      // of limits: below 0 where many cannot be met
  double width = 5.0;     // of the bounds
};

double uniform(std::mt19937& random, double low, double high) {
  return low + (high - low) * (static_cast<double>(random()) / 4294967296.0);
}

double number(std::mt19937& random, const Shape& shape) {
  const double real = uniform(random, -2.0, 2.0);
  return shape.integers ? std::round(real) : real;
}

void add_unknowns(std::mt19937& random, const Shape& shape, double sign, MinimaxProgram& program) {
  for (int j = 0; j < shape.unknowns; ++j)
    if (const double slope = number(random, shape); slope != 0.0) program.entry(j, sign * slope);
}

void add_cuts(std::mt19937& random, const Shape& shape, int each, MinimaxProgram& program) {
  for (const int column : program.epigraph)
    for (int cut = 0; cut < each; ++cut) {
      program.add_row(number(random, shape));
      program.entry(column, 1.0);
      add_unknowns(random, shape, 1.0, program);
    }
}

MinimaxProgram minimax(std::mt19937& random, const Shape& shape) {
  MinimaxProgram program;
  for (int j = 0; j < shape.unknowns; ++j)
    program.columns.add(-uniform(random, 0.0, 1.0) * shape.width,
                        uniform(random, 0.0, 1.0) * shape.width, 0.0);
  const int t = program.columns.add(-3.0, infinite, 1.0);
  for (int g = 0; g < shape.epigraph; ++g)
    program.epigraph.push_back(program.columns.add_epigraph());
  for (int row = 0; row < shape.pieces + shape.limits; ++row) {
    const bool piece = row < shape.pieces;
    program.add_row(piece ? number(random, shape) : -shape.room * uniform(random, 0.0, 4.0));
    if (piece) program.entry(t, 1.0);
    add_unknowns(random, shape, 1.0, program);
    for (const int column : program.epigraph)
      if (uniform(random, 0.0, 1.0) < 0.5)
        program.entry(column, shape.integers ? -1.0 : -uniform(random, 0.1, 1.5));
  }
  add_cuts(random, shape, 2, program);
  return program;
}

/// The largest violation of a row or bound by x.
double violation_of(const MinimaxProgram& program, const Eigen::VectorXd& x) {
  double most = 0.0;
  for (int row = 0; row < program.rows.count(); ++row) {
    double missing = program.rows.lower[row];
    for (std::size_t e = program.rows.begin(row); e < program.rows.end(row); ++e)
      missing -= program.rows.coefficients[e] * x[program.rows.columns[e]];
    most = std::max(most, missing);
  }
  for (int j = 0; j < program.columns.count(); ++j) {
    const auto at = static_cast<std::size_t>(j);
    most = std::max({most, program.columns.lower[at] - x[j], x[j] - program.columns.upper[at]});
  }
  return most;
}

/// The bound that multipliers prove: rows times multipliers, and columns at their best bounds.
double bound_of(const MinimaxProgram& program, const Eigen::VectorXd& multipliers) {
  const LinearColumns& columns = program.columns;
  Eigen::VectorXd rest = Eigen::Map<const Eigen::VectorXd>(columns.cost.data(), columns.count());
  double bound = 0.0;
  for (int row = 0; row < program.rows.count(); ++row) {
    bound += multipliers[row] * program.rows.lower[row];
    for (std::size_t e = program.rows.begin(row); e < program.rows.end(row); ++e)
      rest[program.rows.columns[e]] -= multipliers[row] * program.rows.coefficients[e];
  }
  for (int j = 0; j < columns.count(); ++j) {
    const auto at = static_cast<std::size_t>(j);
    if (std::abs(rest[j]) < 1e-12) continue;
    bound += rest[j] * (rest[j] > 0.0 ? columns.lower[at] : columns.upper[at]);
  }
  return bound;
}

int glpk_bounds(double lower, double upper) {
  if (upper == infinite) return GLP_LO;
  return lower == upper ? GLP_FX : GLP_DB;
}

/// The optimum by GLPK's primal simplex method; none where the rows cannot be met.
std::optional<double> glpk_optimum(const MinimaxProgram& program) {
  const std::unique_ptr<glp_prob, decltype(&glp_delete_prob)> owner(glp_create_prob(),
                                                                    glp_delete_prob);
  glp_prob* const glpk = owner.get();
  glp_term_out(GLP_OFF);
  const LinearColumns& columns = program.columns;
  const LinearRows& rows = program.rows;
  glp_add_cols(glpk, columns.count());
  for (int j = 0; j < columns.count(); ++j) {
    const double lower = columns.lower[j], upper = columns.upper[j];
    glp_set_col_bnds(glpk, j + 1, glpk_bounds(lower, upper), lower, upper);
    glp_set_obj_coef(glpk, j + 1, columns.cost[j]);
  }
  glp_add_rows(glpk, rows.count());
  for (int row = 0; row < rows.count(); ++row) {
    std::vector<int> at = {0};
    std::vector<double> entries = {0.0};
    for (std::size_t e = rows.begin(row); e < rows.end(row); ++e) {
      at.push_back(rows.columns[e] + 1);
      entries.push_back(rows.coefficients[e]);
    }
    glp_set_row_bnds(glpk, row + 1, GLP_LO, rows.lower[row], 0.0);
    glp_set_mat_row(glpk, row + 1, static_cast<int>(at.size()) - 1, at.data(), entries.data());
  }
  glp_smcp options;
  glp_init_smcp(&options);
  options.tol_bnd = options.tol_dj = 1e-10;
  glp_adv_basis(glpk, 0);
  REQUIRE(glp_simplex(glpk, &options) == 0);
  if (glp_get_status(glpk) == GLP_NOFEAS) return std::nullopt;
  REQUIRE(glp_get_status(glpk) == GLP_OPT);
  glp_warm_up(glpk);  // solves the equations of the last basis again
  return glp_get_obj_val(glpk);
}

/// Solves with both methods, and again after more cuts. Returns how many had no solution.
template <class S = double>
int compare(const Shape& shape, unsigned seed, int count) {
  std::mt19937 random(seed);
  int infeasible = 0;
  for (int trial = 0; trial < test::trials(count); ++trial) {
    MinimaxProgram program = minimax(random, shape);
    EpigraphSimplex<S> simplex(program.columns, program.rows);
    for (int round = 0; round < 4; ++round) {
      CAPTURE(trial, round);
      if (round > 0) add_cuts(random, shape, 1, program);
      const std::optional<double> expected = glpk_optimum(program);
      const LinearOutcome found = simplex.solve();
      REQUIRE(found == (expected ? LinearOutcome::optimal : LinearOutcome::infeasible));
      if (found == LinearOutcome::infeasible) {
        ++infeasible;
        break;
      }
      Eigen::VectorXd x, multipliers;
      simplex.read(x, multipliers);
      CHECK(simplex.objective() == Approx(*expected).epsilon(1e-9).margin(1e-9));
      CHECK(violation_of(program, x) < 1e-12 * (1.0 + shape.width));
      CHECK(multipliers.minCoeff() >= 0.0);
      CHECK(bound_of(program, multipliers) ==
            Approx(simplex.objective()).epsilon(1e-11).margin(1e-11));
    }
  }
  return infeasible;
}

}  // namespace

TEST_CASE("the simplex for epigraph columns finds GLPK's optimum, and multipliers that prove it") {
  compare({}, 1, 200);
  compare({.unknowns = 1, .epigraph = 1, .pieces = 1, .limits = 0}, 2, 50);
  compare({.unknowns = 7, .epigraph = 30, .pieces = 4}, 3, 60);
  compare({.unknowns = 5, .epigraph = 0, .pieces = 6, .limits = 3}, 4, 60);
  compare({.unknowns = 4, .epigraph = 6, .pieces = 2, .limits = 1, .width = 1e4}, 5, 60);
}

TEST_CASE("where many rows and multipliers tie, it ends at the same optimum") {
  compare({.integers = true}, 6, 300);
  compare({.unknowns = 6, .epigraph = 12, .pieces = 3, .limits = 4, .integers = true}, 7, 100);
}

TEST_CASE("it finds the programs that have no solution") {
  CHECK(compare({.limits = 4, .room = -0.5}, 8, 200) > test::trials(50));
  CHECK(compare({.limits = 5, .integers = true, .room = -0.3, .width = 300.0}, 9, 200) >
        test::trials(50));
}

TEST_CASE("in long double it finds the same") {
  compare<long double>({.unknowns = 7, .epigraph = 30, .pieces = 4}, 3, 60);
  compare<long double>({.integers = true}, 6, 100);
  compare<long double>({.limits = 4, .room = -0.5}, 8, 100);
}

TEST_CASE("the answer depends on the program alone") {
  std::mt19937 random(10);
  for (int trial = 0; trial < test::trials(50); ++trial) {
    const MinimaxProgram program = minimax(random, {.unknowns = 6, .epigraph = 12, .pieces = 3});
    Eigen::VectorXd first, second, multipliers, same;
    EpigraphSimplex<double> one(program.columns, program.rows),
        other(program.columns, program.rows);
    REQUIRE(one.solve() == other.solve());
    one.read(first, multipliers);
    static_cast<void>(other.solve());
    other.read(second, same);
    CHECK((one.steps() > 1 && other.steps() == one.steps() + 1));
    CHECK(first == second);
    CHECK(multipliers == same);
  }
}

TEST_CASE("long double takes over where double gives up, and goes on with later rows") {
  // least t >= 1 - x / 1e6: farther out than the box is moved in double
  LinearColumns columns;
  const int x = columns.add(-1e12, 1e12, 0.0), t = columns.add(-1e7, infinite, 1.0);
  LinearProgram program(columns);
  const auto slope = [&](auto& to) {
    to.add_row(1.0);
    to.entry(t, 1.0);
    to.entry(x, 1e-6);
  };
  MinimaxProgram alone{columns, {}, {}};
  slope(alone);
  REQUIRE(EpigraphSimplex<double>(alone.columns, alone.rows).solve() == LinearOutcome::failed);

  slope(program);
  REQUIRE(program.solve() == LinearOutcome::optimal);
  CHECK(program.x()[x] == 1e12);
  CHECK(program.objective() == Approx(1.0 - 1e6).epsilon(1e-12));
  CHECK(program.multiplier(0) == Approx(1.0).epsilon(1e-12));

  const int side = program.add_row(-5e11);
  program.entry(x, -1.0);
  REQUIRE(program.solve() == LinearOutcome::optimal);
  CHECK(program.x()[x] == Approx(5e11).epsilon(1e-12));
  CHECK(program.objective() == Approx(1.0 - 5e5).epsilon(1e-12));
  CHECK(program.multiplier(side) == Approx(1e-6).epsilon(1e-9));
  program.add_row(6e11);
  program.entry(x, 1.0);
  CHECK(program.solve() == LinearOutcome::infeasible);
}
