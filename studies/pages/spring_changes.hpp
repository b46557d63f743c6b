#pragma once

#include <string_view>
#include <vector>

#include "engine/mechanism/mechanism.hpp"

namespace counterpoise {

/// What a design makes of a spring of the baseline: one that does nothing in the baseline is added;
/// one that does nothing in the design is unused.
enum class SpringChange { added, changed, same, unused };

std::string_view name_of(SpringChange change);

/// The change of every spring. Both are designs of one model. A spring is the same if its law and
/// its two points, in the axes of their bodies, are.
std::vector<SpringChange> spring_changes(const Mechanism& design, const Mechanism& baseline);

}  // namespace counterpoise
