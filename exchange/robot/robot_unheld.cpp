// What files say of loads and models do not hold.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>

#include "exchange/robot/robot_description.hpp"

namespace counterpoise {
namespace {

/// A name as words: "drake:rotor_inertia" and "rotorInertia" are "rotor inertia".
std::string spaced_name(std::string_view name) {
  if (const std::size_t colon = name.rfind(':'); colon != std::string_view::npos)
    name.remove_prefix(colon + 1);
  std::string words;
  for (const char c : name) {
    if (std::isupper(static_cast<unsigned char>(c)) != 0 && !words.empty() && words.back() != ' ')
      words += ' ';
    words += c == '_' ? ' ' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return words;
}

bool changes_loads(const std::string& words) {
  constexpr std::array<std::string_view, 6> telling = {
      "stiffness", "rotor inertia", "armature", "motor inertia", "damping", "friction"};
  return std::any_of(telling.begin(), telling.end(),
                     [&](std::string_view word) { return words.find(word) != std::string::npos; });
}

bool is_of_contact_or_control(std::string_view name) {
  constexpr std::array<std::string_view, 6> others = {"collision", "visual", "contact",
                                                      "surface",   "sensor", "plugin"};
  return std::any_of(others.begin(), others.end(), [&](std::string_view other) {
    return name.find(other) != std::string_view::npos;
  });
}

void collect_unheld(const XmlElement& element, std::vector<std::string>& found) {
  if (is_of_contact_or_control(element.name)) return;
  const auto look_at = [&](const std::string& name, std::string_view value) {
    const double number = xml_number(value);
    if (const std::string words = spaced_name(name);
        std::isfinite(number) && number != 0.0 && changes_loads(words))
      found.push_back(fmt::format("{} {}", words, number));
  };
  look_at(element.name, element.text);
  for (const XmlAttribute& attribute : element.attributes)
    look_at(attribute.name == "value" ? element.name : attribute.name, attribute.value);
  for (const XmlElement& child : element.children) collect_unheld(child, found);
}

}  // namespace

void tell_unheld(const XmlElement& element, const std::string& owner, RobotDescription& robot) {
  std::vector<std::string> found;
  collect_unheld(element, found);
  for (const std::string& words : found)
    robot.unheld.push_back({element.where, fmt::format("{} of {}", words, owner)});
}

}  // namespace counterpoise
