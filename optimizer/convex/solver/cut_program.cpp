#include "optimizer/convex/solver/cut_program.hpp"

#include <algorithm>
#include <cmath>

#include "optimizer/convex/problem/infinity.hpp"
#include "optimizer/convex/problem/proved_sum.hpp"
#include "optimizer/convex/solver/witnesses.hpp"

namespace counterpoise {
namespace {

using Vector = Eigen::VectorXd;

constexpr double first_tolerance = 1e-9;  // of the cuts at the centre

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
  cut(first_tolerance);
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
