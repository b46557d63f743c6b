#include "results/order/dominance_tree.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>

namespace counterpoise {
namespace {

constexpr std::size_t leaf_size = 32;  // so many that compilers compare them in lanes
constexpr double infinity = std::numeric_limits<double>::infinity();

}  // namespace

DominanceTree::DominanceTree(std::span<const double> points, std::size_t objectives)
    : objectives_(objectives) {
  std::vector<std::uint32_t> all(points.size() / objectives);
  std::iota(all.begin(), all.end(), 0U);
  if (!all.empty()) build(points, all);
}

std::size_t DominanceTree::build(std::span<const double> points, std::span<std::uint32_t> part) {
  const std::size_t node = nodes_.size();
  nodes_.emplace_back();
  std::size_t widest = 0;
  double width = -1.0;
  for (std::size_t k = 0; k < objectives_; ++k) {
    double least = infinity, most = -infinity;
    for (const std::size_t i : part) {
      least = std::min(least, points[i * objectives_ + k]);
      most = std::max(most, points[i * objectives_ + k]);
    }
    least_.push_back(least);
    if (most - least > width) {
      width = most - least;
      widest = k;
    }
  }
  if (part.size() <= leaf_size) {
    nodes_[node].right = leaves_.size();
    add_leaf(points, part);
    return node;
  }
  const std::size_t half = (part.size() / 2 + leaf_size - 1) / leaf_size * leaf_size;
  std::nth_element(part.begin(), part.begin() + static_cast<std::ptrdiff_t>(half), part.end(),
                   [&](std::size_t a, std::size_t b) {
                     return points[a * objectives_ + widest] < points[b * objectives_ + widest];
                   });
  const std::size_t left = build(points, part.first(half));
  const std::size_t right = build(points, part.subspan(half));
  nodes_[node] = {left, right};
  return node;
}

/// Empty places of a leaf hold infinity, which dominates nothing.
void DominanceTree::add_leaf(std::span<const double> points, std::span<const std::uint32_t> part) {
  for (std::size_t k = 0; k < objectives_; ++k) {
    for (const std::size_t i : part) leaves_.push_back(points[i * objectives_ + k]);
    leaves_.resize(leaves_.size() + leaf_size - part.size(), infinity);
  }
}

bool DominanceTree::leaf_dominates(std::size_t begin, std::span<const double> point) const {
  const double* const leaf = leaves_.data() + begin;
  std::array<std::uint64_t, leaf_size> no_worse{}, better{};  // of each point, as lanes
  no_worse.fill(1);
  for (std::size_t k = 0; k < objectives_; ++k)
    for (std::size_t i = 0; i < leaf_size; ++i) {
      no_worse[i] &= static_cast<std::uint64_t>(leaf[k * leaf_size + i] <= point[k]);
      better[i] |= static_cast<std::uint64_t>(leaf[k * leaf_size + i] < point[k]);
    }
  std::uint64_t found = 0;
  for (std::size_t i = 0; i < leaf_size; ++i) found |= no_worse[i] & better[i];
  return found != 0;
}

/// By how much the point is above the least values of a node, in the objective where that is least:
/// negative if nothing below the node dominates it.
double DominanceTree::room_below(std::size_t node, std::span<const double> point) const {
  const double* const least = least_.data() + node * objectives_;
  double room = infinity;
  for (std::size_t k = 0; k < objectives_; ++k) {
    if (point[k] < least[k]) return -1.0;
    room = std::min(room, point[k] - least[k]);
  }
  return room;
}

bool DominanceTree::dominates(std::span<const double> point) {
  if (nodes_.empty()) return false;
  if (leaf_dominates(last_, point)) return true;
  open_.assign(1, 0);
  while (!open_.empty()) {
    const Node node = nodes_[open_.back()];
    open_.pop_back();
    if (node.left == 0) {
      if (!leaf_dominates(node.right, point)) continue;
      last_ = node.right;
      return true;
    }
    const double left = room_below(node.left, point), right = room_below(node.right, point);
    const bool left_first = left > right;  // where there is more room there is more to find
    if (!(left < 0.0) && !left_first) open_.push_back(node.left);
    if (!(right < 0.0)) open_.push_back(node.right);
    if (!(left < 0.0) && left_first) open_.push_back(node.left);
  }
  return false;
}

}  // namespace counterpoise
