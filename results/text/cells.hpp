#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "results/rows/rows.hpp"

namespace counterpoise {

/// JSON whose keys keep their order.
using Json = nlohmann::ordered_json;

/// The shortest text that reads back as exactly this number, on any machine and in any locale.
std::string shortest(double number);

/// One line of CSV, with its end: text is quoted where it must be, null is empty. A text that
/// begins with = + - @, a tab or a line end, which a spreadsheet would run as a formula, has an
/// apostrophe put in front; so has one where only apostrophes stand before these, so that taking
/// one away gives the text. Numbers are never changed.
void append_csv_row(std::string& out, const std::vector<Value>& cells);
void append_csv_row(std::string& out, const std::vector<std::string>& cells);
void append_csv_row(std::string& out, const std::vector<double>& cells);

Json json_of(const Value& value);

/// The number, or null where there is none.
Json or_null(const std::optional<double>& number);
Json or_null(const std::optional<std::int64_t>& number);

/// JSON on one line, but each element of an array that holds arrays or objects on a line of its
/// own. All is ASCII: other characters are \uXXXX, bytes that are no UTF-8 U+FFFD. Numbers read
/// back exactly; one that is not finite is null.
std::string json_text(const Json& value);

/// JSON as a file to be edited: a line for each member and each element, but lists of numbers and
/// texts on one line, written as json_text() does, and an end of line.
std::string json_file_text(const Json& value);

}  // namespace counterpoise
