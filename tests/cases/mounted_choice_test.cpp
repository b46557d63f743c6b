#include "drives/mounted_choice.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <memory>

#include "tests/support/random.hpp"
#include "tests/support/trials.hpp"

using namespace counterpoise;
using namespace counterpoise::test;

namespace {

/// A drive with its catalogues, and what it is asked with masses from 0 to 1.
struct CarriedDrive {
  std::vector<Motor> motors;
  std::vector<Gearbox> gearboxes;
  double margin = 1.0;
  bool mounted = false, favourable = false;
  std::unique_ptr<DriveChoice> choice;
  CarriedSamples samples;

  [[nodiscard]] double mass(const DrivePair& pair) const {
    return motors[at(pair.motor)].mass + gearboxes[at(pair.gearbox)].mass;
  }
  [[nodiscard]] double price(const DrivePair& pair) const {
    return motors[at(pair.motor)].price + gearboxes[at(pair.gearbox)].price;
  }
};

double log_between(Random& random, double low, double high) {
  return std::exp(random.uniform(std::log(low), std::log(high)));
}

CarriedDrive random_drive(Random& random, int most_motors, int most_gearboxes, DriveCost minimise) {
  CarriedDrive drive;
  const bool equal_masses = random.chance(0.1);
  for (int m = random.below(most_motors) + 1; m > 0; --m) {
    const double size = log_between(random, 0.05, 3.0);
    drive.motors.push_back({.name = "M",
                            .rated_torque = size,
                            .peak_torque = size * random.uniform(1.0, 4.0),
                            .rated_speed = log_between(random, 60.0, 500.0),
                            .rotor_inertia = 1e-4 * size * random.uniform(0.0, 3.0),
                            .mass = equal_masses ? 1.0 : 3.0 * size * random.uniform(0.4, 1.6),
                            .price = random.uniform(10.0, 20.0) + 40.0 * size});
    drive.motors.back().no_load_speed = drive.motors.back().rated_speed * random.uniform(1.0, 1.6);
  }
  for (int g = random.below(most_gearboxes) + 1; g > 0; --g) {
    Gearbox gears{.name = "G", .ratio = log_between(random, 3.0, 60.0)};
    gears.efficiency = random.uniform(0.5, 1.0);
    gears.back_efficiency = random.uniform(0.0, 1.0);
    if (random.chance(0.5)) {
      gears.rated_torque = log_between(random, 3.0, 200.0);
      gears.peak_torque = gears.rated_torque * random.uniform(1.0, 3.0);
    }
    if (random.chance(0.5)) gears.input_speed = log_between(random, 100.0, 800.0);
    gears.mass = equal_masses ? 0.5 : random.uniform(0.1, 3.0);
    gears.price = random.uniform(5.0, 60.0);
    drive.gearboxes.push_back(gears);
  }
  drive.margin = random.chance(0.3) ? 1.0 : random.uniform(1.0, 1.6);
  drive.mounted = random.chance(0.8);
  drive.favourable = random.chance(0.5);
  drive.choice =
      std::make_unique<DriveChoice>(drive.motors, drive.gearboxes, 1.0, drive.margin, minimise);
  return drive;
}

/// Loads that masses make larger, or smaller where they are counterweights.
void give_samples(Random& random, std::size_t masses, std::size_t own, CarriedDrive& drive) {
  const double load = log_between(random, 1.0, 60.0), way = random.uniform(0.1, 1.2);
  const double rate = log_between(random, 0.5, 6.0), phase = random.uniform(0.0, 6.0);
  const std::size_t count = static_cast<std::size_t>(random.below(40)) + 1;
  const bool rubs = random.chance(0.3);
  CarriedSamples& samples = drive.samples;
  samples.added.assign(masses, std::vector<double>(count, 0.0));
  for (std::size_t k = 0; k < count; ++k) {
    const double place = rate * 3.0 * static_cast<double>(k) / static_cast<double>(count) + phase;
    const bool still = random.chance(0.1);
    samples.least.velocity.push_back(still ? 0.0 : way * rate * std::cos(place));
    samples.least.acceleration.push_back(-way * rate * rate * std::sin(place));
    samples.least.load.push_back(load * (std::sin(place) + random.uniform(-0.4, 0.8)));
    samples.least.weight.push_back(random.uniform(0.0, 1.5));
    samples.play.push_back(rubs && still ? load * random.uniform(0.0, 0.3) : 0.0);
  }
  for (std::size_t mass = 0; mass < masses; ++mass) {
    if (mass != own && random.chance(0.3)) continue;  // it does not load this drive
    const double size = load * random.uniform(-0.6, 1.2);
    for (double& added : samples.added[mass]) added = size * random.uniform(0.6, 1.0);
  }
}

/// Whether a pair suffices with these masses: every demand of every sample, as the catalogue says
/// it.
bool meets(const CarriedDrive& drive, const DrivePair& pair, const std::vector<double>& masses) {
  const Motor& motor = drive.motors[at(pair.motor)];
  const Gearbox& gears = drive.gearboxes[at(pair.gearbox)];
  const ShaftSamples& samples = drive.samples.least;
  constexpr double slack = 1.0 + 1e-9;
  double squares = 0.0, load_squares = 0.0, time = 0.0;
  for (std::size_t k = 0; k < samples.size(); ++k) {
    double load = samples.load[k];
    for (std::size_t mass = 0; mass < masses.size(); ++mass)
      load += masses[mass] * drive.samples.added[mass][k];
    const double play = drive.samples.play[k];
    if (!drive.favourable)
      load += std::signbit(load) ? -play : play;
    else
      load = std::fabs(load) <= play ? 0.0 : load - (load > 0.0 ? play : -play);
    const double v = samples.velocity[k], n = v * gears.ratio;
    double torque = load / gears.ratio;
    if (load * v > 0.0) torque /= gears.efficiency;
    if (load * v < 0.0) torque *= gears.back_efficiency;
    torque += (motor.rotor_inertia + gears.inertia) * gears.ratio * samples.acceleration[k];
    const double asked = drive.margin * std::fabs(torque);
    if (asked > motor.peak_torque * slack) return false;
    if (std::fabs(n) > std::min(motor.no_load_speed, gears.input_speed) * slack) return false;
    if (torque * n > 0.0 &&
        asked / motor.rated_torque * (motor.no_load_speed - motor.rated_speed) + std::fabs(n) >
            motor.no_load_speed * slack)
      return false;
    if (drive.margin * std::fabs(load) > gears.peak_torque * slack) return false;
    squares += samples.weight[k] * torque * torque;
    load_squares += samples.weight[k] * load * load;
    time += samples.weight[k];
  }
  return drive.margin * std::sqrt(squares / time) <= motor.rated_torque * slack &&
         drive.margin * std::sqrt(load_squares / time) <= gears.rated_torque * slack;
}

/// Goes through all combinations of pairs and returns the least cost of those that suffice.
struct AllCombinations {
  const std::vector<CarriedDrive>& drives;
  const MountedChoice& choice;
  DriveCost minimise;
  double least = 1e300;
  std::vector<DrivePair> best, picked;

  void go(std::size_t d, double spent) {
    if (d == drives.size()) {
      std::vector<double> masses;
      for (std::size_t mass = 0; mass < choice.masses(); ++mass) {
        const std::size_t of = choice.drive_of(mass);
        const double low = choice.least_mass(of), high = choice.greatest_mass(of);
        masses.push_back((drives[of].mass(picked[of]) - low) / (high - low));
      }
      for (std::size_t i = 0; i < drives.size(); ++i)
        if (!meets(drives[i], picked[i], masses)) return;
      least = spent;
      best = picked;
      return;
    }
    for (const DrivePair& pair : drives[d].choice->pairs()) {
      const double cost =
          minimise == DriveCost::price ? drives[d].price(pair) : drives[d].mass(pair);
      if (spent + cost >= least) continue;
      picked[d] = pair;
      go(d + 1, spent + cost);
    }
  }
};

struct Answers {
  int found = 0, none = 0;
};

void check_together(Random& random, int count, int most_motors, int most_gearboxes,
                    Answers& answers) {
  const DriveCost minimise = random.chance(0.7) ? DriveCost::price : DriveCost::mass;
  std::vector<CarriedDrive> drives;
  for (int d = 0; d < count; ++d)
    drives.push_back(random_drive(random, most_motors, most_gearboxes, minimise));
  std::vector<MountedChoice::Drive> given;
  for (const CarriedDrive& drive : drives)
    given.push_back({drive.choice.get(), drive.mounted, drive.favourable});
  MountedChoice choice(given);
  for (int design = 0; design < 3; ++design) {
    for (std::size_t d = 0; d < drives.size(); ++d) {
      std::size_t own = drives.size();
      for (std::size_t mass = 0; mass < choice.masses(); ++mass)
        if (choice.drive_of(mass) == d) own = mass;
      drives[d].samples = {};
      give_samples(random, choice.masses(), own, drives[d]);
      choice.samples(d) = drives[d].samples;
    }
    AllCombinations all{drives, choice, minimise, 1e300, {}, std::vector<DrivePair>(drives.size())};
    all.go(0, 0.0);
    REQUIRE(choice.choose() == !all.best.empty());
    if (all.best.empty()) {
      CHECK(choice.shortfall().use.largest() > 1.0);
      ++answers.none;
      continue;
    }
    double cost = 0.0;
    for (std::size_t d = 0; d < drives.size(); ++d) {
      CAPTURE(d);
      cost += minimise == DriveCost::price ? drives[d].price(choice.pair(d))
                                           : drives[d].mass(choice.pair(d));
      REQUIRE(choice.pair(d) == all.best[d]);
    }
    CHECK(cost == Approx(all.least).epsilon(1e-12));
    ++answers.found;
  }
}

}  // namespace

TEST_CASE("drives that are carried are the cheapest of all combinations that suffice") {
  Random random(20261129);
  for (int count = 1; count <= 3; ++count) {
    Answers answers;
    const int all = trials(count == 3 ? 300 : 1000);
    for (int trial = 0; trial < all; ++trial) {
      CAPTURE(count, trial);
      check_together(random, count, count == 3 ? 3 : 6, count == 3 ? 3 : 4, answers);
    }
    CHECK(answers.found > all / 3);
    CHECK(answers.none > all / 10);
  }
}

TEST_CASE("one drive that is carried, in catalogues with many pairs") {
  Random random(20261130);
  Answers answers;
  for (int trial = 0; trial < trials(60); ++trial) {
    CAPTURE(trial);
    check_together(random, 1, 120, 40, answers);
  }
}

TEST_CASE("a heavier drive is right where it is a counterweight") {
  // one kilogram more takes 2 N m off a load of 10 N m; the small motor is light and falls short
  const auto motor = [](const char* name, double torque, double mass, double price) {
    return Motor{.name = name,
                 .rated_torque = torque,
                 .peak_torque = torque,
                 .rated_speed = 100.0,
                 .no_load_speed = 100.0,
                 .mass = mass,
                 .price = price};
  };
  DriveChoice one({motor("light", 7.0, 1.0, 10.0), motor("heavy", 7.0, 2.0, 11.0),
                   motor("strong", 12.0, 1.0, 50.0)},
                  {}, 1.0, 1.0, DriveCost::price);
  MountedChoice choice({{&one, true, false}});
  REQUIRE(choice.masses() == 1);
  choice.samples(0) = {{{8.0}, {1.0}, {0.0}, {1.0}}, {0.0}, {{-2.0}}};
  REQUIRE(choice.choose());
  CHECK(choice.pair(0).motor == 1);
}

TEST_CASE("a lighter drive at the tip may be worth its price at the root") {
  const auto motor = [](double torque, double mass, double price) {
    return Motor{.name = "M",
                 .rated_torque = torque,
                 .peak_torque = torque,
                 .rated_speed = 100.0,
                 .no_load_speed = 100.0,
                 .mass = mass,
                 .price = price};
  };
  // the tip asks for 1 N m, and each kilogram there adds 5 N m at the root
  DriveChoice root({motor(6.0, 3.0, 30.0), motor(20.0, 6.0, 90.0)}, {}, 1.0, 1.0, DriveCost::price);
  DriveChoice tip({motor(1.0, 2.0, 10.0), motor(1.0, 1.0, 40.0)}, {}, 1.0, 1.0, DriveCost::price);
  MountedChoice choice({{&root, false, false}, {&tip, true, false}});
  REQUIRE(choice.masses() == 1);
  choice.samples(0) = {{{5.0}, {1.0}, {0.0}, {1.0}}, {0.0}, {{5.0}}};
  choice.samples(1) = {{{1.0}, {1.0}, {0.0}, {1.0}}, {0.0}, {{0.0}}};
  REQUIRE(choice.choose());
  CHECK(choice.pair(0).motor == 0);
  CHECK(choice.pair(1).motor == 1);
}
