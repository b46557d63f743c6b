#pragma once

#include <cstddef>
#include <cstdint>
#include <future>
#include <memory>
#include <span>
#include <vector>

#include "results/rows/pareto.hpp"

namespace counterpoise {

/// The same as a ParetoFront that keeps all that are equal, for points that come by the million:
/// they are taken together by hundreds of thousands, so that the front is put in order once for
/// many. Most of them are dominated and are found to be so in a DominanceTree of the front. What is
/// left of a batch is put in lexicographic order, in which a point is dominated by earlier ones
/// alone, and halved: the front of the first half, and what that leaves of the second.
///
/// A batch is settled by a thread of its own while the next one is offered.
///
/// Time grows little faster than the number of points where the front is small, and memory is that
/// of the front and twice as many points again, or of two batches.
class BatchedFront {
 public:
  /// `batch`: the least number of points that are taken together.
  explicit BatchedFront(std::size_t batch = 262'144);
  BatchedFront(BatchedFront&&) noexcept;
  BatchedFront& operator=(BatchedFront&&) = delete;  // a thread may be at work on what it has
  ~BatchedFront();

  /// Offers a point with as many objectives as those before, all numbers.
  void add(std::int64_t id, std::span<const double> objectives);

  /// All points of the front, in the order of their objectives; of equal ones in that of their ids.
  std::vector<ParetoFront::Point> points();

 private:
  /// Points as they come: their objectives one after the other, and their ids.
  struct Batch {
    std::vector<double> values;
    std::vector<std::int64_t> ids;
  };
  struct Settled;

  void hand_over();
  void finish();

  std::size_t batch_, enough_;  // points: of a batch at least, and of the one that waits
  Batch waiting_;
  std::unique_ptr<Settled> settled_;  // of the thread, while there is one
  std::future<void> settling_;
};

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
