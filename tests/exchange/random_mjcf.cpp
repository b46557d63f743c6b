#include "tests/exchange/random_mjcf.hpp"

#include <fmt/format.h>

#include <Eigen/Eigenvalues>

namespace counterpoise::test {
namespace {

std::string numbers(const Vec3d& v) {
  return fmt::format("{} {} {}", v.x(), v.y(), v.z());
}

std::string orientation(Random& random) {
  switch (random.below(4)) {
    case 0:
      return "";
    case 1:
      return fmt::format(" quat=\"{} {}\"", random.uniform(0.2, 1.0), numbers(random.vector(1.0)));
    case 2:
      return fmt::format(" euler=\"{}\"", numbers(random.vector(2.0)));
    default:
      return fmt::format(" axisangle=\"{} {}\"", numbers(random.direction()),
                         random.uniform(-3.0, 3.0));
  }
}

std::string inertial(Random& random) {
  const double mass = random.uniform(0.2, 5.0);
  const Mat3d i = random.inertia(mass, 0.3);
  switch (random.below(3)) {
    case 0:
      return fmt::format("<geom type=\"capsule\" size=\"0.05 {}\" pos=\"{}\"{}/>",
                         random.uniform(0.1, 0.3), numbers(random.vector(0.2)),
                         orientation(random));
    case 1:
      return fmt::format("<inertial pos=\"{}\" mass=\"{}\" diaginertia=\"{}\"{}/>",
                         numbers(random.vector(0.2)), mass,
                         numbers(Eigen::SelfAdjointEigenSolver<Mat3d>(i).eigenvalues()),
                         orientation(random));
    default:
      return fmt::format("<inertial pos=\"{}\" mass=\"{}\" diaginertia=\"0.02 0.03 0.04\"{}/>",
                         numbers(random.vector(0.2)), mass, orientation(random));
  }
}

class Writer {
 public:
  Writer(Random& random, MjcfJoints joints) : random_(random), kinds_(joints) {}

  std::string write() {
    std::string world = body(0);
    if (random_.chance(0.5)) world += body(0);
    std::string tendons;
    for (int t = 0; t + 1 < sites_; t += 2)
      tendons += fmt::format(
          "<spatial name=\"cable_{0}\" stiffness=\"{1}\" springlength=\"{2}\"><site "
          "site=\"site_{0}\"/><site site=\"site_{3}\"/></spatial>",
          t, random_.uniform(50.0, 500.0), random_.uniform(0.0, 0.4), t + 1);
    return fmt::format(
        "<mujoco model=\"random\"><compiler angle=\"radian\"/><option gravity=\"{}\"/>"
        "<default><joint axis=\"0 1 0\"/><default class=\"slow\"><joint type=\"slide\" "
        "axis=\"1 0 0\"/></default></default><worldbody>{}</worldbody>{}</mujoco>",
        numbers(random_.vector(9.0)), world,
        tendons.empty() ? "" : "<tendon>" + tendons + "</tendon>");
  }

 private:
  std::string joint() {
    std::string text = fmt::format("<joint name=\"joint_{}\"", joints_++);
    if (random_.chance(0.3)) text += " class=\"slow\"";
    if (random_.chance(0.7)) text += fmt::format(" axis=\"{}\"", numbers(random_.direction()));
    if (random_.chance(0.5)) text += fmt::format(" pos=\"{}\"", numbers(random_.vector(0.2)));
    if (random_.chance(0.4)) text += fmt::format(" ref=\"{}\"", random_.uniform(-1.0, 1.0));
    if (random_.chance(0.3))
      text += fmt::format(" stiffness=\"{}\" springref=\"{}\"", random_.uniform(1.0, 20.0),
                          random_.uniform(-1.0, 1.0));
    return text + "/>";
  }

  std::string joints(int depth) {
    if (kinds_ == MjcfJoints::any && random_.chance(0.5))
      return depth == 0 ? fmt::format("<freejoint name=\"joint_{}\"/>", joints_++)
                        : fmt::format("<joint name=\"joint_{}\" type=\"ball\" pos=\"{}\"/>",
                                      joints_++, numbers(random_.vector(0.2)));
    std::string text;
    const int count = depth == 0 ? 1 + random_.below(3) : random_.below(4);
    for (int j = 0; j < count; ++j) text += joint();
    return text;
  }

  std::string body(int depth) {
    std::string text = fmt::format("<body name=\"body-{}\" pos=\"{}\"{}>", bodies_++,
                                   numbers(random_.vector(0.4)), orientation(random_));
    text += inertial(random_) + joints(depth);
    if (random_.chance(0.5))
      text += fmt::format("<site name=\"site_{}\" pos=\"{}\"/>", sites_++,
                          numbers(random_.vector(0.3)));
    const int below = depth < 3 ? random_.below(3) : 0;
    for (int i = 0; i < below; ++i) text += body(depth + 1);
    return text + "</body>";
  }

  Random& random_;
  MjcfJoints kinds_;
  int bodies_ = 0, joints_ = 0, sites_ = 0;
};

}  // namespace

std::string random_mjcf(Random& random, MjcfJoints joints) {
  return Writer(random, joints).write();
}

ClosedMjcf random_closed_mjcf(Random& random) {
  int made = 0;
  const auto begun = [&] {  // a body with its joint, open for others in it
    const std::string name = fmt::format("b{}", made++);
    return fmt::format(
        "<body name=\"{0}\" pos=\"{1}\"{2}>{3}<joint name=\"{0}\" type=\"{4}\" axis=\"{5}\" "
        "pos=\"{6}\" ref=\"{7}\"/>",
        name, numbers(random.vector(0.4)), orientation(random), inertial(random),
        random.chance(0.8) ? "hinge" : "slide", numbers(random.direction()),
        numbers(random.vector(0.2)), random.uniform(-0.3, 0.3));
  };
  const auto chain = [&](int length) {
    std::string text;
    for (int i = 0; i < length; ++i) text += begun();
    for (int i = 0; i < length; ++i) text += "</body>";
    return text;
  };
  std::string bodies, equalities;
  const int kind = random.below(3);
  const int length = kind == 0 ? 4 + random.below(3) : kind == 1 ? 6 : 7 + random.below(2);
  if (kind == 1) {
    bodies = chain(3) + chain(3);
    equalities = fmt::format("<connect body1=\"b2\" body2=\"b5\" anchor=\"{}\"/>",
                             numbers(random.vector(0.3)));
  } else {
    bodies = chain(length);
    equalities = kind == 0 ? fmt::format("<connect body1=\"b{}\" anchor=\"{}\"/>", length - 1,
                                         numbers(random.vector(0.3)))
                           : fmt::format("<weld body1=\"b{}\"/>", length - 1);
  }
  ClosedMjcf closed;
  std::vector<int> of_loop;
  for (int i = 0; i < length; ++i) of_loop.push_back(i);
  for (int freedom = length - (kind == 2 ? 6 : 3); freedom > 0; --freedom) {
    const auto chosen = of_loop.begin() + random.below(static_cast<int>(of_loop.size()));
    closed.driven.push_back(fmt::format("b{}", *chosen));
    of_loop.erase(chosen);
  }
  std::string motors;
  for (const std::string& joint : closed.driven)
    motors += fmt::format("<motor name=\"{0}\" joint=\"{0}\"/>", joint);
  if (random.chance(0.5)) {
    bodies += chain(1);
    equalities += fmt::format("<joint joint1=\"b{}\" joint2=\"b{}\" polycoef=\"{} {} 0 0 0\"/>",
                              length, random.below(length), random.uniform(-0.3, 0.3),
                              random.signed_uniform(0.3, 2.0));
  }
  closed.text = fmt::format(
      "<mujoco model=\"closed\"><compiler angle=\"radian\"/><worldbody>{}</worldbody>"
      "<equality>{}</equality><actuator>{}</actuator></mujoco>",
      bodies, equalities, motors);
  return closed;
}

}  // namespace counterpoise::test
