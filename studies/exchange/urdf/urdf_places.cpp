#include "studies/exchange/urdf/urdf_places.hpp"

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

}  // namespace counterpoise
