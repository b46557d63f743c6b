#pragma once

#include <string>

#include "cli/output/host.hpp"
#include "cli/output/streams.hpp"

namespace counterpoise {

/// Prints the answer of a command, as JSON if that was asked for and else as text for people. A
/// host gets both. The two functions return what is printed.
template <class AsJson, class AsText>
void print_answer(bool json, const AsJson& as_json, const AsText& as_text) {
  if (json || host() != nullptr) print_data(as_json());
  if (!json || host() != nullptr) print_text(as_text());
}

}  // namespace counterpoise
