#include "results/rows/near_points.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace counterpoise {
namespace {

constexpr std::size_t most_waiting = 64;  // points that wait until they become a tree
constexpr std::size_t leaf = 16;          // points of a tree that have no border

bool has_nan(std::span<const double> point) {
  return std::any_of(point.begin(), point.end(), [](double x) { return std::isnan(x); });
}

}  // namespace

bool NearPoints::near(std::span<const double> point) const {
  if (size_ == 0 || has_nan(point)) return false;
  if (widths_.empty()) return true;
  for (std::size_t i = 0; i < waiting_.size() / widths_.size(); ++i)
    if (same(at(waiting_, i), point)) return true;
  return std::any_of(trees_.begin(), trees_.end(),
                     [&](const Tree& tree) { return near_in(tree, 0, tree.across.size(), point); });
}

void NearPoints::add(std::span<const double> point) {
  if (has_nan(point)) return;
  ++size_;
  waiting_.insert(waiting_.end(), point.begin(), point.end());
  if (waiting_.size() < most_waiting * widths_.size() || widths_.empty()) return;
  std::size_t free = 0;
  while (free < trees_.size() && !trees_[free].points.empty()) {
    waiting_.insert(waiting_.end(), trees_[free].points.begin(), trees_[free].points.end());
    trees_[free++] = {};
  }
  if (free == trees_.size()) trees_.emplace_back();
  trees_[free] = tree_of(waiting_);
  waiting_.clear();
}

bool NearPoints::same(std::span<const double> a, std::span<const double> b) const {
  ++looks_;
  for (std::size_t k = 0; k < widths_.size(); ++k)
    if (!(std::abs(a[k] - b[k]) <= widths_[k])) return false;
  return true;
}

/// Whether one of the points `begin` to `end` of a tree is near. Rounding keeps the order of
/// differences: where the border is too far away, so is all behind it.
bool NearPoints::near_in(const Tree& tree, std::size_t begin, std::size_t end,
                         std::span<const double> point) const {
  while (end - begin > leaf) {
    const std::size_t middle = begin + (end - begin) / 2;
    const auto border = at(tree.points, middle);
    if (same(border, point)) return true;
    const std::size_t k = tree.across[middle];
    const bool before = !(point[k] - border[k] > widths_[k]);
    const bool behind = !(border[k] - point[k] > widths_[k]);
    if (before && behind && near_in(tree, begin, middle, point)) return true;
    if (behind)
      begin = middle + 1;
    else
      end = middle;
  }
  for (std::size_t i = begin; i < end; ++i)
    if (same(at(tree.points, i), point)) return true;
  return false;
}

/// The coordinate in which some points are spread over most widths.
std::uint32_t NearPoints::most_spread(std::span<const double> points,
                                      std::span<const std::size_t> part) const {
  std::uint32_t widest = 0;
  double most = -1.0;
  for (std::size_t k = 0; k < widths_.size(); ++k) {
    double low = at(points, part.front())[k], high = low;
    for (const std::size_t i : part) {
      low = std::min(low, at(points, i)[k]);
      high = std::max(high, at(points, i)[k]);
    }
    const double spread = low < high ? (high - low) / widths_[k] : 0.0;
    if (!(spread > most)) continue;
    most = spread;
    widest = static_cast<std::uint32_t>(k);
  }
  return widest;
}

/// Puts the points of a part, which begins at `begin` of its tree, in the tree's order.
void NearPoints::order(std::span<const double> points, std::span<std::size_t> part,
                       std::size_t begin, std::vector<std::uint32_t>& across) const {
  if (part.size() <= leaf) return;
  const std::size_t half = part.size() / 2;
  const std::uint32_t k = most_spread(points, part);
  std::nth_element(
      part.begin(), part.begin() + static_cast<std::ptrdiff_t>(half), part.end(),
      [&](std::size_t a, std::size_t b) { return at(points, a)[k] < at(points, b)[k]; });
  across[begin + half] = k;
  order(points, part.first(half), begin, across);
  order(points, part.subspan(half + 1), begin + half + 1, across);
}

NearPoints::Tree NearPoints::tree_of(const std::vector<double>& points) const {
  std::vector<std::size_t> places(points.size() / widths_.size());
  std::iota(places.begin(), places.end(), std::size_t{0});
  Tree tree{{}, std::vector<std::uint32_t>(places.size())};
  order(points, places, 0, tree.across);
  tree.points.reserve(points.size());
  for (const std::size_t place : places) {
    const auto point = at(points, place);
    tree.points.insert(tree.points.end(), point.begin(), point.end());
  }
  return tree;
}

}  // namespace counterpoise
