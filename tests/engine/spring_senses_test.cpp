#include <catch2/catch.hpp>
#include <map>

#include "engine/evaluation/evaluator.hpp"
#include "tests/support/flat.hpp"
#include "tests/support/random_mechanism.hpp"
#include "tests/support/simulation.hpp"
#include "tests/support/trials.hpp"

using namespace counterpoise;
using namespace counterpoise::test;

namespace {

/// A mass on a vertical slide, which goes from 0 to 4 m in samples 0, 0.5, 2, 3.5, 4 m; its spring
/// hangs at 9 m, so that it is 9, 8.5, 7, 5.5 and 5 m long.
Mechanism lift(const Spring& spring) {
  Flat flat;
  const int slide = flat.prismatic(world_body, 0.0, 0.0, Vec3d::UnitY());
  flat.load(slide, 2.0, 0.0);
  flat.motor(slide);
  flat.mechanism.springs.push_back(spring);
  flat.mechanism.springs[0].name = "coil";
  flat.mechanism.springs[0].points = {flat.point(world_body, 0.0, 9.0),
                                      flat.point(slide, 0.0, 0.0)};
  return flat.mechanism;
}

Motion up() {
  return drive(4.0, 1.0, {BangBang{0.0, 1.0}});
}

/// 2 N/m from 6 m on: tensions 6, 5, 2, -1, -2 N and more by `initial_tension`.
Spring spring(SpringType type, SpringActs acts, double initial_tension = 0.0) {
  Spring spring;
  spring.type = type;
  spring.acts = acts;
  spring.rate = 2.0;
  spring.free_length = 6.0;
  spring.initial_tension = initial_tension;
  return spring;
}

std::vector<std::string> broken_limits(const Spring& spring) {
  const Mechanism mechanism = lift(spring);
  std::vector<std::string> words;
  for (const Finding& finding : run(mechanism, up()).broken_limits)
    words.push_back(describe(finding, mechanism));
  return words;
}

std::vector<std::string> wrong_senses(const Spring& spring) {
  const Mechanism mechanism = lift(spring);
  std::vector<std::string> words;
  for (const Finding& finding : run(mechanism, up()).wrong_senses)
    words.push_back(describe(finding, mechanism));
  std::vector<std::string> evaluated;
  for (const Finding& finding : Evaluator(mechanism, up()).find_wrong_senses(mechanism))
    evaluated.push_back(describe(finding, mechanism));
  CHECK(evaluated == words);
  return words;
}

using Words = std::vector<std::string>;

}  // namespace

TEST_CASE("a spring that only pulls or only pushes breaks a limit where it would do the other") {
  CHECK(broken_limits(spring(SpringType::coil, SpringActs::pull)) ==
        Words{"spring coil would have to push at t=3 s (tension -1 N)",
              "spring coil shorter than free_length at t=3 s (5.5 m against 6 m)"});
  // coils that are pressed together by 4 N do not push here, and are closed below 6 m all the same
  CHECK(broken_limits(spring(SpringType::extension, SpringActs::pull, 4.0)) ==
        Words{"spring coil shorter than free_length at t=3 s (5.5 m against 6 m)"});
  CHECK(broken_limits(spring(SpringType::coil, SpringActs::push)) ==
        Words{"spring coil would have to pull at t=0 s (tension 6 N)",
              "spring coil longer than free_length at t=0 s (9 m against 6 m)"});
  CHECK(broken_limits(spring(SpringType::compression, SpringActs::push, -7.0)) ==
        Words{"spring coil longer than free_length at t=0 s (9 m against 6 m)"});
  CHECK(broken_limits(spring(SpringType::coil, SpringActs::both)).empty());
  CHECK(broken_limits(spring(SpringType::coil, SpringActs::unsaid)).empty());
}

TEST_CASE("of a gas spring only the sign of its tension counts") {
  const auto gas = [](SpringActs acts, double initial_tension, double rate = 0.0) {
    Spring made = spring(SpringType::gas, acts, initial_tension);
    made.rate = rate;
    return broken_limits(made);
  };
  CHECK(gas(SpringActs::pull, 5.0).empty());
  CHECK(gas(SpringActs::push, -5.0).empty());
  CHECK(gas(SpringActs::pull, -5.0) ==
        Words{"spring coil would have to push at t=0 s (tension -5 N)"});
  CHECK(gas(SpringActs::push, 5.0) ==
        Words{"spring coil would have to pull at t=0 s (tension 5 N)"});
  // -5 N at 6 m, and from 9 m on: 1 N there
  CHECK(gas(SpringActs::push, -5.0, 2.0) ==
        Words{"spring coil would have to pull at t=0 s (tension 1 N)"});
  CHECK(gas(SpringActs::push, -7.0, 2.0).empty());
}

TEST_CASE("a tension of zero within the slack of limits is neither a pull nor a push") {
  Spring slack = spring(SpringType::coil, SpringActs::pull, 0.0);
  slack.free_length = 5.0;
  CHECK(broken_limits(slack).empty());
  const double rounding = slack_of(0.0, size_of_tension(slack, 9.0));  // 9 m is its largest length
  slack.initial_tension = -0.9 * rounding;
  CHECK(broken_limits(slack).empty());
  slack.initial_tension = -1.1 * rounding;
  CHECK(broken_limits(slack).size() == 1);
  slack.initial_tension = 0.0;
  slack.rate = 0.0;
  slack.free_length = 5.0 * (1.0 + 0.9e-9);
  CHECK(broken_limits(slack).empty());
  slack.free_length = 5.0 * (1.0 + 1.1e-9);
  CHECK(broken_limits(slack).size() == 1);
}

TEST_CASE("a spring that acts against its type is reported where it does so most") {
  const Words pushes{"spring coil would have to push at t=4 s (tension -2 N)"};
  const Words pulls{"spring coil would have to pull at t=0 s (tension 6 N)"};
  CHECK(wrong_senses(spring(SpringType::extension, SpringActs::unsaid)) == pushes);
  CHECK(wrong_senses(spring(SpringType::compression, SpringActs::unsaid)) == pulls);
  // whether a coil spring is an extension spring only an initial tension tells
  CHECK(wrong_senses(spring(SpringType::coil, SpringActs::unsaid)).empty());
  CHECK(wrong_senses(spring(SpringType::coil, SpringActs::unsaid, 1.0)) ==
        Words{"spring coil would have to push at t=4 s (tension -1 N)"});
  CHECK(wrong_senses(spring(SpringType::coil, SpringActs::unsaid, 4.0)) ==
        Words{"spring coil shorter than free_length at t=4 s (5 m against 6 m)"});
  for (const SpringActs said : {SpringActs::both, SpringActs::pull, SpringActs::push})
    CHECK(wrong_senses(spring(SpringType::extension, said)).empty());
  CHECK(wrong_senses(spring(SpringType::gas, SpringActs::unsaid, -5.0)).empty());
  Spring long_enough = spring(SpringType::extension, SpringActs::unsaid);
  long_enough.free_length = 5.0;
  CHECK(wrong_senses(long_enough).empty());
}

TEST_CASE("the senses of springs on random mechanisms agree with the simulated columns") {
  Random random(20261124);
  std::map<FindingKind, int> seen;
  for (int trial = 0; trial < 120; ++trial) {
    CAPTURE(trial);
    Sample sample = random_sample(random, {.tree_bodies = 4, .duration = 0.37, .step = 0.01});
    for (Spring& one : sample.mechanism.springs)
      if (one.type != SpringType::torsion)
        one.acts = random.uniform(0.0, 1.0) < 0.5 ? SpringActs::pull : SpringActs::push;
    const Simulation simulation = run(sample.mechanism, sample.motion);
    for (std::size_t s = 0; s < sample.mechanism.springs.size(); ++s) {
      const Spring& one = sample.mechanism.springs[s];
      if (one.type == SpringType::torsion) continue;
      const auto& lengths = column(simulation, one.name + ".length");
      const auto& tensions = column(simulation, one.name + ".tension");
      const bool pull = one.acts == SpringActs::pull;
      const auto first = [&](const std::vector<double>& values, double bound) {
        for (std::size_t k = 0; k < values.size(); ++k)
          if (pull ? values[k] < bound - 1e-8 : values[k] > bound + 1e-8)
            return static_cast<int>(k);
        return -1;
      };
      const auto check = [&](FindingKind kind, int sample_expected) {
        CAPTURE(static_cast<int>(kind));
        int found = -1;
        for (const Finding& finding : simulation.broken_limits)
          if (finding.kind == kind && finding.element == static_cast<int>(s))
            found = static_cast<int>(std::lround(finding.time / 0.01));
        CHECK(found == sample_expected);
        seen[kind] += found >= 0;
      };
      check(pull ? FindingKind::spring_pushes : FindingKind::spring_pulls, first(tensions, 0.0));
      check(pull ? FindingKind::spring_pulls : FindingKind::spring_pushes, -1);
      const bool coil = one.type != SpringType::gas;
      check(pull ? FindingKind::spring_below_free_length : FindingKind::spring_above_free_length,
            coil ? first(lengths, one.free_length) : -1);
    }
  }
  CHECK(seen.size() == 4);
  for (const auto& [kind, count] : seen) CHECK(count > 0);
}

TEST_CASE("a broken limit does not hide that a spring acts against what it is built for") {
  Spring pushes = spring(SpringType::extension, SpringActs::unsaid);
  const Words words = wrong_senses(pushes);
  CHECK(words.size() == 1);
  pushes.max_length = 1.0;
  CHECK(wrong_senses(pushes) == words);
}

namespace {

/// 2 N/m from 6 m on, slack on one side of that.
Spring slack(GoesSlack side, double initial_tension) {
  Spring made = spring(side == GoesSlack::below ? SpringType::extension : SpringType::compression,
                       SpringActs::unsaid, initial_tension);
  made.slack = side;
  return made;
}

std::vector<double> tensions(const Spring& of) {
  return column(run(lift(of), up()), "coil.tension");
}

}  // namespace

TEST_CASE("a spring that may go slack has no tension beyond its free length, and breaks no limit") {
  // 9, 8.5, 7, 5.5 and 5 m long
  CHECK(tensions(slack(GoesSlack::below, 0.0)) == std::vector<double>{6, 5, 2, 0, 0});
  CHECK(tensions(slack(GoesSlack::below, 4.0)) == std::vector<double>{10, 9, 6, 0, 0});
  CHECK(tensions(slack(GoesSlack::below, -3.0)) == std::vector<double>{3, 2, 0, 0, 0});
  CHECK(tensions(slack(GoesSlack::above, 0.0)) == std::vector<double>{0, 0, 0, -1, -2});
  CHECK(tensions(slack(GoesSlack::above, -4.0)) == std::vector<double>{0, 0, 0, -5, -6});
  CHECK(tensions(slack(GoesSlack::above, 1.5)) == std::vector<double>{0, 0, 0, 0, -0.5});
  for (const GoesSlack side : {GoesSlack::below, GoesSlack::above}) {
    Spring own = slack(side, 0.0);
    CHECK(broken_limits(own).empty());
    CHECK(wrong_senses(own).empty());
    own.max_load = side == GoesSlack::below ? 5.5 : 1.5;
    CHECK(broken_limits(own).size() == 1);
    own.max_load = side == GoesSlack::below ? 6.5 : 2.5;
    CHECK(broken_limits(own).empty());
  }
}

TEST_CASE("the energy of a spring that may go slack is the sum of its tension along its way") {
  for (const double initial : {0.0, 4.0, -3.0})
    for (const double rate : {0.0, 2.0})
      for (const GoesSlack side : {GoesSlack::never, GoesSlack::below, GoesSlack::above}) {
        Spring own = slack(GoesSlack::below, initial);
        own.slack = side;
        own.rate = rate;
        for (const double end : {3.0, 5.5, 6.0, 6.5, 7.5, 9.0}) {
          CAPTURE(initial, rate, static_cast<int>(side), end);
          constexpr int steps = 30000;
          const double step = (end - own.free_length) / steps;
          double work = 0.0;
          for (int k = 0; k < steps; ++k)
            work += tension_of(own, own.free_length + (k + 0.5) * step) * step;
          CHECK(energy_of(own, end) == Approx(work).margin(1e-6));
        }
      }
}

TEST_CASE("loads of random mechanisms add up from the tensions of springs that may go slack") {
  Random random(20261130);
  int slack_samples = 0, taut_samples = 0;
  for (int trial = 0; trial < test::trials(300); ++trial) {
    CAPTURE(trial);
    Sample sample = random_sample(random, {.tree_bodies = 4, .duration = 0.37, .step = 0.01});
    Mechanism& mechanism = sample.mechanism;
    const Simulation bare = run(mechanism, sample.motion, {.springs = false});
    std::vector<std::vector<double>> expected;
    for (const Actuator& actuator : mechanism.actuators)
      expected.push_back(column(bare, actuator.name + ".load"));
    for (Spring& one : mechanism.springs) {
      if (one.is_cable()) continue;
      const bool torsion = one.type == SpringType::torsion;
      Mechanism pulled = mechanism;  // by 1 N, by this spring alone
      for (Spring& other : pulled.springs) {
        other.rate = 0.0;
        other.initial_tension = other.name == one.name ? 1.0 : 0.0;
        other.acts = SpringActs::both;
      }
      const Simulation by_one = run(pulled, sample.motion);
      const std::vector<double> lengths =
          column(by_one, one.name + (torsion ? ".angle" : ".length"));
      const auto [least, most] = std::minmax_element(lengths.begin(), lengths.end());
      const bool pulls = random.uniform(0.0, 1.0) < 0.5;
      if (!torsion) one.type = pulls ? SpringType::extension : SpringType::compression;
      one.slack = pulls ? GoesSlack::below : GoesSlack::above;
      one.acts = SpringActs::unsaid;
      one.free_length = random.uniform(*least, *most);
      one.initial_tension = pulls ? 3.0 : -3.0;
      for (std::size_t a = 0; a < mechanism.actuators.size(); ++a) {
        const auto& per_newton = column(by_one, mechanism.actuators[a].name + ".load");
        const auto& without = column(bare, mechanism.actuators[a].name + ".load");
        for (std::size_t k = 0; k < lengths.size(); ++k) {
          const double way = lengths[k] - one.free_length;
          const bool taut = pulls ? way >= 0.0 : way <= 0.0;
          if (taut)
            expected[a][k] += (per_newton[k] - without[k]) * (one.initial_tension + one.rate * way);
          ++(taut ? taut_samples : slack_samples);
        }
      }
    }
    std::erase_if(mechanism.springs, [](const Spring& one) { return !one.may_go_slack(); });
    Evaluator evaluator(mechanism, sample.motion);
    for (const Lanes lanes : {Lanes::pack, Lanes::one}) {
      const Simulation found = run(mechanism, sample.motion, {.lanes_of_samples = lanes});
      for (std::size_t a = 0; a < mechanism.actuators.size(); ++a) {
        const auto& loads = column(found, mechanism.actuators[a].name + ".load");
        const double size = peak(expected[a]) + 1.0;
        for (std::size_t k = 0; k < loads.size(); ++k)
          REQUIRE(loads[k] == Approx(expected[a][k]).margin(1e-8 * size));
      }
    }
    // whatever was evaluated between: the same numbers again
    Metrics first, again;
    REQUIRE(!evaluator.evaluate(mechanism, {.limits = false}, first));
    Mechanism other = mechanism;
    for (Spring& one : other.springs) one.free_length *= 1.1;
    REQUIRE(!evaluator.evaluate(other, {.limits = false}, again));
    Metrics alone;
    REQUIRE(!Evaluator(other, sample.motion).evaluate(other, {.limits = false}, alone));
    for (std::size_t a = 0; a < mechanism.actuators.size(); ++a)
      CHECK(again.actuators[a].rms == alone.actuators[a].rms);
    REQUIRE(!evaluator.evaluate(mechanism, {.limits = false}, again));
    for (std::size_t a = 0; a < mechanism.actuators.size(); ++a) {
      CHECK(first.actuators[a].max == again.actuators[a].max);
      CHECK(first.actuators[a].rms == again.actuators[a].rms);
      CHECK(first.actuators[a].max ==
            Approx(peak(expected[a])).margin(1e-8 * (peak(expected[a]) + 1.0)));
    }
  }
  CHECK(slack_samples > 300);
  CHECK(taut_samples > 300);
}
