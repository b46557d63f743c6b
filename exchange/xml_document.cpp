#include "exchange/xml_document.hpp"

#include <expat.h>
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <unordered_map>

namespace counterpoise {
namespace {

constexpr std::size_t deepest_nesting = 100;

/// Receives expat's events and builds the tree. Exceptions may not pass through expat, which is C:
/// the first mistake is kept, and the parser is stopped.
class TreeBuilder {
 public:
  TreeBuilder(std::string_view text, const std::string& file)
      : text_(text), file_(file), parser_(XML_ParserCreate("UTF-8"), XML_ParserFree) {
    XML_SetUserData(parser_.get(), this);
    XML_SetElementHandler(
        parser_.get(),
        [](void* self, const XML_Char* name, const XML_Char** attributes) {
          static_cast<TreeBuilder*>(self)->start(name, attributes);
        },
        [](void* self, const XML_Char*) { static_cast<TreeBuilder*>(self)->end(); });
    XML_SetCharacterDataHandler(parser_.get(), [](void* self, const XML_Char* piece, int length) {
      static_cast<TreeBuilder*>(self)->add_text({piece, static_cast<std::size_t>(length)});
    });
    XML_SetStartDoctypeDeclHandler(
        parser_.get(), [](void* self, const XML_Char*, const XML_Char*, const XML_Char*, int) {
          static_cast<TreeBuilder*>(self)->refuse(
              "found a document type declaration, expected none: entities are not read");
        });
  }

  XmlElement build() {
    const auto size = static_cast<int>(text_.size());  // below largest_xml
    const XML_Status status = XML_Parse(parser_.get(), text_.data(), size, 1);
    if (mistake_) throw InputError(*mistake_);
    if (status != XML_STATUS_OK)
      throw InputError(here(), fmt::format("found {}, expected well-formed XML in UTF-8",
                                           XML_ErrorString(XML_GetErrorCode(parser_.get()))));
    return std::move(root_);
  }

 private:
  [[nodiscard]] Location here() const {
    return {file_, static_cast<int>(XML_GetCurrentLineNumber(parser_.get())),
            static_cast<int>(XML_GetCurrentColumnNumber(parser_.get())) + 1,
            open_.empty() ? "" : open_.back().element->where.pointer};
  }

  void refuse(const std::string& message) {
    if (!mistake_) mistake_.emplace(here(), message);
    XML_StopParser(parser_.get(), XML_FALSE);
  }

  void start(const XML_Char* name, const XML_Char** attributes) {
    if (mistake_) return;
    if (open_.size() == deepest_nesting) {
      refuse(fmt::format("found elements nested more than {} deep", deepest_nesting));
      return;
    }
    Location where = here();
    XmlElement* element = &root_;
    if (open_.empty()) {
      where.pointer = fmt::format("/{}", name);
    } else {
      XmlElement& parent = *open_.back().element;
      const int place = ++open_.back().children[name];
      where.pointer = fmt::format("{}/{}", parent.where.pointer, name);
      if (place > 1) where.pointer += fmt::format("[{}]", place);
      element = &parent.children.emplace_back();
    }
    element->name = name;
    element->where = std::move(where);
    for (; attributes[0] != nullptr; attributes += 2)
      element->attributes.push_back({attributes[0], attributes[1]});
    open_.push_back({element, {}});
  }

  void end() {
    if (!open_.empty()) open_.pop_back();
  }

  void add_text(std::string_view piece) {
    if (!open_.empty()) open_.back().element->text += piece;
  }

  std::string_view text_;
  std::string file_;
  std::unique_ptr<XML_ParserStruct, decltype(&XML_ParserFree)> parser_;
  XmlElement root_;
  /// An element that was begun and not ended, and how many children of each name it has so far.
  struct Open {
    XmlElement* element;
    std::unordered_map<std::string, int> children;
  };
  std::vector<Open> open_;  // from the root to the element that was begun last
  std::optional<InputError> mistake_;
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
  return TreeBuilder(text, file).build();
}

}  // namespace counterpoise
