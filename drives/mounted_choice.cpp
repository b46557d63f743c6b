#include "drives/mounted_choice.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace counterpoise {
namespace {

constexpr double slack = 1.0 + 4e-9;            // more than keeps() allows, and rounding
constexpr std::size_t most_own_witnesses = 16;  // more would cost more than they save
constexpr int most_rounds = 24;
constexpr std::size_t usual_depth = 8;  // of divisions, for which there is room from the first
constexpr std::size_t few = 64;         // combinations that are gone through one by one

}  // namespace

MountedChoice::PairNumbers MountedChoice::numbers_of(const DriveChoice& choice,
                                                     const DrivePair& pair) {
  const Motor& motor = choice.motor(pair);
  const Gearbox& gears = choice.gearbox(pair);
  const Shaft shaft = choice.shaft_of(pair);
  const double i = shaft.ratio, margin = choice.margin();
  const double of_load = choice.transmission() / margin * slack, of_torque = i / margin * slack;
  PairNumbers numbers;
  numbers.forward = 1.0 / shaft.efficiency;
  numbers.backward = shaft.back_efficiency;
  numbers.reflected = shaft.inertia * i * i;
  numbers.speed = std::min(motor.no_load_speed, gears.input_speed) / i * slack;
  numbers.load = gears.peak_torque * of_load;
  numbers.torque = motor.peak_torque * of_torque;
  numbers.load_mean = gears.rated_torque * of_load;
  numbers.torque_mean = motor.rated_torque * of_torque;
  numbers.speed_per_torque = margin * motor.droop() / (i * i);
  numbers.line_speed = motor.no_load_speed / i * slack;
  return numbers;
}

MountedChoice::MountedChoice(const std::vector<Drive>& drives) {
  for (const Drive& drive : drives) {
    Own& own = drives_.emplace_back();
    own.of = drive;
    own.lightest = std::numeric_limits<double>::infinity();
    for (const DrivePair& pair : drive.choice->pairs()) {
      own.costs.push_back(drive.choice->cost_of(pair));
      own.lightest = std::min(own.lightest, drive.choice->mass_of(pair));
      own.heaviest = std::max(own.heaviest, drive.choice->mass_of(pair));
    }
    const double between = own.heaviest - own.lightest;
    for (const DrivePair& pair : drive.choice->pairs()) {
      PairNumbers& numbers = own.pairs.emplace_back(numbers_of(*drive.choice, pair));
      if (between > 0.0) numbers.share = (drive.choice->mass_of(pair) - own.lightest) / between;
    }
    own.witnesses.reserve(most_own_witnesses);
    own.candidates.resize(drives.size() > 1 ? usual_depth : 0);
    for (std::vector<std::size_t>& pairs : own.candidates) pairs.reserve(own.pairs.size());
    order_.push_back(order_.size());
    if (!drive.mounted || !(between > 0.0)) continue;
    own.mass = static_cast<int>(owners_.size());
    owners_.push_back(drives_.size() - 1);
  }
  box_.resize(owners_.size());
  rest_.resize(drives_.size() + 1);
  best_.resize(drives_.size());
  for (Own& own : drives_) {
    own.samples.added.resize(owners_.size());
    own.influences.reserve(owners_.size());
    own.sizes.resize(owners_.size());
    own.middle.resize(owners_.size());
  }
}

const DrivePair& MountedChoice::pair(std::size_t drive) const {
  const Own& own = drives_[drive];
  return own.of.choice->pairs()[own.picked];
}

/// The range of a drive's load at sample k, in all masses of the box.
MountedChoice::Range MountedChoice::load_at(const Own& own, std::size_t k) const {
  Range load{own.samples.least.load[k], own.samples.least.load[k]};
  for (const std::size_t mass : own.influences) {
    const double added = own.samples.added[mass][k];
    const Range& of = box_[mass];
    load.low += added * (added > 0.0 ? of.low : of.high);
    load.high += added * (added > 0.0 ? of.high : of.low);
  }
  const double play = own.samples.play[k];
  return {with_range(load.low, play, own.of.favourable_at_rest),
          with_range(load.high, play, own.of.favourable_at_rest)};
}

/// Whether sample k asks of a pair, for all masses of the box, more than a part of what it can do.
bool MountedChoice::fails_at(const Own& own, std::size_t pair, std::size_t k, double part) const {
  const PairNumbers& numbers = own.pairs[pair];
  const double v = own.samples.least.velocity[k], a = own.samples.least.acceleration[k];
  const Range load = load_at(own, k);
  const double torque =
      Range{numbers.asked(load.low, v, a), numbers.asked(load.high, v, a)}.nearest_to_zero();
  if (std::abs(torque) > part * numbers.torque ||
      std::abs(load.nearest_to_zero()) > part * numbers.load)
    return true;
  return torque * v > 0.0 &&
         std::abs(torque) * numbers.speed_per_torque + std::abs(v) > part * numbers.line_speed;
}

/// Whether speeds and single samples ask too much of a pair for all masses of the box, or more than
/// a part of what it can do.
bool MountedChoice::fails_surely(const Own& own, std::size_t pair, double part) const {
  return own.fastest > part * own.pairs[pair].speed ||
         std::any_of(own.witnesses.begin(), own.witnesses.end(),
                     [&](std::size_t k) { return fails_at(own, pair, k, part); });
}

/// Forgets what was found out for other masses.
void MountedChoice::anchor(Own& own) {
  for (Anchor& one : own.anchored) one.known = false;
  for (const std::size_t mass : own.influences)
    own.middle[mass] = (box_[mass].low + box_[mass].high) / 2.0;
}

/// Whether thermal means rule a pair out for all masses of the box. A change of the load by d
/// changes i tau by no more than d / efficiency, and means of squares obey the triangle inequality.
bool MountedChoice::exceeds_means(Own& own, std::size_t pair) {
  if (!own.continuous) return false;
  constexpr double steps = anchors - 1;
  const PairNumbers& numbers = own.pairs[pair];
  const double nearest = own.mass < 0 ? 0.0 : std::round(numbers.share * steps);
  Anchor& from = own.anchored[static_cast<std::size_t>(nearest)];
  if (!from.known) {
    load(own, nearest / steps, &own.middle);
    from = {true, sums_of(own.loaded)};
  }
  double apart = 0.0;
  for (const std::size_t mass : own.influences) {
    const Range& of = box_[mass];
    const double there = static_cast<int>(mass) == own.mass ? nearest / steps : own.middle[mass];
    apart += own.sizes[mass] * std::max(std::abs(of.low - there), std::abs(of.high - there));
  }
  const SampleSums& sums = from.sums;
  const double torques = least_square(sums, numbers.forward, numbers.backward, numbers.reflected);
  const double loads =
      (sums.ahead.square + sums.back.square + sums.still.square) * (1.0 - sum_rounding);
  const double time = std::sqrt(sums.weights);
  const double torque = time * numbers.torque_mean + numbers.forward * apart * slack;
  const double load = time * numbers.load_mean + apart * slack;
  return torques > torque * torque || loads > load * load;
}

/// Whether the box leaves no doubt about the load of a drive.
bool MountedChoice::certain(const Own& own) const {
  return std::all_of(own.influences.begin(), own.influences.end(),
                     [&](std::size_t mass) { return box_[mass].low == box_[mass].high; });
}

/// Loads the samples with a share of the drive's own mass and with the others: those of the lower
/// end of the box, if none are given.
void MountedChoice::load(Own& own, double own_share, const std::vector<double>* others) {
  std::vector<double>& loads = own.loaded.load;
  std::copy(own.samples.least.load.begin(), own.samples.least.load.end(), loads.begin());
  for (const std::size_t mass : own.influences) {
    const double share = static_cast<int>(mass) == own.mass ? own_share
                         : others != nullptr                ? (*others)[mass]
                                                            : box_[mass].low;
    const std::vector<double>& added = own.samples.added[mass];
    for (std::size_t k = 0; k < loads.size(); ++k) loads[k] += added[k] * share;
  }
  for (std::size_t k = 0; k < loads.size(); ++k)
    loads[k] = with_range(loads[k], own.samples.play[k], own.of.favourable_at_rest);
}

/// What is asked of a pair with its own mass by the lower end of the box.
DriveUse MountedChoice::use_of(Own& own, std::size_t pair) {
  load(own, own.pairs[pair].share, nullptr);
  return own.of.choice->use_of(own.of.choice->pairs()[pair], own.loaded);
}

/// Whether a pair suffices for the masses of the box, of which there is one of each.
bool MountedChoice::suffices(Own& own, std::size_t pair) {
  if (fails_surely(own, pair) || exceeds_means(own, pair)) return false;
  const DriveUse use = use_of(own, pair);
  if (keeps(use.largest(), 1.0)) return true;
  const auto share = [&](DriveDemand demand) {
    return use.shares[static_cast<std::size_t>(demand)];
  };
  if (own.witnesses.size() == most_own_witnesses ||
      std::max({share(DriveDemand::peak_torque), share(DriveDemand::torque_speed),
                share(DriveDemand::gearbox_peak)}) <= slack)
    return false;
  for (std::size_t k = 0; k < own.loaded.size(); ++k)
    if (fails_at(own, pair, k, 1.0)) {
      own.witnesses.push_back(k);
      break;
    }
  return false;
}

/// Whether a pair may suffice for some masses of the box.
bool MountedChoice::possible(Own& own, std::size_t pair) {
  return certain(own) ? suffices(own, pair) : !fails_surely(own, pair) && !exceeds_means(own, pair);
}

/// The same with the mass of the pair itself.
bool MountedChoice::possible_with_own(Own& own, std::size_t pair) {
  if (own.mass < 0) return possible(own, pair);
  Range& of = box_[static_cast<std::size_t>(own.mass)];
  const Range before = of;
  of = {own.pairs[pair].share, own.pairs[pair].share};
  const bool may = possible(own, pair);
  of = before;
  return may;
}

void MountedChoice::set_mass(const Own& own, std::size_t pair) {
  if (own.mass < 0) return;
  box_[static_cast<std::size_t>(own.mass)] = {own.pairs[pair].share, own.pairs[pair].share};
}

void MountedChoice::pick(Own& own, std::size_t pair) {
  own.picked = pair;
  set_mass(own, pair);
}

/// Finds the samples of largest load, power, acceleration and added load.
void MountedChoice::witness(Own& own) {
  const ShaftSamples& samples = own.samples.least;
  own.witnesses.clear();
  const auto add = [&](const auto& size_at) {
    double most = 0.0;
    std::size_t place = samples.size();
    for (std::size_t k = 0; k < samples.size(); ++k)
      if (const double size = std::abs(size_at(k)); size > most) {
        most = size;
        place = k;
      }
    if (place < samples.size()) own.witnesses.push_back(place);
  };
  add([&](std::size_t k) {
    return samples.load[k] + std::copysign(own.samples.play[k], samples.load[k]);
  });
  add([&](std::size_t k) { return samples.load[k] * samples.velocity[k]; });
  add([&](std::size_t k) { return samples.acceleration[k]; });
  for (const std::size_t mass : own.influences)
    if (own.witnesses.size() + 1 < most_own_witnesses)
      add([&](std::size_t k) { return samples.load[k] + own.samples.added[mass][k]; });
}

void MountedChoice::begin() {
  for (Own& own : drives_) {
    own.influences.clear();
    for (std::size_t mass = 0; mass < box_.size(); ++mass) {
      const std::vector<double>& added = own.samples.added[mass];
      if (std::any_of(added.begin(), added.end(), [](double load) { return load != 0.0; }))
        own.influences.push_back(mass);
      double square = 0.0;
      for (std::size_t k = 0; k < added.size(); ++k)
        square += own.samples.least.weight[k] * added[k] * added[k];
      own.sizes[mass] = std::sqrt(square);
    }
    own.continuous =
        own.of.favourable_at_rest || std::none_of(own.samples.play.begin(), own.samples.play.end(),
                                                  [](double play) { return play > 0.0; });
    own.loaded = own.samples.least;
    own.fastest = 0.0;
    for (const double v : own.samples.least.velocity)
      own.fastest = std::max(own.fastest, std::abs(v));
    witness(own);
    own.picked = 0;
  }
  std::fill(box_.begin(), box_.end(), Range{});
  std::sort(order_.begin(), order_.end(), [&](std::size_t a, std::size_t b) {
    const std::size_t fewer = drives_[a].influences.size(), more = drives_[b].influences.size();
    return fewer != more ? fewer < more : a < b;
  });
  best_cost_.reset();
}

/// The pair that comes nearest with its own mass beside those of the box; the first of equal ones.
std::size_t MountedChoice::nearest(Own& own) {
  double least = std::numeric_limits<double>::infinity();
  std::size_t best = 0;
  for (std::size_t pair = 0; pair < own.pairs.size(); ++pair) {
    set_mass(own, pair);
    if (fails_surely(own, pair, least)) continue;
    const double largest = use_of(own, pair).largest();
    if (largest >= least) continue;
    least = largest;
    best = pair;
  }
  return best;
}

/// Picks in turn for each drive the first pair that suffices with its own mass beside the others,
/// or the nearest, until all keep. Returns whether all suffice then.
bool MountedChoice::settle() {
  for (int round = 0; round < most_rounds; ++round) {
    bool kept = round > 0;
    for (const std::size_t d : order_) {
      Own& own = drives_[d];
      const std::size_t before = own.picked;
      anchor(own);
      std::size_t pair = 0;
      for (; pair < own.pairs.size(); ++pair) {
        set_mass(own, pair);
        if (suffices(own, pair)) break;
      }
      pick(own, pair < own.pairs.size() ? pair : nearest(own));
      kept = kept && own.picked == before;
    }
    if (kept || drives_.size() == 1) break;
  }
  return all_suffice();
}

bool MountedChoice::all_suffice() {
  bool all = true;
  for (std::size_t d = 0; d < drives_.size(); ++d) {
    const DriveUse use = use_of(drives_[d], drives_[d].picked);
    if (keeps(use.largest(), 1.0)) continue;
    if (all || use.largest() > shortfall_.use.largest()) shortfall_ = {d, use};
    all = false;
  }
  return all;
}

PairCost MountedChoice::total_of_picked() const {
  PairCost total;
  for (const std::size_t d : order_) total = total + drives_[d].costs[drives_[d].picked];
  return total;
}

/// Keeps the combination that is picked, of this cost, if it is the best; of equal ones the first.
void MountedChoice::keep_if_best(const PairCost& cost) {
  if (best_cost_ && cost > *best_cost_) return;
  if (best_cost_ && cost == *best_cost_) {
    std::size_t d = 0;
    while (d < drives_.size() && drives_[d].picked == best_[d]) ++d;
    if (d == drives_.size() || drives_[d].picked > best_[d]) return;
  }
  best_cost_ = cost;
  for (std::size_t d = 0; d < drives_.size(); ++d) best_[d] = drives_[d].picked;
}

/// Lists the pairs of each drive that may suffice for some masses of the others, and that the least
/// costs of these leave affordable. Returns whether each drive has some.
bool MountedChoice::list_candidates() {
  std::fill(box_.begin(), box_.end(), Range{0.0, 1.0});
  double least = 0.0;
  for (Own& own : drives_) {
    anchor(own);
    std::size_t pair = 0;
    while (pair < own.pairs.size() && !possible_with_own(own, pair)) ++pair;
    if (pair == own.pairs.size()) return false;
    own.candidates.front().assign(1, pair);
    least += own.costs[pair].first;
  }
  for (Own& own : drives_) {
    const std::size_t first = own.candidates.front().front();
    const double others = least - own.costs[first].first;
    for (std::size_t pair = first + 1; pair < own.pairs.size(); ++pair) {
      if (best_cost_ && own.costs[pair].first + others > best_cost_->first * slack) break;
      if (possible_with_own(own, pair)) own.candidates.front().push_back(pair);
    }
  }
  return true;
}

/// Narrows the box to the masses of the candidates, and leaves out those that cannot suffice then
/// or cost too much, as long as there are any. Returns whether each drive has some left.
bool MountedChoice::narrow(std::size_t depth) {
  for (bool removed = true; removed;) {
    removed = false;
    double least = 0.0;
    for (const Own& own : drives_) {
      const std::vector<std::size_t>& pairs = own.candidates[depth];
      if (pairs.empty()) return false;
      least += own.costs[pairs.front()].first;
      if (own.mass < 0) continue;
      Range& hull = box_[static_cast<std::size_t>(own.mass)];
      hull = {1.0, 0.0};
      for (const std::size_t pair : pairs)
        hull = {std::min(hull.low, own.pairs[pair].share),
                std::max(hull.high, own.pairs[pair].share)};
    }
    for (Own& own : drives_) {
      anchor(own);
      std::vector<std::size_t>& pairs = own.candidates[depth];
      const double others = least - own.costs[pairs.front()].first;
      removed = std::erase_if(pairs,
                              [&](std::size_t pair) {
                                return (best_cost_ && own.costs[pair].first + others >
                                                          best_cost_->first * slack) ||
                                       !possible_with_own(own, pair);
                              }) > 0 ||
                removed;
    }
  }
  return true;
}

/// Goes through the combinations of candidates: one by one where they are few; else of either half
/// of the masses of the drive that has most.
void MountedChoice::divide(std::size_t depth) {
  if (!narrow(depth)) return;
  double combinations = 1.0;
  std::size_t most = drives_.size();
  for (std::size_t d = 0; d < drives_.size(); ++d) {
    const Own& own = drives_[d];
    const auto count = own.candidates[depth].size();
    combinations *= static_cast<double>(count);
    if (own.mass < 0) continue;
    const Range& of = box_[static_cast<std::size_t>(own.mass)];
    if (of.low < of.high &&
        (most == drives_.size() || count > drives_[most].candidates[depth].size()))
      most = d;
  }
  if (combinations <= few || most == drives_.size()) {
    rest_.back() = {};
    for (std::size_t level = order_.size(); level-- > 0;) {
      const Own& own = drives_[order_[level]];
      rest_[level] = rest_[level + 1] + own.costs[own.candidates[depth].front()];
    }
    return search(depth, 0, {});
  }
  const Range whole = box_[static_cast<std::size_t>(drives_[most].mass)];
  const double half = whole.low + (whole.high - whole.low) / 2.0;
  for (Own& own : drives_)
    if (own.candidates.size() == depth + 1) own.candidates.emplace_back().reserve(own.pairs.size());
  const bool light_first =
      drives_[most].pairs[drives_[most].candidates[depth].front()].share <= half;
  for (const bool light : {light_first, !light_first}) {
    for (std::size_t d = 0; d < drives_.size(); ++d) {
      Own& own = drives_[d];
      std::vector<std::size_t>& part = own.candidates[depth + 1];
      part.clear();
      for (const std::size_t pair : own.candidates[depth])
        if (d != most || (own.pairs[pair].share <= half) == light) part.push_back(pair);
    }
    divide(depth + 1);
  }
}

/// Goes through the combinations of candidates from a level of the order on, cheapest pairs first.
void MountedChoice::search(std::size_t depth, std::size_t level, const PairCost& spent) {
  if (level == order_.size()) return keep_if_best(spent);
  Own& own = drives_[order_[level]];
  const Range before = own.mass < 0 ? Range{} : box_[static_cast<std::size_t>(own.mass)];
  for (const std::size_t pair : own.candidates[depth]) {
    const PairCost total = spent + own.costs[pair];
    if (best_cost_ && total + rest_[level + 1] > *best_cost_) break;
    pick(own, pair);
    bool open = true;
    for (std::size_t l = 0; l <= level && open; ++l) {
      Own& other = drives_[order_[l]];
      const bool felt =
          l == level || std::find(other.influences.begin(), other.influences.end(),
                                  static_cast<std::size_t>(own.mass)) != other.influences.end();
      open = !felt || possible(other, other.picked);
    }
    if (open) search(depth, level + 1, total);
  }
  if (own.mass >= 0) box_[static_cast<std::size_t>(own.mass)] = before;
}

bool MountedChoice::choose() {
  begin();
  const bool settled = settle();
  if (drives_.size() == 1) return settled;
  for (std::size_t d = 0; d < drives_.size(); ++d) best_[d] = drives_[d].picked;
  if (settled) keep_if_best(total_of_picked());
  if (list_candidates()) divide(0);
  for (std::size_t d = 0; d < drives_.size(); ++d) drives_[d].picked = best_[d];
  return best_cost_.has_value();
}

}  // namespace counterpoise
