#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "studies/springs/spring_roles.hpp"

namespace counterpoise {

/// A part of an expression. A part that springs do not change is one number.
struct MetricNode {
  enum class Kind {
    number,
    metric,
    parameter,
    sum,
    difference,
    product,
    quotient,
    negative,
    size,  // |x| of a part that is affine in the springs
    largest
  };
  Kind kind = Kind::number;
  std::optional<Expression> number;
  int index = -1;
  std::size_t at = 0;  // character of the text, for messages
  std::vector<std::unique_ptr<MetricNode>> parts;

  [[nodiscard]] bool varies() const { return kind != Kind::number; }
};

/// The parts of an expression that the grammar has accepted. Throws InputError at `where` for what
/// is not convex in the springs whatever the numbers: products, quotients, powers and conditions of
/// what springs change, functions other than max and abs, abs of loads and maxima.
std::unique_ptr<MetricNode> metric_nodes(const std::string& text, const Location& where,
                                         const Study& study, const SpringRoles& roles);

}  // namespace counterpoise
