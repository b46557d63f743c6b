#include "results/text/wrapped.hpp"

#include <algorithm>
#include <array>

namespace counterpoise {
namespace {

constexpr char escape = '\x1b';

/// The bytes of what stands first in a text: a sequence that colours, or a character.
std::size_t first_size(std::string_view text) {
  if (text.front() == escape) {
    const std::size_t end = text.find('m');
    return end == std::string_view::npos ? text.size() : end + 1;
  }
  std::size_t size = 1;
  while (size < text.size() && (static_cast<unsigned char>(text[size]) & 0xC0U) == 0x80U) ++size;
  return size;
}

/// Where the text below a broken line begins.
std::size_t indentation(std::string_view line, std::size_t width) {
  constexpr std::size_t deeper = 2;
  const std::size_t begin = std::min(line.find_first_not_of(' '), line.size());
  const std::size_t gap = line.find("  ", begin);
  if (gap != std::string_view::npos) {
    const std::size_t column = letters(line.substr(0, line.find_first_not_of(' ', gap)));
    if (column <= width / 2) return column;
  }
  return begin + deeper <= width / 2 ? begin + deeper : 0;
}

/// Whether a word is a unit of a number, such as "N*m/rad" or "%,", or the stroke of "1.05 / s".
bool is_unit(std::string_view word) {
  constexpr std::array<std::string_view, 44> names = {
      "%",    "m",   "um",  "mm", "cm", "dm", "km", "in",  "ft", "mi", "rad",
      "mrad", "deg", "rev", "s",  "ms", "us", "ns", "min", "h",  "d",  "Hz",
      "N",    "mN",  "kN",  "J",  "mJ", "kJ", "W",  "mW",  "kW", "kg", "g",
      "mg",   "lb",  "lbf", "t",  "B",  "kB", "MB", "GB",  "TB", "Pa", "rpm"};
  constexpr std::string_view marks = ".,;:!?)]'\"`";
  while (word.size() > 1 && marks.find(word.back()) != std::string_view::npos)
    word.remove_suffix(1);
  if (word == "/") return true;
  if (word.starts_with("1/")) word.remove_prefix(1);
  if (word.starts_with('/')) word.remove_prefix(1);
  while (!word.empty()) {
    const std::string_view factor = word.substr(0, word.find_first_of("*/"));
    std::string_view name = factor.substr(0, factor.find('^'));
    if (name.size() > 1 && name.back() >= '2' && name.back() <= '4') name.remove_suffix(1);
    if (std::find(names.begin(), names.end(), name) == names.end()) return false;
    if (factor.size() == word.size()) return true;
    word.remove_prefix(factor.size() + 1);
  }
  return false;
}

/// Whether two words belong on one line: a number and its unit, or a sign and its number.
bool stay_together(std::string_view word, std::string_view next) {
  constexpr std::string_view digits = "0123456789";
  const bool begins_number = digits.find(next.front()) != std::string_view::npos;
  if (word == "<" || word == ">") return begins_number;
  if (word == "/") return is_unit(next);
  return digits.find(word.back()) != std::string_view::npos && is_unit(next);
}

/// Where what begins with a word and belongs on one line with it ends.
std::size_t end_of_piece(std::string_view line, std::size_t begin) {
  std::size_t end = std::min(line.find(' ', begin), line.size());
  while (end + 1 < line.size() && line[end + 1] != ' ') {
    const std::size_t more = std::min(line.find(' ', end + 1), line.size());
    if (!stay_together(line.substr(begin, end - begin), line.substr(end + 1, more - end - 1)))
      break;
    begin = end + 1;
    end = more;
  }
  return end;
}

void append_wrapped(std::string& out, std::string_view line, std::size_t width) {
  if (letters(line) <= width) {
    out += line;
    return;
  }
  const std::string below = '\n' + std::string(indentation(line, width), ' ');
  std::size_t used = 0;  // letters of the line that is being written
  bool begun = false;    // whether it has a word already
  while (!line.empty()) {
    const std::size_t word = std::min(line.find_first_not_of(' '), line.size());
    const std::size_t end = word < line.size() ? end_of_piece(line, word) : word;
    const std::string_view next = line.substr(word, end - word);
    if (begun && used + word + letters(next) > width) {
      out += below;
      used = below.size() - 1;
    } else {
      out += line.substr(0, word);
      used += word;
    }
    out += next;
    used += letters(next);
    begun = true;
    line.remove_prefix(end);
  }
}

}  // namespace

std::size_t letters(std::string_view text) {
  std::size_t count = 0;
  while (!text.empty()) {
    if (text.front() != escape) ++count;
    text.remove_prefix(first_size(text));
  }
  return count;
}

std::string wrapped(std::string_view text, std::size_t width) {
  if (width == 0) return std::string(text);
  std::string out;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    append_wrapped(out, text.substr(0, end), width);
    if (end == std::string_view::npos) break;
    out += '\n';
    text.remove_prefix(end + 1);
  }
  return out;
}

std::string cut(std::string_view line, std::size_t width) {
  std::size_t size = 0;
  for (std::size_t count = 0; count < width && size < line.size(); ++count)
    size += first_size(line.substr(size));
  return std::string(line.substr(0, size));
}

}  // namespace counterpoise
