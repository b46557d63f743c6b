#include "exchange/mjcf/defaults.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

#include "exchange/mjcf/pose.hpp"

namespace counterpoise {
namespace {

constexpr const char* main_class = "main";

/// Which defaults an element takes.
std::string kind_of(std::string_view name) {
  if (is_mjcf_actuator(name)) return "actuator";
  if (name == "spatial" || name == "fixed") return "tendon";
  if (name == "connect" || name == "weld") return "equality";
  return std::string(name);
}

XmlAttribute* find_attribute(XmlElement& element, std::string_view name) {
  const auto found = std::find_if(element.attributes.begin(), element.attributes.end(),
                                  [&](const XmlAttribute& a) { return a.name == name; });
  return found == element.attributes.end() ? nullptr : &*found;
}

void drop_attribute(XmlElement& element, std::string_view name) {
  std::erase_if(element.attributes, [&](const XmlAttribute& a) { return a.name == name; });
}

void say_default(XmlElement& element, const std::string& name, const std::string& value) {
  if (XmlAttribute* attribute = find_attribute(element, name))
    attribute->value = value;
  else
    element.attributes.push_back({name, value});
}

std::vector<std::string> words_of(const std::string& text) {
  std::vector<std::string> words;
  for (std::size_t at = 0; (at = text.find_first_not_of(" \t\r\n", at)) != std::string::npos;) {
    const std::size_t end = std::min(text.find_first_of(" \t\r\n", at), text.size());
    words.push_back(text.substr(at, end - at));
    at = end;
  }
  return words;
}

/// Vectors whose first numbers may be said alone: the others stay as they were.
bool is_partial(std::string_view name) {
  constexpr std::array partial = {"size", "gear", "gainprm", "biasprm", "dynprm", "springlength"};
  return std::find(partial.begin(), partial.end(), name) != partial.end();
}

bool is_orientation(std::string_view name) {
  return std::any_of(std::begin(mjcf_orientations), std::end(mjcf_orientations),
                     [&](const char* one) { return name == one; });
}

/// Overrides the attributes of `onto` with those of `own`.
void merge_attributes(XmlElement& onto, const XmlElement& own) {
  for (const auto& [name, value] : own.attributes) {
    if (is_orientation(name)) {
      for (const char* other : mjcf_orientations) drop_attribute(onto, other);
      drop_attribute(onto, "quat");
    }
    const XmlAttribute* before = find_attribute(onto, name);
    std::string merged = value;
    if (before != nullptr && is_partial(name)) {
      const std::vector<std::string> old = words_of(before->value);
      for (std::size_t i = words_of(value).size(); i < old.size(); ++i) merged += ' ' + old[i];
    }
    say_default(onto, name, merged);
  }
}

/// What an actuator of this kind says of its own dynamics: a motor nothing, all others but
/// <general> something that is not carried over.
void merge_actuator(XmlElement& onto, const XmlElement& own) {
  if (own.name != "general") {
    const bool motor = own.name == "motor";
    say_default(onto, "dyntype", "none");
    say_default(onto, "gaintype", "fixed");
    say_default(onto, "gainprm", "1");
    say_default(onto, "biastype", motor ? "none" : "affine");
    say_default(onto, "biasprm", motor ? "0 0 0" : "0 1 0");
  }
  merge_attributes(onto, own);
}

}  // namespace

bool is_mjcf_actuator(std::string_view name) {
  constexpr std::array names = {"general", "motor",       "position", "velocity", "intvelocity",
                                "damper",  "cylinder",    "muscle",   "adhesion", "dcmotor",
                                "pid",     "orientation", "plugin"};
  return std::find(names.begin(), names.end(), name) != names.end();
}

MjcfDefaults::MjcfDefaults(const XmlElement& root) {
  classes_[main_class];
  for (const XmlElement* section : root.children_named("default")) {
    const std::string* name = section->attribute("class");
    if (name != nullptr && !name->empty() && *name != main_class)
      throw InputError(section->where,
                       fmt::format("found the class {} of the outermost <default>, expected \"{}\" "
                                   "or none, with other classes inside it",
                                   in_quotes(*name), main_class));
    add(*section, main_class);
  }
}

void MjcfDefaults::add(const XmlElement& section, const std::string& name) {
  for (const XmlElement& child : section.children) {
    if (child.name == "default") continue;
    const std::string kind = kind_of(child.name);
    XmlElement& said = classes_[name][kind];
    if (kind == "actuator")
      merge_actuator(said, child);
    else
      merge_attributes(said, child);
  }
  for (const XmlElement* nested : section.children_named("default")) {
    const std::string* own = nested->attribute("class");
    if (own == nullptr || own->empty())
      throw InputError(nested->where, "found a <default> without class, expected a name");
    if (classes_.contains(*own))
      throw InputError(
          nested->where,
          fmt::format("found the class {} a second time, expected another name", in_quotes(*own)));
    classes_[*own] = classes_[name];
    add(*nested, *own);
  }
}

void MjcfDefaults::check_class(const XmlElement& element, const char* attribute) const {
  const std::string* name = element.attribute(attribute);
  if (name == nullptr || classes_.contains(*name)) return;
  std::vector<std::string> names;
  for (const auto& entry : classes_) names.push_back(entry.first);
  throw InputError(element.where,
                   fmt::format("found the class {}, expected one that a <default> has{}",
                               in_quotes(*name), did_you_mean(*name, names)));
}

XmlElement MjcfDefaults::resolved(const XmlElement& element, const std::string& around) const {
  check_class(element, "class");
  const std::string* own = element.attribute("class");
  const Kinds& kinds = classes_.at(own != nullptr && !own->empty() ? *own
                                   : around.empty()                ? main_class
                                                                   : around);
  XmlElement whole;
  whole.name = element.name;
  whole.where = element.where;
  whole.children = element.children;
  const std::string kind = kind_of(element.name);
  if (const auto said = kinds.find(kind); said != kinds.end())
    whole.attributes = said->second.attributes;
  if (kind == "actuator")
    merge_actuator(whole, element);
  else
    merge_attributes(whole, element);
  drop_attribute(whole, "class");
  return whole;
}

}  // namespace counterpoise
