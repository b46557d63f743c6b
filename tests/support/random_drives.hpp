#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "drives/catalogue.hpp"
#include "drives/shaft.hpp"
#include "tests/support/random.hpp"

namespace counterpoise::test {

/// What one pair is asked, by plain loops over the formulas of the catalogue's quantities.
struct Asked {
  std::vector<double> shares;
  [[nodiscard]] double largest() const { return *std::max_element(shares.begin(), shares.end()); }
  [[nodiscard]] bool fits() const { return largest() <= 1.0 + 1e-9; }
};

inline Asked ask(const Motor& motor, const Gearbox& gears, double transmission, double margin,
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

struct DriveTrial {
  std::vector<Motor> motors;
  std::vector<Gearbox> gearboxes;
  double transmission = 1.0, margin = 1.0;
  DriveCost minimise = DriveCost::price;
  ShaftSamples samples;
};

inline double log_uniform(Random& random, double low, double high) {
  return std::exp(random.uniform(std::log(low), std::log(high)));
}

/// A catalogue whose sizes and prices grow together, roughly, so that the answer may be anywhere.
inline DriveTrial random_trial(Random& random, int most_motors, int most_gearboxes) {
  DriveTrial trial;
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

}  // namespace counterpoise::test
