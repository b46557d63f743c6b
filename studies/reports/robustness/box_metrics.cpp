#include "studies/reports/robustness/box_metrics.hpp"

#include <algorithm>
#include <cmath>

namespace counterpoise {
namespace {

/// Sums over a series of sizes of loads, each times `scale`; of squares in place of rms.
template <class Size>
ActuatorMetrics sums_of(const AffineLoads& loads, const std::vector<double>& velocity,
                        const Size& size, double scale) {
  ActuatorMetrics metrics;
  const auto samples = static_cast<std::size_t>(loads.samples);
  for (std::size_t k = 0; k < samples; ++k) {
    const bool end = samples > 1 && (k == 0 || k + 1 == samples);
    const double weight = end ? 0.5 : 1.0;
    const double load = size(k) * scale;
    const double power = load * std::abs(velocity[k]);
    metrics.max = std::max(metrics.max, load);
    metrics.peak_power = std::max(metrics.peak_power, power);
    metrics.mean += weight * load;
    metrics.rms += weight * load * load;
    metrics.energy += weight * power;
  }
  return metrics;
}

/// Metrics of a series of sizes of loads.
template <class Size>
ActuatorMetrics summed(const AffineLoads& loads, const std::vector<double>& velocity,
                       const Size& size) {
  double scale = 1.0;
  ActuatorMetrics metrics = sums_of(loads, velocity, size, scale);
  if (lost_in_sum(metrics.rms, metrics.max)) {
    scale = scale_of(metrics.max);
    metrics = sums_of(loads, velocity, size, scale);
  }
  const double intervals = loads.samples > 1 ? static_cast<double>(loads.samples - 1) : 1.0;
  metrics.max /= scale;
  metrics.peak_power /= scale;
  metrics.mean = metrics.mean / intervals / scale;
  metrics.rms = std::sqrt(metrics.rms / intervals) / scale;
  metrics.energy = loads.samples > 1 ? metrics.energy * loads.step / scale : 0.0;
  return metrics;
}

void keep_largest(const ActuatorMetrics& other, ActuatorMetrics& largest) {
  largest.max = std::max(largest.max, other.max);
  largest.mean = std::max(largest.mean, other.mean);
  largest.rms = std::max(largest.rms, other.rms);
  largest.energy = std::max(largest.energy, other.energy);
  largest.peak_power = std::max(largest.peak_power, other.peak_power);
}

SpringMetrics spring_metrics(const AffineLoads::SpringShape& shape, const SpringLaw& law) {
  const double first = law.rate * shape.shortest + law.offset;
  const double last = law.rate * shape.longest + law.offset;
  return {shape.shortest, shape.longest, std::max(std::abs(first), std::abs(last)),
          std::min(first, last)};
}

/// The next of all choices of one number below each size, the last fastest; false after the last.
template <class SizeOf>
bool advance(std::span<const std::size_t> places, const SizeOf& size_of,
             std::vector<std::size_t>& choice) {
  for (std::size_t i = places.size(); i-- > 0;) {
    if (++choice[places[i]] < size_of(places[i])) return true;
    choice[places[i]] = 0;
  }
  return false;
}

}  // namespace

ActuatorMetrics metrics_of(const AffineLoads& loads, std::size_t actuator,
                           std::span<const SpringLaw> laws) {
  const AffineLoads::ActuatorLoad& load = loads.actuators[actuator];
  std::vector<double> series = load.bare;
  for (const AffineLoads::Influence& influence : load.influences) {
    const auto s = static_cast<std::size_t>(influence.spring);
    const std::vector<double>& length = loads.springs[s].length;
    for (std::size_t k = 0; k < series.size(); ++k)
      series[k] += influence.per_tension[k] * (laws[s].rate * length[k] + laws[s].offset);
  }
  return summed(loads, load.velocity, [&](std::size_t k) { return std::abs(series[k]); });
}

BoxMetrics::BoxMetrics(std::span<const BoxMotion> motions, std::span<const MotionMetrics> parts,
                       const Metrics& base, std::size_t most_corners)
    : current_(base) {
  find_distinct(motions);
  find_tables(motions, most_corners);
  std::vector<Metrics> by_motion(motions.size());
  std::vector<MotionMetrics> shares(parts.begin(), parts.end());
  for (std::size_t m = 0; m < motions.size(); ++m) {
    fill(motions[m], by_motion[m]);
    shares[m].metrics = &by_motion[m];
  }
  combine(shares, all_);
  choice_.assign(distinct_.size(), 0);
  if (!every_corner_) take_worst();
}

/// Corners that differ in limits alone, or not at all, are one.
void BoxMetrics::find_distinct(std::span<const BoxMotion> motions) {
  const std::size_t springs = motions.front().corners.size();
  distinct_.resize(springs);
  for (std::size_t s = 0; s < springs; ++s)
    for (std::size_t c = 0; c < motions.front().corners[s].laws.size(); ++c) {
      const auto same = [&](std::size_t other) {
        return std::all_of(motions.begin(), motions.end(), [&](const BoxMotion& motion) {
          const SpringLaw &a = motion.corners[s].laws[c], &b = motion.corners[s].laws[other];
          return a.rate == b.rate && a.offset == b.offset;
        });
      };
      if (std::none_of(distinct_[s].begin(), distinct_[s].end(), same)) distinct_[s].push_back(c);
    }
}

void BoxMetrics::find_tables(std::span<const BoxMotion> motions, std::size_t most_corners) {
  for (const std::vector<std::size_t>& corners : distinct_) {
    every_corner_ = every_corner_ && count_ <= most_corners / corners.size();
    if (every_corner_) count_ *= corners.size();
  }
  if (!every_corner_) count_ = 1;
  std::size_t next = 0;
  for (const AffineLoads::ActuatorLoad& load : motions.front().loads.actuators) {
    Table& table = tables_.emplace_back();
    table.first = next;
    table.count = 1;
    for (const AffineLoads::Influence& influence : load.influences) {
      const auto s = static_cast<std::size_t>(influence.spring);
      if (distinct_[s].size() == 1) continue;
      table.bounded = table.bounded || table.count > most_corners / distinct_[s].size();
      table.count *= table.bounded ? 1 : distinct_[s].size();
      table.springs.push_back(s);
    }
    if (table.bounded) table.count = 1;
    if (table.springs.empty()) table.count = 0;
    next += table.count;
  }
  next = 0;
  for (const std::vector<std::size_t>& corners : distinct_) {
    spring_first_.push_back(next);
    next += corners.size();
  }
}

/// Every entry of every table for one motion.
void BoxMetrics::fill(const BoxMotion& motion, Metrics& out) const {
  const AffineLoads& loads = motion.loads;
  std::vector<std::size_t> choice(distinct_.size(), 0);
  std::vector<SpringLaw> laws(distinct_.size());
  LoadRange range;
  for (std::size_t a = 0; a < tables_.size(); ++a) {
    const Table& table = tables_[a];
    if (table.count == 0) continue;
    if (table.bounded) {
      load_range(loads, a, motion.corners, range);
      const auto size = [&](std::size_t k) { return std::max(-range.least[k], range.greatest[k]); };
      out.actuators.push_back(summed(loads, loads.actuators[a].velocity, size));
      continue;
    }
    do {
      for (std::size_t s = 0; s < laws.size(); ++s)
        laws[s] = motion.corners[s].laws[distinct_[s][choice[s]]];
      out.actuators.push_back(metrics_of(loads, a, laws));
    } while (advance(
        table.springs, [&](std::size_t s) { return distinct_[s].size(); }, choice));
  }
  for (std::size_t s = 0; s < distinct_.size(); ++s)
    for (const std::size_t c : distinct_[s])
      out.springs.push_back(spring_metrics(loads.springs[s], motion.corners[s].laws[c]));
}

/// The index of the corners chosen, in the order in which fill() went through them.
std::size_t BoxMetrics::entry(const Table& table) const {
  std::size_t index = 0;
  for (const std::size_t s : table.springs) index = index * distinct_[s].size() + choice_[s];
  return table.first + index;
}

void BoxMetrics::take_worst() {
  for (std::size_t a = 0; a < tables_.size(); ++a)
    for (std::size_t i = 0; i < tables_[a].count; ++i)
      keep_largest(all_.actuators[tables_[a].first + i], current_.actuators[a]);
  for (std::size_t s = 0; s < distinct_.size(); ++s)
    for (std::size_t c = 0; c < distinct_[s].size(); ++c) {
      const SpringMetrics& own = all_.springs[spring_first_[s] + c];
      SpringMetrics& worst = current_.springs[s];
      worst.max_tension = std::max(worst.max_tension, own.max_tension);
      worst.min_tension = std::min(worst.min_tension, own.min_tension);
    }
}

const Metrics& BoxMetrics::at(std::size_t corner) {
  if (!every_corner_) return current_;
  for (std::size_t s = distinct_.size(); s-- > 0;) {
    choice_[s] = corner % distinct_[s].size();
    corner /= distinct_[s].size();
  }
  for (std::size_t a = 0; a < tables_.size(); ++a)
    if (tables_[a].count > 0) current_.actuators[a] = all_.actuators[entry(tables_[a])];
  for (std::size_t s = 0; s < distinct_.size(); ++s)
    if (distinct_[s].size() > 1) current_.springs[s] = all_.springs[spring_first_[s] + choice_[s]];
  return current_;
}

}  // namespace counterpoise
