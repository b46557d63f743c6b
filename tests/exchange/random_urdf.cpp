#include "tests/exchange/random_urdf.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace counterpoise::test {
namespace {

std::string numbers(const Vec3d& v) {
  return fmt::format("{} {} {}", v.x(), v.y(), v.z());
}

std::string origin(Random& random) {
  if (random.chance(0.2)) return "";
  return fmt::format("<origin xyz=\"{}\" rpy=\"{}\"/>", numbers(random.vector(0.4)),
                     random.chance(0.3) ? "0 0 0" : numbers(random.vector(3.0)));
}

std::string inertial(Random& random) {
  const double mass = random.uniform(0.1, 8.0);
  const Mat3d i = random.inertia(mass, 0.3);
  return fmt::format(
      "<inertial>{}<mass value=\"{}\"/><inertia ixx=\"{}\" ixy=\"{}\" ixz=\"{}\" iyy=\"{}\" "
      "iyz=\"{}\" izz=\"{}\"/></inertial>",
      origin(random), mass, i(0, 0), i(0, 1), i(0, 2), i(1, 1), i(1, 2), i(2, 2));
}

}  // namespace

RandomUrdf random_urdf(Random& random, bool mimics) {
  RandomUrdf robot;
  const int links = 2 + random.below(11);
  std::vector<std::string> elements = {"<link name=\"base\"/>"};
  for (int i = 1; i < links; ++i) {
    constexpr const char* types[] = {"fixed", "revolute", "continuous", "prismatic"};
    const int type = random.below(4);
    const std::string name = fmt::format("link_{}", i);
    const int above = random.below(i);
    const bool empty = type == 0 && random.chance(0.3);
    elements.push_back(
        fmt::format("<link name=\"{}\">{}</link>", name, empty ? "" : inertial(random)));
    std::string inside = origin(random);
    inside += fmt::format("<parent link=\"{}\"/><child link=\"{}\"/>",
                          above == 0 ? "base" : fmt::format("link_{}", above), name);
    if (type != 0 && random.chance(0.9))  // else the default x
      inside += fmt::format("<axis xyz=\"{}\"/>", numbers(random.direction()));
    if (type == 1 || type == 3)
      inside += "<limit lower=\"-9\" upper=\"9\" effort=\"1e6\" velocity=\"1e3\"/>";
    if (type != 0) {
      UrdfJoint joint{fmt::format("joint_{}", i), name, type != 3, "", 1.0, 0.0};
      if (mimics && !robot.joints.empty() && random.chance(0.4)) {
        const UrdfJoint& other = robot.joints[static_cast<std::size_t>(
            random.below(static_cast<int>(robot.joints.size())))];
        joint.mimics = other.name;
        joint.multiplier = random.signed_uniform(0.2, 2.0);
        joint.offset = random.uniform(-0.5, 0.5);
        inside += fmt::format("<mimic joint=\"{}\" multiplier=\"{}\" offset=\"{}\"/>", joint.mimics,
                              joint.multiplier, joint.offset);
      }
      robot.joints.push_back(joint);
    }
    elements.push_back(
        fmt::format("<joint name=\"joint_{}\" type=\"{}\">{}</joint>", i, types[type], inside));
  }
  for (std::size_t i = elements.size(); i > 1; --i)
    std::swap(elements[i - 1],
              elements[static_cast<std::size_t>(random.below(static_cast<int>(i)))]);
  robot.text = "<?xml version=\"1.0\"?>\n<robot name=\"random robot\">\n";
  for (const std::string& element : elements) robot.text += "  " + element + "\n";
  robot.text += "</robot>\n";
  return robot;
}

}  // namespace counterpoise::test
