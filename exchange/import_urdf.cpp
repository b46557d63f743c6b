#include <console_bridge/console.h>
#include <fmt/format.h>
#include <urdf_parser/urdf_parser.h>

#include <algorithm>
#include <map>

#include "exchange/imported_model.hpp"
#include "exchange/urdf_bodies.hpp"
#include "exchange/urdf_check.hpp"
#include "exchange/xml_writing.hpp"

namespace counterpoise {
namespace {

/// Collects what urdfdom would print.
class CollectedWords : public console_bridge::OutputHandler {
 public:
  CollectedWords() { console_bridge::useOutputHandler(this); }
  ~CollectedWords() override { console_bridge::restorePreviousOutputHandler(); }
  CollectedWords(const CollectedWords&) = delete;
  CollectedWords& operator=(const CollectedWords&) = delete;
  void log(const std::string& text, console_bridge::LogLevel, const char*, int) override {
    words += words.empty() ? text : "; " + text;
  }
  std::string words;
};

urdf::ModelInterfaceSharedPtr parsed(const XmlElement& root) {
  CollectedWords said;
  urdf::ModelInterfaceSharedPtr robot = urdf::parseURDF(xml_text(root));
  if (robot == nullptr)
    throw InputError(root.where, fmt::format("found what urdfdom refuses: {}", said.words));
  const auto require = [](bool there, const XmlElement* element) {
    if (!there)
      throw InputError(element->where, fmt::format("found the name {}, which urdfdom does not read "
                                                   "as it is, expected letters and digits",
                                                   in_quotes(*element->attribute("name"))));
  };
  read_each(root.children_named("link"), [&](const XmlElement* link) {
    require(robot->getLink(*link->attribute("name")) != nullptr, link);
  });
  read_each(root.children_named("joint"), [&](const XmlElement* joint) {
    require(robot->getJoint(*joint->attribute("name")) != nullptr, joint);
  });
  return robot;
}

bool moves_on_chain(const urdf::Joint& joint) {
  return joint.type == urdf::Joint::PLANAR || joint.type == urdf::Joint::FLOATING;
}

/// The mass of every link together with the links that are fixed to it, or to those.
std::map<std::string, double> rigid_masses(const urdf::ModelInterface& robot,
                                           const UrdfPlaces& places) {
  std::vector<const urdf::Link*> links = {robot.getRoot().get()};  // from the root to the tips
  for (std::size_t i = 0; i < links.size(); ++i)
    for (const XmlElement* joint : places.joints_on(links[i]->name))
      links.push_back(robot.getLink(*joint->child("child")->attribute("link")).get());
  std::map<std::string, double> masses;
  for (auto link = links.rbegin(); link != links.rend(); ++link) {
    const double mass = masses[(*link)->name] += (*link)->inertial ? (*link)->inertial->mass : 0.0;
    const urdf::Joint* joint = (*link)->parent_joint.get();
    if (joint != nullptr && joint->type == urdf::Joint::FIXED)
      masses[joint->parent_link_name] += mass;
  }
  return masses;
}

/// Every rigid part that a joint moves has mass, be it on links that are fixed to it.
void check_masses(const urdf::ModelInterface& robot, const UrdfPlaces& places, Base base) {
  const std::map<std::string, double> masses = rigid_masses(robot, places);
  const bool none = std::none_of(robot.links_.begin(), robot.links_.end(), [](const auto& link) {
    return link.second->inertial && link.second->inertial->mass > 0.0;
  });
  if (base == Base::floating && none)
    throw InputError(places.link(robot.getRoot()->name).where,
                     "found no link with mass, expected one, as the robot floats; --massless takes "
                     "it as massless");
  read_each(places.joints(), [&](const XmlElement* element) {
    const urdf::Joint& joint = *robot.getJoint(*element->attribute("name"));
    if (joint.type == urdf::Joint::FIXED || (moves_on_chain(joint) && base == Base::fixed)) return;
    const urdf::Link& link = *robot.getLink(joint.child_link_name);
    if (masses.at(link.name) > 0.0) return;
    const XmlElement& place = places.link(link.name);
    const XmlElement* inertial = place.child("inertial");
    throw InputError(
        inertial == nullptr ? place.where : inertial->child("mass")->where,
        fmt::format("found {}, expected one, as the joint {} moves the link {}; --massless takes "
                    "such links as massless",
                    inertial == nullptr ? "no <inertial> with a mass" : "no mass above 0",
                    in_quotes(joint.name), in_quotes(link.name)));
  });
}

/// What URDF has inside its elements that models take something from.
const std::map<std::string, std::vector<std::string>>& parts_of_elements() {
  static const std::map<std::string, std::vector<std::string>> parts = {
      {"link", {"inertial", "visual", "collision"}},
      {"inertial", {"origin", "mass", "inertia"}},
      {"joint",
       {"origin", "parent", "child", "axis", "limit", "dynamics", "mimic", "safety_controller",
        "calibration"}}};
  return parts;
}

const std::map<std::string, std::vector<std::string>>& attributes_of_elements() {
  static const std::map<std::string, std::vector<std::string>> attributes = {
      {"link", {"name", "type"}},
      {"mass", {"value"}},
      {"inertia", {"ixx", "ixy", "ixz", "iyy", "iyz", "izz"}},
      {"joint", {"name", "type"}},
      {"origin", {"xyz", "rpy"}},
      {"parent", {"link"}},
      {"child", {"link"}},
      {"axis", {"xyz"}},
      {"limit", {"lower", "upper", "effort", "velocity"}},
      {"dynamics", {"damping", "friction"}},
      {"mimic", {"joint", "multiplier", "offset"}}};
  return attributes;
}

/// Notes what stands in an element and is not of URDF; it may be misspelt.
void note_unknown(const XmlElement& element, UrdfBodies& bodies) {
  const auto contains = [](const std::vector<std::string>& names, const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  const auto attributes = attributes_of_elements().find(element.name);
  if (attributes != attributes_of_elements().end())
    for (const XmlAttribute& attribute : element.attributes)
      if (!contains(attributes->second, attribute.name))
        bodies.note(element.where,
                    fmt::format("{}={} is left out{}", attribute.name, in_quotes(attribute.value),
                                did_you_mean(attribute.name, attributes->second)));
  const auto parts = parts_of_elements().find(element.name);
  if (parts == parts_of_elements().end()) return;
  for (const XmlElement& part : element.children) {
    if (!contains(parts->second, part.name))
      bodies.note(part.where, fmt::format("<{}> is left out{}", part.name,
                                          did_you_mean(part.name, parts->second)));
    else if (part.name == "collision")
      bodies.note(part.where, "collision geometry is left out: models have no contact shapes");
    else if (part.name != "visual")
      note_unknown(part, bodies);
  }
}

/// Elements that say nothing about motion, inertia or looks, or what no model holds.
void note_left_out(const XmlElement& robot, UrdfBodies& bodies) {
  for (const XmlElement& element : robot.children) {
    if (element.name == "link" || element.name == "joint") {
      note_unknown(element, bodies);
    } else if (element.name == "transmission") {
      bodies.note(element.where, "the transmission is left out: loads are those at the joint");
    } else if (element.name != "material") {
      bodies.note(element.where, fmt::format("<{}> is left out", element.name));
    }
  }
}

}  // namespace

ImportedModel import_urdf(const XmlElement& root, const std::filesystem::path& path,
                          const ImportOptions& options) {
  if (!options.actuate.empty())
    throw InputError({.file = "--actuate " + options.actuate.front()},
                     "expected an MJCF file: every joint of a URDF file that mimics none has an "
                     "actuator");
  check_urdf(root);
  const urdf::ModelInterfaceSharedPtr robot = parsed(root);
  const UrdfPlaces places(root);
  if (!options.massless) check_masses(*robot, places, options.base);

  UrdfBodies bodies(*robot, places, options);
  bodies.add_all();
  note_left_out(root, bodies);
  return bodies.finish(fmt::format("Imported from {}.", path.filename().string()));
}

}  // namespace counterpoise
