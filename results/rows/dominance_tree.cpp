#include "results/rows/dominance_tree.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

namespace counterpoise {
namespace {

constexpr std::size_t leaf_size = 128;  // so many that compilers compare them in lanes
constexpr std::size_t lanes = 8;        // objectives are padded by zeros to a multiple of so many

/// The sum of the lesser of two points' objectives. Greater objectives never give a smaller sum,
/// as numbers are added in the same order each time, and rounding keeps the order.
float sum_of_lesser(const float* a, const float* b, std::size_t stride) {
  std::array<float, lanes> sums{};
  for (std::size_t first = 0; first < stride; first += lanes)
    for (std::size_t i = 0; i < lanes; ++i) sums[i] += std::min(a[first + i], b[first + i]);
  for (std::size_t i = 0; i < 4; ++i) sums[i] += sums[i + 4];
  return (sums[0] + sums[2]) + (sums[1] + sums[3]);
}

}  // namespace

DominanceTree::DominanceTree(std::span<const double> points, std::size_t objectives)
    : objectives_(objectives), stride_((objectives + lanes - 1) / lanes * lanes) {
  const std::size_t count = points.size() / objectives;
  if (count == 0) return;
  set_scale(points);
  point_.resize(stride_);
  rounded_.resize(count * stride_);
  for (std::size_t i = 0; i < count; ++i)
    round(points.subspan(i * objectives, objectives), rounded_.data() + i * stride_);
  std::vector<std::uint32_t> all(count);
  std::iota(all.begin(), all.end(), 0U);
  keys_.resize(count);
  nodes_.resize(1);
  corners_.resize(2 * stride_);
  build(0, points, all);
  rounded_ = {};
  keys_ = {};
}

/// Infinite numbers have no part in it.
void DominanceTree::set_scale(std::span<const double> points) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  least_.assign(objectives_, infinity);
  std::vector<double> most(objectives_, -infinity);
  for (std::size_t i = 0; i < points.size(); i += objectives_)
    for (std::size_t k = 0; k < objectives_; ++k) {
      const double value = points[i + k];
      if (!std::isfinite(value)) continue;
      least_[k] = std::min(least_[k], value);
      most[k] = std::max(most[k], value);
    }
  for (std::size_t k = 0; k < objectives_; ++k) {
    if (!std::isfinite(least_[k])) least_[k] = 0.0;
    const double factor = 1.0 / (most[k] - least_[k]);
    scale_.push_back(std::isnormal(factor) ? factor : 1.0);
  }
}

void DominanceTree::round(std::span<const double> point, float* rounded) const {
  constexpr double far = 1e30;  // so that sums are finite
  for (std::size_t k = 0; k < objectives_; ++k)
    rounded[k] = static_cast<float>(std::clamp((point[k] - least_[k]) * scale_[k], -far, far));
}

void DominanceTree::build(std::size_t node, std::span<const double> points,
                          std::span<std::uint32_t> part) {
  set_bounds(node, part);
  if (part.size() <= leaf_size) {
    nodes_[node].leaf = static_cast<std::uint32_t>(exact_.size() / objectives_ / leaf_size);
    add_leaf(points, part);
    return;
  }
  const std::size_t half = (part.size() / 2 + leaf_size - 1) / leaf_size * leaf_size;
  halve(node, part, half);
  const std::size_t left = nodes_.size();
  nodes_[node].left = static_cast<std::uint32_t>(left);
  nodes_.resize(left + 2);
  corners_.resize(2 * stride_ * nodes_.size());
  build(left, points, part.first(half));
  build(left + 1, points, part.subspan(half));
}

void DominanceTree::set_bounds(std::size_t node, std::span<const std::uint32_t> part) {
  float* const least = corners_.data() + 2 * stride_ * node;
  float* const most = least + stride_;
  std::copy_n(rounded_.data() + part.front() * stride_, stride_, least);
  std::copy_n(least, stride_, most);
  float least_sum = std::numeric_limits<float>::infinity();
  for (const std::size_t i : part) {
    const float* const point = rounded_.data() + i * stride_;
    for (std::size_t k = 0; k < stride_; ++k) {
      least[k] = std::min(least[k], point[k]);
      most[k] = std::max(most[k], point[k]);
    }
    least_sum = std::min(least_sum, sum_of_lesser(point, point, stride_));
  }
  nodes_[node].least_sum = least_sum;
}

/// Puts the points that are less in the node's widest objective first.
void DominanceTree::halve(std::size_t node, std::span<std::uint32_t> part, std::size_t half) {
  const float* const least = corners_.data() + 2 * stride_ * node;
  const float* const most = least + stride_;
  std::size_t widest = 0;
  for (std::size_t k = 1; k < objectives_; ++k)
    if (most[k] - least[k] > most[widest] - least[widest]) widest = k;
  const auto keys = std::span(keys_).first(part.size());
  for (std::size_t i = 0; i < part.size(); ++i)
    keys[i] = {rounded_[part[i] * stride_ + widest], part[i]};
  std::nth_element(keys.begin(), keys.begin() + static_cast<std::ptrdiff_t>(half), keys.end(),
                   [](const Key& a, const Key& b) { return a.value < b.value; });
  for (std::size_t i = 0; i < part.size(); ++i) part[i] = keys[i].point;
}

/// All leaves but the last are full. Its empty places hold infinity, which dominates nothing.
void DominanceTree::add_leaf(std::span<const double> points, std::span<const std::uint32_t> part) {
  for (std::size_t k = 0; k < objectives_; ++k) {
    for (const std::size_t i : part) leaves_.push_back(rounded_[i * stride_ + k]);
    leaves_.resize(leaves_.size() + leaf_size - part.size(),
                   std::numeric_limits<float>::infinity());
  }
  for (const std::size_t i : part) {
    const auto point = points.subspan(i * objectives_, objectives_);
    exact_.insert(exact_.end(), point.begin(), point.end());
  }
  exact_.resize(leaves_.size());
  places_.insert(places_.end(), part.begin(), part.end());
}

bool DominanceTree::leaf_dominates(std::size_t leaf, std::span<const double> point) {
  const float* const rough = leaves_.data() + leaf * leaf_size * objectives_;
  std::array<std::uint32_t, leaf_size> no_worse{};  // of each point, as lanes
  no_worse.fill(1);
  for (std::size_t k = 0; k < objectives_; ++k) {
    const float limit = point_[k];
    std::uint32_t any = 0;
    for (std::size_t i = 0; i < leaf_size; ++i) {
      no_worse[i] &= static_cast<std::uint32_t>(rough[k * leaf_size + i] <= limit);
      any |= no_worse[i];
    }
    if (any == 0) return false;
  }
  for (std::size_t i = 0; i < leaf_size; ++i) {
    if (no_worse[i] == 0 || !point_dominates(leaf * leaf_size + i, point)) continue;
    last_ = leaf * leaf_size + i;
    return true;
  }
  return false;
}

bool DominanceTree::point_dominates(std::size_t place, std::span<const double> point) const {
  const double* const other = exact_.data() + place * objectives_;
  bool worse = false, better = false;
  for (std::size_t k = 0; k < objectives_; ++k) {
    worse = worse || other[k] > point[k];
    better = better || other[k] < point[k];
  }
  return better && !worse;
}

/// By how much sums of objectives below a node may be less than what the point and the node allow:
/// negative if nothing below the node dominates the point.
float DominanceTree::room_below(std::size_t node) const {
  const float* const least = corners_.data() + 2 * node * stride_;
  std::array<std::int32_t, lanes> above{};
  for (std::size_t first = 0; first < stride_; first += lanes)
    for (std::size_t i = 0; i < lanes; ++i)
      above[i] |= static_cast<std::int32_t>(least[first + i] > point_[first + i]);
  std::int32_t any = 0;
  for (std::size_t i = 0; i < lanes; ++i) any |= above[i];
  if (any != 0) return -1.0F;
  return sum_of_lesser(point_.data(), least + stride_, stride_) - nodes_[node].least_sum;
}

bool DominanceTree::dominates(std::span<const double> point) {
  if (nodes_.empty()) return false;
  ++looks_;
  if (point_dominates(last_, point)) return true;
  round(point, point_.data());
  if (leaf_dominates(last_ / leaf_size, point)) return true;
  open_.assign(1, 0);
  while (!open_.empty()) {
    ++looks_;
    const Node node = nodes_[open_.back()];
    open_.pop_back();
    if (node.left == 0) {
      if (leaf_dominates(node.leaf, point)) return true;
      continue;
    }
    const float left = room_below(node.left), right = room_below(node.left + 1);
    const bool left_first = left > right;  // where there is more room there is more to find
    if (!(left < 0.0F) && !left_first) open_.push_back(node.left);
    if (!(right < 0.0F)) open_.push_back(node.left + 1);
    if (!(left < 0.0F) && left_first) open_.push_back(node.left);
  }
  return false;
}

std::vector<std::uint32_t> DominanceTree::undominated() {
  std::vector<std::uint32_t> found;
  for (std::size_t i = 0; i < places_.size(); ++i)
    if (!dominates(std::span(exact_).subspan(i * objectives_, objectives_)))
      found.push_back(places_[i]);
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace counterpoise
