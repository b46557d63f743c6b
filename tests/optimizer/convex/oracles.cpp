#include "tests/optimizer/convex/oracles.hpp"

#include <glpk.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <stdexcept>
#include <vector>

namespace counterpoise::testing {
namespace {

/// A program of GLPK, whose indices begin at 1.
class FullProgram {
 public:
  explicit FullProgram(const ConvexProblem& problem) : problem_(problem) {
    glp_term_out(GLP_OFF);
    for (std::size_t j = 0; j < problem.lower.size(); ++j) {
      add_column(problem.lower[j], problem.upper[j]);
    }
    t_ = add_column(-HUGE_VAL, HUGE_VAL);
    glp_set_obj_coef(program_.get(), t_, 1.0);
    for (const SeriesNorm& norm : problem.norms) add_norm(norm);
    for (const ConvexSum& sum : problem.objective) {
      add_sum(sum, {{t_, -1.0}}, -sum.constant);
    }
    for (const ConvexLimit& limit : problem.limits) {
      add_sum(limit.sum, {}, limit.bound - limit.sum.constant);
    }
  }

  std::optional<double> solve() {
    glp_scale_prob(program_.get(), GLP_SF_AUTO);
    glp_adv_basis(program_.get(), 0);
    glp_smcp options;
    glp_init_smcp(&options);
    options.tol_bnd = 1e-10;
    options.tol_dj = 1e-10;
    if (glp_simplex(program_.get(), &options) != 0) throw std::runtime_error("GLPK gave up");
    const int status = glp_get_status(program_.get());
    if (status == GLP_NOFEAS || status == GLP_INFEAS) return std::nullopt;
    if (status != GLP_OPT) throw std::runtime_error("GLPK found no optimum");
    glp_warm_up(program_.get());
    return glp_get_obj_val(program_.get());
  }

 private:
  struct Entry {
    int column = 0;
    double coefficient = 0.0;
  };

  int add_column(double lower, double upper) {
    const int column = glp_add_cols(program_.get(), 1);
    const bool below = std::isfinite(lower);
    const bool above = std::isfinite(upper);
    const int kind = below && above ? (lower == upper ? GLP_FX : GLP_DB)
                     : below        ? GLP_LO
                     : above        ? GLP_UP
                                    : GLP_FR;
    glp_set_col_bnds(program_.get(), column, kind, lower, upper);
    return column;
  }

  /// Sum of entries <= bound.
  void add_row(const std::vector<Entry>& entries, double bound) {
    const int row = glp_add_rows(program_.get(), 1);
    glp_set_row_bnds(program_.get(), row, GLP_UP, 0.0, bound);
    std::vector<double> dense(static_cast<std::size_t>(glp_get_num_cols(program_.get())) + 1, 0.0);
    for (const Entry& entry : entries) {
      dense[entry.column] += entry.coefficient;
    }
    std::vector<int> columns = {0};
    std::vector<double> coefficients = {0.0};
    for (std::size_t c = 1; c < dense.size(); ++c) {
      if (dense[c] == 0.0) continue;
      columns.push_back(static_cast<int>(c));
      coefficients.push_back(dense[c]);
    }
    glp_set_mat_row(program_.get(), row, static_cast<int>(columns.size()) - 1, columns.data(),
                    coefficients.data());
  }

  void add_norm(const SeriesNorm& norm) {
    if (norm.kind == NormKind::l2) throw std::invalid_argument("a length is not linear");
    const int whole = add_column(0.0, HUGE_VAL);
    norms_.push_back(whole);
    std::vector<Entry> sum = {{whole, -1.0}};
    for (const SeriesNorm::Part& part : norm.parts) {
      const AffineSeries& series = problem_.series[part.series];
      for (std::size_t k = 0; k < series.constant.size(); ++k) {
        const double weight = part.weights.empty() ? 1.0 : part.weights[k];
        if (weight == 0.0) continue;
        const int above = norm.kind == NormKind::l1 ? add_column(0.0, HUGE_VAL) : whole;
        if (norm.kind == NormKind::l1) sum.push_back({above, 1.0});
        for (const double sign : {-1.0, 1.0}) {
          std::vector<Entry> row = {{above, -1.0}};
          for (const AffineSeries::Column& column : series.columns) {
            row.push_back({column.variable + 1, sign * weight * column.coefficients[k]});
          }
          add_row(row, -sign * weight * series.constant[k]);
        }
      }
    }
    if (norm.kind == NormKind::l1) add_row(sum, 0.0);
  }

  void add_sum(const ConvexSum& sum, std::vector<Entry> entries, double bound) {
    for (const ConvexSum::Term& term : sum.norms) {
      entries.push_back({norms_[term.index], term.weight});
    }
    for (const ConvexSum::Term& term : sum.linear) {
      entries.push_back({term.index + 1, term.weight});
    }
    add_row(entries, bound);
  }

  const ConvexProblem& problem_;
  std::unique_ptr<glp_prob, decltype(&glp_delete_prob)> program_{glp_create_prob(),
                                                                 glp_delete_prob};
  int t_ = 0;
  std::vector<int> norms_;
};

}  // namespace

std::optional<double> glpk_optimum(const ConvexProblem& problem) {
  return FullProgram(problem).solve();
}

bool glpk_feasible(const ConvexProblem& problem) {
  ConvexProblem without_objective = problem;
  without_objective.objective = {{0.0, {}, {}}};
  return FullProgram(without_objective).solve().has_value();
}

namespace {

double norm_at(const ConvexProblem& problem, const SeriesNorm& norm, const std::vector<double>& x) {
  double largest = 0.0, sum = 0.0, squares = 0.0;
  for (const SeriesNorm::Part& part : norm.parts) {
    const AffineSeries& series = problem.series[part.series];
    for (std::size_t k = 0; k < series.constant.size(); ++k) {
      double number = series.constant[k];
      for (const AffineSeries::Column& column : series.columns)
        number += column.coefficients[k] * x[column.variable];
      number = std::abs(number) * (part.weights.empty() ? 1.0 : part.weights[k]);
      largest = std::max(largest, number);
      sum += number;
      squares += number * number;
    }
  }
  return norm.kind == NormKind::max  ? largest
         : norm.kind == NormKind::l1 ? sum
                                     : std::sqrt(squares);
}

double objective_at(const ConvexProblem& problem, const std::vector<double>& x) {
  double value = -1e300;
  for (const ConvexSum& sum : problem.objective) value = std::max(value, sum_at(problem, sum, x));
  return value;
}

std::size_t unknowns_chosen(const ChoiceProblem& problem) {
  std::size_t count = 0;
  for (const ChoiceGroup& group : problem.groups) count += group.unknowns.size();
  return count;
}

/// The best value of one combination, or nothing where a limit is broken: loops over samples where
/// all unknowns are chosen, the rest sized under fixed bounds where not.
std::optional<Combination> tried(const ChoiceProblem& problem, const std::vector<int>& options) {
  ConvexProblem fixed = problem.convex;
  for (std::size_t g = 0; g < options.size(); ++g) {
    const ChoiceGroup& group = problem.groups[g];
    for (std::size_t i = 0; i < group.unknowns.size(); ++i) {
      const auto at = static_cast<std::size_t>(group.unknowns[i]);
      fixed.lower[at] = fixed.upper[at] = group.options[options[g]][i];
    }
  }
  if (unknowns_chosen(problem) < fixed.lower.size()) {
    const ConvexSolution solution = solve(fixed);
    if (solution.status == ConvexSolution::Status::infeasible) return std::nullopt;
    return Combination{options, solution.x, solution.value};
  }
  for (const ConvexLimit& limit : fixed.limits)
    if (sum_at(fixed, limit.sum, fixed.lower) >
        limit.bound + choice_rounding * std::abs(limit.bound))
      return std::nullopt;
  return Combination{options, fixed.lower, objective_at(fixed, fixed.lower)};
}

}  // namespace

double sum_at(const ConvexProblem& problem, const ConvexSum& sum, const std::vector<double>& x) {
  double value = sum.constant;
  for (const ConvexSum::Term& term : sum.norms)
    value += term.weight * norm_at(problem, problem.norms[term.index], x);
  for (const ConvexSum::Term& term : sum.linear) value += term.weight * x[term.index];
  return value;
}

std::vector<Combination> all_combinations(const ChoiceProblem& problem) {
  std::vector<Combination> all;
  std::vector<int> options(problem.groups.size(), 0);
  for (std::size_t g = 0; g < options.size();) {
    if (auto found = tried(problem, options)) all.push_back(*found);
    for (g = 0; g < options.size(); ++g) {
      if (++options[g] < static_cast<int>(problem.groups[g].options.size())) break;
      options[g] = 0;
    }
  }
  std::sort(all.begin(), all.end(), [](const Combination& a, const Combination& b) {
    return a.value != b.value ? a.value < b.value : a.options < b.options;
  });
  return all;
}

std::vector<Combination> near_the_best(const std::vector<Combination>& all, double within) {
  std::vector<Combination> near;
  for (const Combination& one : all)
    if (one.value <= all.front().value + (within + choice_rounding) * std::abs(all.front().value))
      near.push_back(one);
  return near;
}

namespace {

using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;

constexpr double ratio = 0.6180339887498949;
constexpr int sections = 75;
constexpr double price =
    1e3;  // of a broken limit, in values of the objective per size of the limit

double golden(const std::function<double(double)>& f, double low, double high) {
  double left = high - ratio * (high - low);
  double right = low + ratio * (high - low);
  double f_left = f(left);
  double f_right = f(right);
  double best = std::min(f_left, f_right);
  for (int i = 0; i < sections; ++i) {
    if (f_left <= f_right) {
      high = right;
      right = left;
      f_right = f_left;
      left = high - ratio * (high - low);
      f_left = f(left);
    } else {
      low = left;
      left = right;
      f_left = f_right;
      right = low + ratio * (high - low);
      f_right = f(right);
    }
    best = std::min({best, f_left, f_right});
  }
  return best;
}

double least(const ConvexProblem& problem, double worth, std::vector<double>& x, std::size_t j) {
  if (j == x.size()) {
    double value = objective_of(problem, x);
    for (const ConvexLimit& limit : problem.limits) {
      const double excess = value_of(problem, limit.sum, x) - limit.bound;
      value += worth * std::max(0.0, excess) / std::max(1e-3, std::abs(limit.bound));
    }
    return value;
  }
  return golden(
      [&](double number) {
        x[j] = number;
        return least(problem, worth, x, j + 1);
      },
      problem.lower[j], problem.upper[j]);
}

/// Least squares of slopes * x + constant with equations * x = sides, by the KKT matrix.
Vector equality_squares(const Matrix& slopes, const Vector& constant, const Matrix& equations,
                        const Vector& sides) {
  const Eigen::Index n = slopes.cols();
  const Eigen::Index m = equations.rows();
  Matrix kkt = Matrix::Zero(n + m, n + m);
  kkt.topLeftCorner(n, n) = slopes.transpose() * slopes;
  kkt.topRightCorner(n, m) = equations.transpose();
  kkt.bottomLeftCorner(m, n) = equations;
  Vector right(n + m);
  right << -slopes.transpose() * constant, sides;
  return kkt.fullPivLu().solve(right).head(n);
}

}  // namespace

double golden_optimum(const ConvexProblem& problem) {
  if (problem.lower.size() > 3) throw std::invalid_argument("too many unknowns");
  std::vector<double> x(problem.lower.size());
  for (std::size_t j = 0; j < x.size(); ++j) x[j] = 0.5 * (problem.lower[j] + problem.upper[j]);
  const double worth = price * objective_of(problem, x);
  return least(problem, worth, x, 0);
}

double enumerated_optimum(const ConvexProblem& problem) {
  const auto n = static_cast<Eigen::Index>(problem.lower.size());
  Vector unit(n);
  for (Eigen::Index j = 0; j < n; ++j) {
    unit[j] = problem.upper[j] - problem.lower[j];
  }
  const SeriesNorm& norm = problem.norms.front();
  std::vector<double> constants;
  std::vector<Vector> rows;
  for (const SeriesNorm::Part& part : norm.parts) {
    const AffineSeries& series = problem.series[part.series];
    for (std::size_t k = 0; k < series.constant.size(); ++k) {
      const double weight = part.weights.empty() ? 1.0 : part.weights[k];
      Vector row = Vector::Zero(n);
      for (const auto& column : series.columns) {
        row[column.variable] = weight * column.coefficients[k] * unit[column.variable];
      }
      constants.push_back(weight * series.constant[k]);
      rows.push_back(row);
    }
  }
  Matrix slopes(static_cast<Eigen::Index>(rows.size()), n);
  for (std::size_t k = 0; k < rows.size(); ++k) {
    slopes.row(static_cast<Eigen::Index>(k)) = rows[k].transpose();
  }
  Vector constant = Eigen::Map<Vector>(constants.data(), slopes.rows());
  const double size = constant.norm();
  slopes /= size;
  constant /= size;
  std::vector<Vector> normals;  // normal * u <= side
  std::vector<double> sides;
  for (Eigen::Index j = 0; j < n; ++j) {
    normals.push_back(Vector::Unit(n, j));
    sides.push_back(problem.upper[j] / unit[j]);
    normals.push_back(-Vector::Unit(n, j));
    sides.push_back(-problem.lower[j] / unit[j]);
  }
  for (const ConvexLimit& limit : problem.limits) {
    Vector normal = Vector::Zero(n);
    for (const auto& term : limit.sum.linear) normal[term.index] += term.weight * unit[term.index];
    normals.push_back(normal);
    sides.push_back(limit.bound - limit.sum.constant);
  }
  double best = std::numeric_limits<double>::infinity();
  for (std::size_t set = 0; set < (std::size_t{1} << normals.size()); ++set) {
    std::vector<std::size_t> chosen;
    for (std::size_t i = 0; i < normals.size(); ++i) {
      if ((set >> i) & 1U) chosen.push_back(i);
    }
    if (chosen.size() > static_cast<std::size_t>(n)) continue;
    Matrix equations(static_cast<Eigen::Index>(chosen.size()), n);
    Vector values(equations.rows());
    for (Eigen::Index i = 0; i < equations.rows(); ++i) {
      equations.row(i) = normals[chosen[i]].transpose();
      values[i] = sides[chosen[i]];
    }
    const Vector u = equality_squares(slopes, constant, equations, values);
    bool inside = u.allFinite();
    for (std::size_t i = 0; i < normals.size(); ++i) {
      inside = inside && normals[i].dot(u) <= sides[i] + 1e-10 * (1.0 + std::abs(sides[i]));
    }
    if (inside) best = std::min(best, (slopes * u + constant).norm());
  }
  const ConvexSum& sum = problem.objective.front();
  return sum.constant + sum.norms.front().weight * best * size;
}

}  // namespace counterpoise::testing
