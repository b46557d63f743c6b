#pragma once

#include <optional>
#include <vector>

#include "springs/mounts/mount_numbers.hpp"
#include "springs/problem/spring_sizer.hpp"

namespace counterpoise {

/// A part of a study's problem that can be solved by itself: some of the variables that move mounts
/// or choose springs, and all sums of the objective and limits that they have an effect on.
struct MountPart {
  std::vector<int> variables;     // that move mounts, indices of Study::variables
  std::vector<int> held;          // that choose springs, also indices of Study::variables
  std::vector<int> sums;          // of the objective
  std::optional<SumTerms> terms;  // of the only sum; empty: all terms of all `sums`
  std::vector<bool> limits;       // per general limit: whether it belongs to the part
  std::vector<bool> springs;      // per spring: whether its limits belong to the part
};

/// The indices of the limits of a written problem that are neither a spring's nor bounds of a
/// product: the same limits in the same order at every geometry.
std::vector<int> general_limits(const WrittenProblem& written);

/// The parts into which a study's objective may be split.
enum class PartsOf {
  sums,  // the sums: the objective is the largest of them
  terms  // the sums; or the terms of a single sum that has no least tension
};

/// The parts that the problem of a study falls into: sums (or terms), limits and variables of
/// different parts have no unknown and no variable in common. Parts without a term of the objective
/// are joined to the first; if they have no limit either, their variables, which have no effect,
/// are left out. `sizer` has written the problem of a geometry with chosen variables held at a
/// level (with_choices_held()).
std::vector<MountPart> mount_parts(const Study& study, const SpringRoles& roles, SpringSizer& sizer,
                                   PartsOf what);

}  // namespace counterpoise
