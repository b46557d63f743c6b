#pragma once

#include <nlohmann/json.hpp>

#include "results/text/cells.hpp"

namespace counterpoise {

/// What is not known is null in JSON.
template <class T>
Json if_known(bool known, const T& value) {
  return known ? Json(value) : Json();
}

/// Null for an empty text.
inline Json text_or_null(const std::string& text) {
  return if_known(!text.empty(), text);
}

}  // namespace counterpoise
