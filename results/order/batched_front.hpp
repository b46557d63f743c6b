#pragma once

#include <cstddef>
#include <cstdint>
#include <future>
#include <memory>
#include <span>
#include <vector>

#include "results/order/pareto.hpp"

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

}  // namespace counterpoise
