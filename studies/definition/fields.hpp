#pragma once

#include <span>

#include "studies/definition/model.hpp"

namespace counterpoise {

/// Writes a field into a mechanism; `numbers` holds at least size_of(field). Axes are normalised,
/// angles and quaternions become rotation matrices.
void assign(Field field, int element, std::span<const double> numbers, Mechanism& mechanism);

}  // namespace counterpoise
