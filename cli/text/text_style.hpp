#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "input/definition/study.hpp"
#include "results/text/table_format.hpp"

namespace counterpoise {

/// The units that people are shown numbers in: those that they asked for, else SI.
class ShownUnits {
 public:
  ShownUnits() = default;
  /// `display`: units such as {"mm", "deg"}, at most one of each quantity.
  explicit ShownUnits(std::vector<Unit> display) : display_(std::move(display)) {}

  /// Whether a unit was asked for in place of this one.
  [[nodiscard]] bool replaces(const std::string& si) const;
  /// What stands for this SI unit: "mm" for "m". Empty and unknown units stay.
  [[nodiscard]] std::string of(const std::string& si) const;
  /// A number in this SI unit as it is shown.
  [[nodiscard]] double number(double value, const std::string& si) const;
  /// The same with the unit behind it: "183.2 mm".
  [[nodiscard]] std::string words(double value, const std::string& si) const;
  /// A sentence such as the reason of a case with each "0.1832 m" in it as "183.2 mm".
  [[nodiscard]] std::string sentence(const std::string& in_si) const;
  /// The heading of numbers: "anchor_height [mm]".
  [[nodiscard]] std::string heading(const std::string& name, const std::string& si) const;
  /// The units that were asked for, for pages: type `UnitData` of report/src/common/units.ts.
  [[nodiscard]] nlohmann::json json() const;

 private:
  std::vector<Unit> display_;
};

/// How text for people is written: in which units, and for lines of how many letters.
struct TextStyle {
  ShownUnits units = {};
  std::size_t width = 0;  // 0: any number

  /// How a table is made that stands `indent` letters from the left; see TableFit.
  [[nodiscard]] TableFit fit(std::size_t keys = 1, std::size_t indent = 0) const;
};

/// The table as text, each line two letters from the left for each step.
std::string indented_table(const Table& table, const TextStyle& style, std::size_t steps,
                           std::size_t keys = 1);

/// A share of designs, of time or of any whole with one decimal: "12.5 %". Some never shows as
/// none, nor as all; what is rounding is neither.
std::string percent_text(double share);
/// The text, quoted where needed, as one word of a shell command.
std::string shell_word(const std::string& text);
/// A number of things: "1 event", "2 events".
std::string counted(std::size_t count, std::string_view what);

/// The heading of times, or of the numbers of poses at rest: "t [s]", "pose".
std::string time_heading(const Study& study);
/// A time in a motion, or the number of its pose: "t=1.5 s", "pose 38".
std::string time_text(const Study& study, std::size_t motion, double time);
/// The same as a number below that heading; nothing if it is NaN.
Value time_cell(const Study& study, std::size_t motion, double time);

/// How text for people is written on standard output, in the units given with --display, or else
/// the study's. Throws InputError for a unit that is neither of a length nor of an angle.
TextStyle style_for(const Study& study, const std::vector<std::string>& display);
/// The units alone.
ShownUnits units_for(const Study& study, const std::vector<std::string>& display);
/// For a command without a study.
ShownUnits units_named(const std::vector<std::string>& display);

}  // namespace counterpoise
