#include "tests/studies/exchange/random_mjcf.hpp"

#include <fmt/format.h>

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
      return fmt::format("<inertial pos=\"{}\" mass=\"{}\" fullinertia=\"{} {} {} {} {} {}\"/>",
                         numbers(random.vector(0.2)), mass, i(0, 0), i(1, 1), i(2, 2), i(0, 1),
                         i(0, 2), i(1, 2));
    default:
      return fmt::format("<inertial pos=\"{}\" mass=\"{}\" diaginertia=\"0.02 0.03 0.04\"{}/>",
                         numbers(random.vector(0.2)), mass, orientation(random));
  }
}

class Writer {
 public:
  explicit Writer(Random& random) : random_(random) {}

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

  std::string body(int depth) {
    std::string text = fmt::format("<body name=\"body-{}\" pos=\"{}\"{}>", bodies_++,
                                   numbers(random_.vector(0.4)), orientation(random_));
    text += inertial(random_);
    const int joints = depth == 0 ? 1 + random_.below(3) : random_.below(4);
    for (int j = 0; j < joints; ++j) text += joint();
    if (random_.chance(0.5))
      text += fmt::format("<site name=\"site_{}\" pos=\"{}\"/>", sites_++,
                          numbers(random_.vector(0.3)));
    const int below = depth < 3 ? random_.below(3) : 0;
    for (int i = 0; i < below; ++i) text += body(depth + 1);
    return text + "</body>";
  }

  Random& random_;
  int bodies_ = 0, joints_ = 0, sites_ = 0;
};

}  // namespace

std::string random_mjcf(Random& random) {
  return Writer(random).write();
}

}  // namespace counterpoise::test
