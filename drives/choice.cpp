#include "drives/choice.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>
#include <utility>

namespace counterpoise {
namespace {

constexpr std::size_t most_witnesses = 64;  // more would cost more than they save

}  // namespace

std::string_view words_of(DriveDemand demand) {
  constexpr std::array<std::string_view, drive_demand_count> words = {"peak torque",
                                                                      "rated torque",
                                                                      "speed",
                                                                      "torque at speed",
                                                                      "peak torque of the gearbox",
                                                                      "rated torque of the gearbox",
                                                                      "input speed of the gearbox"};
  return words[static_cast<std::size_t>(demand)];
}

Shaft shaft_of(const Motor& motor, const Gearbox& gearbox, double transmission) {
  return {.ratio = gearbox.ratio * transmission,
          .efficiency = gearbox.efficiency,
          .back_efficiency = gearbox.back_efficiency,
          .inertia = motor.rotor_inertia + gearbox.inertia,
          .torque_constant = motor.torque_constant,
          .resistance = motor.resistance};
}

DriveDemand DriveUse::hardest() const {
  return static_cast<DriveDemand>(std::max_element(shares.begin(), shares.end()) - shares.begin());
}

DriveChoice::DriveChoice(std::vector<Motor> motors, std::vector<Gearbox> gearboxes,
                         double transmission, double margin, DriveCost minimise)
    : motors_(std::move(motors)),
      gearboxes_(std::move(gearboxes)),
      transmission_(transmission),
      margin_(margin),
      minimise_(minimise) {
  witnesses_.reserve(most_witnesses);
  const int first = gearboxes_.empty() ? -1 : 0, end = static_cast<int>(gearboxes_.size());
  for (int m = 0; m < static_cast<int>(motors_.size()); ++m)
    for (int g = first; g < std::max(end, first + 1); ++g) pairs_.push_back({m, g});
  const auto key = [&](const DrivePair& pair) {
    return std::tuple(cost_of(pair), pair.motor, pair.gearbox);
  };
  std::sort(pairs_.begin(), pairs_.end(),
            [&](const DrivePair& a, const DrivePair& b) { return key(a) < key(b); });

  constexpr double slack = 1.0 + 4e-9;  // more than keeps() allows
  const auto add = [](std::vector<double>& column, double value) { column.push_back(value); };
  for (const DrivePair& pair : pairs_) {
    const Shaft& shaft = shafts_.emplace_back(shaft_of(pair));
    const Gearbox& gears = gearbox(pair);
    const double i = shaft.ratio, of_load = transmission_ / margin_ * slack;
    const double rated = i * motor(pair).rated_torque / margin_ * slack;
    const double rated_load = gears.rated_torque * of_load;
    add(columns_.forward, 1.0 / shaft.efficiency);
    add(columns_.backward, shaft.back_efficiency);
    add(columns_.reflected, shaft.inertia * i * i);
    add(columns_.speed, std::min(motor(pair).no_load_speed, gears.input_speed) / i * slack);
    add(columns_.load, gears.peak_torque * of_load);
    add(columns_.torque, i * motor(pair).peak_torque / margin_ * slack);
    add(columns_.load_square, rated_load * rated_load);
    add(columns_.torque_square, rated * rated);
  }
  while (columns_.speed.size() % block != 0) {
    for (std::vector<double>* column :
         {&columns_.forward, &columns_.backward, &columns_.reflected, &columns_.load,
          &columns_.torque, &columns_.load_square, &columns_.torque_square})
      add(*column, 0.0);
    add(columns_.speed, -1.0);
  }
}

const Gearbox& DriveChoice::gearbox(const DrivePair& pair) const {
  return pair.gearbox < 0 ? no_gearbox_ : gearboxes_[at(pair.gearbox)];
}

PairCost DriveChoice::cost_of(const DrivePair& pair) const {
  const double price = price_of(pair), mass = mass_of(pair);
  return minimise_ == DriveCost::price ? PairCost{price, mass} : PairCost{mass, price};
}

double DriveChoice::price_of(const DrivePair& pair) const {
  return motor(pair).price + gearbox(pair).price;
}

double DriveChoice::mass_of(const DrivePair& pair) const {
  return motor(pair).mass + gearbox(pair).mass;
}

Shaft DriveChoice::shaft_of(const DrivePair& pair) const {
  return counterpoise::shaft_of(motor(pair), gearbox(pair), transmission_);
}

/// Sums up what the samples ask of every pair alike, and finds those at which pairs are likely to
/// fall short: of the largest load, power, acceleration and speed.
void DriveChoice::summarise(const ShaftSamples& samples) {
  sums_ = sums_of(samples);
  witnesses_.clear();
  const auto add_witness = [&](double most, const auto& size_at) {
    for (std::size_t k = 0; k < samples.size() && most > 0.0; ++k)
      if (size_at(k) == most) return witnesses_.push_back(k);
  };
  add_witness(sums_.load, [&](std::size_t k) { return std::abs(samples.load[k]); });
  add_witness(sums_.power,
              [&](std::size_t k) { return std::abs(samples.load[k] * samples.velocity[k]); });
  add_witness(sums_.acceleration, [&](std::size_t k) { return std::abs(samples.acceleration[k]); });
  add_witness(sums_.speed, [&](std::size_t k) { return std::abs(samples.velocity[k]); });
}

/// Finds which pairs of a block pass what sums and largest numbers say. A pair is rejected only if
/// it falls short by more than rounding.
void DriveChoice::pass_sums(std::size_t first) {
  const auto& [forward, backward, reflected, speed, load, torque, load_square, torque_square] =
      columns_;
  const double loads =
      (sums_.ahead.square + sums_.back.square + sums_.still.square) * (1.0 - sum_rounding);
  std::array<double, block> failures{};
  for (std::size_t j = 0; j < block; ++j) {
    const std::size_t p = first + j;
    const double square = least_square(sums_, forward[p], backward[p], reflected[p]);
    failures[j] += sums_.speed > speed[p] ? 1.0 : 0.0;
    failures[j] += sums_.load > load[p] ? 1.0 : 0.0;
    failures[j] += loads > sums_.weights * load_square[p] ? 1.0 : 0.0;
    failures[j] += square > sums_.weights * torque_square[p] ? 1.0 : 0.0;
  }
  for (std::size_t j = 0; j < block; ++j) passes_[j] = failures[j] == 0.0;
}

/// Whether a pair falls short at one sample.
bool DriveChoice::fails_at(std::size_t p, const ShaftSamples& samples, std::size_t k) const {
  const Motor& own = motor(pairs_[p]);
  const Shaft& shaft = shafts_[p];
  const double v = samples.velocity[k];
  const double torque = shaft.torque(samples.load[k], v, samples.acceleration[k]);
  const double speed = shaft.ratio * v;
  if (!keeps(margin_ * std::abs(torque), own.peak_torque)) return true;
  return torque * speed > 0.0 &&
         !keeps(margin_ * std::abs(torque) * own.droop() + std::abs(speed), own.no_load_speed);
}

std::optional<ChosenDrive> DriveChoice::choose(const ShaftSamples& samples, double recuperated) {
  summarise(samples);
  for (std::size_t first = 0; first < pairs_.size(); first += block) {
    pass_sums(first);
    for (std::size_t j = 0; j < block; ++j) {
      const std::size_t p = first + j;
      if (!passes_[j] || std::any_of(witnesses_.begin(), witnesses_.end(),
                                     [&](std::size_t k) { return fails_at(p, samples, k); }))
        continue;
      const DriveLoad load = load_of(pairs_[p], samples, recuperated);
      if (keeps(shares_of(pairs_[p], load, margin_).largest(), 1.0))
        return ChosenDrive{pairs_[p], load, shares_of(pairs_[p], load, 1.0).largest()};
      std::size_t k = 0;
      while (k < samples.size() && !fails_at(p, samples, k)) ++k;
      if (k < samples.size() && witnesses_.size() < most_witnesses) witnesses_.push_back(k);
    }
  }
  return std::nullopt;
}

DriveUse DriveChoice::shares_of(const DrivePair& pair, const DriveLoad& load, double margin) const {
  const Motor& own = motor(pair);
  const Gearbox& gears = gearbox(pair);
  const double voltage = margin == 1.0 ? load.voltage_speed : load.voltage_speed_with_margin;
  return {{margin * load.torque / own.peak_torque, margin * load.rms / own.rated_torque,
           load.speed / own.no_load_speed, voltage / own.no_load_speed,
           margin * load.load / transmission_ / gears.peak_torque,
           margin * load.load_rms / transmission_ / gears.rated_torque,
           load.speed / gears.input_speed}};
}

DriveLoad DriveChoice::load_of(const DrivePair& pair, const ShaftSamples& samples,
                               double recuperated) const {
  return counterpoise::load_of(shaft_of(pair), {motor(pair).droop(), margin_, recuperated},
                               samples);
}

ChosenDrive DriveChoice::chosen(const DrivePair& pair, const ShaftSamples& samples,
                                double recuperated) const {
  const DriveLoad load = load_of(pair, samples, recuperated);
  return {pair, load, shares_of(pair, load, 1.0).largest()};
}

DriveUse DriveChoice::use_of(const DrivePair& pair, const ShaftSamples& samples) const {
  return shares_of(pair, load_of(pair, samples, 0.0), margin_);
}

/// Bounds the largest share of each pair from below: by sums, largest numbers, and the samples at
/// which pairs are likely to fall short.
void DriveChoice::bound_shares(const ShaftSamples& samples) {
  const auto& [forward, backward, reflected, speed, load, torque, load_square, torque_square] =
      columns_;
  const double loads =
      (sums_.ahead.square + sums_.back.square + sums_.still.square) * (1.0 - sum_rounding);
  least_shares_.resize(pairs_.size());
  for (std::size_t p = 0; p < least_shares_.size(); ++p) {
    const double square = least_square(sums_, forward[p], backward[p], reflected[p]);
    const double squares = std::max(square / torque_square[p], loads / load_square[p]);
    least_shares_[p] =
        std::max({sums_.speed / speed[p], sums_.load / load[p],
                  sums_.weights > 0.0 ? std::sqrt(std::max(squares, 0.0) / sums_.weights) : 0.0});
  }
  for (const std::size_t k : witnesses_) {
    const double u = samples.load[k], a = samples.acceleration[k], power = u * samples.velocity[k];
    const double ahead = power > 0.0 ? u : 0.0, back = power < 0.0 ? u : 0.0;
    const double still = u - ahead - back;
    for (std::size_t p = 0; p < least_shares_.size(); ++p) {
      const double asked = ahead * forward[p] + back * backward[p] + still + reflected[p] * a;
      least_shares_[p] = std::max(least_shares_[p], std::abs(asked) / torque[p]);
    }
  }
}

DrivePair DriveChoice::nearest(const ShaftSamples& samples) {
  bound_shares(samples);
  constexpr double none = std::numeric_limits<double>::infinity();
  double least = none;
  std::size_t best = 0;
  while (true) {
    const auto next = std::min_element(least_shares_.begin(), least_shares_.end());
    if (!(*next <= least)) return pairs_[best];
    const auto p = static_cast<std::size_t>(next - least_shares_.begin());
    *next = std::numeric_limits<double>::max();
    const double largest = use_of(pairs_[p], samples).largest();
    if (largest < least || (largest == least && p < best)) {
      least = largest;
      best = p;
    }
  }
}

std::array<std::int64_t, drive_demand_count> DriveChoice::excluded(
    const ShaftSamples& samples) const {
  std::array<std::int64_t, drive_demand_count> counts{};
  for (const DrivePair& pair : pairs_) {
    const DriveUse use = use_of(pair, samples);
    const auto broken = std::find_if(use.shares.begin(), use.shares.end(),
                                     [](double share) { return !keeps(share, 1.0); });
    if (broken != use.shares.end()) ++counts[static_cast<std::size_t>(broken - use.shares.begin())];
  }
  return counts;
}

}  // namespace counterpoise
