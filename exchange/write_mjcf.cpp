#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "engine/math/rotation.hpp"
#include "engine/mechanism/elements.hpp"
#include "exchange/inertia.hpp"
#include "exchange/model_draft.hpp"
#include "exchange/written_robot.hpp"
#include "exchange/xml_writing.hpp"

namespace counterpoise {

/// Writes one design as MJCF: bodies as they stand in the zero configuration, then what is attached
/// to them.
class MjcfWriter {
 public:
  /// `q`: the position of every joint in the zero configuration, 0 where fixed.
  MjcfWriter(const Model& model, const Mechanism& design, std::vector<double> q);

  WrittenRobot write();

 private:
  [[nodiscard]] Location place(const char* list, std::size_t index) const;
  [[nodiscard]] std::string body_name(BodyIndex body) const;
  void check_depth() const;
  void refuse_unphysical() const;
  void refuse_pulleys() const;
  void refuse_laws() const;
  void reserve_names();
  void add_bodies(pugi::xml_node world);
  void add_body(pugi::xml_node node, std::size_t b);
  void add_inertial(pugi::xml_node node, const Body& body, bool moves);
  pugi::xml_node add_line(const std::string& name, std::span<const PointIndex> points);
  static void add_slack_spring(const Spring& spring, pugi::xml_node& line);
  void add_constant(const std::string& name, const char* kind, const std::string& on, double force);
  void add_springs();
  void add_loops();
  void add_couplings();
  void add_actuators();
  void add_limits(const Actuator& actuator, pugi::xml_node motor, pugi::xml_node bounded);
  void note_left_out();

  const Model& model_;
  const Mechanism& design_;
  std::vector<double> q_;
  std::vector<pugi::xml_node> nodes_;  // of the bodies
  pugi::xml_node tendons_, equalities_, actuators_;
  ValidNames tendon_names_, equality_names_, actuator_names_;  // each section has its own
  WrittenRobot written_;
};

namespace {

/// MuJoCo takes no body that moves without mass and inertia; these change no load that matters.
constexpr double least_inertial = 1e-13;  // [kg], [kg m^2]

std::string quaternion_text(const Mat3d& rotation) {
  const Eigen::Quaterniond q(rotation);
  return numbers_text(std::array{q.w(), q.x(), q.y(), q.z()});
}

}  // namespace

MjcfWriter::MjcfWriter(const Model& model, const Mechanism& design, std::vector<double> q)
    : model_(model), design_(design), q_(std::move(q)) {}

WrittenRobot MjcfWriter::write() {
  pugi::xml_document document;
  pugi::xml_node root = document.append_child("mujoco");
  check_depth();
  refuse_unphysical();
  refuse_pulleys();
  refuse_laws();
  reserve_names();
  give(root, "model", model_.name);
  pugi::xml_node compiler = root.append_child("compiler");
  give(compiler, "angle", "radian");
  give(compiler, "inertiafromgeom", "false");
  give(root.append_child("option"), "gravity", vector_text(design_.gravity));
  add_bodies(root.append_child("worldbody"));
  tendons_ = root.append_child("tendon");
  equalities_ = root.append_child("equality");
  actuators_ = root.append_child("actuator");
  add_springs();
  add_loops();
  add_couplings();
  add_actuators();
  for (pugi::xml_node section : {tendons_, equalities_, actuators_})
    if (section.first_child().empty()) root.remove_child(section);
  note_left_out();
  written_.text = xml_text(document);
  return std::move(written_);
}

/// MuJoCo's parser has an end to nesting.
void MjcfWriter::check_depth() const {
  constexpr int most = 90;
  std::vector<int> depth(design_.bodies.size(), 1);
  for (std::size_t b = 0; b < depth.size(); ++b) {
    const BodyIndex parent = design_.bodies[b].parent;
    if (parent != world_body) depth[b] = depth[at(parent)] + 1;
    if (depth[b] > most)
      throw InputError(place("bodies", b),
                       fmt::format("found a chain of more than {} bodies, expected a shorter one: "
                                   "MuJoCo reads no deeper",
                                   most));
  }
}

void MjcfWriter::refuse_pulleys() const {
  for (std::size_t s = 0; s < design_.springs.size(); ++s) {
    if (!design_.springs[s].is_cable()) continue;  // torsion springs have no points
    for (const PointIndex point : points_along(design_.springs[s]))
      if (design_.points[point].is_pulley)
        throw InputError(
            place("springs", s),
            fmt::format("found a cable over {} {}, expected points only: {}s are "
                        "not written to MJCF; take the spring out of a copy of the model",
                        design_.points[point].is_cam ? "cam" : "pulley",
                        in_quotes(design_.points[point].name),
                        design_.points[point].is_cam ? "cam" : "pulley"));
  }
}

void MjcfWriter::refuse_laws() const {
  for (std::size_t s = 0; s < design_.springs.size(); ++s) {
    if (design_.springs[s].mass != 0.0)
      throw InputError(place("springs", s),
                       fmt::format("found the spring {} with a mass of its own, expected one "
                                   "without \"mass\": tendons of MuJoCo have none",
                                   in_quotes(design_.springs[s].name)));
    if (design_.springs[s].group_law.count > 0)
      throw InputError(place("springs", s),
                       fmt::format("found the group of springs {}, expected a single spring: its "
                                   "law has corners, and that of a tendon of MuJoCo has none",
                                   in_quotes(design_.springs[s].name)));
    if (design_.springs[s].may_go_slack() && design_.springs[s].type == SpringType::torsion)
      throw InputError(
          place("springs", s),
          fmt::format("found the torsion spring {} that may go slack, expected one without "
                      "\"may_go_slack\": a spring of a joint in MuJoCo acts to both sides",
                      in_quotes(design_.springs[s].name)));
    if (design_.springs[s].may_go_slack() && design_.springs[s].initial_tension != 0.0)
      throw InputError(
          place("springs", s),
          fmt::format("found the spring {} with an initial tension that may go slack, expected one "
                      "without \"initial_tension\" or without \"may_go_slack\": a tendon of MuJoCo "
                      "that is slack between two lengths is taken up without a jump",
                      in_quotes(design_.springs[s].name)));
  }
}

void MjcfWriter::refuse_unphysical() const {
  for (std::size_t b = 0; b < design_.bodies.size(); ++b)
    if (const Body& body = design_.bodies[b];
        body.any_inertia && unphysical_share(body.inertia) > 1e-9)
      throw InputError(place("bodies", b),
                       "found an inertia that no real body has, expected one of a body: MuJoCo "
                       "refuses it; import the robot with --inertia nearest");
}

/// Names of the model stay; those that are made give way.
void MjcfWriter::reserve_names() {
  for (const Actuator& actuator : design_.actuators) actuator_names_.valid(actuator.name);
  for (const Spring& spring : design_.springs)
    if (spring.type != SpringType::torsion) tendon_names_.valid(spring.name);
  for (const Loop& loop : design_.loops) equality_names_.valid(loop.name);
}

Location MjcfWriter::place(const char* list, std::size_t index) const {
  return model_.location(fmt::format("/{}/{}", list, index));
}

std::string MjcfWriter::body_name(BodyIndex body) const {
  return body == world_body ? "world" : design_.bodies[body].name;
}

void MjcfWriter::add_bodies(pugi::xml_node world) {
  std::set<int> used;  // points that something is attached to
  for (const Spring& spring : design_.springs)
    if (spring.type != SpringType::torsion) {
      used.insert(spring.points.begin(), spring.points.end());
      used.insert(spring.over.begin(), spring.over.end());
    }
  for (const Actuator& actuator : design_.actuators)
    if (actuator.linear()) used.insert(actuator.points.begin(), actuator.points.end());
  nodes_.resize(design_.bodies.size());
  for (std::size_t b = 0; b < design_.bodies.size(); ++b) {
    const BodyIndex parent = design_.bodies[b].parent;
    nodes_[b] = (parent == world_body ? world : nodes_[at(parent)]).append_child("body");
    add_body(nodes_[b], b);
  }
  for (const int p : used) {
    const Point& point = design_.points[PointIndex(p)];
    pugi::xml_node site =
        (point.body == world_body ? world : nodes_[at(point.body)]).append_child("site");
    give(site, "name", point.name);
    give(site, "pos", vector_text(point.position));
  }
}

/// As the body stands at its joint's position in the zero configuration.
void MjcfWriter::add_body(pugi::xml_node node, std::size_t b) {
  const Body& body = design_.bodies[b];
  const Joint& joint = body.joint;
  const bool turns = joint.type == JointType::revolute, moves = joint.type != JointType::fixed;
  const Mat3d rotation =
      turns ? Mat3d(joint.rotation * rotation_about(joint.axis, q_[b])) : joint.rotation;
  const Vec3d origin = joint.type == JointType::prismatic
                           ? Vec3d(joint.origin + joint.rotation * joint.axis * q_[b])
                           : joint.origin;
  give(node, "name", body.name);
  give(node, "pos", vector_text(origin));
  give(node, "quat", quaternion_text(rotation));
  if (body.mass > 0.0 || moves || !body.inertia.isZero(0.0))
    add_inertial(node.append_child("inertial"), body, moves);
  if (!moves) return;
  pugi::xml_node element = node.append_child("joint");
  give(element, "name", body.name);
  give(element, "type", turns ? "hinge" : "slide");
  give(element, "axis", vector_text(joint.axis));
  if (q_[b] != 0.0) give(element, "ref", q_[b]);
  if (body.friction.viscous != 0.0) give(element, "damping", body.friction.viscous);
  if (body.friction.coulomb != 0.0) give(element, "frictionloss", body.friction.coulomb);
}

void MjcfWriter::add_inertial(pugi::xml_node node, const Body& body, bool moves) {
  const PrincipalAxes principal = principal_axes(body.inertia);
  const double least = moves ? least_inertial : 0.0;
  const Vec3d moments = principal.moments.cwiseMax(least);
  give(node, "pos", vector_text(body.com));
  give(node, "mass", std::max(body.mass, least));
  if (!body.inertia.isDiagonal(0.0)) give(node, "quat", quaternion_text(principal.axes));
  give(node, "diaginertia",
       vector_text(body.inertia.isDiagonal(0.0) ? Vec3d(body.inertia.diagonal().cwiseMax(least))
                                                : moments));
  if (moves && (body.mass < least || principal.moments.minCoeff() < least))
    written_.remarks.push_back(
        fmt::format("{} moves without mass or inertia, which MuJoCo refuses: it has at least {} "
                    "kg and {} kg m^2",
                    body.name, least_inertial, least_inertial));
}

void MjcfWriter::note_left_out() {
  for (const Spring& spring : design_.springs)
    if (spring.min_length > -no_limit || spring.max_length < no_limit ||
        spring.max_load < no_limit || spring.acts == SpringActs::pull ||
        spring.acts == SpringActs::push)
      written_.remarks.push_back(fmt::format("the limits of {} are left out", spring.name));
  for (const AppliedForce& force : design_.forces)
    written_.remarks.push_back(fmt::format("the force {} is left out", force.name));
  for (const Body& body : design_.bodies)
    if (body.friction.load_coefficient != 0.0) written_.remarks.push_back(lost_friction(body));
  if (!model_.visuals.empty()) written_.remarks.emplace_back("meshes are left out");
}

WrittenRobot write_mjcf(const Model& model, const Mechanism& design) {
  return MjcfWriter(model, design, zero_positions(model, design)).write();
}

// What is attached to the bodies of a robot in MJCF.

namespace {

constexpr double axis_length = 0.1;  // between the two points that hold an axis [m]

}  // namespace

pugi::xml_node MjcfWriter::add_line(const std::string& name, std::span<const PointIndex> points) {
  pugi::xml_node line = tendons_.append_child("spatial");
  give(line, "name", name);
  for (const PointIndex point : points)
    give(line.append_child("site"), "site", design_.points[point].name);
  return line;
}

/// A force that does not depend on anything, on a joint or along a tendon.
void MjcfWriter::add_constant(const std::string& name, const char* kind, const std::string& on,
                              double force) {
  pugi::xml_node element = actuators_.append_child("general");
  const std::string made = actuator_names_.valid(name + "_constant");
  give(element, "name", made);
  give(element, kind, on);
  give(element, "gainprm", "0");
  give(element, "biastype", "affine");
  give(element, "biasprm", numbers_text(std::array{force, 0.0, 0.0}));
  written_.remarks.push_back(
      fmt::format("the actuator {} adds the constant part of the spring, {} {}", made, force,
                  std::string(kind) == "joint" ? "N m" : "N"));
}

/// MuJoCo knows a tendon that is slack between two lengths.
void MjcfWriter::add_slack_spring(const Spring& spring, pugi::xml_node& line) {
  constexpr double longest = 1e6;  // longer than any mechanism [m]
  if (spring.rate == 0.0) return;  // and without initial tension
  give(line, "stiffness", spring.rate);
  give(line, "springlength",
       numbers_text(spring.slack == GoesSlack::below ? std::array{0.0, spring.free_length}
                                                     : std::array{spring.free_length, longest}));
}

void MjcfWriter::add_springs() {
  std::vector<SpringLaw> torsion(design_.bodies.size());
  for (const Spring& spring : design_.springs) {
    const SpringLaw law = law_of(spring);
    if (spring.type == SpringType::torsion) {
      torsion[at(spring.joint)].rate += law.rate;
      torsion[at(spring.joint)].offset += law.offset;
      continue;
    }
    pugi::xml_node line = add_line(spring.name, points_along(spring));
    if (spring.friction != 0.0) give(line, "frictionloss", spring.friction);
    if (spring.may_go_slack()) {
      add_slack_spring(spring, line);
      continue;
    }
    const double rest = law.rate > 0.0 ? -law.offset / law.rate : -1.0;
    if (law.rate > 0.0) give(line, "stiffness", law.rate);
    give(line, "springlength", std::max(rest, 0.0));
    if (rest < 0.0 && law.offset != 0.0)
      add_constant(spring.name, "tendon", spring.name, -law.offset);
  }
  for (std::size_t b = 0; b < torsion.size(); ++b) {
    const auto [rate, offset] = torsion[b];
    if (rate > 0.0) {
      pugi::xml_node joint = nodes_[b].child("joint");
      give(joint, "stiffness", rate);
      give(joint, "springref", -offset / rate);
    } else if (offset != 0.0) {
      add_constant(design_.bodies[b].name, "joint", design_.bodies[b].name, -offset);
    }
  }
}

void MjcfWriter::add_loops() {
  for (std::size_t i = 0; i < design_.loops.size(); ++i) {
    const Loop& loop = design_.loops[i];
    // the first body of a constraint is not the world; the second's point follows from where it
    // is in the zero configuration, in which the loop is closed
    const bool swapped = design_.points[loop.points[0]].body == world_body;
    const Point& point = design_.points[loop.points[swapped ? 1 : 0]];
    const Point& other = design_.points[loop.points[swapped ? 0 : 1]];
    const auto add = [&](const char* kind, const std::string& name) {
      pugi::xml_node element = equalities_.append_child(kind);
      give(element, "name", name);
      give(element, "body1", body_name(point.body));
      if (other.body != world_body) give(element, "body2", body_name(other.body));
      return element;
    };
    if (loop.keep == LoopKeep::perpendicular)
      throw InputError(place("loops", i),
                       fmt::format("found the loop {} that keeps axes perpendicular, expected "
                                   "another: MJCF has no such constraint; a cross of two joints "
                                   "says the same",
                                   in_quotes(loop.name)));
    if (loop.keep == LoopKeep::weld) {
      add("weld", loop.name);
      continue;
    }
    give(add("connect", loop.name), "anchor", vector_text(point.position));
    if (loop.keep == LoopKeep::parallel)
      give(add("connect", equality_names_.valid(loop.name + "_axis")), "anchor",
           vector_text(point.position + axis_length * loop.axes[swapped ? 1 : 0]));
  }
  if (!design_.loops.empty()) written_.remarks.emplace_back("loops are soft constraints in MuJoCo");
}

void MjcfWriter::add_couplings() {
  for (const Coupling& coupling : design_.couplings) {
    const std::string& follower = design_.bodies[coupling.joint].name;
    const std::string name = equality_names_.valid(coupling.name);
    if (coupling.terms.size() == 1) {
      pugi::xml_node element = equalities_.append_child("joint");
      give(element, "name", name);
      give(element, "joint1", follower);
      give(element, "joint2", design_.bodies[coupling.terms[0].of].name);
      // from the zero configuration on, in which the coupling holds
      give(element, "polycoef",
           numbers_text(std::array{0.0, coupling.terms[0].ratio, 0.0, 0.0, 0.0}));
      continue;
    }
    pugi::xml_node sum = tendons_.append_child("fixed");
    const std::string tendon = tendon_names_.valid(coupling.name);
    give(sum, "name", tendon);
    const auto add = [&](BodyIndex joint, double coefficient) {
      pugi::xml_node term = sum.append_child("joint");
      give(term, "joint", design_.bodies[joint].name);
      give(term, "coef", coefficient);
    };
    add(coupling.joint, 1.0);
    for (const CouplingTerm& term : coupling.terms) add(term.of, -term.ratio);
    pugi::xml_node element = equalities_.append_child("tendon");
    give(element, "name", name);
    give(element, "tendon1", tendon);
  }
  if (!design_.couplings.empty())
    written_.remarks.emplace_back("couplings are soft constraints in MuJoCo");
}

void MjcfWriter::add_actuators() {
  for (std::size_t i = 0; i < design_.actuators.size(); ++i) {
    const Actuator& actuator = design_.actuators[i];
    if (!actuator.tube.massless() || !actuator.rod.massless())
      throw InputError(place("actuators", i),
                       fmt::format("found the actuator {} with a tube or rod that has mass, "
                                   "expected none: MJCF has bodies for them; describe them as "
                                   "bodies on a loop",
                                   in_quotes(actuator.name)));
    pugi::xml_node element;
    pugi::xml_node bounded;
    if (actuator.linear()) {
      const std::string tendon = tendon_names_.valid(actuator.name);
      bounded = add_line(tendon, actuator.points);
      element = actuators_.append_child("motor");
      give(element, "name", actuator.name);
      give(element, "tendon", tendon);
    } else {
      bounded = nodes_[at(actuator.joint)].child("joint");
      element = actuators_.append_child("motor");
      give(element, "name", actuator.name);
      give(element, "joint", design_.bodies[actuator.joint].name);
    }
    add_limits(actuator, element, bounded);
  }
}

void MjcfWriter::add_limits(const Actuator& actuator, pugi::xml_node motor,
                            pugi::xml_node bounded) {
  if (actuator.max_load == 0.0) {
    written_.remarks.push_back(
        fmt::format("the largest load of {} is left out: MJCF has none of 0", actuator.name));
  } else if (actuator.max_load < no_limit) {
    give(motor, "forcelimited", "true");
    give(motor, "forcerange", numbers_text(std::array{-actuator.max_load, actuator.max_load}));
  }
  if (actuator.min_position == actuator.max_position) {
    written_.remarks.push_back(
        fmt::format("the range of {} is left out: MJCF has none without a width", actuator.name));
  } else if (actuator.min_position > -no_limit && actuator.max_position < no_limit) {
    give(bounded, "limited", "true");
    give(bounded, "range", numbers_text(std::array{actuator.min_position, actuator.max_position}));
  } else if (actuator.min_position > -no_limit || actuator.max_position < no_limit) {
    written_.remarks.push_back(
        fmt::format("the one limit of {}'s position is left out: MJCF has pairs", actuator.name));
  }
  if (actuator.max_speed < no_limit)
    written_.remarks.push_back(fmt::format("the largest speed of {} is left out", actuator.name));
}

}  // namespace counterpoise
