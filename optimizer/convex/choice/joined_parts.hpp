#pragma once

#include <cstdint>
#include <vector>

#include "optimizer/convex/choice/choose.hpp"
#include "optimizer/convex/choice/equal_options.hpp"

namespace counterpoise {

/// A part of a choice that shares no group with the rest. The objective of the whole is the largest
/// of its parts', and its limits are met where each part meets its own.
struct ChoicePart {
  ChoiceProblem problem;            // with distinct options only
  std::vector<std::size_t> groups;  // of the whole
  bool counts = true;               // whether the objective reads it
};

/// Splits a choice in which every unknown is chosen into as many parts as there are. A max norm of
/// several series counts as the largest of one for each. Cost: a copy of the problem.
std::vector<ChoicePart> choice_parts(const ChoiceProblem& problem,
                                     const std::vector<EqualOptions>& equal);

/// What is near the best of a choice in which every unknown is chosen.
struct JoinedParts {
  std::vector<Combination> best;  // of distinct options; least value first, then by options
  bool truncated = false;
  std::int64_t near = 0;       // those near the best; at least so many where `truncated`
  std::int64_t left = 0;       // not looked at, because enough tie with the best
  std::int64_t evaluated = 0;  // those whose value is known: one by one, or as the largest of parts
  std::int64_t infeasible = 0;  // of them
};

/// Searches the parts of a choice that share no group, each alone, and joins what they have.
///
/// An objective that is the largest of several sums, or of the loads of several actuators, often
/// falls into such parts. A combination is then near the best where it is so in each part, so that
/// the numbers of these are multiplied, and only the first `options.keep` combinations are made:
/// least value first, then by options.
JoinedParts join_parts(const ChoiceProblem& problem, const std::vector<EqualOptions>& equal,
                       const ChoiceOptions& options);

}  // namespace counterpoise
