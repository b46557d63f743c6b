#include "results/rows/order_window.hpp"

#include <algorithm>

namespace counterpoise {

OrderWindow::OrderWindow(std::vector<TieTolerance> tolerances, double around, std::size_t room)
    : tolerances_(std::move(tolerances)), around_(around), room_(room) {
  below_.enough = above_.enough = 2 * room;
}

void OrderWindow::offer(std::int64_t id, std::span<const double> objectives) {
  const bool is_below = objectives.front() <= around_;
  const double sign = is_below ? -1.0 : 1.0;
  Side& side = is_below ? below_ : above_;
  if (const double distance = sign * objectives.front(); distance > side.limit) {
    side.nearest = std::min(side.nearest, distance);
    ++side.left_out;
    return;
  }
  side.ids.push_back(id);
  side.values.insert(side.values.end(), objectives.begin(), objectives.end());
  if (side.ids.size() >= side.enough) leave_out(side, sign);
}

/// Leaves out the designs that are farther away than the `room_` nearest ones.
void OrderWindow::leave_out(Side& side, double sign) const {
  const std::size_t width = tolerances_.size();
  std::vector<double> distances(side.ids.size());
  for (std::size_t i = 0; i < distances.size(); ++i) distances[i] = sign * side.values[i * width];
  const auto last = distances.begin() + static_cast<std::ptrdiff_t>(room_ - 1);
  std::nth_element(distances.begin(), last, distances.end());
  side.limit = *last;
  std::size_t kept = 0;
  for (std::size_t i = 0; i < side.ids.size(); ++i) {
    if (const double distance = sign * side.values[i * width]; distance > side.limit) {
      side.nearest = std::min(side.nearest, distance);
      ++side.left_out;
      continue;
    }
    side.ids[kept] = side.ids[i];
    std::copy_n(side.values.begin() + static_cast<std::ptrdiff_t>(i * width), width,
                side.values.begin() + static_cast<std::ptrdiff_t>(kept * width));
    ++kept;
  }
  side.ids.resize(kept);
  side.values.resize(kept * width);
  side.enough = std::max(side.enough, 2 * kept);
}

/// The largest value at or below `around_` at which a group must begin: none that begins before it
/// reaches so far, because the next lower value does not. Minus infinity for the first of all
/// groups; nothing where that cannot be told.
std::optional<double> OrderWindow::begin_of_group() const {
  std::vector<double> values;
  for (std::size_t i = 0; i < below_.ids.size(); ++i)
    values.push_back(below_.values[i * tolerances_.size()]);
  std::sort(values.begin(), values.end(), std::greater<>());
  const TieTolerance& tolerance = tolerances_.front();
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (i + 1 == values.size() && below_.left_out == 0) break;
    const double lower = i + 1 < values.size() ? values[i + 1] : -below_.nearest;
    if (values[i] > lower + tolerance.at(lower)) return values[i];
  }
  if (below_.left_out > 0) return std::nullopt;
  return -std::numeric_limits<double>::infinity();
}

std::optional<OrderWindow::Part> OrderWindow::part() const {
  const std::optional<double> begin = begin_of_group();
  if (!begin) return std::nullopt;
  const std::size_t width = tolerances_.size();
  TieOrder order(tolerances_, std::nullopt);
  Part part;
  part.before = below_.left_out;
  for (const Side* side : {&below_, &above_})
    for (std::size_t i = 0; i < side->ids.size(); ++i) {
      const std::span<const double> values(side->values.data() + i * width, width);
      if (values.front() >= *begin)
        order.offer(side->ids[i], values);
      else
        ++part.before;
    }
  part.ids = order.best_first();
  part.to_end = above_.left_out == 0;
  if (!part.to_end) part.ids.resize(order.settled_below(above_.nearest));
  return part;
}

}  // namespace counterpoise
