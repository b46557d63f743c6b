#include "exchange/xml_document.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <map>
#include <pugixml.hpp>

#include "results/text/printable.hpp"

namespace counterpoise {
namespace {

constexpr int deepest_nesting = 100;
constexpr std::string_view blanks = " \t\n\r";

/// Finds lines and columns of offsets that only grow.
class Places {
 public:
  Places(std::string_view text, const std::string& file) : text_(text), file_(file) {}

  Location at(std::ptrdiff_t offset, std::string pointer) {
    const auto end =
        std::min(static_cast<std::size_t>(std::max<std::ptrdiff_t>(offset, 0)), text_.size());
    if (end < seen_) *this = Places(text_, file_);
    for (; seen_ < end; ++seen_) {
      const auto byte = static_cast<unsigned char>(text_[seen_]);
      if (byte == '\n') {
        ++line_;
        column_ = 1;
      } else if ((byte & 0xC0U) != 0x80U) {
        ++column_;  // bytes that continue a character of UTF-8 count no column
      }
    }
    return {file_, line_, column_, std::move(pointer)};
  }

 private:
  std::string_view text_;
  std::string file_;
  std::size_t seen_ = 0;
  int line_ = 1, column_ = 1;
};

void require_utf8(std::string_view text, Places places) {
  for (std::string_view rest = text; !rest.empty();) {
    const Character next = first_character(rest);
    if (!next.valid)
      throw InputError(places.at(rest.data() - text.data(), ""),
                       "found bytes that are no UTF-8, expected well-formed XML in UTF-8");
    rest.remove_prefix(next.size);
  }
}

class TreeBuilder {
 public:
  TreeBuilder(std::string_view text, const std::string& file) : places_(text, file) {}

  void build(const pugi::xml_node& node, const std::string& pointer, int depth,
             XmlElement& element) {
    element.name = node.name();
    element.where = places_.at(node.offset_debug() - 1, pointer);  // of "<"
    if (depth > deepest_nesting)
      throw InputError(element.where,
                       fmt::format("found elements nested more than {} deep", deepest_nesting));
    for (const pugi::xml_attribute& attribute : node.attributes()) {
      if (element.attribute(attribute.name()) != nullptr)
        throw InputError(
            element.where,
            fmt::format("found {} twice, expected well-formed XML: an attribute stands "
                        "once in an element",
                        attribute.name()));
      element.attributes.push_back({attribute.name(), attribute.value()});
    }
    std::map<std::string_view, int> counts;
    for (const pugi::xml_node& child : node.children()) {
      if (child.type() == pugi::node_pcdata || child.type() == pugi::node_cdata) {
        element.text += child.value();
      } else if (child.type() == pugi::node_element) {
        const int place = ++counts[child.name()];
        const std::string name =
            place == 1 ? child.name() : fmt::format("{}[{}]", child.name(), place);
        build(child, fmt::format("{}/{}", pointer, name), depth + 1,
              element.children.emplace_back());
      }
    }
  }

  Places& places() { return places_; }

 private:
  Places places_;
};

}  // namespace

const std::string* XmlElement::attribute(std::string_view attribute_name) const {
  const auto found = std::find_if(attributes.begin(), attributes.end(),
                                  [&](const XmlAttribute& a) { return a.name == attribute_name; });
  return found == attributes.end() ? nullptr : &found->value;
}

const XmlElement* XmlElement::child(std::string_view child_name) const {
  const auto found = std::find_if(children.begin(), children.end(),
                                  [&](const XmlElement& c) { return c.name == child_name; });
  return found == children.end() ? nullptr : &*found;
}

std::vector<const XmlElement*> XmlElement::children_named(std::string_view child_name) const {
  std::vector<const XmlElement*> named;
  for (const XmlElement& c : children)
    if (c.name == child_name) named.push_back(&c);
  return named;
}

XmlElement parse_xml(std::string_view text, const std::string& file) {
  if (text.size() > largest_xml)
    throw InputError({.file = file}, fmt::format("is larger than {} MiB, the most that is read of "
                                                 "a robot's description",
                                                 largest_xml >> 20));
  if (text.starts_with("\xFE\xFF") || text.starts_with("\xFF\xFE"))
    throw InputError({file, 1, 1, ""}, "found UTF-16 text, expected UTF-8");
  TreeBuilder builder(text, file);
  require_utf8(text, builder.places());
  if (const std::size_t zero = text.find('\0'); zero != std::string_view::npos)
    throw InputError(builder.places().at(static_cast<std::ptrdiff_t>(zero), ""),
                     "found a byte of value 0, expected well-formed XML in UTF-8");
  pugi::xml_document document;
  constexpr unsigned reading = pugi::parse_default | pugi::parse_doctype;
  const pugi::xml_parse_result result =
      document.load_buffer(text.data(), text.size(), reading, pugi::encoding_utf8);
  for (const pugi::xml_node& node : document.children())
    if (node.type() == pugi::node_doctype)
      throw InputError(builder.places().at(static_cast<std::ptrdiff_t>(text.find("<!DOCTYPE")), ""),
                       "found a document type declaration, expected none: entities and files "
                       "outside are not read");
  if (!result)
    throw InputError(
        builder.places().at(result.offset, ""),
        fmt::format("found \"{}\", expected well-formed XML in UTF-8", result.description()));
  int roots = 0;
  for (const pugi::xml_node& node : document.children()) {
    if (node.type() == pugi::node_element && ++roots > 1)
      throw InputError(builder.places().at(node.offset_debug() - 1, ""),
                       "found a second root element, expected well-formed XML, which has one");
  }
  XmlElement root;
  builder.build(document.document_element(), fmt::format("/{}", document.document_element().name()),
                1, root);
  return root;
}

double xml_number(std::string_view text) {
  const std::size_t begin = std::min(text.find_first_not_of(blanks), text.size());
  text.remove_prefix(begin);
  while (!text.empty() && blanks.find(text.back()) != std::string_view::npos) text.remove_suffix(1);
  if (text.starts_with('+') && !text.starts_with("+-")) text.remove_prefix(1);
  double number = 0.0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  const bool whole = error == std::errc() && stop == end && !text.empty();
  return whole ? number : std::numeric_limits<double>::quiet_NaN();
}

std::vector<double> xml_numbers(std::string_view text) {
  std::vector<double> numbers;
  for (std::size_t at = text.find_first_not_of(blanks); at != std::string_view::npos;) {
    const std::size_t end = std::min(text.find_first_of(blanks, at), text.size());
    numbers.push_back(xml_number(text.substr(at, end - at)));
    at = text.find_first_not_of(blanks, end);
  }
  return numbers;
}

std::string xml_trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(blanks);
  if (begin == std::string_view::npos) return "";
  return std::string(text.substr(begin, text.find_last_not_of(blanks) - begin + 1));
}

bool has_finite(const std::vector<double>& numbers, std::size_t count) {
  return numbers.size() == count &&
         std::all_of(numbers.begin(), numbers.end(), [](double x) { return std::isfinite(x); });
}

}  // namespace counterpoise
