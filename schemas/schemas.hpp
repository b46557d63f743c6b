#pragma once

#include <string_view>

namespace counterpoise {

/// The JSON Schema of a kind of file, "model", "motion", "study" or "scenario", exactly as in the
/// file schemas/<kind>.schema.json; empty for any other kind.
std::string_view schema_text(std::string_view kind);

}  // namespace counterpoise
