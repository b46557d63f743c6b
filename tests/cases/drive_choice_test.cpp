#include "drives/choice.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>

#include "tests/support/random_drives.hpp"
#include "tests/support/trials.hpp"

using namespace counterpoise;
using namespace counterpoise::test;

namespace {

using Trial = DriveTrial;

double price(const Trial& trial, const DrivePair& pair) {
  return trial.motors[static_cast<std::size_t>(pair.motor)].price +
         (pair.gearbox < 0 ? 0.0 : trial.gearboxes[static_cast<std::size_t>(pair.gearbox)].price);
}

double mass(const Trial& trial, const DrivePair& pair) {
  return trial.motors[static_cast<std::size_t>(pair.motor)].mass +
         (pair.gearbox < 0 ? 0.0 : trial.gearboxes[static_cast<std::size_t>(pair.gearbox)].mass);
}

/// Whether one pair comes before another.
bool before(const Trial& trial, const DrivePair& a, const DrivePair& b) {
  const bool cheap = trial.minimise == DriveCost::price;
  const double first_a = cheap ? price(trial, a) : mass(trial, a);
  const double first_b = cheap ? price(trial, b) : mass(trial, b);
  if (first_a != first_b) return first_a < first_b;
  const double second_a = cheap ? mass(trial, a) : price(trial, a);
  const double second_b = cheap ? mass(trial, b) : price(trial, b);
  if (second_a != second_b) return second_a < second_b;
  return a.motor != b.motor ? a.motor < b.motor : a.gearbox < b.gearbox;
}

void check(const Trial& trial, int& chosen, int& none) {
  DriveChoice choice(trial.motors, trial.gearboxes, trial.transmission, trial.margin,
                     trial.minimise);
  std::optional<DrivePair> best;
  DrivePair nearest;
  double least = 1e300;
  std::array<std::int64_t, drive_demand_count> excluded{};
  std::vector<DrivePair> list;
  for (int m = 0; m < static_cast<int>(trial.motors.size()); ++m)
    for (int g = trial.gearboxes.empty() ? -1 : 0;
         g < static_cast<int>(trial.gearboxes.size()) || (trial.gearboxes.empty() && g < 0); ++g) {
      const DrivePair pair{m, g};
      list.push_back(pair);
      const Gearbox gears = g < 0 ? Gearbox{} : trial.gearboxes[static_cast<std::size_t>(g)];
      const Asked asked = ask(trial.motors[static_cast<std::size_t>(m)], gears, trial.transmission,
                              trial.margin, trial.samples);
      const DriveUse use = choice.use_of(pair, trial.samples);
      for (std::size_t i = 0; i < use.shares.size(); ++i)
        REQUIRE(use.shares[i] == Approx(asked.shares[i]).epsilon(1e-12).margin(1e-300));
      if (asked.fits() && (!best || before(trial, pair, *best))) best = pair;
      if (asked.largest() < least * (1.0 - 1e-12) ||
          (asked.largest() < least * (1.0 + 1e-12) && before(trial, pair, nearest))) {
        nearest = pair;
        least = std::min(least, asked.largest());
      }
      for (std::size_t i = 0; i < asked.shares.size(); ++i)
        if (asked.shares[i] > 1.0 + 1e-9) {
          ++excluded[i];
          break;
        }
    }
  std::sort(list.begin(), list.end(),
            [&](const DrivePair& a, const DrivePair& b) { return before(trial, a, b); });
  REQUIRE(choice.pairs() == list);
  for (int again = 0; again < 2; ++again) {
    const std::optional<ChosenDrive> found = choice.choose(trial.samples, 0.0);
    REQUIRE(found.has_value() == best.has_value());
    if (!best) continue;
    REQUIRE(found->pair == *best);
    const Gearbox gears =
        best->gearbox < 0 ? Gearbox{} : trial.gearboxes[static_cast<std::size_t>(best->gearbox)];
    const Asked asked = ask(trial.motors[static_cast<std::size_t>(best->motor)], gears,
                            trial.transmission, 1.0, trial.samples);
    REQUIRE(found->utilisation == Approx(asked.largest()).epsilon(1e-12));
  }
  REQUIRE(choice.nearest(trial.samples) == nearest);
  REQUIRE(choice.excluded(trial.samples) == excluded);
  ++(best ? chosen : none);
}

}  // namespace

TEST_CASE("the chosen drive is that of all pairs with all samples") {
  Random random(20261101);
  int chosen = 0, none = 0;
  const int count = trials(4000);
  for (int trial = 0; trial < count; ++trial) {
    CAPTURE(trial);
    check(random_trial(random, 30, 12), chosen, none);
  }
  CHECK(chosen > count / 3);
  CHECK(none > count / 10);
}

TEST_CASE("the chosen drive of catalogues with many pairs") {
  Random random(20261102);
  int chosen = 0, none = 0;
  for (int trial = 0; trial < trials(60); ++trial) {
    CAPTURE(trial);
    check(random_trial(random, 200, 60), chosen, none);
  }
}

TEST_CASE("a drive by hand: an arm that is lifted, held and let down") {
  // 8 N m on an output that turns at 2 rad/s for 1 s, rests 2 s, turns back for 1 s; ratio 50
  const Motor motor{.name = "M",
                    .rated_torque = 0.2,
                    .peak_torque = 0.3,
                    .rated_speed = 150.0,
                    .no_load_speed = 200.0,
                    .torque_constant = 0.05,
                    .resistance = 2.0};
  const Gearbox gears{.name = "G",
                      .ratio = 50.0,
                      .efficiency = 0.8,
                      .back_efficiency = 0.5,
                      .rated_torque = 10.0,
                      .peak_torque = 16.0,
                      .input_speed = 125.0};
  const ShaftSamples samples{{8, 8, 8}, {2, 0, -2}, {0, 0, 0}, {1, 2, 1}};
  DriveChoice choice({motor}, {gears}, 1.0, 1.25, DriveCost::price);
  const DrivePair pair{0, 0};
  const std::optional<ChosenDrive> chosen = choice.choose(samples, 0.25);
  REQUIRE(chosen);
  REQUIRE(chosen->pair == pair);
  // lifting 0.2 N m, holding 0.16, letting down 0.08
  const ShaftLoad& load = chosen->load;
  CHECK(load.torque == Approx(0.2));
  CHECK(load.rms == Approx(std::sqrt((0.04 + 2 * 0.0256 + 0.0064) / 4)));
  CHECK(load.speed == Approx(100.0));
  CHECK(load.power == Approx(20.0));
  CHECK(load.holding_power == Approx(2.0 * 3.2 * 3.2));
  // heat 32, 20.48 and 5.12 W; letting down gives 8 W less heat
  CHECK(load.energy == Approx((20.0 + 32.0) + 2 * 20.48 + 0.25 * (5.12 - 8.0)));
  const auto shares = choice.use_of(pair, samples).shares;
  CHECK(shares[0] == Approx(1.25 * 0.2 / 0.3));
  CHECK(shares[1] == Approx(1.25 * load.rms / 0.2));
  CHECK(shares[2] == Approx(0.5));
  CHECK(shares[3] == Approx((1.25 * 0.2 * 50 / 0.2 + 100) / 200));
  CHECK(shares[4] == Approx(1.25 * 8 / 16));
  CHECK(shares[5] == Approx(1.25 * 8 / 10));
  CHECK(shares[6] == Approx(0.8));
}

TEST_CASE("a drive at its limit suffices, and one beyond it does not") {
  const ShaftSamples samples{{8, -3}, {2, 1}, {0, 0}, {1, 1}};
  const auto chosen = [&](double peak, double no_load) {
    Motor motor{.name = "M",
                .rated_torque = 7.0,
                .peak_torque = peak,
                .rated_speed = no_load,
                .no_load_speed = no_load};
    return DriveChoice({motor}, {}, 1.0, 1.0, DriveCost::mass).choose(samples, 0.0).has_value();
  };
  CHECK(chosen(8.0, 2.0));
  CHECK(chosen(8.0 * (1.0 - 5e-10), 2.0));
  CHECK_FALSE(chosen(8.0 * (1.0 - 2e-9), 2.0));
  CHECK_FALSE(chosen(8.0, 2.0 * (1.0 - 2e-9)));
}
