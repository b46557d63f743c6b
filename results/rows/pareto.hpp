#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace counterpoise {

/// Whether a is nowhere worse than b.
inline bool covers(std::span<const double> a, std::span<const double> b) {
  for (std::size_t i = 0; i < a.size(); ++i)
    if (a[i] > b[i]) return false;
  return true;
}

/// Whether all objectives are equal.
inline bool same(std::span<const double> a, std::span<const double> b) {
  return std::equal(a.begin(), a.end(), b.begin());
}

/// The points that no other point dominates, all objectives minimised: a point dominates another
/// if it is no worse in every objective and better in one. Points come one by one, in any order.
///
/// Points lie in a tree whose nodes know the least and the most of each objective below them, so
/// that most subtrees are passed by (ND-Tree, Jaszkiewicz and Lust 2018). A point that is dominated
/// costs a few comparisons, one that joins the front about the logarithm of its size.
class ParetoFront {
 public:
  struct Point {
    std::int64_t id = 0;
    std::vector<double> objectives;
  };

  /// Of points that are equal in all objectives the `most_equal` with the least ids stay.
  explicit ParetoFront(std::size_t most_equal = std::numeric_limits<std::size_t>::max());
  ParetoFront(ParetoFront&&) noexcept;
  ParetoFront& operator=(ParetoFront&&) = delete;
  ~ParetoFront();

  /// Offers a point with as many objectives as those before, all numbers. Returns whether it is on
  /// the front now; ids that are not any more are added to `left`, if it is given.
  bool add(std::int64_t id, std::span<const double> objectives,
           std::vector<std::int64_t>* left = nullptr);
  /// Leaves out the points whose first objective is above a limit; `left` gets their ids.
  void leave_out_above(double limit, std::vector<std::int64_t>& left);

  /// The number of ids.
  [[nodiscard]] std::size_t size() const { return size_; }
  /// All points of the front, in no order.
  [[nodiscard]] std::vector<Point> points() const;

 private:
  struct Place;  // of one or more ids with the same objectives
  struct Node;
  enum class Fate { joins, dominated, equal };

  bool dominated_in(const Node& node, std::span<const double> objectives);
  Fate fate_in(Node& node, std::span<const double> objectives, std::vector<std::int64_t>* left);
  Fate fate_in_leaf(Node& leaf, std::span<const double> objectives,
                    std::vector<std::int64_t>* left);
  void forget(const Node& node, std::vector<std::int64_t>* left);
  void forget(const Place& place, std::vector<std::int64_t>* left);
  void insert(Place place);
  void split(Node& leaf) const;
  bool leave_out_below(Node& node, double limit, std::vector<std::int64_t>& left);
  bool join_equal(std::int64_t id, std::vector<std::int64_t>* left);

  std::size_t most_equal_, size_ = 0;
  std::unique_ptr<Node> root_;       // null while there is no point
  std::vector<double> last_winner_;  // dominated the last point that was; true of it for ever
  Place* equal_ = nullptr;           // found by fate_in()
};

/// The knee of a front: where giving up a little of one objective no longer gains much of another.
/// With every objective scaled from its best (0) to its worst (1) on the front, the point with the
/// least sum: of two objectives the one farthest from the line through the front's ends. There is
/// none for fewer than three points, or where no two objectives differ along the front. Ties go to
/// the smaller id.
std::optional<std::int64_t> knee_of(const std::vector<ParetoFront::Point>& front);

}  // namespace counterpoise
