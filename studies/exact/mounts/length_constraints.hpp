#pragma once

#include <span>
#include <vector>

#include "input/definition/study.hpp"

namespace counterpoise {

/// A constraint that only the length of one spring decides, as a condition of every instant of all
/// motions: number + slope * length <= 0, where the slope is not 0.
struct LengthConstraint {
  std::size_t spring = 0;
  double number = 0.0;
  double slope = 0.0;
};

/// The spring whose least or greatest length an expression reads, and nothing else of springs or
/// loads; -1 if it reads no length.
/// Throws InputError at `where` if it reads lengths beside others, loads or springs' numbers.
int spring_of_length(const Study& study, const std::vector<int>& sized,
                     const Expression& expression, const Location& where);

/// The constraints of a study that read lengths, up to the rounding that constraints have.
/// `values` as Study::metric_scope orders them; those of metrics are not read. Throws InputError
/// where a constraint is not affine in the length, or bounds a least length from above or a
/// greatest one from below: that is no condition of every instant.
std::vector<LengthConstraint> length_constraints(const Study& study,
                                                 std::span<const double> values);

}  // namespace counterpoise
