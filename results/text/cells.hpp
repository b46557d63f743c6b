#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "results/rows/rows.hpp"

namespace counterpoise {

/// The shortest text that reads back as exactly this number, on any machine and in any locale.
std::string shortest(double number);

/// One line of CSV, with its end: text is quoted where it must be, null is empty. A text that
/// begins with = + - @, a tab or a line end, which a spreadsheet would run as a formula, has an
/// apostrophe put in front; so has one where only apostrophes stand before these, so that taking
/// one away gives the text. Numbers are never changed.
void append_csv_row(std::string& out, const std::vector<Value>& cells);
void append_csv_row(std::string& out, const std::vector<std::string>& cells);

/// Text as a JSON string, quotes included: control characters (see is_control) as \uXXXX, bytes
/// that are no UTF-8 as U+FFFD. Numbers as JSON numbers, null and what is not finite as null.
void append_json(std::string& out, std::string_view text);
void append_json(std::string& out, const Value& value);

}  // namespace counterpoise
