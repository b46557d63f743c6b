#include "studies/robustness.hpp"

#include "tests/studies/toleranced_arm.hpp"
#include "tests/support/random.hpp"

using namespace counterpoise;
using namespace counterpoise::test;

namespace {

constexpr std::array<const char*, 5> statistics = {"max", "mean", "rms", "energy", "peak_power"};
constexpr std::array<double Plain::*, 5> plain_numbers = {&Plain::max, &Plain::mean, &Plain::rms,
                                                          &Plain::energy, &Plain::peak_power};

std::string objective_of(const std::string& statistic) {
  return R"("objectives": [{"name": "loaded", "minimize": ")" + statistic +
         R"(", "of": ["shoulder"]}])";
}

/// All 32 corners of the springs.
std::vector<std::array<double, 6>> spring_corners(double height_share) {
  std::vector<std::array<double, 6>> corners;
  for (unsigned bits = 0; bits < 32; ++bits) {
    std::array<double, 6> at{};
    for (unsigned d = 0; d < 5; ++d) at[d] = static_cast<double>((bits >> d) & 1U);
    at[5] = height_share;
    corners.push_back(at);
  }
  return corners;
}

/// A pendulum with its springs from a post to itself, without inertia: by hand, a spring of rate k
/// without free length and tension gives the torque k * post * mount * cos(angle).
constexpr double weight = 3.0 * 9.81 * 0.25;
std::string pendulum(const std::string& springs) {
  return R"({"format": "counterpoise-model/1",
"parameters": {"rate": 147.15, "tension": 0, "free": 0, "post": 0.5, "strength": 1000},
"world": {"points": {"above": [0, 0, "post"], "below": [0, 0, "-post"], "beside": [0.1, 0, 0]}},
"bodies": [{"name": "arm", "parent": "world", "joint": {"type": "revolute", "axis": [0, -1, 0]},
 "mass": 3, "com": [0.25, 0, 0], "inertia": [0, 0.1, 0.1, 0, 0, 0],
 "points": {"mount": [0.1, 0, 0]}}],
"springs": [)" +
         springs + R"(],
"actuators": [{"name": "motor", "joint": "arm", "max_load": "strength"}]})";
}
const std::string upper =
    R"({"name": "upper", "connect": ["world.above", "arm.mount"], "rate": "rate",
"initial_tension": "tension"})";
const std::string lower =
    R"({"name": "lower", "connect": ["world.below", "arm.mount"], "rate": "rate",
"initial_tension": "tension"})";

const std::string swing_of_motor =
    R"({"format": "counterpoise-motion/1", "duration": 1, "step": 0.01,
"inertia": false, "coordinates": {"motor":
{"type": "point-to-point", "from": 0, "to": 0.8, "profile": "trapezoid"}}})";

Study pendulum_study(const std::string& springs, const std::string& of,
                     const std::string& statistic) {
  Files files = arm_files(R"({"format": "counterpoise-study/1", "model": "model.json",
"motions": {"swing": "slow.json"}, "variables": {"post": {"values": [0.5]}},
"sampling": {"method": "grid"}, "objectives": [{"name": "load", "minimize": ")" +
                          statistic + R"(", "of": ["motor"]}])" + tolerances_of(of, 8) + "}");
  files["model.json"] = pendulum(springs);
  files["slow.json"] = swing_of_motor;
  return study_of(files);
}

}  // namespace

TEST_CASE("a balanced pendulum is off balance by its spring's tolerance") {
  // nominal: rate * post * mount = weight, so that no load is left
  const Study study = pendulum_study(upper, R"("rate": {"percent": 8})", "max");
  const WorstOf found(study);
  CHECK(found.samples.empty());
  CHECK(found.box.spring_parts().size() == 1);
  REQUIRE_FALSE(found.worst.infeasible);
  CHECK(found.worst.value == Approx(147.15 * 0.08 * 0.5 * 0.1).epsilon(1e-12));  // at angle 0

  // with the post sampled, its corners included: (1 + 8 %)(1 + 2 %) is the farthest from 1
  const Study both = pendulum_study(
      upper, R"("rate": {"percent": 8}, "post": {"plus_minus": 10, "unit": "mm"})", "max");
  const WorstOf with_post(both);
  CHECK(with_post.samples.size() == 2 + 8);
  CHECK(with_post.worst.value == Approx(weight * (1.08 * 1.02 - 1.0)).epsilon(1e-12));
}

TEST_CASE("springs that share a parameter deviate each on its own") {
  // the two pull in opposite directions: together they cancel, whatever their common rate
  const Study study = pendulum_study(upper + ", " + lower, R"("rate": {"percent": 8})", "max");
  const WorstOf found(study);
  CHECK(found.box.spring_parts().size() == 2);
  REQUIRE_FALSE(found.worst.infeasible);
  CHECK(found.worst.value == Approx(weight * (1.0 + 2.0 * 0.08)).epsilon(1e-12));
}

TEST_CASE("the worst case of every statistic is that of the worst corner written out") {
  for (std::size_t i = 0; i < statistics.size(); ++i) {
    CAPTURE(statistics[i]);
    const Study study = toleranced(objective_of(statistics[i]) + tolerances_of(spring_tolerances));
    const WorstOf found(study);
    REQUIRE_FALSE(found.worst.infeasible);
    CHECK_FALSE(found.worst.upper_bound);
    CHECK(found.box.spring_parts().size() == 5);
    double expected = 0.0;
    for (const auto& corner : spring_corners(0.5))
      expected = std::max(expected, Run(written_out(made_at(corner)), swing).actuator("shoulder").*
                                        plain_numbers[i]);
    CHECK(found.worst.value == Approx(expected).epsilon(summation));
  }
}

TEST_CASE("sampled parameters are looked at where box_samples says, with all corners of springs") {
  const Study study =
      toleranced(objective_of("max") + tolerances_of(spring_tolerances + ", " + height_tolerance));
  const WorstOf found(study);
  REQUIRE(found.samples.size() == 2 + 4);
  double expected = 0.0;
  std::vector<double> heights = {0.5};
  for (const auto& sample : found.samples) heights.push_back(sample[0]);
  for (const double height : heights)
    for (const auto& corner : spring_corners(height))
      expected =
          std::max(expected, Run(written_out(made_at(corner)), swing).actuator("shoulder").max);
  CHECK(found.worst.value == Approx(expected).epsilon(summation));
}

TEST_CASE("a motion that follows a parameter moves with it") {
  const auto hold = [](const std::string& value) {
    return R"({"format": "counterpoise-motion/1", "duration": 1, "step": 0.1, "coordinates":
{"shoulder": {"type": "hold", "value": )" +
           value + "}}}";
  };
  const Study study = toleranced(objective_of("max") + tolerances_of(R"("rate": {"percent": 10})"),
                                 R"({"swing": )" + hold(R"("rate / 400")") + "}");
  const WorstOf found(study);
  REQUIRE(found.samples.size() == 2 + 4);
  double expected = 0.0;
  std::vector<double> shares = {0.5};
  for (const auto& sample : found.samples) shares.push_back(sample[0]);
  for (const double share : shares) {
    const Made made = made_at({share, share, 0.5, 0.5, 0.5, 0.5});
    const Run run(written_out(made), hold(fmt::format("{}", made.lift_rate / 400.0)));
    expected = std::max(expected, run.actuator("shoulder").max);
  }
  CHECK(found.worst.value == Approx(expected).epsilon(summation));
}

TEST_CASE("several motions are combined corner by corner") {
  const Study study =
      toleranced(objective_of("mean") + tolerances_of(spring_tolerances), both_motions);
  const WorstOf found(study);
  double expected = 0.0;
  for (const auto& corner : spring_corners(0.5)) {
    const std::string text = written_out(made_at(corner));
    const double swung = Run(text, swing).actuator("shoulder").mean;  // 2 s, weight 1
    const double folded = Run(text, fold).actuator("shoulder").mean;  // 1 s, weight 3
    expected = std::max(expected, (2.0 * swung + 3.0 * folded) / 5.0);
  }
  CHECK(found.worst.value == Approx(expected).epsilon(summation));
}

TEST_CASE("an expression is taken at the same corner for all its metrics") {
  const std::string expression = R"members("objectives": [{"name": "loaded",
"expression": "max(shoulder.max / without_springs.shoulder.max, elbow.mean / 2) + elbow.rms"}])members";
  const Study study = toleranced(expression + tolerances_of(spring_tolerances));
  const WorstOf found(study);
  const double springless = Run(written_out({}), swing, false).actuator("shoulder").max;
  double expected = 0.0;
  for (const auto& corner : spring_corners(0.5)) {
    const Run run(written_out(made_at(corner)), swing);
    const Plain shoulder = run.actuator("shoulder"), elbow = run.actuator("elbow");
    expected =
        std::max(expected, std::max(shoulder.max / springless, elbow.mean / 2.0) + elbow.rms);
  }
  CHECK(found.worst.value == Approx(expected).epsilon(summation));
}

TEST_CASE("no random design is worse than the worst case") {
  for (const char* statistic : statistics) {
    CAPTURE(statistic);
    const Study study = toleranced(objective_of(statistic) + tolerances_of(spring_tolerances));
    const WorstOf found(study);
    Evaluator evaluator(study.model->nominal, study.motions[0].motion.nominal);
    Random random(7);
    Mechanism mechanism = study.model->nominal;
    CaseMetrics metrics;
    double largest = 0.0;
    for (int trial = 0; trial < 10000; ++trial) {
      for (Spring& spring : mechanism.springs) {
        spring.rate = 300.0 * random.uniform(0.9, 1.1);
        spring.free_length = random.uniform(0.095, 0.105);
      }
      mechanism.springs[0].initial_tension = random.uniform(3.5, 6.5);
      REQUIRE_FALSE(evaluator.evaluate(mechanism, {}, metrics));
      const MetricPlace place(MetricOf::actuator, 0,
                              static_cast<int>(study.objectives[0].statistic));
      largest = std::max(largest, place.of(metrics));
    }
    CHECK(largest <= found.worst.value * (1.0 + summation));
    CHECK(largest > 0.9 * found.worst.value);  // and the box is filled
  }
}

TEST_CASE("a limit broken at one corner only makes the worst case infeasible, in words") {
  const auto worst_with = [](const std::string& was, const std::string& is) {
    Files files = arm_files(
        arm_study(R"("variables": {"load": {"values": [2]}}, "sampling": {"method": "grid"}, )" +
                  objective_of("max") + tolerances_of(spring_tolerances)));
    files["model.json"] = with(shared_arm(), was, is);
    const Study study = study_of(files);
    return WorstOf(study).worst;
  };
  // the largest tension and load at any corner, by plain loops
  double tension = 0.0, load = 0.0;
  for (const auto& corner : spring_corners(0.5)) {
    const Run run(written_out(made_at(corner)), swing);
    tension = std::max(tension, run.spring("help").max_tension);
    load = std::max(load, run.actuator("shoulder").max);
  }
  const std::string help = R"({"name": "help",)";
  for (const double share : {1.0 + 1e-6, 1.0 - 1e-6}) {
    const bool broken = share < 1.0;
    const WorstCase by_tension =
        worst_with(help, help + fmt::format(R"( "max_load": {},)", tension * share));
    CHECK(by_tension.infeasible == broken);
    if (broken)
      CHECK_THAT(by_tension.reason, Catch::StartsWith("spring help loaded beyond max_load at t="));
    const WorstCase by_load =
        worst_with(R"("strongest": 1000)", fmt::format(R"("strongest": {})", load * share));
    CHECK(by_load.infeasible == broken);
    if (broken)
      CHECK_THAT(by_load.reason, Catch::StartsWith("actuator shoulder loaded beyond max_load"));
  }
  // a limit that follows the free length deviates with it
  const double shortest = Run(written_out({}), swing).spring("lift").min_length;
  const auto follows = [&](double free) {
    std::string text = with(shared_arm(), R"("shortest": 0)", R"("shortest": "free")");
    Files files = arm_files(
        arm_study(R"("variables": {"load": {"values": [2]}}, "sampling": {"method": "grid"}, )" +
                  objective_of("max") + tolerances_of(spring_tolerances)));
    files["model.json"] = with(text, "\"free\": 0.1", fmt::format("\"free\": {}", free));
    const Study study = study_of(files);
    const WorstOf found(study);
    CHECK(found.box.sampled().empty());
    return found.worst;
  };
  CHECK_FALSE(follows(shortest - 0.0051).infeasible);
  CHECK_THAT(follows(shortest - 0.0049).reason,
             Catch::StartsWith("spring lift shorter than min_length at t="));
}

TEST_CASE("a spring whose ends meet is under tension at a corner, and has no direction there") {
  // in the first pose the mount is at the post
  const std::string across = R"({"name": "across", "connect": ["world.beside", "arm.mount"],
"rate": "rate", "free_length": "free"})";
  const WorstOf stiffer(pendulum_study(across, R"("rate": {"percent": 8})", "max"));
  CHECK_FALSE(stiffer.worst.infeasible);
  const WorstOf longer(
      pendulum_study(across, R"("free": {"plus_minus": 0.01, "unit": "mm"})", "max"));
  CHECK(longer.box.sampled().empty());
  CHECK(longer.worst.infeasible);
  CHECK_THAT(longer.worst.reason, Catch::StartsWith("spring across has no direction at t=0 s: "));
}

TEST_CASE("a constraint broken at a corner or sample makes the worst case infeasible") {
  const std::string constraint = R"(, "constraints": [{"name": "room",
"expression": "shoulder.max", "max": LIMIT}])";
  double load = 0.0;
  for (const auto& corner : spring_corners(0.5))
    load = std::max(load, Run(written_out(made_at(corner)), swing).actuator("shoulder").max);
  for (const double share : {1.0 + 1e-6, 1.0 - 1e-6}) {
    const Study study = toleranced(objective_of("max") +
                                   with(constraint, "LIMIT", fmt::format("{}", load * share)) +
                                   tolerances_of(spring_tolerances));
    const WorstCase worst = WorstOf(study).worst;
    CHECK(worst.infeasible == (share < 1.0));
    if (worst.infeasible) CHECK_THAT(worst.reason, Catch::StartsWith("constraint room is "));
  }
}

TEST_CASE("with too many corners peaks are exact and all else is said to be an upper bound") {
  // five springs alike at one place: 15 numbers, 32768 corners; each sample is worst with all five
  // at the same corner of theirs
  const auto five = [](const std::string& rate, const std::string& tension,
                       const std::string& free) {
    std::string springs;
    for (int i = 0; i < 5; ++i)
      springs += fmt::format(R"({}{{"name": "s{}", "connect": ["world.above", "arm.mount"],
"rate": {}, "initial_tension": {}, "free_length": {}}})",
                             i == 0 ? "" : ", ", i, rate, tension, free);
    return pendulum(springs);
  };
  const std::string of = R"("rate": {"percent": 8}, "tension": {"plus_minus": 2},
"free": {"plus_minus": 0.01})";
  const auto worst_of = [&](const std::string& statistic) {
    Files files = arm_files(R"({"format": "counterpoise-study/1", "model": "model.json",
"motions": {"swing": "slow.json"}, "variables": {"strength": {"values": [1000]}},
"sampling": {"method": "grid"}, "objectives": [{"name": "load", "minimize": ")" +
                            statistic + R"(", "of": ["motor"]}])" + tolerances_of(of) + "}");
    files["model.json"] = five("\"rate\"", "\"tension\"", "\"free\"");
    files["slow.json"] = swing_of_motor;
    const Study study = study_of(files);
    const WorstOf found(study, {0.0});
    CHECK(found.box.spring_parts().size() == 15);
    return found.worst;
  };
  double peak = 0.0, mean = 0.0;
  for (const char* rate : {"135.378", "158.922"})
    for (const char* tension : {"-2", "2"})
      for (const char* free : {"0", "0.01"}) {  // cut off at 0
        const Plain motor = Run(five(rate, tension, free), swing_of_motor).actuator("motor");
        peak = std::max(peak, motor.max);
        mean = std::max(mean, motor.mean);
      }
  const WorstCase by_peak = worst_of("max"), by_mean = worst_of("mean");
  CHECK(by_peak.value == Approx(peak).epsilon(1e-9));
  CHECK_FALSE(by_peak.upper_bound);
  CHECK(by_mean.value >= mean * (1.0 - summation));
  CHECK(by_mean.value < 1.2 * mean);
  CHECK(by_mean.upper_bound);
}
