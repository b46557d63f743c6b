#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <string>

#include "cli/output/host.hpp"
#include "cli/output/streams.hpp"
#include "results/text/cells.hpp"

namespace counterpoise {

/// Prints the answer of a command, as JSON if that was asked for and else as text for people. A
/// host gets both. The two functions return what is printed.
template <class AsJson, class AsText>
void print_answer(bool json, const AsJson& as_json, const AsText& as_text) {
  if (json || host() != nullptr) print_data(as_json());
  if (!json || host() != nullptr) print_text(as_text());
}

/// The same of a command with --format table, csv or json, for which `json` is another word. A host
/// that asked for CSV gets that alone.
template <class AsCsv, class AsJson, class AsText>
void print_answer(const std::string& format, bool json, const AsCsv& as_csv, const AsJson& as_json,
                  const AsText& as_text) {
  if (format == "csv" && !json) return print_data(as_csv());
  print_answer(json || format == "json", as_json, as_text);
}

/// What is not known is null in JSON.
template <class T>
Json if_known(bool known, const T& value) {
  return known ? Json(value) : Json();
}

/// An array of what `item`, a function or a member, makes of each element.
template <class Items, class Item>
Json array_of(const Items& items, const Item& item) {
  Json array = Json::array();
  for (const auto& each : items) array.push_back(std::invoke(item, each));
  return array;
}

/// Null for an empty text.
inline Json text_or_null(const std::string& text) {
  return if_known(!text.empty(), text);
}

}  // namespace counterpoise
