#include "exchange/xml_writing.hpp"

#include <Eigen/Geometry>
#include <cmath>
#include <sstream>

#include "results/text/cells.hpp"
#include "results/text/printable.hpp"

namespace counterpoise {

std::string numbers_text(std::span<const double> numbers) {
  std::string text;
  for (const double number : numbers) text += (text.empty() ? "" : " ") + shortest(number);
  return text;
}

std::string vector_text(const Vec3d& v) {
  return numbers_text(std::array{v.x(), v.y(), v.z()});
}

std::array<std::pair<const char*, double>, 6> named_moments(const Mat3d& i) {
  return {{{"ixx", i(0, 0)},
           {"ixy", i(0, 1)},
           {"ixz", i(0, 2)},
           {"iyy", i(1, 1)},
           {"iyz", i(1, 2)},
           {"izz", i(2, 2)}}};
}

Vec3d rpy_of(const Mat3d& r) {
  const double pitch = std::atan2(-r(2, 0), std::hypot(r(0, 0), r(1, 0)));
  const double yaw = std::atan2(r(1, 0), r(0, 0));
  // what is left behind the two, which is well determined where the pitch is a right angle too
  const Mat3d before = Eigen::AngleAxisd(yaw, Vec3d::UnitZ()).toRotationMatrix() *
                       Eigen::AngleAxisd(pitch, Vec3d::UnitY()).toRotationMatrix();
  const Mat3d rest = before.transpose() * r;
  return {std::atan2(rest(2, 1), rest(1, 1)), pitch, yaw};
}

void give(pugi::xml_node element, const char* attribute, const std::string& text) {
  element.append_attribute(attribute).set_value(printable(text).c_str());
}

void give(pugi::xml_node element, const char* attribute, double number) {
  give(element, attribute, shortest(number));
}

std::string xml_text(const pugi::xml_document& document) {
  std::ostringstream text;
  document.save(text, "  ");
  return text.str();
}

namespace {

void append(pugi::xml_node to, const XmlElement& element) {
  pugi::xml_node node = to.append_child(element.name.c_str());
  for (const XmlAttribute& attribute : element.attributes)
    give(node, attribute.name.c_str(), attribute.value);
  if (element.children.empty() && !element.text.empty()) node.text().set(element.text.c_str());
  for (const XmlElement& child : element.children) append(node, child);
}

}  // namespace

std::string xml_text(const XmlElement& element) {
  pugi::xml_document document;
  append(document, element);
  return xml_text(document);
}

}  // namespace counterpoise
