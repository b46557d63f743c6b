#include <algorithm>
#include <catch2/catch.hpp>

#include "input/definition/parametric_motion.hpp"
#include "input/reading/read.hpp"
#include "tests/oracles/charmie_reactions.hpp"
#include "tests/oracles/energy.hpp"
#include "tests/support/simulation.hpp"

using namespace counterpoise;

namespace {

using oracle::CharmieInstant;
using oracle::CharmieShares;
using oracle::Load;

const std::string folder = COUNTERPOISE_SOURCE_DIR "/examples/charmie40/";

/// One sample of a run.
struct Sample {
  const Mechanism& mechanism;
  const Simulation& run;
  std::size_t k;
  std::vector<double> q, v, a;
  std::vector<Eigen::Matrix4d> poses = oracle::world_poses(mechanism, q);

  [[nodiscard]] double at(const std::string& name) const { return test::column(run, name)[k]; }
  [[nodiscard]] Load wrench(const std::string& stem) const {
    return {{at(stem + ".fx"), at(stem + ".fy"), at(stem + ".fz")},
            {at(stem + ".mx"), at(stem + ".my"), at(stem + ".mz")}};
  }
  [[nodiscard]] Mat3d turn(const std::string& body) const {
    for (std::size_t b = 0; b < poses.size(); ++b)
      if (mechanism.bodies[b].name == body) return poses[b].topLeftCorner<3, 3>();
    throw std::runtime_error("no " + body);
  }
  /// Turns a load from one body's axes to another's.
  [[nodiscard]] Load turned(const Load& load, const std::string& from,
                            const std::string& to) const {
    const Mat3d rotation = turn(to).transpose() * turn(from);
    return {rotation * load.force, rotation * load.moment};
  }
};

/// Force against the largest component of the force, moment likewise. A moment that consists of
/// rounding alone is that of forces at arms of a metre at most.
void check(const Sample& now, const std::string& stem, const Load& expected) {
  const Load found = now.wrench(stem);
  const double force = expected.force.cwiseAbs().maxCoeff();
  const double moment = expected.moment.cwiseAbs().maxCoeff();
  const double off_force = (found.force - expected.force).cwiseAbs().maxCoeff();
  const double off_moment = (found.moment - expected.moment).cwiseAbs().maxCoeff();
  constexpr double rounding = 1e-12;  // of several hundred N in the sums
  CAPTURE(stem, now.at("t"), found.force.transpose(), expected.force.transpose(),
          found.moment.transpose(), expected.moment.transpose());
  REQUIRE(off_force <= 1e-9 * force + rounding);
  REQUIRE(off_moment <= 1e-9 * moment + rounding);
}

Load opposite(const Load& load) {
  return {-load.force, -load.moment};
}

/// The same wrench about a place that lies at `arm` from where it acts.
Load about(const Load& load, const Vec3d& arm) {
  return {load.force, load.moment - arm.cross(load.force)};
}

void check_actuator(const Sample& now, const std::string& name, const Load& pin,
                    const std::string& held, const Vec3d& direction) {
  check(now, name + "_pin.closure", pin);
  const Load rod = now.turned(pin, held, name + "_rod");
  check(now, name + "_rod.reaction", rod);
  const double length = now.at(name + ".position");
  check(now, name + "_tube.reaction", about(rod, Vec3d(0, 0, -length)));
  const double load = direction.dot(pin.force);
  CAPTURE(name, load, now.at(name + ".load"));
  REQUIRE(std::abs(now.at(name + ".load") - load) <= 1e-9 * std::abs(load));
}

void check_side(const Sample& now, const std::string& side, const CharmieShares::Crank& crank,
                double slider_height) {
  check(now, side + "_crank_pin.closure", crank.pin);
  // the torso holds the slider, without mass, against the crank
  check(now, side + "_slider.reaction", opposite(about(crank.pin, {0, 0, slider_height})));
  check(now, side + "_crank.reaction", now.turned(crank.pivot, "torso", side + "_crank"));
  check(now, side + "_lift_spring_pin.closure",
        now.turned(crank.spring_pin, "torso", side + "_crank"));
  check(now, side + "_lift_spring_upper.reaction",
        now.turned(crank.spring_pin, "torso", side + "_lift_spring_upper"));
  check(now, side + "_lift_spring_lower.reaction", {});
}

void check_shares(const Sample& now, const CharmieInstant& known, const CharmieShares& shares) {
  check(now, "trunk.reaction", shares.trunk);
  check(now, "torso.reaction", shares.torso);
  check_actuator(now, "lean", shares.lean_pin, "trunk",
                 (known.lean_pin - known.lean_foot).normalized());
  check_actuator(now, "lift", shares.lift_pin, "torso",
                 (known.lift_pin - known.lift_foot).normalized());
  check(now, "lean_spring_pin.closure", shares.lean_spring_pin);
  check(now, "lean_spring_lower.reaction",
        now.turned(shares.lean_spring_pin, "trunk", "lean_spring_lower"));
  check(now, "lean_spring_upper.reaction", {});
  check_side(now, "left", shares.cranks[0], 0.05);
  check_side(now, "right", shares.cranks[1], 0.05);
}

}  // namespace

TEST_CASE("CHARMIE-40's joints share what holds trunk and torso as the papers' equations say") {
  const std::string name = GENERATE("validation", "published", "squat", "reach");
  CAPTURE(name);
  const Model model = read_model(folder + "model.json", read_text_file);
  const Motion motion =
      read_motion(folder + "motion_" + name + ".json", model, read_text_file).nominal;
  REQUIRE(motion.inertia);
  const Simulation run = test::run(model.nominal, motion, {.reactions = true});
  CHECK(run.open_reactions == 0);
  const auto q = test::joint_samples(run, model.nominal, ".q");
  const auto v = test::joint_samples(run, model.nominal, ".qd");
  const auto a = test::joint_samples(run, model.nominal, ".qdd");
  for (std::size_t k = 0; k < q.size(); ++k) {
    const Sample now{model.nominal, run, k, q[k], v[k], a[k]};
    const CharmieInstant known = oracle::charmie_instant(model.nominal, q[k], v[k], a[k]);
    {
      INFO("paper 000, eqs. 33-43");
      check_shares(now, known, oracle::shares_of_paper_000(known));
    }
    INFO("paper 001, eqs. 5-25");
    check_shares(now, known, oracle::shares_of_paper_001(known));
  }
}
