#include "optimizer/convex/cutting_planes.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <vector>

#include "optimizer/convex/certificate.hpp"
#include "optimizer/convex/linear_program.hpp"
#include "optimizer/convex/norm_cuts.hpp"
#include "optimizer/convex/problem.hpp"
#include "optimizer/convex/scaled_problem.hpp"
#include "optimizer/convex/tolerances.hpp"

namespace counterpoise {

/// The linear program that stands for a convex problem: the scaled unknowns u, the objective t,
/// columns and cuts of the norms. Its optimum is a lower bound; its dual multipliers are a
/// certificate.
class CutProgram {
 public:
  /// Starts with the cuts at the centre. The problem must outlive it.
  explicit CutProgram(const ConvexProblem& problem);

  /// What is known about a point u.
  struct Point {
    double value = 0.0;      // value of the scaled objective
    double violation = 0.0;  // violation of the worst limit, relative to the largest of its terms
                             // at u or at a change of 1 in u
  };

  LinearProgram::Outcome solve() { return program_->solve(); }
  /// The unknowns of the last answer, moved into their bounds.
  [[nodiscard]] Eigen::VectorXd u() const;
  [[nodiscard]] double bound() const { return program_->objective(); }

  /// The centre, u = 0.
  [[nodiscard]] const Point& at_centre() const { return at_centre_; }
  /// Evaluates u with all samples; the result is remembered for cut().
  Point evaluate(const Eigen::VectorXd& u);
  /// Adds the cuts that the last answer violates by more than `tolerance` where it was evaluated;
  /// returns how many.
  int cut(double tolerance);
  /// The certificate made of the multipliers of the last answer.
  [[nodiscard]] Certificate certificate() const;

  [[nodiscard]] const ScaledProblem& scaled() const { return scaled_; }

 private:
  struct Terms {
    double value = 0.0;
    double size = 0.0;  // of the largest term
  };

  [[nodiscard]] int unknowns() const { return static_cast<int>(problem_.lower.size()); }
  std::unique_ptr<LinearProgram> built();
  [[nodiscard]] Terms terms_of(const ConvexSum& sum, const Eigen::VectorXd& u) const;
  [[nodiscard]] std::size_t trivial_piece() const;
  [[nodiscard]] double gather(const ConvexSum& sum, Eigen::VectorXd& row) const;
  void add_entries(const Eigen::VectorXd& row, double factor);
  void add_piece(const ConvexSum& sum);
  void add_limit(const ConvexLimit& limit);

  const ConvexProblem& problem_;
  ScaledProblem scaled_;
  std::vector<std::unique_ptr<NormCuts>> cuts_;  // one per norm; null where the norm is not used
  std::vector<double> values_;                   // of the norms at the last point
  int columns_ = 0;
  std::unique_ptr<LinearProgram> program_;
  Point at_centre_;
  std::vector<int> piece_rows_, limit_rows_;
  std::vector<double> limit_scales_;
};

namespace {

using Vector = Eigen::VectorXd;

/// How good a point must be, scaled.
struct Target {
  double relative = 0.0;  // of the objective's value
  double rounding = 0.0;

  [[nodiscard]] double gap(const ScaledProblem& scaled, double value) const {
    return relative * std::abs(scaled.base / scaled.scale + value) + rounding;
  }
};

struct State {
  Vector best;              // u of the best feasible answer so far; empty if none
  double value = infinity;  // its scaled objective
};

void remember(const CutProgram::Point& point, const Vector& u, State& state) {
  if (point.violation > ConvexTolerances::limit || !(point.value < state.value)) return;
  state.value = point.value;
  state.best = u;
}

/// Begins at a point that the caller takes to be near the optimum.
void begin_at(const std::vector<double>& x, CutProgram& program, State& state) {
  const Vector u = program.scaled().scaled(x);
  remember(program.evaluate(u), u, state);
  program.cut(ConvexTolerances::coarse);
}

/// Fills in the value of the best answer and the bound that the multipliers of the last one prove.
void finish(const ConvexProblem& problem, const CutProgram& program, const State& state, bool proof,
            ConvexSolution& solution) {
  Certificate certificate;
  if (proof)
    certificate = program.certificate();
  else
    certificate.bound = program.scaled().base + program.scaled().scale * program.bound();
  if (solution.certificate.pieces.empty() || certificate.bound >= solution.certificate.bound) {
    solution.certificate = std::move(certificate);
  }
  const Vector u = state.best.size() > 0 || problem.lower.empty() ? state.best : program.u();
  solution.x = program.scaled().unscaled(problem, u);
  solution.value = objective_of(problem, solution.x);
  solution.gap = state.value < infinity ? solution.value - solution.certificate.bound : infinity;
}

/// The problem about its centre, if ranges are so wide that rounding times their width would drown
/// the objective.
std::optional<ConvexProblem> narrowed(const ConvexProblem& problem, const ScaledProblem& scaled) {
  std::optional<ConvexProblem> result;
  for (std::size_t j = 0; j < problem.lower.size(); ++j) {
    const auto i = static_cast<Eigen::Index>(j);
    const double width = scaled.upper[i] - scaled.lower[i];
    if (!(width > ConvexTolerances::widest) || !std::isfinite(width)) continue;
    if (!result) result = problem;
    const double reach = 0.25 * ConvexTolerances::widest * scaled.unit[i];
    result->lower[j] = std::max(problem.lower[j], scaled.centre[i] - reach);
    result->upper[j] = std::min(problem.upper[j], scaled.centre[i] + reach);
  }
  return result;
}

/// Whether x is away from the bounds that narrowing has made. Then it is the global optimum,
/// because the problem is convex and x is the best among its neighbours.
bool keeps_clear(const ConvexProblem& narrow, const ConvexProblem& problem,
                 const std::vector<double>& x) {
  for (std::size_t j = 0; j < x.size(); ++j) {
    const double margin = ConvexTolerances::at_bound * (narrow.upper[j] - narrow.lower[j]);
    if (narrow.lower[j] != problem.lower[j] && x[j] < narrow.lower[j] + margin) return false;
    if (narrow.upper[j] != problem.upper[j] && x[j] > narrow.upper[j] - margin) return false;
  }
  return true;
}

bool is_reached(const ConvexSolution& solution, const ConvexOptions& options,
                const CutProgram& program) {
  const ScaledProblem& scaled = program.scaled();
  return solution.gap <= options.gap * std::abs(solution.value) + scaled.rounding * scaled.scale;
}

}  // namespace

ConvexSolution cutting_planes(const ConvexProblem& problem, const ConvexOptions& options) {
  CutProgram program(problem);
  if (const auto narrow = narrowed(problem, program.scaled())) {
    ConvexSolution solution = cutting_planes(*narrow, options);
    if (solution.status == ConvexSolution::Status::optimal &&
        keeps_clear(*narrow, problem, solution.x)) {
      if (options.proof) add_up(problem, solution.certificate);
      solution.gap = solution.value - solution.certificate.bound;
      return solution;
    }
  }
  const Target target{options.gap, program.scaled().rounding};
  ConvexSolution solution;
  State state;
  remember(program.at_centre(), Vector::Zero(program.scaled().unit.size()), state);
  if (!options.start.empty()) begin_at(options.start, program, state);
  while (solution.rounds < options.max_rounds) {
    ++solution.rounds;
    options.interruption.poll();
    const LinearProgram::Outcome outcome = program.solve();
    if (outcome == LinearProgram::Outcome::infeasible) {
      solution.status = ConvexSolution::Status::infeasible;
      return solution;
    }
    if (outcome == LinearProgram::Outcome::failed) break;
    const Vector u = program.u();
    const CutProgram::Point point = program.evaluate(u);
    remember(point, u, state);
    const double gap = state.value - program.bound();
    if (gap <= target.gap(program.scaled(), state.value)) {
      finish(problem, program, state, options.proof, solution);
      if (is_reached(solution, options, program)) {
        solution.status = ConvexSolution::Status::optimal;
        return solution;
      }
    }
    if (program.cut(ConvexTolerances::cut) == 0) break;
  }
  finish(problem, program, state, options.proof, solution);
  if (is_reached(solution, options, program)) solution.status = ConvexSolution::Status::optimal;
  return solution;
}

Side side_of_optimum(const ConvexProblem& problem, double number, const ConvexOptions& options) {
  CutProgram program(problem);
  const double goal = (number - program.scaled().base) / program.scaled().scale;
  double value = infinity;
  for (int round = 0; round < options.max_rounds; ++round) {
    options.interruption.poll();
    if (program.solve() != LinearProgram::Outcome::optimal) return Side::unknown;
    if (program.bound() > goal) return Side::above;
    const CutProgram::Point point = program.evaluate(program.u());
    value = std::min(value, point.value);
    if (value <= goal) return Side::below;
    if (program.cut(ConvexTolerances::cut) == 0) break;
  }
  return Side::unknown;
}

namespace {

using Vector = Eigen::VectorXd;

/// A piece of the objective with norms taken as 0, at its best corner.
double least_of(const ConvexProblem& problem, const ConvexSum& sum) {
  Vector slopes = Vector::Zero(static_cast<Eigen::Index>(problem.lower.size()));
  for (const ConvexSum::Term& term : sum.linear) slopes[term.index] += term.weight;
  double value = sum.constant;
  for (std::size_t j = 0; j < problem.lower.size(); ++j) {
    const double slope = slopes[static_cast<Eigen::Index>(j)];
    if (slope != 0.0) value += std::min(slope * problem.lower[j], slope * problem.upper[j]);
  }
  return value;
}

}  // namespace

CutProgram::CutProgram(const ConvexProblem& problem)
    : problem_(problem), scaled_(problem), program_(built()) {
  for (const ConvexSum& sum : problem.objective) add_piece(sum);
  for (const ConvexLimit& limit : problem.limits) add_limit(limit);
  for (auto& cuts : cuts_) {
    if (cuts) cuts->prepare(*program_);
  }
  at_centre_ = evaluate(Vector::Zero(unknowns()));
  cut(ConvexTolerances::coarse);
}

std::unique_ptr<LinearProgram> CutProgram::built() {
  LinearColumns columns;
  for (int j = 0; j < unknowns(); ++j) columns.add(scaled_.lower[j], scaled_.upper[j], 0.0);
  const double least = least_of(problem_, problem_.objective[trivial_piece()]);
  columns.add((least - scaled_.base) / scaled_.scale, infinity, 1.0);
  cuts_.resize(scaled_.norms.size());
  values_.assign(cuts_.size(), 0.0);
  for (std::size_t n = 0; n < cuts_.size(); ++n) {
    if (scaled_.norms[n].used) cuts_[n] = cuts_of(scaled_.norms[n], unknowns(), columns);
  }
  columns_ = columns.count();
  return std::make_unique<LinearProgram>(std::move(columns));
}

/// The piece that bounds the objective best without its norms.
std::size_t CutProgram::trivial_piece() const {
  std::size_t best = 0;
  for (std::size_t i = 1; i < problem_.objective.size(); ++i) {
    if (least_of(problem_, problem_.objective[i]) > least_of(problem_, problem_.objective[best])) {
      best = i;
    }
  }
  return best;
}

/// Coefficients of a sum in the program's columns, and its value at u = 0 with norms taken as 0.
double CutProgram::gather(const ConvexSum& sum, Vector& row) const {
  double constant = sum.constant;
  row = Vector::Zero(columns_);
  for (const ConvexSum::Term& term : sum.norms) {
    const auto n = static_cast<std::size_t>(term.index);
    if (!cuts_[n]) continue;
    for (const int column : cuts_[n]->columns())
      row[column] += term.weight * scaled_.norms[n].scale;
  }
  for (const ConvexSum::Term& term : sum.linear) {
    row[term.index] += term.weight * scaled_.unit[term.index];
    constant += term.weight * scaled_.centre[term.index];
  }
  return constant;
}

void CutProgram::add_entries(const Vector& row, double factor) {
  for (int column = 0; column < columns_; ++column) program_->entry(column, factor * row[column]);
}

void CutProgram::add_piece(const ConvexSum& sum) {
  Vector row;
  const double constant = gather(sum, row);
  piece_rows_.push_back(program_->add_row((constant - scaled_.base) / scaled_.scale));
  program_->entry(unknowns(), 1.0);
  add_entries(row, -1.0 / scaled_.scale);
}

void CutProgram::add_limit(const ConvexLimit& limit) {
  Vector row;
  const double constant = gather(limit.sum, row);
  const double largest = columns_ > 0 ? row.lpNorm<Eigen::Infinity>() : 0.0;
  const double scale = largest > 0.0 ? largest : std::max(std::abs(limit.bound), 1e-300);
  limit_scales_.push_back(scale);
  limit_rows_.push_back(program_->add_row((constant - limit.bound) / scale));
  add_entries(row, -1.0 / scale);
}

Vector CutProgram::u() const {
  return program_->x().head(unknowns()).cwiseMax(scaled_.lower).cwiseMin(scaled_.upper);
}

CutProgram::Terms CutProgram::terms_of(const ConvexSum& sum, const Vector& u) const {
  Terms terms{sum.constant, std::abs(sum.constant)};
  const auto add = [&](double term) {
    terms.value += term;
    terms.size = std::max(terms.size, std::abs(term));
  };
  for (const ConvexSum::Term& term : sum.norms) {
    const auto n = static_cast<std::size_t>(term.index);
    add(term.weight * scaled_.norms[n].scale * values_[n]);
  }
  for (const ConvexSum::Term& term : sum.linear) {
    add(term.weight * (scaled_.centre[term.index] + scaled_.unit[term.index] * u[term.index]));
  }
  return terms;
}

CutProgram::Point CutProgram::evaluate(const Vector& u) {
  for (std::size_t n = 0; n < cuts_.size(); ++n) {
    if (cuts_[n]) values_[n] = cuts_[n]->evaluate(u);
  }
  Point point{-infinity, 0.0};
  for (const ConvexSum& sum : problem_.objective) {
    const double value = terms_of(sum, u).value;
    point.value = std::max(point.value, (value - scaled_.base) / scaled_.scale);
  }
  for (std::size_t l = 0; l < problem_.limits.size(); ++l) {
    const Terms terms = terms_of(problem_.limits[l].sum, u);
    const double bound = problem_.limits[l].bound;
    const double size = std::max({terms.size, std::abs(bound), limit_scales_[l]});
    point.violation = std::max(point.violation, (terms.value - bound) / size);
  }
  return point;
}

int CutProgram::cut(double tolerance) {
  int count = 0;
  for (std::size_t n = 0; n < cuts_.size(); ++n) {
    if (!cuts_[n]) continue;
    count += cuts_[n]->cut(*program_, std::max(tolerance, scaled_.norms[n].rounding));
  }
  return count;
}

Certificate CutProgram::certificate() const {
  Certificate result;
  double sum = 0.0;
  for (const int row : piece_rows_) {
    result.pieces.push_back(program_->multiplier(row));
    sum += result.pieces.back();
  }
  if (sum > 1.0) {
    for (double& piece : result.pieces) piece /= sum;
  } else {
    result.pieces[trivial_piece()] += 1.0 - sum;
  }
  for (std::size_t l = 0; l < limit_rows_.size(); ++l) {
    const double multiplier = program_->multiplier(limit_rows_[l]);
    result.limits.push_back(multiplier * scaled_.scale / limit_scales_[l]);
  }
  const std::vector<double> weights = norm_weights(problem_, result);
  for (std::size_t n = 0; n < cuts_.size(); ++n) {
    if (!cuts_[n]) continue;
    const double factor = scaled_.scale / scaled_.norms[n].scale;
    const Vector y = cuts_[n]->witnesses(*program_, weights[n] / factor);
    add_witnesses(problem_, n, y * factor, result);
  }
  add_up(problem_, result);
  return result;
}

}  // namespace counterpoise
