#pragma once

#include <Eigen/Core>
#include <memory>
#include <vector>

#include "optimizer/convex/solver/linear/linear_program.hpp"
#include "optimizer/convex/solver/norm_cuts.hpp"
#include "optimizer/convex/solver/scaled_problem.hpp"

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
  [[nodiscard]] bool is_precise() const { return program_->is_precise(); }
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

}  // namespace counterpoise
