#include "studies/pages/shown_poses.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

namespace counterpoise {
namespace {

/// The next smaller number of levels that can be chosen evenly from `all` of them. Their places
/// have to be even and odd by turns, because an axis turns back or not by the sum of the places of
/// the slower ones: so they are three apart at least, and their number is odd or even as `all` is.
std::optional<int> fewer_levels(int all, int levels) {
  int fewer = std::min(levels - 1, (all - 1) / 3 + 1);
  if ((all - fewer) % 2 != 0) --fewer;
  return fewer >= 2 ? std::optional(fewer) : std::nullopt;
}

/// The places of so many of `all` levels, the first and the last among them.
std::vector<int> even_places(int all, int levels) {
  std::vector<int> places;
  for (int i = 0; i < levels; ++i) {
    const double even = static_cast<double>(i) * (all - 1) / std::max(levels - 1, 1);
    const int parity = levels < all ? i % 2 : 0;
    places.push_back(levels < all ? 2 * static_cast<int>(std::lround((even - parity) / 2)) + parity
                                  : i);
  }
  return places;
}

/// How many levels each axis keeps so that there are `most` combinations; nothing where the levels
/// are too few to be thinned so far.
std::optional<std::vector<int>> thinned_counts(const std::vector<int>& all, std::size_t most) {
  std::vector<int> kept = all;
  const auto combinations = [&] {
    std::size_t product = 1;
    for (const int levels : kept) product *= static_cast<std::size_t>(levels);
    return product;
  };
  while (combinations() > most) {
    int* longest = nullptr;  // of the axes that can be thinned
    std::optional<int> fewer;
    for (std::size_t a = 0; a < all.size(); ++a) {
      const std::optional<int> next = fewer_levels(all[a], kept[a]);
      if (!next || (longest != nullptr && kept[a] <= *longest)) continue;
      longest = &kept[a];
      fewer = next;
    }
    if (longest == nullptr) return std::nullopt;
    *longest = *fewer;
  }
  return kept;
}

}  // namespace

ShownPoses::ShownPoses(const Motion& motion, std::size_t most)
    : all_(static_cast<std::size_t>(motion.sample_count())) {
  if (!motion.poses || all_ <= most) return;
  thinned_ = true;
  const PoseGrid grid(motion);
  std::vector<int> counts;
  for (std::size_t a = 0; a < grid.axes().size(); ++a)
    counts.push_back(static_cast<int>(grid.levels(a).levels.size()));
  const auto kept = grid.whole() ? thinned_counts(counts, most) : std::nullopt;
  if (!kept) {
    const std::size_t stride = (all_ + most - 1) / most;
    for (std::size_t k = 0; k < all_; k += stride) samples_.push_back(static_cast<int>(k));
    return;
  }
  for (std::size_t a = 0; a < counts.size(); ++a)
    levels_.push_back(even_places(counts[a], (*kept)[a]));
  // all combinations of the places that are kept, counted like the digits of a number
  std::vector<std::size_t> digits(counts.size(), 0);
  std::vector<int> places(counts.size());
  for (std::size_t next = digits.size(); next > 0;) {
    for (std::size_t a = 0; a < digits.size(); ++a) places[a] = levels_[a][digits[a]];
    samples_.push_back(grid.pose_at(places));
    for (next = digits.size(); next > 0 && ++digits[next - 1] == levels_[next - 1].size(); --next)
      digits[next - 1] = 0;
  }
  std::sort(samples_.begin(), samples_.end());
}

std::size_t most_poses(const Mechanism& mechanism, std::size_t numbers) {
  // of each pose: its time, poses of bodies, the centre of mass, joints, actuators with and without
  // springs, springs, energies
  const std::size_t of_pose = 2 + 8 * mechanism.bodies.size() + 3 + 4 * mechanism.actuators.size() +
                              2 * mechanism.springs.size() + 6;
  return std::max<std::size_t>(numbers / of_pose, 1);
}

std::variant<ShownRun, Finding> simulate_shown(const Mechanism& mechanism, const Motion& motion,
                                               const SimulationOptions& options,
                                               const ShownPoses& shown) {
  ShownRun run;
  std::vector<std::size_t> loads;  // their columns
  std::vector<Series> columns;
  const auto begin = [&](std::span<const Series> stretch) {
    columns.clear();
    loads.clear();
    run.reached.clear();
    run.largest.assign(mechanism.actuators.size(), {});
    for (const Series& series : stretch) columns.push_back({series.name, {}});
    for (const Actuator& actuator : mechanism.actuators)
      for (std::size_t c = 0; c < columns.size(); ++c)
        if (columns[c].name == actuator.name + ".load") loads.push_back(c);
  };
  const auto note = [&](std::span<const Series> stretch, std::size_t k, int sample) {
    if (stretch.size() > 1 && std::isnan(stretch[1].values[k])) return;
    run.reached.push_back(stretch[0].values[k]);
    for (std::size_t a = 0; a < loads.size(); ++a) {
      const double load = stretch[loads[a]].values[k];
      ShownRun::Largest& largest = run.largest[a];
      if (largest.sample < 0 || std::abs(load) > std::abs(largest.load)) largest = {load, sample};
    }
  };
  const auto take = [&](std::span<Series> stretch, int first) {
    if (first == 0) begin(stretch);
    const std::size_t count = stretch.front().values.size();
    const int end = first + static_cast<int>(count);
    for (std::size_t k = 0; k < count; ++k) note(stretch, k, first + static_cast<int>(k));
    for (std::size_t c = 0; c < stretch.size(); ++c) {
      const std::vector<double>& from = stretch[c].values;
      std::vector<double>& to = columns[c].values;
      if (!shown.thinned()) {
        to.insert(to.end(), from.begin(), from.end());
        continue;
      }
      const std::vector<int>& samples = shown.samples();
      for (auto at = std::lower_bound(samples.begin(), samples.end(), first);
           at != samples.end() && *at < end; ++at)
        to.push_back(from[static_cast<std::size_t>(*at - first)]);
    }
  };
  auto result = SimulationRun(mechanism, motion, options).check(take);
  if (const auto* finding = std::get_if<Finding>(&result)) return *finding;
  run.simulation = std::move(std::get<Simulation>(result));
  run.simulation.columns = std::move(columns);
  return run;
}

}  // namespace counterpoise
