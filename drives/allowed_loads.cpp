#include "drives/allowed_loads.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace counterpoise {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

}  // namespace

void OpenSamples::with_loads(const std::vector<double>& loads, ShaftSamples& out) const {
  constexpr double rounding = 1e-12;  // of the largest load
  double largest = 0.0;
  for (const double u : loads) largest = std::max(largest, std::abs(u));
  out.load.resize(size());
  for (std::size_t k = 0; k < size(); ++k) {
    const bool no_sign = !favourable && std::abs(loads[k]) <= rounding * largest;
    out.load[k] = no_sign ? std::copysign(play[k], acceleration[k]) : carried(k, loads[k]);
  }
  out.velocity = velocity;
  out.acceleration = acceleration;
  out.weight = weight;
}

AllowedLoads::AllowedLoads(const DriveChoice& choice, const DrivePair& pair,
                           const OpenSamples& samples)
    : samples_(&samples), shaft_(choice.shaft_of(pair)) {
  const Motor& motor = choice.motor(pair);
  const Gearbox& gears = choice.gearbox(pair);
  const double margin = choice.margin();
  peak_torque_ = motor.peak_torque / margin;
  rated_torque_ = motor.rated_torque / margin;
  peak_load_ = gears.peak_torque * choice.transmission() / margin;
  rated_load_ = gears.rated_torque * choice.transmission() / margin;
  no_load_speed_ = motor.no_load_speed;
  droop_ = motor.droop() * margin;
  scale_ = std::min(peak_torque_ * shaft_.ratio, peak_load_);
  for (const double v : samples.velocity) {
    const double speed = std::abs(v) * shaft_.ratio;
    fast_enough_ =
        fast_enough_ && keeps(speed, motor.no_load_speed) && keeps(speed, gears.input_speed);
  }
}

AllowedLoads::Law AllowedLoads::law(Mean mean, std::size_t k) const {
  if (mean == Mean::load) return {1.0, 1.0, 0.0};
  const double v = samples_->velocity[k], i = shaft_.ratio;
  const double driving = 1.0 / (i * shaft_.efficiency), driven = shaft_.back_efficiency / i;
  return {v > 0.0   ? driven
          : v < 0.0 ? driving
                    : 1.0 / i,
          v > 0.0   ? driving
          : v < 0.0 ? driven
                    : 1.0 / i,
          shaft_.inertia * i * samples_->acceleration[k]};
}

double AllowedLoads::value(Mean mean, std::size_t k, double u) const {
  return law(mean, k).at(samples_->carried(k, u));
}

/// The largest load of the mechanism with which no more than this is carried; -infinity: none is.
double AllowedLoads::most_load(std::size_t k, double carried) const {
  const double play = samples_->play[k];
  if (samples_->favourable) return carried < 0.0 ? carried - play : carried + play;
  if (carried >= play) return carried - play;
  return carried >= -play ? 0.0 : carried + play;
}

LoadInterval AllowedLoads::range(std::size_t k) const {
  const Law torque = law(Mean::torque, k);
  const double n = samples_->velocity[k] * shaft_.ratio;
  // where the motor drives, its speed takes away from its torque
  const double driving =
      droop_ > 0.0 ? std::max(0.0, (no_load_speed_ - std::abs(n)) / droop_) : infinity;
  const double most = n > 0.0 ? std::min(peak_torque_, driving) : peak_torque_;
  const double least = n < 0.0 ? -std::min(peak_torque_, driving) : -peak_torque_;
  // the load that gives this torque; where none does, everything or nothing is allowed
  const auto load_at = [](double share, double torque_of_load) {
    return share > 0.0 ? torque_of_load / share : torque_of_load < 0.0 ? -infinity : infinity;
  };
  const double above = most - torque.constant, below = torque.constant - least;
  const double carried_most =
      std::min(peak_load_, load_at(above < 0.0 ? torque.below : torque.above, above));
  const double carried_least =
      std::min(peak_load_, load_at(below < 0.0 ? torque.above : torque.below, below));
  return {-most_load(k, carried_least), most_load(k, carried_most)};
}

/// The ends of a range and the loads between at which what is carried bends or jumps, in order.
AllowedLoads::Corners AllowedLoads::corners(std::size_t k, const LoadInterval& range) const {
  const double play = samples_->play[k];
  Corners found;
  const auto add = [&](double u) {
    const double carried = samples_->carried(k, u);
    const bool jumps = u == 0.0 && !samples_->favourable;
    found.of[found.count++] = {u, jumps ? -play : carried, jumps ? play : carried};
  };
  add(range.least);
  for (const double u : {-play, 0.0, play}) {
    const bool bends = samples_->favourable ? u != 0.0 || play == 0.0 : u == 0.0;
    if (bends && u > found.of[found.count - 1].load && u < range.most) add(u);
  }
  if (range.most > range.least) add(range.most);
  return found;
}

LoadLine AllowedLoads::line_below(Mean mean, std::size_t k, double y, const LoadInterval& range,
                                  double u) const {
  const Law f = law(mean, k);
  const Corners all = corners(k, range);
  const auto at = [&](const Corner& corner) {
    return std::min(y * f.at(corner.left), y * f.at(corner.right));
  };
  // the lower hull of the corners: of all chords over u the one that is lowest there
  const double from = std::clamp(u, range.least, range.most);
  LoadLine best{0.0, at(all.of[0])};
  double lowest = infinity;
  for (std::size_t a = 0; a < all.count; ++a)
    for (std::size_t b = a + 1; b < all.count; ++b) {
      const double left = all.of[a].load, right = all.of[b].load;
      if (left > from || right < from) continue;
      const double slope = (at(all.of[b]) - at(all.of[a])) / (right - left);
      const double height = at(all.of[a]) + slope * (from - left);
      if (height < lowest) {
        lowest = height;
        best = {slope, at(all.of[a]) - slope * left};
      }
    }
  // rounding must not lift the line above a corner
  for (std::size_t c = 0; c < all.count; ++c)
    best.offset = std::min(best.offset, at(all.of[c]) - best.slope * all.of[c].load);
  return best;
}

double AllowedLoads::largest(std::size_t k, double slope, double of_torque, double of_load,
                             const LoadInterval& range) const {
  const Law torque = law(Mean::torque, k);
  const Corners all = corners(k, range);
  double most = -infinity;
  for (std::size_t c = 0; c < all.count; ++c)
    for (const double carried : {all.of[c].left, all.of[c].right})
      most = std::max(most,
                      slope * all.of[c].load - of_torque * torque.at(carried) - of_load * carried);
  return most;
}

}  // namespace counterpoise
