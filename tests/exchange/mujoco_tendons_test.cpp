#include <fmt/format.h>
#include <fmt/ranges.h>

#include <Eigen/Geometry>
#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "input/reading/read.hpp"
#include "tests/exchange/mujoco_comparison.hpp"
#include "tests/oracles/mjcf_robot.hpp"
#include "tests/support/random.hpp"
#include "tests/support/simulation.hpp"
#include "tests/support/trials.hpp"

using namespace counterpoise;
using namespace counterpoise::test;

namespace {

/// Where the world and two bodies are, each of which turns on the one before.
struct Frames {
  std::array<Eigen::Isometry3d, 3> of;
  std::array<Vec3d, 2> axes, origins;
  std::array<double, 2> q;

  explicit Frames(Random& random) {
    of[0].setIdentity();
    for (std::size_t j = 0; j < 2; ++j) {
      axes[j] = random.direction();
      origins[j] = random.vector(0.3);
      q[j] = random.uniform(-3.0, 3.0);
      of[j + 1] = of[j] * Eigen::Translation3d(origins[j]) * Eigen::AngleAxisd(q[j], axes[j]);
    }
  }
};

std::string text_of(const Vec3d& v, const char* between) {
  return fmt::format("{:.17g}{}{:.17g}{}{:.17g}", v.x(), between, v.y(), between, v.z());
}

/// One cable in the words of both programs: points and pulleys in turn, each on any of the bodies.
class TwoCables {
 public:
  TwoCables(Random& random, int pulleys) : frames_(random) {
    Vec3d from = random.vector(1.0);
    add_point(from, random.below(3));
    for (int i = 0; i < pulleys; ++i) {
      const Vec3d to = from + random.uniform(0.4, 1.5) * random.direction();
      add_pulley(random, from, to);
      add_point(to, i + 1 == pulleys ? 2 : random.below(3));
      from = to;
    }
  }

  [[nodiscard]] std::string model() const {
    const auto parts = [&](std::size_t b) {
      return fmt::format(R"("points": {{{}}}, "pulleys": {{{}}})", fmt::join(points_[b], ", "),
                         fmt::join(circles_[b], ", "));
    };
    std::string bodies;
    for (std::size_t j = 0; j < 2; ++j)
      bodies += fmt::format(
          R"({}{{"name": "b{}", "parent": "{}", "mass": 1, "com": [0, 0, 0], {},
              "joint": {{"type": "revolute", "axis": [{}], "origin": [{}]}}}})",
          j == 0 ? "" : ", ", j + 1, j == 0 ? "world" : "b1", parts(j + 1),
          text_of(frames_.axes[j], ", "), text_of(frames_.origins[j], ", "));
    return fmt::format(R"({{"format": "counterpoise-model/1", "gravity": [0, 0, 0], "world": {{{}}},
        "bodies": [{}], "springs": [{{"name": "cable", "connect": [{}], "rate": 10,
          "free_length": 0.01}}],
        "actuators": [{{"name": "j1", "joint": "b1"}}, {{"name": "j2", "joint": "b2"}}]}})",
                       parts(0), bodies, fmt::join(stops_, ", "));
  }

  [[nodiscard]] std::string motion() const {
    return fmt::format(R"({{"format": "counterpoise-motion/1", "duration": 1, "step": 1,
        "inertia": false, "coordinates": {{"j1": {{"type": "hold", "value": {:.17g}}},
                                          "j2": {{"type": "hold", "value": {:.17g}}}}}}})",
                       frames_.q[0], frames_.q[1]);
  }

  [[nodiscard]] std::string mjcf() const {
    const auto open = [&](std::size_t j) {
      return fmt::format(R"(<body pos="{}"><joint name="j{}" type="hinge" axis="{}"/>
          <inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>{})",
                         text_of(frames_.origins[j], " "), j + 1, text_of(frames_.axes[j], " "),
                         shapes_[j + 1]);
    };
    return fmt::format(R"(<mujoco><compiler angle="radian"/><option jacobian="dense"/>
        <worldbody>{}{}{}</body></body></worldbody>
        <tendon><spatial name="cable">{}</spatial></tendon></mujoco>)",
                       shapes_[0], open(0), open(1), path_);
  }

  [[nodiscard]] std::map<std::string, oracle::JointState> states() const {
    return {{"j1", {frames_.q[0], 0.0, 0.0}}, {"j2", {frames_.q[1], 0.0, 0.0}}};
  }
  /// How many pulleys turn the cable.
  [[nodiscard]] int turned() const { return turned_; }

 private:
  static std::string owner(std::size_t body) {
    return body == 0 ? "world" : fmt::format("b{}", body);
  }

  void add_point(const Vec3d& world, int b) {
    const auto body = static_cast<std::size_t>(b);
    const Vec3d place = frames_.of[body].inverse() * world;
    const std::string name = fmt::format("p{}", count_++);
    points_[body].push_back(fmt::format(R"("{}": [{}])", name, text_of(place, ", ")));
    stops_.push_back(fmt::format(R"("{}.{}")", owner(body), name));
    shapes_[body] += fmt::format(R"(<site name="{}" pos="{}"/>)", name, text_of(place, " "));
    path_ += fmt::format(R"(<site site="{}"/>)", name);
  }

  /// A pulley that the straight way from one point to the other crosses, or passes on the side that
  /// its axis names. Passed on the other side, ours is gone round all the same, and MuJoCo's not.
  void add_pulley(Random& random, const Vec3d& from, const Vec3d& to) {
    const Vec3d along = (to - from).normalized();
    Vec3d axis = random.direction();
    while (std::abs(axis.dot(along)) > 0.8) axis = random.direction();
    const Vec3d flat = (along - axis * axis.dot(along));
    const double length = flat.norm() * (to - from).norm();
    const Vec3d side = flat.cross(axis).normalized();  // where a cable passes that turns about it
    const double radius = random.uniform(0.05, 0.2) * length;
    const double beside = random.uniform(-0.9, 1.6);  // how far to that side it passes, in radii
    turned_ += beside < 1.0 ? 1 : 0;
    const Vec3d centre = from + random.uniform(0.35, 0.65) * (to - from) - beside * radius * side +
                         random.uniform(-0.5, 0.5) * axis;
    const auto body = static_cast<std::size_t>(random.below(3));
    const Eigen::Isometry3d to_body = frames_.of[body].inverse();
    const Vec3d place = to_body * centre, direction = to_body.linear() * axis;
    const std::string name = fmt::format("w{}", count_++);
    circles_[body].push_back(
        fmt::format(R"("{}": {{"centre": [{}], "axis": [{}], "radius": {:.17g}}})", name,
                    text_of(place, ", "), text_of(direction, ", "), radius));
    stops_.push_back(fmt::format(R"("{}.{}")", owner(body), name));
    shapes_[body] += fmt::format(
        R"(<geom name="{0}" type="cylinder" size="{1:.17g} 1" pos="{2}" zaxis="{3}"/>
           <site name="s{0}" pos="{4}"/>)",
        name, radius, text_of(place, " "), text_of(direction, " "),
        text_of(to_body * (centre + 1.5 * radius * side), " "));
    path_ += fmt::format(R"(<geom geom="{0}" sidesite="s{0}"/>)", name);
  }

  Frames frames_;
  std::array<std::vector<std::string>, 3> points_, circles_;
  std::vector<std::string> stops_;
  std::array<std::string, 3> shapes_;
  std::string path_;
  int count_ = 0, turned_ = 0;
};

}  // namespace

TEST_CASE("cables over pulleys are as long as MuJoCo's tendons, and pull joints as they do") {
  Random random(20261130);
  int turned = 0;
  for (int trial = 0; trial < trials(1000); ++trial) {
    const TwoCables cables(random, 1 + trial % 3);
    CAPTURE(trial, cables.model(), cables.mjcf());
    const Model model = read_model("model.json", [&](const auto&) { return cables.model(); });
    const ParametricMotion motion =
        read_motion("motion.json", model, [&](const auto&) { return cables.motion(); });
    const Simulation simulation = run(model.nominal, motion.nominal);
    const oracle::MjcfRobot robot(written("tendon.xml", cables.mjcf()));
    const oracle::Tendon tendon = robot.tendon("cable", cables.states());
    CHECK(column(simulation, "cable.length")[0] == Approx(tendon.length).epsilon(1e-9));
    const double tension = column(simulation, "cable.tension")[0];
    for (std::size_t j = 0; j < 2; ++j) {
      const std::string name = fmt::format("j{}", j + 1);
      // what the actuator gives holds what the cable pulls
      CHECK(column(simulation, name + ".load")[0] / tension ==
            Approx(tendon.slopes.at(name)).margin(1e-9 * tendon.length));
    }
    turned += cables.turned();
  }
  CHECK(turned > trials(1000));
}
