#include "studies/unreached_poses.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "engine/mechanism/finding.hpp"

namespace counterpoise {
namespace {

/// A box of places in the axes of a grid of poses, ends included.
struct Box {
  std::vector<int> from, to;
  std::vector<int> poses;  // in it
};

/// Covers poses of a grid by boxes. Places are counted along ascending positions.
class BoxCover {
 public:
  BoxCover(const PoseGrid& grid, const std::vector<char>& left_out)
      : grid_(grid), left_out_(left_out), covered_(left_out.size(), 0) {
    for (std::size_t a = 0; a < grid.axes().size(); ++a) {
      const std::vector<double>& levels = grid.levels(a).levels;
      std::vector<int>& order = orders_.emplace_back(levels.size());
      std::iota(order.begin(), order.end(), 0);
      std::stable_sort(order.begin(), order.end(), [&](int i, int j) {
        return levels[static_cast<std::size_t>(i)] < levels[static_cast<std::size_t>(j)];
      });
      places_.emplace_back(levels.size());
      for (std::size_t i = 0; i < order.size(); ++i)
        places_.back()[static_cast<std::size_t>(order[i])] = static_cast<int>(i);
    }
  }

  /// The largest box around a pose that is not covered yet, as far as one axis after the other can
  /// be extended; nothing if all are covered.
  bool next(Box& best) {
    best = {};
    for (int k = 0; k < static_cast<int>(left_out_.size()); ++k) {
      if (left_out_[k] == 0 || covered_[k] != 0) continue;
      for (std::size_t first = 0; first < orders_.size(); ++first) {
        Box box = around(k, first);
        if (box.poses.size() > best.poses.size()) best = std::move(box);
      }
      if (++tried_ > most_tries) break;
    }
    for (const int k : best.poses) covered_[k] = 1;
    return !best.poses.empty();
  }
  [[nodiscard]] int uncovered() const {
    int count = 0;
    for (std::size_t k = 0; k < left_out_.size(); ++k)
      count += left_out_[k] != 0 && covered_[k] == 0 ? 1 : 0;
    return count;
  }
  [[nodiscard]] double position(std::size_t axis, int place) const {
    return grid_.levels(axis)
        .levels[static_cast<std::size_t>(orders_[axis][static_cast<std::size_t>(place)])];
  }
  [[nodiscard]] int count(std::size_t axis) const { return static_cast<int>(orders_[axis].size()); }

 private:
  static constexpr int most_tries = 200;

  /// Extends the pose along its axes, the one with number `first` first, as long as all poses are
  /// left out.
  [[nodiscard]] Box around(int k, std::size_t first) const {
    Box box;
    for (std::size_t a = 0; a < orders_.size(); ++a)
      box.from.push_back(places_[a][grid_.levels(a).level_of(k)]);
    box.to = box.from;
    box.poses = {k};
    for (std::size_t i = 0; i < orders_.size(); ++i) {
      const std::size_t axis = (first + i) % orders_.size();
      for (const int step : {-1, 1})
        while (extend(box, axis, step)) {
        }
    }
    return box;
  }
  /// Extends a box by one place, if all poses there are left out.
  bool extend(Box& box, std::size_t axis, int step) const {
    const int place = step < 0 ? box.from[axis] - 1 : box.to[axis] + 1;
    if (place < 0 || place >= count(axis)) return false;
    std::vector<int> at = box.from, added;
    at[axis] = place;
    while (true) {
      std::vector<int> levels;
      for (std::size_t a = 0; a < at.size(); ++a)
        levels.push_back(orders_[a][static_cast<std::size_t>(at[a])]);
      const int pose = grid_.pose_at(levels);
      if (left_out_[pose] == 0) return false;
      added.push_back(pose);
      std::size_t a = 0;
      for (; a < at.size(); ++a) {
        if (a == axis) continue;
        if (++at[a] <= box.to[a]) break;
        at[a] = box.from[a];
      }
      if (a == at.size()) break;
    }
    (step < 0 ? box.from : box.to)[axis] = place;
    box.poses.insert(box.poses.end(), added.begin(), added.end());
    return true;
  }

  const PoseGrid& grid_;
  const std::vector<char>& left_out_;
  std::vector<char> covered_;
  std::vector<std::vector<int>> orders_;  // per axis, its levels by ascending position
  std::vector<std::vector<int>> places_;  // per axis, the place of each level in that order
  int tried_ = 0;
};

/// "elbow from 1.2 rad on while shoulder up to -0.3 rad"
std::string words_of(const Box& box, const BoxCover& cover, const std::vector<PosePosition>& names,
                     const std::vector<std::size_t>& axes) {
  std::vector<std::string> parts;
  for (std::size_t a = 0; a < axes.size(); ++a) {
    const PosePosition& of = names[axes[a]];
    const bool starts = box.from[a] == 0, ends = box.to[a] + 1 == cover.count(a);
    if (starts && ends) continue;
    const double from = cover.position(a, box.from[a]), to = cover.position(a, box.to[a]);
    if (starts)
      parts.push_back(fmt::format("{} up to {:.6g} {}", of.coordinate, to, of.unit));
    else if (ends)
      parts.push_back(fmt::format("{} from {:.6g} {} on", of.coordinate, from, of.unit));
    else if (box.from[a] == box.to[a])
      parts.push_back(fmt::format("{} at {:.6g} {}", of.coordinate, from, of.unit));
    else
      parts.push_back(
          fmt::format("{} from {:.6g} {} to {:.6g} {}", of.coordinate, from, of.unit, to, of.unit));
  }
  return parts.empty() ? "all" : fmt::format("{}", fmt::join(parts, " while "));
}

/// Runs of poses in a sequence, the longest first: "poses 12 to 17".
void add_runs(const std::vector<char>& left_out, UnreachedPoses& found) {
  struct Run {
    int from, count;
  };
  std::vector<Run> runs;
  for (int k = 0; k < static_cast<int>(left_out.size()); ++k) {
    if (left_out[k] == 0) continue;
    if (runs.empty() || runs.back().from + runs.back().count < k) runs.push_back({k, 0});
    ++runs.back().count;
  }
  std::stable_sort(runs.begin(), runs.end(),
                   [](const Run& a, const Run& b) { return a.count > b.count; });
  for (const Run& run : runs) {
    if (found.regions.size() == UnreachedPoses::most_regions) {
      found.elsewhere += run.count;
      continue;
    }
    found.regions.push_back(
        run.count == 1 ? fmt::format("pose {}", run.from + 1)
                       : fmt::format("poses {} to {}", run.from + 1, run.from + run.count));
  }
}

}  // namespace

UnreachedPoses unreached_poses(std::size_t index, const Mechanism& mechanism, const Motion& motion,
                               std::span<const double> times) {
  UnreachedPoses found;
  found.motion = index;
  found.poses = motion.sample_count();
  std::vector<char> left_out(static_cast<std::size_t>(found.poses), 1);
  for (const double time : times) left_out[std::lround(time / motion.step)] = 0;
  found.left_out = found.poses - static_cast<int>(times.size());
  if (found.left_out == 0) return found;
  const PoseGrid grid(motion);
  if (!grid.whole()) {
    add_runs(left_out, found);
    return found;
  }
  const std::vector<PosePosition> names = pose_of(motion, mechanism, 0);
  BoxCover cover(grid, left_out);
  for (Box box; found.regions.size() < UnreachedPoses::most_regions && cover.next(box);)
    found.regions.push_back(words_of(box, cover, names, grid.axes()));
  found.elsewhere = cover.uncovered();
  return found;
}

}  // namespace counterpoise
