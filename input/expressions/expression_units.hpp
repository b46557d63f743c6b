#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "input/expressions/expression.hpp"
#include "input/text/input_error.hpp"
#include "input/text/units.hpp"

namespace counterpoise {

/// The unit of a part of an expression.
struct PartUnit {
  enum class Is {
    any,      // a number alone, which goes with every unit
    unknown,  // a product, say
    known
  };
  Is is = Is::any;
  std::string_view si{};          // if it is known
  std::optional<Unit> written{};  // the unit in the text that it is known by, if it is
  std::size_t at = 0;             // of the number before that, in the text
};

/// Follows the units of an expression's parts while it is read: units of names from the scope, and
/// units that stand behind numbers. What is added, subtracted or compared with a written unit has
/// to measure the same, as far as its own unit is known.
class PartUnits {
 public:
  PartUnits(std::string_view text, const Location& where) : text_(text), where_(where) {}

  void add(PartUnit part) { parts_.push_back(part); }
  /// Makes the last `count` parts one. Throws InputError where a written unit does not fit.
  void join(ExpressionNode::Kind kind, int count);
  /// Of the last part.
  [[nodiscard]] const PartUnit& last() const { return parts_.back(); }

 private:
  [[nodiscard]] PartUnit common(int count) const;

  std::string_view text_;
  const Location& where_;
  std::vector<PartUnit> parts_;
};

}  // namespace counterpoise
