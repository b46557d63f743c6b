#include "exchange/xml_writing.hpp"

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
