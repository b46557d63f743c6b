#include "tests/optimizer/convex/oracles/glpk_oracle.hpp"

#include <glpk.h>

#include <cmath>
#include <memory>
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
      dense[static_cast<std::size_t>(entry.column)] += entry.coefficient;
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
      const AffineSeries& series = problem_.series[static_cast<std::size_t>(part.series)];
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
      entries.push_back({norms_[static_cast<std::size_t>(term.index)], term.weight});
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

}  // namespace counterpoise::testing
