#include "exchange/tree_design.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <variant>

#include "engine/evaluation/simulation.hpp"
#include "engine/math/rotation.hpp"
#include "engine/mechanism/finding.hpp"

namespace counterpoise {
namespace {

[[noreturn]] void refuse_element(const Model& model, const char* list, std::size_t index,
                                 const std::string& what, const std::string& format,
                                 std::string_view way_out) {
  throw InputError(
      model.location(fmt::format("/{}/{}", list, index)),
      fmt::format("found {}, expected none: {} has no such thing; {}", what, format, way_out));
}

void refuse_what_is_lacking(const Model& model, const Mechanism& design,
                            const std::string& format) {
  constexpr std::string_view mjcf = "--to mjcf writes it";
  for (std::size_t i = 0; i < design.actuators.size(); ++i)
    if (design.actuators[i].linear())
      refuse_element(
          model, "actuators", i,
          fmt::format("the actuator {} between two points", in_quotes(design.actuators[i].name)),
          format, mjcf);
  for (std::size_t i = 0; i < design.couplings.size(); ++i)
    if (design.couplings[i].terms.size() > 1)
      refuse_element(
          model, "couplings", i,
          fmt::format("the coupling {} to several joints", in_quotes(design.couplings[i].name)),
          format, mjcf);
}

/// A torsion spring with its preload in its free angle. Others are refused, or left out.
void keep_springs_of_joints(const Model& model, const std::string& format, bool with_springs,
                            TreeDesign& tree) {
  std::vector<Spring>& springs = tree.design.springs;
  std::set<BodyIndex> sprung;
  std::vector<Spring> kept;
  for (std::size_t i = 0; i < springs.size(); ++i) {
    Spring& spring = springs[i];
    const bool one_sided = spring.type == SpringType::torsion && spring.may_go_slack();
    const bool held = spring.type == SpringType::torsion && !one_sided && spring.rate > 0.0 &&
                      sprung.insert(spring.joint).second;
    if (held) {
      spring.free_length -= spring.initial_tension / spring.rate;
      spring.initial_tension = 0.0;
      if (spring.min_length > -no_limit || spring.max_length < no_limit ||
          spring.max_load < no_limit)
        tree.remarks.push_back(fmt::format("the limits of {} are left out", spring.name));
      kept.push_back(spring);
    } else if (with_springs) {
      refuse_element(model, "springs", i, "the spring " + in_quotes(spring.name), format,
                     spring.is_cable() || one_sided
                         ? "--without-springs leaves such springs out"
                         : "--to mjcf writes it, and --without-springs leaves such springs out");
    } else {
      tree.remarks.push_back(fmt::format("the spring {} is left out", spring.name));
    }
  }
  springs = std::move(kept);
}

/// Lets every joint be at 0 where it is at `zero`.
void count_from(const std::vector<double>& zero, Mechanism& design) {
  for (std::size_t b = 0; b < zero.size(); ++b) {
    Joint& joint = design.bodies[b].joint;
    joint.guess = 0.0;
    if (joint.type == JointType::prismatic) joint.origin += joint.rotation * joint.axis * zero[b];
    if (joint.type == JointType::revolute)
      joint.rotation = joint.rotation * rotation_about(joint.axis, zero[b]);
  }
  const auto at = [&](BodyIndex joint) { return zero[joint]; };
  for (Actuator& actuator : design.actuators) {
    actuator.min_position -= at(actuator.joint);
    actuator.max_position -= at(actuator.joint);
  }
  for (Spring& spring : design.springs) spring.free_length -= at(spring.joint);
  for (Coupling& coupling : design.couplings) {
    coupling.offset -= at(coupling.joint);
    for (const CouplingTerm& term : coupling.terms) coupling.offset += term.ratio * at(term.of);
  }
}

/// Couplings hold both ways: from every joint that an actuator drives, and where none is left from
/// the first, mimics lead to all that are coupled to it.
std::vector<Mimic> mimics_of(const Mechanism& design) {
  std::vector<Mimic> mimics;
  std::vector<char> reached(design.bodies.size(), 0), used(design.couplings.size(), 0);
  std::vector<BodyIndex> open;
  const auto follow = [&](BodyIndex leader) {
    if (reached[at(leader)] != 0) return;
    reached[at(leader)] = 1;
    open.push_back(leader);
    while (!open.empty()) {
      const BodyIndex here = open.back();
      open.pop_back();
      for (std::size_t c = 0; c < design.couplings.size(); ++c) {
        const Coupling& coupling = design.couplings[c];
        const CouplingTerm& term = coupling.terms.front();
        if (used[c] != 0 || (coupling.joint != here && term.of != here)) continue;
        used[c] = 1;
        const bool forwards = term.of == here;
        const BodyIndex follower = forwards ? coupling.joint : term.of;
        if (reached[at(follower)] != 0) continue;  // its equation follows from the others
        reached[at(follower)] = 1;
        open.push_back(follower);
        if (forwards)
          mimics.push_back({follower, here, term.ratio, coupling.offset});
        else
          mimics.push_back({follower, here, 1.0 / term.ratio, -coupling.offset / term.ratio});
      }
    }
  };
  for (const Actuator& actuator : design.actuators) follow(actuator.joint);
  for (const Coupling& coupling : design.couplings) follow(coupling.terms.front().of);
  return mimics;
}

}  // namespace

std::vector<double> zero_positions(const Model& model, const Mechanism& design) {
  Motion rest;
  rest.duration = rest.step = 1.0;
  const auto outcome = simulate(design, rest, {});
  if (const auto* finding = std::get_if<Finding>(&outcome))
    throw InputError(model.location("/bodies"), describe(*finding, design));
  std::vector<double> positions(design.bodies.size(), 0.0);
  for (std::size_t b = 0; b < positions.size(); ++b)
    for (const Series& series : std::get<Simulation>(outcome).columns)
      if (series.name == design.bodies[b].name + ".q") positions[b] = series.values.front();
  return positions;
}

const Actuator* TreeDesign::actuator_of(BodyIndex joint) const {
  const auto found = std::find_if(design.actuators.begin(), design.actuators.end(),
                                  [joint](const Actuator& a) { return a.joint == joint; });
  return found == design.actuators.end() ? nullptr : &*found;
}

std::string TreeDesign::free_name(std::string name) const {
  while (names.contains(name)) name += '_';
  return name;
}

std::string TreeDesign::joint_name(BodyIndex joint) const {
  if (const Actuator* actuator = actuator_of(joint)) return actuator->name;
  std::string made = design.bodies[joint].name + "_joint";
  while (find_actuator(design, made) >= 0) made += '_';
  return made;
}

std::vector<Mat3d> TreeDesign::rotations() const {
  std::vector<Mat3d> rotations;
  for (const Body& body : design.bodies)
    rotations.push_back(body.parent == world_body
                            ? body.joint.rotation
                            : Mat3d(rotations[at(body.parent)] * body.joint.rotation));
  return rotations;
}

std::string lost_friction(const Body& body) {
  return fmt::format("the friction of {} that grows with its reaction is left out", body.name);
}

TreeDesign tree_design(const Model& model, const Mechanism& design, const std::string& format,
                       bool with_springs) {
  TreeDesign tree{.design = design, .mimics = {}, .remarks = {}, .names = {"world"}};
  for (const AppliedForce& force : design.forces)
    tree.remarks.push_back(fmt::format("the force {} is left out", force.name));
  for (const Body& body : design.bodies)
    if (body.friction.load_coefficient != 0.0) tree.remarks.push_back(lost_friction(body));
  refuse_what_is_lacking(model, design, format);
  keep_springs_of_joints(model, format, with_springs, tree);
  if (design.loops.empty()) {
    for (const Body& body : design.bodies)
      if (body.joint.guess != 0.0)
        tree.remarks.push_back(
            fmt::format("{} is at 0 in the zero configuration, not at {}: {} has no guess",
                        body.name, body.joint.guess, format));
  } else {
    const std::vector<double> zero = zero_positions(model, design);
    count_from(zero, tree.design);
    for (std::size_t b = 0; b < zero.size(); ++b)
      if (zero[b] != 0.0)
        tree.remarks.push_back(
            fmt::format("{} is at 0 where it is at {:.9g} in the model: {} closes loops where all "
                        "joints are at 0",
                        design.bodies[b].name, zero[b], format));
  }
  tree.mimics = mimics_of(tree.design);
  for (BodyIndex b = 0; b < design.body_count(); ++b) {
    tree.names.insert(design.bodies[b].name);
    tree.names.insert(tree.joint_name(b));
  }
  return tree;
}

}  // namespace counterpoise
