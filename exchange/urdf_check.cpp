#include "exchange/urdf_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <span>
#include <vector>

namespace counterpoise {
namespace {

constexpr std::array<std::string_view, 6> joint_types = {"fixed",     "revolute", "continuous",
                                                         "prismatic", "planar",   "floating"};

const std::string& required(const XmlElement& element, std::string_view attribute) {
  const std::string* value = element.attribute(attribute);
  if (value == nullptr)
    throw InputError(element.where, fmt::format("found <{}> without {}, expected <{} {}=\"...\">",
                                                element.name, attribute, element.name, attribute));
  if (value->empty())
    throw InputError(element.where, fmt::format("found an empty {}, expected a text", attribute));
  return *value;
}

const XmlElement& required_child(const XmlElement& element, std::string_view child,
                                 std::string_view why) {
  const XmlElement* found = element.child(child);
  if (found == nullptr)
    throw InputError(element.where,
                     fmt::format("found <{}> without <{}>, expected {}", element.name, child, why));
  return *found;
}

void check_number(const XmlElement& element, std::string_view attribute, bool is_required) {
  if (!is_required && element.attribute(attribute) == nullptr) return;
  const std::string& text = required(element, attribute);
  if (!std::isfinite(xml_number(text)))
    throw InputError(element.where,
                     fmt::format("found {}={}, expected a number", attribute, in_quotes(text)));
}

/// Three numbers between blanks. Returns whether all are 0.
bool check_vector(const XmlElement& element, std::string_view attribute) {
  const std::string* text = element.attribute(attribute);
  if (text == nullptr) return false;
  constexpr std::string_view blanks = " \t\n\r";
  int count = 0, zeros = 0;
  bool numbers = true;
  for (std::size_t at = text->find_first_not_of(blanks); at != std::string::npos;) {
    const std::size_t end = std::min(text->find_first_of(blanks, at), text->size());
    const double number = xml_number(std::string_view(*text).substr(at, end - at));
    numbers = numbers && std::isfinite(number);
    zeros += number == 0.0 ? 1 : 0;
    ++count;
    at = text->find_first_not_of(blanks, end);
  }
  if (count != 3 || !numbers)
    throw InputError(element.where, fmt::format("found {}={}, expected three numbers", attribute,
                                                in_quotes(*text)));
  return zeros == 3;
}

void check_origin(const XmlElement& owner) {
  const XmlElement* origin = owner.child("origin");
  if (origin == nullptr) return;
  check_vector(*origin, "xyz");
  check_vector(*origin, "rpy");
}

/// Elements of which one counts may stand there once.
void check_once(const XmlElement& owner, std::span<const std::string_view> parts) {
  for (const std::string_view part : parts)
    if (const auto all = owner.children_named(part); all.size() > 1)
      throw InputError(all[1]->where, fmt::format("found a second <{}>, expected one", part));
}

void check_link(const XmlElement& link) {
  check_once(link, std::array<std::string_view, 1>{"inertial"});
  const XmlElement* inertial = link.child("inertial");
  if (inertial == nullptr) return;
  check_once(*inertial, std::array<std::string_view, 3>{"origin", "mass", "inertia"});
  check_origin(*inertial);
  const XmlElement& mass =
      required_child(*inertial, "mass", "<mass value=\"...\"/> [kg] in <inertial>");
  check_number(mass, "value", true);
  if (xml_number(*mass.attribute("value")) < 0.0)
    throw InputError(mass.where, fmt::format("found a mass of {} kg, expected 0 or more",
                                             *mass.attribute("value")));
  const XmlElement& inertia =
      required_child(*inertial, "inertia", "<inertia ixx=\"...\" ... izz=\"...\"/> [kg m^2]");
  for (const std::string_view entry : {"ixx", "ixy", "ixz", "iyy", "iyz", "izz"})
    check_number(inertia, entry, true);
}

void check_limit(const XmlElement& joint, const std::string& type) {
  const XmlElement* limit = joint.child("limit");
  const bool bounded = type == "revolute" || type == "prismatic";
  if (limit == nullptr) {
    if (bounded)
      throw InputError(
          joint.where,
          fmt::format("found a {} joint without <limit>, expected <limit lower=\"...\" "
                      "upper=\"...\" effort=\"...\" velocity=\"...\"/>{}",
                      type, type == "revolute" ? ", or the type continuous" : ""));
    return;
  }
  for (const std::string_view number : {"lower", "upper"}) check_number(*limit, number, false);
  for (const std::string_view number : {"effort", "velocity"}) check_number(*limit, number, true);
  const auto bound = [&](std::string_view name) {
    const std::string* text = limit->attribute(name);
    return text == nullptr ? 0.0 : xml_number(*text);
  };
  if (bounded && bound("lower") > bound("upper"))
    throw InputError(limit->where, fmt::format("found lower {} above upper {}, expected it below",
                                               bound("lower"), bound("upper")));
}

/// The links and joints of a robot by their names.
struct Tree {
  std::map<std::string, const XmlElement*> links, joints;
  std::map<std::string, const XmlElement*> joint_of_child;
  std::vector<std::string> link_names, joint_names;
};

const std::string& link_of(const XmlElement& joint, std::string_view end, const Tree& tree) {
  const XmlElement& element = required_child(joint, end, fmt::format("<{} link=\"...\"/>", end));
  const std::string& name = required(element, "link");
  if (!tree.links.contains(name))
    throw InputError(element.where,
                     fmt::format("found {}, expected the name of a link{}", in_quotes(name),
                                 did_you_mean(name, tree.link_names)));
  return name;
}

void check_joint(const XmlElement& joint, Tree& tree) {
  const std::string& type = required(joint, "type");
  if (std::find(joint_types.begin(), joint_types.end(), type) == joint_types.end()) {
    const std::vector<std::string> known(joint_types.begin(), joint_types.end());
    throw InputError(joint.where,
                     fmt::format("found the joint type {}, expected one of {}{}", in_quotes(type),
                                 listed(joint_types), did_you_mean(type, known)));
  }
  check_once(joint, std::array<std::string_view, 7>{"origin", "parent", "child", "axis", "limit",
                                                    "dynamics", "mimic"});
  check_origin(joint);
  const std::string& child = link_of(joint, "child", tree);
  const std::string& parent = link_of(joint, "parent", tree);
  if (child == parent)
    throw InputError(joint.where, fmt::format("found {} as parent and child, expected two links",
                                              in_quotes(child)));
  const auto [other, first] = tree.joint_of_child.emplace(child, &joint);
  if (!first)
    throw InputError(joint.where,
                     fmt::format("found a second joint of the link {}, expected one: the joint {} "
                                 "has it already; URDF holds trees only",
                                 in_quotes(child), in_quotes(*other->second->attribute("name"))));
  if (type == "fixed" || type == "floating") return;
  if (const XmlElement* axis = joint.child("axis"); axis != nullptr) {
    required(*axis, "xyz");
    if (check_vector(*axis, "xyz"))
      throw InputError(axis->where, "found an axis of length 0, expected a direction");
  }
  check_limit(joint, type);
}

bool moves_by_one(const XmlElement& joint) {
  const std::string* type = joint.attribute("type");
  return type != nullptr && (*type == "revolute" || *type == "continuous" || *type == "prismatic");
}

/// The joint that this one mimics, or nullptr.
const XmlElement* mimicked(const XmlElement& joint, const Tree& tree) {
  const XmlElement* mimic = joint.child("mimic");
  if (mimic == nullptr) return nullptr;
  const std::string& name = required(*mimic, "joint");
  const auto found = tree.joints.find(name);
  if (found == tree.joints.end())
    throw InputError(mimic->where,
                     fmt::format("found {}, expected the name of a joint{}", in_quotes(name),
                                 did_you_mean(name, tree.joint_names)));
  return found->second;
}

void check_mimic(const XmlElement& joint, const Tree& tree) {
  const XmlElement* other = mimicked(joint, tree);
  if (other == nullptr) return;
  const XmlElement& mimic = *joint.child("mimic");
  check_number(mimic, "multiplier", false);
  check_number(mimic, "offset", false);
  for (const XmlElement* one : {&joint, other})
    if (!moves_by_one(*one))
      throw InputError(mimic.where,
                       fmt::format("found the {} joint {}, expected a revolute, continuous or "
                                   "prismatic one on both sides of a mimic",
                                   *one->attribute("type"), in_quotes(*one->attribute("name"))));
  std::set<const XmlElement*> seen = {&joint};
  for (const XmlElement* next = other; next != nullptr; next = mimicked(*next, tree))
    if (!seen.insert(next).second)
      throw InputError(mimic.where, fmt::format("found joints that mimic each other in a circle, "
                                                "expected one of them to mimic none"));
}

/// Every link but one is the child of a joint, and all lead up to that one.
void check_one_root(const XmlElement& robot, const Tree& tree) {
  std::vector<const XmlElement*> roots;
  for (const XmlElement* link : robot.children_named("link"))
    if (!tree.joint_of_child.contains(*link->attribute("name"))) roots.push_back(link);
  if (roots.size() > 1)
    throw InputError(roots[1]->where,
                     fmt::format("found the link {} that no joint holds, beside {}, expected one "
                                 "root link",
                                 in_quotes(*roots[1]->attribute("name")),
                                 in_quotes(*roots[0]->attribute("name"))));
  std::set<std::string> rooted;
  for (const auto& [name, joint] : tree.joint_of_child) {
    std::vector<std::string> way = {name};
    std::set<std::string> on_way = {name};
    while (!rooted.contains(way.back())) {
      const auto above = tree.joint_of_child.find(way.back());
      if (above == tree.joint_of_child.end()) break;
      way.push_back(*above->second->child("parent")->attribute("link"));
      if (!on_way.insert(way.back()).second)
        throw InputError(
            above->second->where,
            fmt::format("found the link {} below itself, expected a tree", in_quotes(way.back())));
    }
    rooted.insert(way.begin(), way.end());
  }
}

/// Adds the named children of a kind; a name may be given once.
void collect(const XmlElement& robot, std::string_view kind,
             std::map<std::string, const XmlElement*>& by_name, std::vector<std::string>& names) {
  read_each(robot.children_named(kind), [&](const XmlElement* element) {
    const std::string& name = required(*element, "name");
    if (!by_name.emplace(name, element).second)
      throw InputError(element->where, fmt::format("found a second {} {}, expected another name",
                                                   kind, in_quotes(name)));
    names.push_back(name);
  });
}

void refuse_xacro(const XmlElement& element) {
  const auto is_macro = [](const std::string& text) {
    return text.find("${") != std::string::npos || text.find("$(") != std::string::npos;
  };
  const bool macro = element.name.starts_with("xacro:") ||
                     std::any_of(element.attributes.begin(), element.attributes.end(),
                                 [&](const XmlAttribute& a) { return is_macro(a.value); });
  if (macro)
    throw InputError(element.where, fmt::format("found a macro of xacro, expected plain URDF: run "
                                                "`xacro {} -o robot.urdf` first",
                                                element.where.file));
  for (const XmlElement& child : element.children) refuse_xacro(child);
}

}  // namespace

double xml_number(std::string_view text) {
  if (text.starts_with('+') && !text.starts_with("+-")) text.remove_prefix(1);
  double number = 0.0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  const bool whole = error == std::errc() && stop == end && !text.empty();
  return whole ? number : std::numeric_limits<double>::quiet_NaN();
}

void check_urdf(const XmlElement& robot) {
  if (robot.name != "robot")
    throw InputError(robot.where,
                     fmt::format("found <{}>, expected <robot>, a URDF file", robot.name));
  refuse_xacro(robot);
  required(robot, "name");
  Tree tree;
  Mistakes mistakes;
  mistakes.attempt([&] { collect(robot, "link", tree.links, tree.link_names); });
  mistakes.attempt([&] { collect(robot, "joint", tree.joints, tree.joint_names); });
  mistakes.raise();
  if (tree.links.empty()) throw InputError(robot.where, "found no <link>, expected at least one");
  mistakes.attempt([&] {
    read_each(robot.children_named("link"), [](const XmlElement* link) { check_link(*link); });
  });
  mistakes.attempt([&] {
    read_each(robot.children_named("joint"),
              [&](const XmlElement* joint) { check_joint(*joint, tree); });
  });
  mistakes.raise();
  read_each(robot.children_named("joint"),
            [&](const XmlElement* joint) { check_mimic(*joint, tree); });
  check_one_root(robot, tree);
}

}  // namespace counterpoise
