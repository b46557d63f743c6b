#include "input/expressions/expression_units.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "input/expressions/expression_tokens.hpp"

namespace counterpoise {
namespace {

using Is = PartUnit::Is;

bool is_any(const PartUnit& part) {
  return part.is == Is::any;
}

}  // namespace

/// The unit that the last parts have in common.
PartUnit PartUnits::common(int count) const {
  PartUnit found;
  bool unknown = false;
  for (const PartUnit& part : std::span(parts_).last(static_cast<std::size_t>(count))) {
    if (is_any(part)) continue;
    const bool known = part.is != Is::unknown;
    if (known && is_any(found)) {
      found = part;
    } else if (known && found.si == part.si) {
      if (!found.written) found = part;
    } else if (known && (found.written || part.written)) {
      const PartUnit &wrong = part.written ? part : found, &other = part.written ? found : part;
      refuse_expression(
          where_, text_, wrong.at,
          fmt::format("found {}, expected a unit that goes with {}: {}",
                      in_quotes(wrong.written->name), other.si, units_like(other.si)));
    } else {
      unknown = true;
    }
  }
  return unknown ? PartUnit{.is = Is::unknown} : found;
}

void PartUnits::join(ExpressionNode::Kind kind, int count) {
  using Kind = ExpressionNode::Kind;
  const auto parts = std::span(parts_).last(static_cast<std::size_t>(count));
  const PartUnit &first = parts.front(), &second = parts.back();
  PartUnit joint{.is = std::all_of(parts.begin(), parts.end(), is_any) ? Is::any : Is::unknown};
  switch (kind) {
    case Kind::negative:
    case Kind::abs:
      joint = first;
      break;
    case Kind::sum:
    case Kind::difference:
    case Kind::min:
    case Kind::max:
      joint = common(count);
      break;
    case Kind::less:
    case Kind::at_most:
    case Kind::greater:
    case Kind::at_least:
    case Kind::equal:
    case Kind::different:
      static_cast<void>(common(count));  // only has to exist
      break;
    case Kind::product:
      if (is_any(first) && second.written) joint = second;
      if (is_any(second) && first.written) joint = first;
      break;
    case Kind::quotient:
      if (is_any(second) && first.written) joint = first;
      break;
    default:
      break;
  }
  parts_.resize(parts_.size() - static_cast<std::size_t>(count));
  parts_.push_back(joint);
}

}  // namespace counterpoise
