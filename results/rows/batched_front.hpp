#pragma once

#include <cstddef>
#include <cstdint>
#include <future>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace counterpoise {

struct FrontPoint {
  std::int64_t id = 0;
  std::vector<double> objectives;
};

/// The points that no other point dominates, all objectives minimised: a point dominates another
/// if it is no worse in every objective and better in one. Points come one by one, in any order.
///
/// They are settled in batches of hundreds of thousands, or when somebody asks for the front, so
/// that the front is sorted once for many. Most points are dominated, which a DominanceTree of the
/// front finds. The front of a sample of a batch dominates most of what is left, and a tree of the
/// rest tells which of its own points it dominates.
///
/// A full batch is settled by a thread of its own while the next one is offered.
///
/// Time grows little faster than the number of points where the front is small, and memory is that
/// of the front and twice as many points again, or of two batches.
class BatchedFront {
 public:
  /// Ids that have joined the front and have left it; the same id may have done both.
  struct Change {
    std::vector<std::int64_t> joined, left;
  };

  /// Of points that are equal in all objectives the `most_equal` with the least ids stay. Points
  /// are settled as soon as `batch` of them wait.
  explicit BatchedFront(std::size_t most_equal = std::numeric_limits<std::size_t>::max(),
                        std::size_t batch = 262'144);
  BatchedFront(BatchedFront&&) noexcept;
  BatchedFront& operator=(BatchedFront&&) = delete;  // a thread may be using its data
  ~BatchedFront();

  /// Offers a point with as many objectives as those before, all numbers.
  void add(std::int64_t id, std::span<const double> objectives);

  /// All points of the front, ordered by objectives, then by id.
  std::vector<FrontPoint> points();
  /// The number of these points.
  std::size_t size();
  /// Settles all points offered. Returns what has changed since the last call.
  Change take_change();
  /// Leaves out the points whose first objective is above a limit.
  void leave_out_above(double limit);
  /// How many tree nodes were visited to settle all points (settles them first).
  std::uint64_t looks();

 private:
  /// Points as they come: their objectives one after the other, and their ids.
  struct Batch {
    std::vector<double> values;
    std::vector<std::int64_t> ids;
  };
  struct Settled;

  void hand_over();
  void finish();
  void settle_all();

  std::size_t batch_, enough_;  // points: of a batch at least, and of the one that waits
  Batch waiting_;
  std::unique_ptr<Settled> settled_;  // of the thread, while there is one
  std::future<void> settling_;
};

/// The knee of a front: where giving up a little of one objective no longer gains much of another.
/// With every objective scaled from its best (0) to its worst (1) on the front, the point with the
/// least sum: of two objectives the one farthest from the line through the front's ends. There is
/// none for fewer than three points, or where no two objectives differ along the front. Ties go to
/// the smaller id.
std::optional<std::int64_t> knee_of(const std::vector<FrontPoint>& front);

}  // namespace counterpoise
