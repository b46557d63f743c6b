#pragma once

#include "optimizer/convex/problem/certificate.hpp"
#include "optimizer/interruption.hpp"

namespace counterpoise {

struct ConvexOptions {
  double gap = 1e-10;    // gap to be reached, relative to the objective's value
  int max_rounds = 400;  // rounds of cuts; what is reached by then is returned with its gap
  Interruption interruption = {};  // asked in every round
  std::vector<double> start = {};  // a point to begin at; empty: only the centre of the problem
  /// Whether the certificate of an optimum is wanted. Without, only its bound is set, to that of
  /// the last linear program.
  bool proof = true;
};

struct ConvexSolution {
  enum class Status { optimal, infeasible, open };
  Status status =
      Status::open;         // open: the gap was not reached; x is feasible, `gap` says how good
  std::vector<double> x;    // empty if infeasible
  double value = 0.0;       // objective at x
  Certificate certificate;  // proves the optimum, or that there is none
  double gap = 0.0;         // value - certificate.bound
  int rounds = 0;
};

}  // namespace counterpoise
