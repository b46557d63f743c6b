#pragma once

#include <cstddef>
#include <cstdint>
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

}  // namespace counterpoise
