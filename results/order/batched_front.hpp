#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "results/order/dominance_tree.hpp"
#include "results/order/pareto.hpp"

namespace counterpoise {

/// The same as a ParetoFront that keeps all that are equal, for points that come by the million:
/// they are taken together by hundreds of thousands, so that the front is put in order once for
/// many. Most of them are dominated and are found to be so in a DominanceTree of the front. What is
/// left of a batch is put in lexicographic order, in which a point is dominated by earlier ones
/// alone, and halved: the front of the first half, and what that leaves of the second.
///
/// Time grows little faster than the number of points where the front is small, and memory is that
/// of the front and as many points again, or of one batch.
class BatchedFront {
 public:
  /// `batch`: the least number of points that are taken together.
  explicit BatchedFront(std::size_t batch = 262'144) : batch_(batch) {}

  /// Offers a point with as many objectives as those before, all numbers.
  void add(std::int64_t id, std::span<const double> objectives);

  /// All points of the front, in the order of their objectives; of equal ones in that of their ids.
  std::vector<ParetoFront::Point> points();

 private:
  /// Different points in lexicographic order, each with the ids of those that are equal to it.
  struct Places {
    [[nodiscard]] std::size_t size() const { return ids.size(); }
    [[nodiscard]] std::span<const double> at(std::size_t i, std::size_t objectives) const {
      return std::span(values).subspan(i * objectives, objectives);
    }
    void take(Places& other, std::size_t i, std::size_t objectives);

    std::vector<double> values;
    std::vector<std::vector<std::int64_t>> ids;
  };

  void settle();
  [[nodiscard]] Places survivors();
  [[nodiscard]] std::vector<std::size_t> front_of(const Places& places,
                                                  std::span<const std::size_t> part) const;
  void join(Places& newcomers);

  std::size_t batch_, objectives_ = 0;
  std::vector<double> waiting_;  // objectives of points that are not settled
  std::vector<std::int64_t> waiting_ids_;
  Places front_;
  DominanceTree tree_{{}, 1};  // of the front
};

}  // namespace counterpoise
