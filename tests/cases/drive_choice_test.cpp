#include "drives/choice.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>

#include "tests/support/random.hpp"
#include "tests/support/trials.hpp"

using namespace counterpoise;
using namespace counterpoise::test;

namespace {

/// What one pair is asked, by plain loops over the formulas of the catalogue's quantities.
struct Asked {
  std::vector<double> shares;
  [[nodiscard]] double largest() const { return *std::max_element(shares.begin(), shares.end()); }
  [[nodiscard]] bool fits() const { return largest() <= 1.0 + 1e-9; }
};

Asked ask(const Motor& motor, const Gearbox& gears, double transmission, double margin,
          const ShaftSamples& samples) {
  double peak = 0, square = 0, time = 0, fastest = 0, line = 0, load = 0, load_square = 0;
  for (std::size_t k = 0; k < samples.load.size(); ++k) {
    const double output = samples.load[k] / transmission;  // torque at the gearbox's output
    const double output_speed = samples.velocity[k] * transmission;
    const double work = output * output_speed;
    double torque = output / gears.ratio;
    if (work > 0) torque /= gears.efficiency;
    if (work < 0) torque *= gears.back_efficiency;
    const double n = output_speed * gears.ratio;
    torque += (motor.rotor_inertia + gears.inertia) * samples.acceleration[k] * transmission *
              gears.ratio;
    peak = std::max(peak, std::fabs(torque));
    square += samples.weight[k] * torque * torque;
    time += samples.weight[k];
    fastest = std::max(fastest, std::fabs(n));
    if (torque * n > 0) {
      // the rated torque is to be had at the rated speed, and at n what the line leaves
      const double needed_speed = margin * std::fabs(torque) / motor.rated_torque *
                                  (motor.no_load_speed - motor.rated_speed);
      line = std::max(line, (needed_speed + std::fabs(n)) / motor.no_load_speed);
    }
    load = std::max(load, std::fabs(output));
    load_square += samples.weight[k] * output * output;
  }
  const auto mean = [&](double sum) { return time > 0 ? std::sqrt(sum / time) : 0.0; };
  return {{margin * peak / motor.peak_torque, margin * mean(square) / motor.rated_torque,
           fastest / motor.no_load_speed, line, margin * load / gears.peak_torque,
           margin * mean(load_square) / gears.rated_torque, fastest / gears.input_speed}};
}

struct Trial {
  std::vector<Motor> motors;
  std::vector<Gearbox> gearboxes;
  double transmission = 1.0, margin = 1.0;
  DriveCost minimise = DriveCost::price;
  ShaftSamples samples;
};

double log_uniform(Random& random, double low, double high) {
  return std::exp(random.uniform(std::log(low), std::log(high)));
}

/// A catalogue whose sizes and prices grow together, roughly, so that the answer may be anywhere.
Trial random_trial(Random& random, int most_motors, int most_gearboxes) {
  Trial trial;
  for (int m = random.below(most_motors) + 1; m > 0; --m) {
    const double size = log_uniform(random, 0.02, 5.0);
    Motor motor{.name = "M" + std::to_string(m)};
    motor.rated_torque = size;
    motor.peak_torque = size * random.uniform(1.0, 5.0);
    motor.rated_speed = log_uniform(random, 50.0, 700.0);
    motor.no_load_speed = motor.rated_speed * (random.chance(0.2) ? 1.0 : random.uniform(1.0, 1.6));
    motor.rotor_inertia =
        random.chance(0.2) ? 0.0 : 1e-4 * std::pow(size, 1.5) * random.uniform(0.2, 3.0);
    motor.mass = std::round(20.0 * size * random.uniform(0.5, 1.5)) / 10.0;
    motor.price = std::round(10.0 + 40.0 * std::sqrt(size) * random.uniform(0.8, 1.4));  // ties
    trial.motors.push_back(motor);
  }
  for (int g = random.below(most_gearboxes + 1); g > 0; --g) {
    Gearbox gears{.name = "G" + std::to_string(g)};
    gears.ratio = log_uniform(random, 1.0, 200.0);
    gears.efficiency = random.uniform(0.4, 1.0);
    gears.back_efficiency = random.chance(0.2) ? 0.0 : random.uniform(0.1, 1.0);
    if (random.chance(0.7)) {
      gears.rated_torque = log_uniform(random, 1.0, 300.0);
      gears.peak_torque = gears.rated_torque * random.uniform(1.0, 3.0);
    }
    if (random.chance(0.7)) gears.input_speed = log_uniform(random, 200.0, 1000.0);
    gears.inertia = random.chance(0.3) ? 0.0 : log_uniform(random, 1e-7, 1e-4);
    gears.mass = std::round(10.0 * random.uniform(0.1, 4.0)) / 10.0;
    gears.price = std::round(random.uniform(5.0, 90.0));
    trial.gearboxes.push_back(gears);
  }
  trial.transmission = random.chance(0.5) ? 1.0 : log_uniform(random, 0.2, 1500.0);
  trial.margin = random.chance(0.3) ? 1.0 : random.uniform(1.0, 2.0);
  trial.minimise = random.chance(0.5) ? DriveCost::price : DriveCost::mass;
  const double load = log_uniform(random, 0.3, 300.0) * trial.transmission;
  const double rate = log_uniform(random, 0.3, 20.0), way = random.uniform(0.0, 1.5);
  const double phase = random.uniform(0.0, 6.0), weight = random.uniform(-1.0, 1.0);
  const int count = 1 + random.below(200);
  const bool rests = random.chance(0.3);
  for (int k = 0; k < count; ++k) {
    const double t = 3.0 * k / count;
    const bool still = rests && t > 2.0;
    const double place = rate * t + phase;
    trial.samples.velocity.push_back(still ? 0.0
                                           : way * rate * std::cos(place) / trial.transmission);
    trial.samples.acceleration.push_back(
        still ? 0.0 : -way * rate * rate * std::sin(place) / trial.transmission);
    trial.samples.load.push_back(load * (weight + random.uniform(-0.3, 0.3) + std::sin(place)));
    trial.samples.weight.push_back(random.chance(0.1) ? 0.0 : random.uniform(0.5, 1.5));
  }
  return trial;
}

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
