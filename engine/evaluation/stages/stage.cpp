#include "engine/evaluation/stages/stage.hpp"

#include <algorithm>

namespace counterpoise {
namespace {

template <class Element>
bool any_at(const std::vector<Element>& elements, int point) {
  return std::any_of(elements.begin(), elements.end(), [point](const Element& element) {
    return element.points[0] == point || element.points[1] == point;
  });
}

}  // namespace

std::string_view name_of(Stage stage) {
  constexpr std::array<std::string_view, stage_count> names = {
      "coordinates", "tree forces", "transmission", "bare loads", "spring geometry", "loads"};
  return names[static_cast<std::size_t>(stage)];
}

Stage first_reader(const Mechanism& mechanism, Quantity quantity, int element) {
  switch (quantity) {
    case Quantity::joint_geometry:
    case Quantity::loop_axes:
    case Quantity::coupling:
      return Stage::coordinates;
    case Quantity::gravity:
    case Quantity::inertia:
    case Quantity::leg_inertia:
      return Stage::tree_forces;
    case Quantity::point:
      if (any_at(mechanism.loops, element) || any_at(mechanism.actuators, element))
        return Stage::coordinates;
      return any_at(mechanism.springs, element) ? Stage::spring_geometry : Stage::loads;
    case Quantity::spring_law:
    case Quantity::spring_limits:
    case Quantity::actuator_limits:
      return Stage::loads;
  }
  return Stage::coordinates;
}

}  // namespace counterpoise
