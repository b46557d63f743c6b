#include "studies/pages/sheet/drawing.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <numbers>

#include "results/text/printable.hpp"

namespace counterpoise {
namespace {

/// The widths of the letters from the space to ~ in thousandths of the font's size, as Adobe's font
/// metrics of Helvetica and Helvetica-Bold have them.
constexpr std::array<int, 95> regular = {
    278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333,  278, 278, 556, 556, 556,
    556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667,
    611, 778, 722, 278, 500, 667, 556, 833, 722, 778, 667, 778, 722, 667,  611, 722, 667, 944, 667,
    667, 611, 278, 278, 278, 469, 556, 333, 556, 556, 500, 556, 556, 278,  556, 556, 222, 222, 500,
    222, 833, 556, 556, 556, 556, 333, 500, 278, 556, 500, 722, 500, 500,  500, 334, 260, 334, 584};
constexpr std::array<int, 95> heavy = {
    278, 333, 474, 556, 556, 889, 722, 238, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556,
    556, 556, 556, 556, 556, 556, 556, 333, 333, 584, 584, 584, 611, 975, 722, 722, 722, 722, 667,
    611, 778, 722, 278, 556, 722, 611, 833, 722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667,
    667, 611, 333, 278, 333, 584, 556, 333, 556, 611, 556, 611, 556, 333, 611, 611, 278, 278, 556,
    278, 889, 611, 611, 611, 611, 389, 556, 333, 611, 556, 778, 556, 556, 500, 389, 280, 389, 584};

}  // namespace

void add_moved(const SheetPage& part, const SheetPlace& by, SheetPage& to) {
  for (SheetLine line : part.lines) {
    for (SheetPlace& place : line.places) place += by;
    to.lines.push_back(std::move(line));
  }
  for (SheetText text : part.texts) {
    text.at += by;
    to.texts.push_back(std::move(text));
  }
}

std::vector<SheetPlace> circle(const SheetPlace& centre, double radius) {
  constexpr int steps = 48;
  std::vector<SheetPlace> places;
  for (int i = 0; i <= steps; ++i) {
    const double angle = 2.0 * std::numbers::pi * (i % steps) / steps;
    places.emplace_back(centre + radius * SheetPlace(std::cos(angle), std::sin(angle)));
  }
  return places;
}

double text_width(std::string_view text, double size, bool bold) {
  constexpr int widest = 1000;
  double width = 0.0;
  while (!text.empty()) {
    const Character letter = first_character(text);
    text.remove_prefix(letter.size);
    const bool known = letter.code >= ' ' && letter.code <= '~';
    width += known ? (bold ? heavy : regular)[letter.code - ' '] : widest;
  }
  return 1e-3 * width * size;
}

std::vector<std::string> broken_lines(const std::string& text, double width, double size) {
  std::vector<std::string> lines(1);
  const auto fits = [&](const std::string& line) { return text_width(line, size) <= width; };
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    std::string word = text.substr(at, end - at);
    at = end + 1;
    const std::string longer = lines.back().empty() ? word : lines.back() + " " + word;
    if (fits(longer)) {
      lines.back() = longer;
      continue;
    }
    if (!lines.back().empty()) lines.emplace_back();
    while (!fits(word)) {
      std::size_t size_of_part = first_character(word).size;
      for (std::size_t next = size_of_part; next < word.size();) {
        next += first_character(std::string_view(word).substr(next)).size;
        if (!fits(word.substr(0, next))) break;
        size_of_part = next;
      }
      if (size_of_part == word.size()) break;  // a single letter, however narrow the line
      lines.back() = word.substr(0, size_of_part);
      lines.emplace_back();
      word.erase(0, size_of_part);
    }
    lines.back() = word;
  }
  return lines;
}

}  // namespace counterpoise
