#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "input/text/input_error.hpp"

namespace counterpoise {

/// An attribute of an XML element.
struct XmlAttribute {
  std::string name, value;
};

/// An element of an XML text that knows its place in it.
struct XmlElement {
  std::string name;
  std::vector<XmlAttribute> attributes;
  std::vector<XmlElement> children;
  std::string text;  // all text directly inside it, put together
  Location where;    // of its "<"; the pointer is a path such as /robot/link[2]/inertial

  /// The value of this attribute, or nullptr.
  [[nodiscard]] const std::string* attribute(std::string_view attribute_name) const;
  /// The first child of this name, or nullptr.
  [[nodiscard]] const XmlElement* child(std::string_view child_name) const;
  /// All children of this name, in the order of the file.
  [[nodiscard]] std::vector<const XmlElement*> children_named(std::string_view child_name) const;
};

/// The most bytes of an XML file that are read.
inline constexpr std::size_t largest_xml = std::size_t{32} << 20;

/// Parses UTF-8 text into its root element. Nothing outside the text is ever read: a document type
/// declaration, and with it every entity, is refused. Throws InputError at a place that is not
/// well-formed, is not UTF-8, or is nested more than 100 deep; `file` names the text in messages.
XmlElement parse_xml(std::string_view text, const std::string& file);

/// The number that a text is, with blanks around it allowed, or NaN.
double xml_number(std::string_view text);
/// The numbers between blanks; NaN for each text that is not a number.
std::vector<double> xml_numbers(std::string_view text);
/// Whether these are so many numbers, all finite.
bool has_finite(const std::vector<double>& numbers, std::size_t count);
/// The text without the blanks around it.
std::string xml_trimmed(std::string_view text);

}  // namespace counterpoise
