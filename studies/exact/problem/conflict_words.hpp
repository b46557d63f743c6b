#pragma once

#include <string>

#include "optimizer/convex/solve.hpp"
#include "studies/exact/problem/written_problem.hpp"

namespace counterpoise {

/// Says that limits with these names exclude each other.
std::string conflict_text(const std::string& names);

/// Limits that exclude each other, in words: those that carry the proof of `solution`, which may be
/// more than needed.
std::string proved_conflict(const WrittenProblem& written, const ConvexSolution& solution);

/// A smallest set of limits that exclude each other, in words. Bounds of products follow from
/// others and are not named. Cost: one solve for each limit and bound.
std::string whole_conflict(const WrittenProblem& written, const ConvexOptions& options);

}  // namespace counterpoise
