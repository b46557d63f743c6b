#include "studies/exchange/urdf/urdf_names.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace counterpoise {

UrdfPlaces::UrdfPlaces(const XmlElement& robot)
    : links_(robot.children_named("link")), joints_(robot.children_named("joint")) {
  for (const XmlElement* link : links_) {
    link_by_name_.emplace(*link->attribute("name"), link);
    joints_on_.emplace(*link->attribute("name"), std::vector<const XmlElement*>());
  }
  for (const XmlElement* joint : joints_) {
    joint_by_name_.emplace(*joint->attribute("name"), joint);
    joints_on_.at(*joint->child("parent")->attribute("link")).push_back(joint);
  }
}

std::string ValidNames::valid(const std::string& name) {
  const auto allowed = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  };
  std::string made = name;
  std::replace_if(
      made.begin(), made.end(), [&](char c) { return !allowed(c); }, '_');
  if (made.empty() || (made.front() >= '0' && made.front() <= '9')) made.insert(0, "_");
  std::string free = made;
  for (int again = 2; !taken_.insert(free).second; ++again)
    free = fmt::format("{}_{}", made, again);
  return free;
}

}  // namespace counterpoise
