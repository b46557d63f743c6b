#pragma once

#include <map>
#include <string>

#include "exchange/xml_document.hpp"

namespace counterpoise {

/// What the classes of an MJCF file say for elements that do not say it themselves.
class MjcfDefaults {
 public:
  /// Reads the <default> elements of a file whose includes are expanded.
  explicit MjcfDefaults(const XmlElement& root);

  /// The element completed with the attributes of its default class or, if it names none, of the
  /// class around it; an empty `around` is the main class. Throws InputError for a class that is
  /// not there.
  [[nodiscard]] XmlElement resolved(const XmlElement& element, const std::string& around) const;
  /// Throws InputError if the element's attribute names a class that is not there.
  void check_class(const XmlElement& element, const char* attribute) const;

 private:
  using Kinds = std::map<std::string, XmlElement, std::less<>>;  // by kinds of elements
  void add(const XmlElement& section, const std::string& name);

  std::map<std::string, Kinds> classes_;
};

/// Whether elements of this name are actuators, which share their defaults.
bool is_mjcf_actuator(std::string_view name);

}  // namespace counterpoise
