#include "results/text/cells.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <nlohmann/json.hpp>
#include <string_view>

namespace counterpoise {
namespace {

constexpr std::string_view formula_begins = "=+-@\t\r\n";

/// Whether a spreadsheet would run the text as a formula, were it not for apostrophes in front.
bool begins_as_formula(std::string_view text) {
  const std::size_t first = text.find_first_not_of('\'');
  return first != std::string_view::npos &&
         formula_begins.find(text[first]) != std::string_view::npos;
}

bool has_blank_end(std::string_view text) {
  constexpr std::string_view blanks = " \t";
  return !text.empty() && (blanks.find(text.front()) != std::string_view::npos ||
                           blanks.find(text.back()) != std::string_view::npos);
}

void append_csv(std::string& out, const std::string& text) {
  const std::string_view guard = begins_as_formula(text) ? "'" : "";
  if (text.find_first_of(",\"\r\n") == std::string::npos && !has_blank_end(text)) {
    out += guard;
    out += text;
    return;
  }
  out += '"';
  out += guard;
  for (const char c : text) {
    if (c == '"') out += '"';
    out += c;
  }
  out += '"';
}

void append_csv(std::string& out, double number) {
  std::array<char, 32> buffer{};
  out.append(buffer.data(),
             std::to_chars(buffer.data(), buffer.data() + buffer.size(), number).ptr);
}

void append_csv(std::string& out, const Value& value) {
  if (const auto* integer = std::get_if<std::int64_t>(&value)) out += std::to_string(*integer);
  if (const auto* real = std::get_if<double>(&value)) append_csv(out, *real);
  if (const auto* text = std::get_if<std::string>(&value)) append_csv(out, *text);
}

std::string on_one_line(const Json& value) {
  return value.dump(-1, ' ', true, Json::error_handler_t::replace);
}

void append_json(std::string& out, const Json& value) {
  const bool nested = std::any_of(value.begin(), value.end(),
                                  [](const Json& item) { return item.is_structured(); });
  if (!nested) {
    out += on_one_line(value);
    return;
  }
  out += value.is_array() ? "[\n" : "{";
  for (auto item = value.begin(); item != value.end(); ++item) {
    if (item != value.begin()) out += value.is_array() ? ",\n" : ",";
    if (value.is_object()) out += on_one_line(item.key()) + ':';
    append_json(out, *item);
  }
  out += value.is_array() ? "\n]" : "}";
}

template <class Cell>
void append_row(std::string& out, const std::vector<Cell>& cells) {
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (i > 0) out += ',';
    append_csv(out, cells[i]);
  }
  out += '\n';
}

/// `value` as json_file_text() lays it out, behind `indent`.
std::string laid_out(const Json& value, const std::string& indent) {
  const bool nested = std::any_of(value.begin(), value.end(),
                                  [](const Json& item) { return item.is_structured(); });
  if (!value.is_structured() || value.empty() || (value.is_array() && !nested))
    return json_text(value);
  const std::string deeper = indent + "  ";
  std::string text = value.is_array() ? "[" : "{";
  for (auto item = value.begin(); item != value.end(); ++item) {
    text += item == value.begin() ? "\n" : ",\n";
    text += deeper;
    if (value.is_object()) text += Json(item.key()).dump() + ": ";
    text += laid_out(item.value(), deeper);
  }
  return text + "\n" + indent + (value.is_array() ? "]" : "}");
}

}  // namespace

std::string shortest(double number) {
  std::string text;
  append_csv(text, number);
  return text;
}

void append_csv_row(std::string& out, const std::vector<Value>& cells) {
  append_row(out, cells);
}

void append_csv_row(std::string& out, const std::vector<std::string>& cells) {
  append_row(out, cells);
}

void append_csv_row(std::string& out, const std::vector<double>& cells) {
  append_row(out, cells);
}

Json json_of(const Value& value) {
  if (const auto* integer = std::get_if<std::int64_t>(&value)) return *integer;
  if (const auto* real = std::get_if<double>(&value)) return *real;
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  return nullptr;
}

Json or_null(const std::optional<double>& number) {
  return json_of(number ? Value{*number} : Value{});
}

Json or_null(const std::optional<std::int64_t>& number) {
  return json_of(number ? Value{*number} : Value{});
}

std::string json_text(const Json& value) {
  std::string text;
  append_json(text, value);
  return text;
}

std::string json_file_text(const Json& value) {
  return laid_out(value, "") + '\n';
}

}  // namespace counterpoise
