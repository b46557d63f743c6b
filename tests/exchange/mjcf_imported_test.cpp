// Robots that others wrote as MJCF or URDF, held against MuJoCo: the loads of a motion are what its
// inverse dynamics needs.
#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>

#include "tests/exchange/mujoco_comparison.hpp"
#include "tests/exchange/random_mjcf.hpp"
#include "tests/support/simulation.hpp"
#include "tests/support/trials.hpp"

using namespace counterpoise;
using namespace counterpoise::test;

namespace {

/// Sines about where the robot stands in its file, or about anything.
Motion random_motion(Random& random, const Mechanism& mechanism, double mean, double amplitude) {
  Motion motion;
  motion.duration = 1.0;
  motion.step = 0.125;
  for (std::size_t a = 0; a < mechanism.actuators.size(); ++a) {
    const double stands = mechanism.bodies[mechanism.actuators[a].joint].joint.guess;
    motion.drives.push_back(
        {{ActuatorIndex(a), {}},
         Sine{stands + random.uniform(-mean, mean), random.uniform(0.1 * amplitude, amplitude),
              random.uniform(0.7, 2.0), 0.3}});
  }
  return motion;
}

/// Joints in a row, as a model has them instead of a free, ball or planar joint: all slides stand
/// before all turns.
struct Chain {
  std::vector<std::string> actuators, bodies;
  std::vector<Vec3d> axes;
  std::size_t slides = 0;
  Vec3d origin = Vec3d::Zero();
  Mat3d rotation = Mat3d::Identity();
};

/// The state of the chain's end at a sample as MuJoCo has it: the position, its rates in the frame
/// that the chain stands in, the turning in the frame of the end.
struct End {
  Vec3d position, velocity, acceleration;
  Eigen::Quaterniond orientation;
  Vec3d turning, turning_rate;
  std::vector<Vec3d> turns;  // axes of the turns in the frame of the end
};

End end_of(const Chain& chain, const Simulation& simulation, std::size_t k) {
  const auto value = [&](std::size_t i, const char* suffix) {
    return column(simulation, chain.bodies[i] + suffix)[k];
  };
  End end{chain.origin, Vec3d::Zero(), Vec3d::Zero(), {}, Vec3d::Zero(), Vec3d::Zero(), {}};
  for (std::size_t i = 0; i < chain.slides; ++i) {
    const Vec3d axis = chain.rotation * chain.axes[i];
    end.position += axis * value(i, ".q");
    end.velocity += axis * value(i, ".qd");
    end.acceleration += axis * value(i, ".qdd");
  }
  // from the end, whose turning against the frame of each joint adds up
  Mat3d behind = Mat3d::Identity();
  for (std::size_t i = chain.axes.size(); i-- > chain.slides;) {
    const Vec3d axis = behind.transpose() * chain.axes[i];
    end.turning_rate += axis * value(i, ".qdd") - end.turning.cross(axis) * value(i, ".qd");
    end.turning += axis * value(i, ".qd");
    end.turns.insert(end.turns.begin(), axis);
    behind = Eigen::AngleAxisd(value(i, ".q"), chain.axes[i]).toRotationMatrix() * behind;
  }
  end.orientation = Eigen::Quaterniond(Mat3d(chain.rotation * behind));
  return end;
}

/// Of roll, pitch and yaw as URDF has them.
Eigen::Quaterniond rotation_of(const Vec3d& rpy) {
  return Eigen::AngleAxisd(rpy.z(), Vec3d::UnitZ()) * Eigen::AngleAxisd(rpy.y(), Vec3d::UnitY()) *
         Eigen::AngleAxisd(rpy.x(), Vec3d::UnitX());
}

/// The chain whose actuators have these names behind the joint's.
Chain chain_of(const Mechanism& mechanism, const std::string& joint,
               std::initializer_list<const char*> ends) {
  Chain chain;
  for (const char* end : ends) {
    chain.actuators.push_back(joint + end);
    const ActuatorIndex actuator = find_actuator(mechanism, chain.actuators.back());
    REQUIRE(actuator >= 0);
    const Body& body = mechanism.bodies[mechanism.actuators[actuator].joint];
    chain.bodies.push_back(body.name);
    chain.axes.push_back(body.joint.axis);
    if (body.joint.type == JointType::prismatic) ++chain.slides;
  }
  return chain;
}

void append(std::vector<double>& to, const Vec3d& v) {
  to.insert(to.end(), v.begin(), v.end());
}
void append(std::vector<double>& to, const Eigen::Quaterniond& q) {
  to.insert(to.end(), {q.w(), q.x(), q.y(), q.z()});
}

/// What MuJoCo's forces on a free body, or its moment on a ball joint, ask of the chain's joints.
std::vector<double> loads_of(const Chain& chain, const End& end, const double* forces) {
  std::vector<double> loads;
  const Eigen::Map<const Vec3d> force(forces), moment(forces + (chain.slides > 0 ? 3 : 0));
  for (std::size_t i = 0; i < chain.slides; ++i)
    loads.push_back((chain.rotation * chain.axes[i]).dot(force));
  for (const Vec3d& axis : end.turns) loads.push_back(axis.dot(moment));
  return loads;
}

/// The largest difference of two loads beside the largest load.
struct Difference {
  double worst = 0.0, largest = 0.0;
  void add(double ours, double theirs) {
    worst = std::max(worst, std::abs(ours - theirs));
    largest = std::max(largest, std::abs(theirs));
  }
};

}  // namespace

TEST_CASE("loads of random robots imported from MJCF are MuJoCo's own") {
  Random random(20261129);
  for (int trial = 0; trial < test::trials(100); ++trial) {
    CAPTURE(trial);
    const std::string path = written("random_robot.xml", random_mjcf(random));
    const Mechanism mechanism = imported(path).nominal;
    const oracle::MjcfRobot robot(path);
    REQUIRE(mechanism.actuators.size() == robot.joints().size());
    const Simulation simulation = run(mechanism, random_motion(random, mechanism, 1.0, 1.0));
    Difference difference;
    for (std::size_t k = 0; k < samples(simulation); ++k) {
      std::map<std::string, oracle::JointState> states;
      for (const Actuator& actuator : mechanism.actuators) {
        const std::string& body = mechanism.bodies[actuator.joint].name;
        states[actuator.name] = {column(simulation, body + ".q")[k],
                                 column(simulation, body + ".qd")[k],
                                 column(simulation, body + ".qdd")[k]};
      }
      const std::vector<double> asked = robot.missing_forces(states, {});
      for (std::size_t j = 0; j < asked.size(); ++j)
        difference.add(column(simulation, robot.joints()[j] + ".load")[k], asked[j]);
    }
    CAPTURE(difference.worst, difference.largest);
    REQUIRE(difference.worst <= 1e-9 * difference.largest);
  }
}

TEST_CASE("inertias with products come in to rounding") {
  Random random(20261205);
  for (int trial = 0; trial < test::trials(100); ++trial) {
    const double mass = random.uniform(0.2, 5.0);
    const Mat3d i = random.inertia(mass, 0.3);
    const Eigen::Quaterniond frame =
        trial % 2 == 0 ? Eigen::Quaterniond::Identity() : rotation_of(random.vector(3.0));
    const std::string path = written(
        "products.xml",
        fmt::format(
            "<mujoco><worldbody><body><joint/><frame quat=\"{} {} {} {}\"><inertial pos=\"0 "
            "0 0\" mass=\"{}\" fullinertia=\"{} {} {} {} {} {}\"/></frame></body>"
            "</worldbody></mujoco>",
            frame.w(), frame.x(), frame.y(), frame.z(), mass, i(0, 0), i(1, 1), i(2, 2), i(0, 1),
            i(0, 2), i(1, 2)));
    const Mat3d axes = frame.toRotationMatrix();
    const Mat3d expected = axes * i * axes.transpose();
    const Mat3d came = imported(path).nominal.bodies.back().inertia;
    CAPTURE(trial, (came - expected).norm(), expected.norm());
    REQUIRE((came - expected).norm() <= 1e-14 * expected.norm());
  }
}

TEST_CASE("free and ball joints of random robots imported from MJCF have MuJoCo's loads") {
  Random random(20261202);
  int balls = 0, free = 0;
  for (int trial = 0; trial < test::trials(60); ++trial) {
    CAPTURE(trial);
    const std::string path = written("free_robot.xml", random_mjcf(random, MjcfJoints::any));
    const Mechanism mechanism = imported(path, {.base = Base::floating}).nominal;
    const oracle::MjcfRobot robot(path);
    std::vector<Chain> chains;  // by MuJoCo's joints
    for (const std::string& joint : robot.joints()) {
      if (find_actuator(mechanism, joint) >= 0)
        chains.push_back(chain_of(mechanism, joint, {""}));
      else if (find_actuator(mechanism, joint + "_yaw") >= 0)
        chains.push_back(chain_of(mechanism, joint, {"_x", "_y", "_z", "_yaw", "_pitch", "_roll"})),
            ++free;
      else
        chains.push_back(chain_of(mechanism, joint, {"_x", "_y", "_z"})), ++balls;
    }
    const Simulation simulation = run(mechanism, random_motion(random, mechanism, 1.0, 1.0));
    Difference difference;
    for (std::size_t k = 0; k < samples(simulation); ++k) {
      std::vector<double> q, v, a;
      std::vector<End> ends;
      for (const Chain& chain : chains) {
        ends.push_back(end_of(chain, simulation, k));
        const End& end = ends.back();
        if (chain.axes.size() == 1) {
          q.push_back(column(simulation, chain.bodies[0] + ".q")[k]);
          v.push_back(column(simulation, chain.bodies[0] + ".qd")[k]);
          a.push_back(column(simulation, chain.bodies[0] + ".qdd")[k]);
          continue;
        }
        if (chain.slides > 0)
          append(q, end.position), append(v, end.velocity), append(a, end.acceleration);
        append(q, end.orientation), append(v, end.turning), append(a, end.turning_rate);
      }
      const std::vector<double> forces = robot.inverse(q, v, a);
      const double* of_joint = forces.data();
      for (std::size_t j = 0; j < chains.size(); ++j) {
        const Chain& chain = chains[j];
        const std::vector<double> loads = chain.axes.size() == 1
                                              ? std::vector<double>{*of_joint}
                                              : loads_of(chain, ends[j], of_joint);
        for (std::size_t i = 0; i < loads.size(); ++i)
          difference.add(column(simulation, chain.actuators[i] + ".load")[k], loads[i]);
        of_joint += chain.axes.size();
      }
    }
    CAPTURE(difference.worst, difference.largest);
    REQUIRE(difference.worst <= 1e-9 * difference.largest);
  }
  CHECK(balls >= test::trials(60) / 6);
  CHECK(free >= test::trials(60) / 6);
}

TEST_CASE("planar and floating joints of URDF have the loads of a free body of MuJoCo") {
  Random random(20261203);
  for (int trial = 0; trial < test::trials(100); ++trial) {
    CAPTURE(trial);
    const bool planar = trial % 2 == 0;
    const double mass = random.uniform(0.2, 5.0);
    const double extent = random.uniform(0.05, 0.3);
    const Vec3d moments =
        mass * extent * extent * Vec3d(1.0, random.uniform(1.0, 1.5), random.uniform(1.0, 1.5));
    const Vec3d com = random.vector(0.2), axes = random.vector(3.0), rpy = random.vector(3.0);
    const Eigen::Quaterniond turned = rotation_of(axes);
    const Vec3d origin = random.vector(0.5);
    const auto numbers = [](const Vec3d& v) {
      return fmt::format("{} {} {}", v.x(), v.y(), v.z());
    };
    const std::string urdf = written(
        "planar.urdf",
        fmt::format("<robot name=\"r\"><link name=\"base\"/><link name=\"body\"><inertial>"
                    "<origin xyz=\"{}\" rpy=\"{}\"/><mass value=\"{}\"/><inertia ixx=\"{}\" "
                    "ixy=\"0\" ixz=\"0\" iyy=\"{}\" iyz=\"0\" izz=\"{}\"/></inertial></link><joint "
                    "name=\"j\" type=\"{}\"><origin xyz=\"{}\" rpy=\"{}\"/><axis xyz=\"{}\"/>"
                    "<parent link=\"base\"/><child link=\"body\"/></joint></robot>",
                    numbers(com), numbers(axes), mass, moments.x(), moments.y(), moments.z(),
                    planar ? "planar" : "floating", numbers(origin), numbers(rpy),
                    numbers(random.direction())));
    const std::string mjcf = written(
        "free.xml",
        fmt::format("<mujoco><worldbody><body name=\"body\"><freejoint name=\"j\"/><inertial "
                    "pos=\"{}\" quat=\"{} {} {} {}\" mass=\"{}\" diaginertia=\"{}\"/></body>"
                    "</worldbody></mujoco>",
                    numbers(com), turned.w(), turned.x(), turned.y(), turned.z(), mass,
                    numbers(moments)));
    const Mechanism mechanism = imported(urdf, {.base = Base::floating}).nominal;
    Chain chain = planar ? chain_of(mechanism, "j", {"_first", "_second", "_turn"})
                         : chain_of(mechanism, "j", {"_x", "_y", "_z", "_yaw", "_pitch", "_roll"});
    chain.origin = origin;
    chain.rotation = rotation_of(rpy).toRotationMatrix();
    if (planar) REQUIRE(chain.axes[0].cross(chain.axes[1]).isApprox(chain.axes[2], 1e-12));
    const oracle::MjcfRobot robot(mjcf);
    const Simulation simulation = run(mechanism, random_motion(random, mechanism, 1.0, 1.0));
    Difference difference;
    for (std::size_t k = 0; k < samples(simulation); ++k) {
      const End end = end_of(chain, simulation, k);
      std::vector<double> q, v, a;
      append(q, end.position), append(v, end.velocity), append(a, end.acceleration);
      append(q, end.orientation), append(v, end.turning), append(a, end.turning_rate);
      const std::vector<double> loads = loads_of(chain, end, robot.inverse(q, v, a).data());
      for (std::size_t j = 0; j < loads.size(); ++j)
        difference.add(column(simulation, chain.actuators[j] + ".load")[k], loads[j]);
    }
    CAPTURE(difference.worst, difference.largest);
    REQUIRE(difference.worst <= 1e-9 * difference.largest);
  }
}

TEST_CASE("random robots with constraints imported from MJCF close and load as MuJoCo's do") {
  Random random(20261204);
  int held = 0;
  for (int trial = 0; trial < test::trials(100); ++trial) {
    CAPTURE(trial);
    const ClosedMjcf closed = random_closed_mjcf(random);
    const std::string path = written("closed.xml", closed.text);
    Comparison result;
    try {
      const Mechanism mechanism = imported(path, {.actuate = closed.driven}).nominal;
      result = compared(mechanism, random_motion(random, mechanism, 0.0, 0.1), path, 9);
    } catch (const std::exception&) {
      continue;  // such joints do not determine the others, or not so far
    }
    CAPTURE(result.missing, result.largest, result.open);
    REQUIRE(result.missing <= 1e-8 * result.largest);
    REQUIRE(result.open <= 1e-8);
    ++held;
  }
  CHECK(held >= test::trials(100) / 2);
}
