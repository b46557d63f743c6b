#pragma once

#include <map>
#include <string>
#include <vector>

#include "studies/exchange/xml/xml_document.hpp"

namespace counterpoise {

/// Where the links and joints of a checked URDF text stand.
class UrdfPlaces {
 public:
  explicit UrdfPlaces(const XmlElement& robot);

  /// In the order of the file.
  [[nodiscard]] const std::vector<const XmlElement*>& links() const { return links_; }
  [[nodiscard]] const std::vector<const XmlElement*>& joints() const { return joints_; }
  /// The joints that hang on a link, in the order of the file.
  [[nodiscard]] const std::vector<const XmlElement*>& joints_on(const std::string& link) const {
    return joints_on_.at(link);
  }
  [[nodiscard]] const XmlElement& link(const std::string& name) const {
    return *link_by_name_.at(name);
  }
  [[nodiscard]] const XmlElement& joint(const std::string& name) const {
    return *joint_by_name_.at(name);
  }

 private:
  std::vector<const XmlElement*> links_, joints_;
  std::map<std::string, const XmlElement*> link_by_name_, joint_by_name_;
  std::map<std::string, std::vector<const XmlElement*>> joints_on_;
};

}  // namespace counterpoise
