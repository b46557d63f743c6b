#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace counterpoise {

/// Points, all objectives minimised, in a tree that tells whether one of them dominates another
/// point. Each node knows the least of each objective below it, so that a search passes by what
/// cannot dominate; each leaf holds its points side by side and compares them all at once. Building
/// costs n log n, and a search typically a few nodes if the answer is yes.
class DominanceTree {
 public:
  /// `points`: the objectives of one point after the other, no NaN among them.
  DominanceTree(std::span<const double> points, std::size_t objectives);

  /// Whether a point of the tree is nowhere worse than this one, and somewhere better.
  [[nodiscard]] bool dominates(std::span<const double> point);

 private:
  struct Node {
    std::size_t left = 0, right = 0;  // children; of a leaf left = 0, and right is where it begins
  };

  std::size_t build(std::span<const double> points, std::span<std::uint32_t> part);
  void add_leaf(std::span<const double> points, std::span<const std::uint32_t> part);
  [[nodiscard]] bool leaf_dominates(std::size_t begin, std::span<const double> point) const;
  [[nodiscard]] double room_below(std::size_t node, std::span<const double> point) const;

  std::size_t objectives_;
  std::vector<Node> nodes_;
  std::vector<double> least_;  // of each node
  std::vector<double>
      leaves_;  // of each leaf the first objectives of all its points, the second...
  std::vector<std::size_t> open_;  // of a search
  std::size_t last_ = 0;           // the leaf that dominated the last point that was
};

}  // namespace counterpoise
