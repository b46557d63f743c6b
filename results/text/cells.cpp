#include "results/text/cells.hpp"

#include <array>
#include <charconv>
#include <cmath>

#include "results/text/printable.hpp"

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

void append_csv(std::string& out, const Value& value) {
  if (const auto* integer = std::get_if<std::int64_t>(&value)) out += std::to_string(*integer);
  if (const auto* real = std::get_if<double>(&value)) out += shortest(*real);
  if (const auto* text = std::get_if<std::string>(&value)) append_csv(out, *text);
}

// Below 0x10000, as all control characters are.
void append_json_code(std::string& out, std::uint32_t code) {
  constexpr std::string_view digits = "0123456789abcdef";
  out += "\\u";
  for (const int shift : {12, 8, 4, 0}) out += digits[(code >> shift) & 15U];
}

template <class Cell>
void append_row(std::string& out, const std::vector<Cell>& cells) {
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (i > 0) out += ',';
    append_csv(out, cells[i]);
  }
  out += '\n';
}

}  // namespace

std::string shortest(double number) {
  std::array<char, 32> buffer{};
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), number).ptr;
  return {buffer.data(), end};
}

void append_csv_row(std::string& out, const std::vector<Value>& cells) {
  append_row(out, cells);
}

void append_csv_row(std::string& out, const std::vector<std::string>& cells) {
  append_row(out, cells);
}

void append_json(std::string& out, std::string_view text) {
  out += '"';
  while (!text.empty()) {
    const Character character = first_character(text);
    if (text.front() == '"' || text.front() == '\\') {
      out += '\\';
      out += text.front();
    } else if (!character.valid) {
      out += "\\ufffd";  // stands for what cannot be read
    } else if (is_control(character.code)) {
      append_json_code(out, character.code);
    } else {
      out += text.substr(0, character.size);
    }
    text.remove_prefix(character.size);
  }
  out += '"';
}

void append_json(std::string& out, const Value& value) {
  if (const auto* text = std::get_if<std::string>(&value)) {
    append_json(out, std::string_view(*text));
  } else if (const auto* integer = std::get_if<std::int64_t>(&value)) {
    out += std::to_string(*integer);
  } else if (const auto* real = std::get_if<double>(&value); real && std::isfinite(*real)) {
    out += shortest(*real);
  } else {
    out += "null";
  }
}

}  // namespace counterpoise
