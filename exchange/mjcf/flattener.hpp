#pragma once

#include <map>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "exchange/mjcf/plain.hpp"
#include "exchange/mjcf/source.hpp"

namespace counterpoise {

/// The context of elements that are written out: the model they are from, what is added to their
/// names, and the frame they stand in.
struct MjcfContext {
  const MjcfSource* source = nullptr;
  std::string prefix, suffix;  // added to names
  std::string around;          // default class of its elements
  MjcfPose frame;              // in the body
  bool jointed = false;        // whether joints move the body
  bool spared = false;         // whether gravity compensation would take weight from actuators

  [[nodiscard]] std::string named(const std::string& name) const { return prefix + name + suffix; }
};

/// Writes an MJCF file as a PlainMjcf: without includes, classes, frames, copies and attached
/// models.
class MjcfFlattener {
 public:
  MjcfFlattener(const MjcfSource& source, const ImportOptions& options);

  PlainMjcf write();

 private:
  /// A body that is being written, and the masses of its geoms so far.
  struct OpenBody {
    XmlElement& element;
    bool is_world;
    bool takes_geoms;  // whether its inertia follows from its geoms
    std::vector<MassProperties> masses{};
  };

  void add_settings();
  void add_flags(const XmlElement& option, XmlElement& plain);
  void add_children(const XmlElement& from, const MjcfContext& context, OpenBody& body);
  void add_child(const XmlElement& child, const MjcfContext& context, OpenBody& body);
  void add_body(const XmlElement& from, const MjcfContext& context, OpenBody& parent);
  void add_inertial(const XmlElement& from, const MjcfContext& context, OpenBody& body);
  void add_joint(const XmlElement& from, const MjcfContext& context, OpenBody& body);
  void add_spring(const XmlElement& joint, const MjcfContext& context, bool turns,
                  XmlElement& plain);
  void add_geom(const XmlElement& from, const MjcfContext& context, OpenBody& body);
  void add_site(const XmlElement& from, const MjcfContext& context, OpenBody& body);
  void add_copies(const XmlElement& replicate, const MjcfContext& context, OpenBody& body);
  void attach(const XmlElement& from, const MjcfContext& context, OpenBody& body);
  void take_mass(const XmlElement& geom, const MjcfContext& context, OpenBody& body);
  void check_gravity_compensation(const XmlElement& body, const MjcfContext& context);
  void add_element(XmlElement& to, XmlElement element);
  void define(const std::string& kind, const XmlElement& from, const MjcfContext& context);

  void add_sections(const MjcfContext& context);
  void add_tendon(const XmlElement& from, const MjcfContext& context);
  void add_equality(const XmlElement& from, const MjcfContext& context);
  void add_site_constraint(const XmlElement& from, XmlElement& plain);
  void add_actuator(const XmlElement& from, const MjcfContext& context);
  [[nodiscard]] bool is_here(const XmlElement& from, const MjcfContext& context) const;
  void name_bodies(XmlElement& body);
  void name_element(XmlElement& element, const std::string& kind, int index);
  void name_section(XmlElement& section, const std::string& kind);
  void take_limits(XmlElement& element, std::map<std::string, double>& limits);
  void note_left_out();

  /// Writes the range of an element and that it is limited; nothing for an element without limits.
  void give_range(const XmlElement& from, const MjcfContext& context, const std::string& prefix,
                  double factor, XmlElement& plain) const;

  const MjcfSource& source_;
  const ImportOptions& options_;
  PlainMjcf plain_;
  XmlElement world_, tendons_, equalities_, actuators_;
  std::vector<MjcfContext> contexts_;  // whose tendons, constraints and actuators are written
  std::set<std::string> defined_;      // "body/hand": names that there are
  std::set<std::string> replicated_;   // names that only copies have
  std::map<std::string, std::pair<std::string, MjcfPose>> sites_;  // body and pose by name
  std::set<std::string> handles_;        // bodies of motion capture, by which somebody moves others
  std::set<int> disabled_groups_;        // of actuators
  std::map<std::string, int> left_out_;  // counts, by names "singular|plural"
  NewMjcfAttributes newer_;
  std::vector<Location> spring_dampers_;  // joints whose stiffness follows from an inertia
  bool leaves_armature_out_ = false;      // of a tendon or an actuator
  int compensated_ = 0, elements_ = 0, depth_ = 0, bodies_ = 0, joints_ = 0;
};

/// A plain element at the place of `from`, with the full name of that element if it has one.
XmlElement plain_element(const std::string& kind, const XmlElement& from,
                         const MjcfContext& context);
void put_numbers(XmlElement& element, const std::string& name, std::span<const double> numbers);
/// Writes one number for damping: the largest in size of its coefficients for powers of the speed.
/// Damping is only reported.
void put_damping(const XmlElement& from, XmlElement& plain);
void put_pose(XmlElement& element, const MjcfPose& pose);
/// Copies attributes as they are.
void put_same(XmlElement& element, const XmlElement& from,
              std::initializer_list<const char*> names);
/// "3 sensors" or "1 sensor".
std::string counted_things(int count, const std::string& what);

}  // namespace counterpoise
