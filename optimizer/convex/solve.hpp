#pragma once

#include "optimizer/convex/problem/solution.hpp"

namespace counterpoise {

/// The global optimum of a convex problem and its certificate.
///
/// Method: cutting planes. A linear program (CLP) over the unknowns, one number per norm and one
/// for the objective knows some samples of each `largest`, some sign patterns of each `sum`, some
/// tangents of each `length`; every round adds what the last answer violates most. The final basis
/// is solved again in full precision, and the duals are the certificate. An objective that is one
/// `length` alone, without norms in limits, is a bounded least-squares problem and solved as one.
/// Deterministic: the same problem gives the same bits. Throws what check() throws.
///
/// Optimal means the gap that was asked for, or that of rounding: a few 1e-16 of the terms that
/// cancel in the objective, and of what the width of the bounds could change it by. Limits hold to
/// 1e-11 of the largest of their terms. An unknown within 1e-12 of its width of a bound is at it,
/// to the bit, unless that broke a limit or cost more than rounding. Throws Interrupted where it is
/// asked to stop. Cost: a millisecond or two for 6 unknowns and 4 norms of 1200 samples.
ConvexSolution solve(const ConvexProblem& problem, const ConvexOptions& options = {});

}  // namespace counterpoise
