#include "cli/text/text_style.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <regex>

#include "cli/output/streams.hpp"
#include "input/reading/read.hpp"

namespace counterpoise {
namespace {

const Unit* find_in(const std::vector<Unit>& display, const std::string& si) {
  const auto found = std::find_if(display.begin(), display.end(),
                                  [&](const Unit& unit) { return si_unit(unit) == si; });
  return found == display.end() ? nullptr : &*found;
}

}  // namespace

bool ShownUnits::replaces(const std::string& si) const {
  return find_in(display_, si) != nullptr;
}

std::string ShownUnits::of(const std::string& si) const {
  const Unit* unit = find_in(display_, si);
  return unit == nullptr ? si : std::string(unit->name);
}

double ShownUnits::number(double value, const std::string& si) const {
  const Unit* unit = find_in(display_, si);
  return (unit == nullptr ? value : unit->from_si(value)) + 0.0;  // never -0
}

std::string ShownUnits::words(double value, const std::string& si) const {
  return fmt::format("{:.6g}{}{}", number(value, si), si.empty() ? "" : " ", of(si));
}

std::string ShownUnits::sentence(const std::string& in_si) const {
  static const std::regex quantity(
      R"((^|[ (])([-+]?[0-9][0-9.]*(?:e[-+]?[0-9]+)?) ([a-zA-Z][a-zA-Z0-9*/^]*))");
  std::string text;
  auto rest = in_si.begin();
  for (std::sregex_iterator found(in_si.begin(), in_si.end(), quantity), end; found != end;
       ++found) {
    const std::smatch& match = *found;
    if (!replaces(match[3])) continue;
    text.append(rest, match[2].first);
    text += words(std::stod(match[2]), match[3]);
    rest = match[0].second;
  }
  return text.append(rest, in_si.end());
}

std::string ShownUnits::heading(const std::string& name, const std::string& si) const {
  return si.empty() ? name : fmt::format("{} [{}]", name, of(si));
}

nlohmann::json ShownUnits::json() const {
  nlohmann::json json = nlohmann::json::array();
  for (const Unit& unit : display_)
    json.push_back(
        {{"si", si_unit(unit)}, {"name", unit.name}, {"times", unit.times}, {"over", unit.over}});
  return json;
}

TableFit TextStyle::fit(std::size_t keys, std::size_t indent) const {
  return {.width = width > indent ? width - indent : width, .keys = keys};
}

std::string shell_word(const std::string& text) {
  constexpr const char* plain =
      "-_./0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
  if (text.find_first_not_of(plain) == std::string::npos) return text;
  std::string word = "'";
  for (const char letter : text) word += letter == '\'' ? "'\\''" : std::string(1, letter);
  return word + '\'';
}

std::string counted(std::size_t count, std::string_view what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

std::string percent_text(double share) {
  const std::string text = fmt::format("{:.1f} %", 100.0 * share);
  if (text == "0.0 %" && share > rounding_part) return "< 0.1 %";
  if (text == "100.0 %" && share < 1.0 - rounding_part) return "> 99.9 %";
  return text;
}

std::string indented_table(const Table& table, const TextStyle& style, std::size_t steps,
                           std::size_t keys) {
  const std::string indent(2 * steps, ' ');
  const std::string lines = to_aligned_text(table, style.fit(keys, indent.size()));
  std::string text;
  for (std::size_t begin = 0; begin < lines.size();) {
    const std::size_t end = lines.find('\n', begin) + 1;
    text += (lines[begin] == '\n' ? "" : indent) + lines.substr(begin, end - begin);
    begin = end;
  }
  return text;
}

namespace {

bool at_rest(const Study& study, std::size_t motion) {
  return study.motions[motion].motion.nominal.poses;
}

}  // namespace

std::string time_heading(const Study& study) {
  std::size_t poses = 0;
  for (std::size_t m = 0; m < study.motions.size(); ++m) poses += at_rest(study, m) ? 1 : 0;
  if (poses == 0) return "t [s]";
  return poses == study.motions.size() ? "pose" : "t [s] or pose";
}

std::string time_text(const Study& study, std::size_t motion, double time) {
  return at_rest(study, motion) ? fmt::format("pose {}", std::lround(time) + 1)
                                : fmt::format("t={:.6g} s", time);
}

Value time_cell(const Study& study, std::size_t motion, double time) {
  if (std::isnan(time)) return Value{};
  return at_rest(study, motion) ? Value{std::int64_t{std::lround(time)} + 1} : Value{time};
}

ShownUnits units_named(const std::vector<std::string>& display) {
  std::vector<Unit> wanted;
  for (const std::string& name : display) add_display_unit(name, {.file = "--display"}, wanted);
  return ShownUnits(wanted);
}

ShownUnits units_for(const Study& study, const std::vector<std::string>& display) {
  return display.empty() ? ShownUnits(study.display) : units_named(display);
}

TextStyle style_for(const Study& study, const std::vector<std::string>& display) {
  return {units_for(study, display), terminal_width()};
}

}  // namespace counterpoise
