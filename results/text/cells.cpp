#include "results/text/cells.hpp"

#include <array>
#include <charconv>
#include <cmath>

namespace counterpoise {
namespace {

void append_csv(std::string& out, const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) {
    out += text;
    return;
  }
  out += '"';
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
  constexpr std::string_view digits = "0123456789abcdef";
  out += '"';
  for (const char c : text) {
    const auto code = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (code < 0x20) {
      out += "\\u00";
      out += digits[code >> 4];
      out += digits[code & 15];
    } else {
      out += c;
    }
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
