#include <console_bridge/console.h>
#include <fmt/format.h>
#include <urdf_parser/urdf_parser.h>

#include <map>

#include "studies/exchange/model/imported_model.hpp"
#include "studies/exchange/urdf/urdf_bodies.hpp"
#include "studies/exchange/urdf/urdf_check.hpp"
#include "studies/exchange/urdf/urdf_places.hpp"

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

urdf::ModelInterfaceSharedPtr parsed(const std::string& text, const std::string& file) {
  CollectedWords said;
  urdf::ModelInterfaceSharedPtr robot = urdf::parseURDF(text);
  if (robot == nullptr)
    throw InputError({.file = file}, fmt::format("found what urdfdom refuses: {}", said.words));
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

/// Elements that say nothing about motion, inertia or looks, or what no model holds.
void note_left_out(const XmlElement& robot, UrdfBodies& bodies) {
  for (const XmlElement& element : robot.children) {
    if (element.name == "link") {
      for (const XmlElement& part : element.children)
        if (part.name == "collision")
          bodies.note(part.where, "collision geometry is left out: models have no contact shapes");
    } else if (element.name == "transmission") {
      bodies.note(element.where, "the transmission is left out: loads are those at the joint");
    } else if (element.name != "joint" && element.name != "material") {
      bodies.note(element.where, fmt::format("<{}> is left out", element.name));
    }
  }
}

}  // namespace

ImportedModel import_urdf(const XmlElement& root, const std::string& text,
                          const std::filesystem::path& path, const ImportOptions& options) {
  check_urdf(root);
  const urdf::ModelInterfaceSharedPtr robot = parsed(text, path.string());
  const UrdfPlaces places(root);
  if (!options.massless) check_masses(*robot, places, options.base);

  UrdfBodies bodies(*robot, places, options);
  bodies.add_all();
  note_left_out(root, bodies);
  return bodies.finish(fmt::format("Imported from {}.", path.filename().string()));
}

}  // namespace counterpoise
