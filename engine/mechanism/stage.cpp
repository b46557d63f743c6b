#include "engine/mechanism/stage.hpp"

#include <algorithm>

namespace counterpoise {

std::string_view name_of(Stage stage) {
  constexpr std::array<std::string_view, stage_count> names = {
      "coordinates", "tree forces", "transmission", "bare loads", "spring geometry", "loads"};
  return names[static_cast<std::size_t>(stage)];
}

Stage StageUnits::first_reader(const NumberGroup& group) const {
  Stage first = Stage::loads;
  for (const StageUnit& unit : units) {
    if (unit.stage < first && std::binary_search(unit.numbers.begin(), unit.numbers.end(), group))
      first = unit.stage;
  }
  return first;
}

}  // namespace counterpoise
