#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace counterpoise {

/// Points, all objectives minimised, in a tree that tells whether one of them dominates another
/// point: is nowhere worse than it, and somewhere better.
///
/// The search compares single precision numbers first, scaled such that each objective goes from 0
/// to 1. Scaling and rounding keep the order, so that a point dominates another only if its rounded
/// objectives are nowhere greater; what is left is compared exactly. Each node knows the least and
/// the greatest of each objective below it, and the least sum of objectives: nothing below it
/// dominates a point if one of its least objectives is greater, or if its least sum is greater than
/// the sum of what the point and the node allow. Each leaf holds its points side by side and
/// compares them all at once.
///
/// Building costs n log n, and a search typically a few nodes if the answer is yes.
class DominanceTree {
 public:
  /// `points`: the objectives of one point after the other, no NaN among them.
  DominanceTree(std::span<const double> points, std::size_t objectives);

  /// Whether a point of the tree dominates this one, which has no NaN either.
  [[nodiscard]] bool dominates(std::span<const double> point);
  /// The points of the tree that none of it dominates: their places among all, in this order.
  /// Close points are searched for one after the other, which need the same nodes.
  [[nodiscard]] std::vector<std::uint32_t> undominated();
  /// How many nodes all searches have visited.
  [[nodiscard]] std::uint64_t looks() const { return looks_; }

 private:
  struct Node {
    std::uint32_t left = 0;  // child, the other one is the next node; 0: a leaf
    std::uint32_t leaf = 0;  // its number
    float least_sum = 0.0F;
  };
  struct Key {
    float value = 0.0F;
    std::uint32_t point = 0;
  };

  void set_scale(std::span<const double> points);
  void round(std::span<const double> point, float* rounded) const;
  void build(std::size_t node, std::span<const double> points, std::span<std::uint32_t> part);
  void set_bounds(std::size_t node, std::span<const std::uint32_t> part);
  void halve(std::size_t node, std::span<std::uint32_t> part, std::size_t half);
  void add_leaf(std::span<const double> points, std::span<const std::uint32_t> part);
  [[nodiscard]] bool leaf_dominates(std::size_t leaf, std::span<const double> point);
  [[nodiscard]] bool point_dominates(std::size_t place, std::span<const double> point) const;
  [[nodiscard]] float room_below(std::size_t node) const;

  std::size_t objectives_, stride_;    // numbers of a point: exact, rounded with padding
  std::vector<double> least_, scale_;  // of each objective
  std::vector<float> rounded_;         // while building, of each point
  std::vector<Key> keys_;
  std::vector<Node> nodes_;
  std::vector<float> corners_;  // of each node the least objectives, then the greatest
  std::vector<float> leaves_;  // of each leaf the first objectives of all its points, the second...
  std::vector<double> exact_;  // the objectives of one point after the other, leaf by leaf
  std::vector<std::uint32_t> places_;  // of these points among those given
  std::vector<float> point_;           // of a search
  std::vector<std::uint32_t> open_;
  std::size_t last_ = 0;  // the point that dominated the last one that was
  std::uint64_t looks_ = 0;
};

}  // namespace counterpoise
