#include "exchange/robot/urdf_elements.hpp"

#include <fmt/format.h>

#include <cmath>

#include "engine/math/rotation.hpp"

namespace counterpoise {

const std::string& required(const XmlElement& element, std::string_view attribute) {
  const std::string* value = element.attribute(attribute);
  if (value == nullptr)
    throw InputError(element.where, fmt::format("found <{}> without {}, expected <{} {}=\"...\">",
                                                element.name, attribute, element.name, attribute));
  if (value->empty())
    throw InputError(element.where, fmt::format("found an empty {}, expected a text", attribute));
  return *value;
}

const XmlElement& required_child(const XmlElement& element, std::string_view child,
                                 std::string_view why) {
  const XmlElement* found = element.child(child);
  if (found == nullptr)
    throw InputError(element.where,
                     fmt::format("found <{}> without <{}>, expected {}", element.name, child, why));
  return *found;
}

double number_of(const XmlElement& element, std::string_view attribute) {
  const std::string& text = required(element, attribute);
  const double number = xml_number(text);
  if (!std::isfinite(number))
    throw InputError(element.where,
                     fmt::format("found {}={}, expected a number", attribute, in_quotes(text)));
  return number;
}

double number_of(const XmlElement& element, std::string_view attribute, double otherwise) {
  return element.attribute(attribute) == nullptr ? otherwise : number_of(element, attribute);
}

Vec3d vector_of(const XmlElement& element, std::string_view attribute, const Vec3d& otherwise) {
  const std::string* text = element.attribute(attribute);
  if (text == nullptr) return otherwise;
  const std::vector<double> numbers = xml_numbers(*text);
  if (!has_finite(numbers, 3))
    throw InputError(element.where, fmt::format("found {}={}, expected three numbers", attribute,
                                                in_quotes(*text)));
  return {numbers[0], numbers[1], numbers[2]};
}

RobotPose pose_in(const XmlElement& element) {
  RobotPose pose;
  pose.position = vector_of(element, "xyz", Vec3d::Zero());
  const Vec3d rpy = vector_of(element, "rpy", Vec3d::Zero());
  if (rpy.isZero(0.0)) return pose;
  pose.rpy = rpy;
  pose.rotation = rotation_from_rpy(rpy.x(), rpy.y(), rpy.z());
  return pose;
}

RobotPose origin_of(const XmlElement& owner) {
  const XmlElement* origin = owner.child("origin");
  return origin == nullptr ? RobotPose() : pose_in(*origin);
}

void check_once(const XmlElement& owner, std::span<const std::string_view> parts) {
  for (const std::string_view part : parts)
    if (const auto all = owner.children_named(part); all.size() > 1)
      throw InputError(all[1]->where, fmt::format("found a second <{}>, expected one", part));
}

}  // namespace counterpoise
