#include "optimizer/convex/solver/cutting_planes.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "optimizer/convex/problem/infinity.hpp"
#include "optimizer/convex/solver/cut_program.hpp"

namespace counterpoise {
namespace {

using Vector = Eigen::VectorXd;

constexpr double coarse = 1e-9;       // violations that count where an answer is CLP's own
constexpr double fine = 1e-13;        // and where it is exact to rounding
constexpr double acceptable = 1e-11;  // violation of a limit
constexpr double widest = 1e6;        // range of an unknown, scaled, that loses no digits
constexpr double at_bound = 1e-6;     // of a narrowed range

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
  if (point.violation > acceptable || !(point.value < state.value)) return;
  state.value = point.value;
  state.best = u;
}

/// Begins at a point that the caller takes to be near the optimum.
void begin_at(const std::vector<double>& x, CutProgram& program, State& state) {
  const Vector u = program.scaled().scaled(x);
  remember(program.evaluate(u), u, state);
  program.cut(coarse);
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
    if (!(width > widest) || !std::isfinite(width)) continue;
    if (!result) result = problem;
    const double reach = 0.25 * widest * scaled.unit[i];
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
    const double margin = at_bound * (narrow.upper[j] - narrow.lower[j]);
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
    if (program.cut(program.is_precise() ? fine : coarse) == 0) break;
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
    if (program.cut(fine) == 0) break;
  }
  return Side::unknown;
}

}  // namespace counterpoise
