#pragma once

#include <string>
#include <vector>

#include "optimizer/convex/problem.hpp"
#include "optimizer/interruption.hpp"

namespace counterpoise {

/// The proof that no x within bounds and limits can have an objective below `bound`: dual
/// multipliers that anyone can add up again.
///
/// With `pieces` p (>= 0, sum 1) on the sums of the objective and `limits` m (>= 0) on the limits,
/// every feasible x has
///   objective(x) >= sum of p_i * sum_i(x) + sum of m_l * (sum_l(x) - bound_l).
/// Each norm n appears in this sum with the total weight W_n = sum p_i w_in + sum m_l w_ln, and is
/// at least any sum of y_k r_k(x) with y in its dual ball:
///   max: sum of |y_k| / weight_k <= W_n;   l1: |y_k| <= W_n weight_k;
///   l2: sqrt of the sum of (y_k / weight_k)^2 <= W_n;   y_k = 0 where weight_k = 0.
/// The right-hand side is then affine in x, and least at a corner of the bounds: `bound` is its
/// value there. Slopes that cancel except for rounding are multiplied by the width of the bounds,
/// so the bound holds in spite of rounding.
///
/// Where the limits cannot be met, `pieces` are all 0 and a bound above 0 proves it.
struct Certificate {
  /// The multiplier of one sample.
  struct Witness {
    int norm = -1;
    int part = -1;  // of the norm
    int sample = -1;
    double weight = 0.0;  // y
  };
  std::vector<double> pieces;  // one per ConvexProblem::objective
  std::vector<double> limits;  // one per ConvexProblem::limits
  std::vector<double> slopes;  // one per unknown: the slope of the right-hand side, which is the
                               // shadow price of that unknown's bounds
  std::vector<Witness> witnesses;  // multipliers of samples that are not zero
  double bound = 0.0;
};

/// Whether the multipliers form a proof that limits and bounds exclude each other.
bool proves_conflict(const Certificate& certificate);

struct CertificateCheck {
  bool valid = false;
  std::string fault;   // says which condition is not met and by how much; empty if valid
  int limit = -1;      // index of the limit that x breaks, where that is the fault
  double bound = 0.0;  // added up again
  double value = 0.0;  // objective at x; unset for a proof that there is no x
  double gap = 0.0;    // value - bound
};

/// Adds a certificate up again, without a solver: signs, sums, dual balls (to 1e-9 of their size),
/// the bound. Valid means that its multipliers prove the bound it states, to 1e-9 of the largest
/// number that is added up. Cost: one pass over the samples.
CertificateCheck check_certificate(const ConvexProblem& problem, const Certificate& certificate,
                                   const std::vector<double>& x);

/// Checks in the same way a proof that limits and bounds exclude each other.
CertificateCheck check_conflict(const ConvexProblem& problem, const Certificate& certificate);

/// Says in words why multipliers prove nothing: signs, their sum, dual balls (to 1e-9 of their
/// size); empty if they do prove something. Their sum has to be 1, or 0 in a proof that limits and
/// bounds exclude each other.
std::string fault_of_multipliers(const ConvexProblem& problem, const Certificate& certificate);

/// Sets the bound that the multipliers prove, and the slopes that belong to it.
void add_up(const ConvexProblem& problem, Certificate& certificate);

struct ConvexOptions {
  double gap = 1e-10;    // gap to be reached, relative to the objective's value
  int max_rounds = 400;  // rounds of cuts; what is reached by then is returned with its gap
  Interruption interruption = {};  // asked in every round
  std::vector<double> start = {};  // a point to begin at; empty: only the centre of the problem
  /// Whether the certificate of an optimum is wanted. Without it only the bound is set, to the last
  /// linear program's.
  bool proof = true;
};

struct ConvexSolution {
  enum class Status { optimal, infeasible, open };
  Status status =
      Status::open;         // open: the gap was not reached; x is feasible, `gap` says how good
  std::vector<double> x;    // empty if infeasible
  double value = 0.0;       // objective at x
  Certificate certificate;  // proves the optimum, or that the limits exclude each other
  double gap = 0.0;         // value - certificate.bound
  int rounds = 0;
};

/// The sum of a problem's parts times the multipliers of a certificate: an affine function of x.
/// For each of its coefficients the largest number that was added up is kept as its size.
struct ProvedSum {
  double constant = 0.0;
  std::vector<double> slopes;
  double constant_size = 0.0;
  std::vector<double> slope_sizes;

  /// Adds up a certificate, whose indices must be valid.
  ProvedSum(const ConvexProblem& problem, const Certificate& certificate);

  /// The least value of the function within the bounds of the problem.
  [[nodiscard]] double bound(const ConvexProblem& problem) const;
  /// The largest of the numbers whose sum is the bound.
  [[nodiscard]] double size(const ConvexProblem& problem) const;

 private:
  void add_constant(double number);
  void add_slope(int variable, double number);
  void add(const ConvexSum& sum, double multiplier);
  void add(const ConvexProblem& problem, const Certificate::Witness& witness);
};

/// The series that a witness takes its sample from.
const AffineSeries& series_of(const ConvexProblem& problem, const Certificate::Witness& witness);

/// The total weight W_n of each norm n in the sum of all parts times their multipliers.
std::vector<double> norm_weights(const ConvexProblem& problem, const Certificate& certificate);

}  // namespace counterpoise
