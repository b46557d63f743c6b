#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace counterpoise {

/// The points that no other point dominates, all objectives minimised: a point dominates another
/// if it is no worse in every objective and better in one; of equal points all stay.
/// Points come one by one; the cost of each is the size of the front.
class ParetoFront {
 public:
  struct Point {
    std::int64_t id = 0;
    std::vector<double> objectives;
  };

  void add(std::int64_t id, const std::vector<double>& objectives);

  const std::vector<Point>& points() const { return points_; }

 private:
  std::vector<Point> points_;
};

/// The knee of a front: where giving up a little of one objective no longer gains much of another.
/// With every objective scaled from its best (0) to its worst (1) on the front, the point with the
/// least sum: of two objectives the one farthest from the line through the front's ends. There is
/// none for fewer than three points, or where no two objectives differ along the front. Ties go to
/// the smaller id.
std::optional<std::int64_t> knee_of(const std::vector<ParetoFront::Point>& front);

}  // namespace counterpoise
