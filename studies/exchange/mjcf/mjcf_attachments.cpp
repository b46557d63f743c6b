// What is attached to the bodies of a robot in MJCF.
#include <fmt/format.h>

#include <algorithm>

#include "engine/mechanism/spring_law.hpp"
#include "studies/exchange/mjcf/mjcf_writer.hpp"
#include "studies/exchange/xml/xml_writing.hpp"

namespace counterpoise {
namespace {

constexpr double axis_length = 0.1;  // between the two points that hold an axis [m]

}  // namespace

pugi::xml_node MjcfWriter::add_line(const std::string& name,
                                    const std::array<PointIndex, 2>& points) {
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

void MjcfWriter::add_springs() {
  std::vector<SpringLaw> torsion(design_.bodies.size());
  for (const Spring& spring : design_.springs) {
    const SpringLaw law = law_of(spring);
    if (spring.type == SpringType::torsion) {
      torsion[at(spring.joint)].rate += law.rate;
      torsion[at(spring.joint)].offset += law.offset;
      continue;
    }
    pugi::xml_node line = add_line(spring.name, spring.points);
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
