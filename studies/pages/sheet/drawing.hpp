#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/math/vector.hpp"

namespace counterpoise {

using SheetPlace = Vec2<double>;

/// A page of a sheet is A4, upright [mm].
inline constexpr double sheet_width = 210.0, sheet_height = 297.0;

/// A line of text. Places on a page are in mm from its upper left corner, y downwards.
struct SheetText {
  enum class Anchor { start, middle, end };

  SheetPlace at;  // on the base line
  std::string text;
  double size = 3.0;  // of the font [mm]
  Anchor anchor = Anchor::start;
  bool bold = false;
  bool upwards = false;  // read from below
  double grey = 0.0;     // 0 is black, 1 white
};

/// A line through several places, or the area within them.
struct SheetLine {
  std::vector<SheetPlace> places;
  double width = 0.25;  // [mm]
  double grey = 0.0;
  bool dashed = false, filled = false;
};

struct SheetPage {
  std::vector<SheetLine> lines;
  std::vector<SheetText> texts;  // over all lines
};

/// Adds all that is on a page to another, moved by some mm.
void add_moved(const SheetPage& part, const SheetPlace& by, SheetPage& to);

/// A circle in steps that are too small to be seen.
std::vector<SheetPlace> circle(const SheetPlace& centre, double radius);

/// How wide a text is in Helvetica [mm], and in fonts of the same measures such as Arial and
/// Liberation Sans. Of letters beyond ASCII an estimate.
double text_width(std::string_view text, double size, bool bold = false);

/// The text in lines of at most this width, broken between words, and within one that is too wide.
std::vector<std::string> broken_lines(const std::string& text, double width, double size);

}  // namespace counterpoise
