#include "engine/mechanism/stage.hpp"

#include <algorithm>

#include "engine/mechanism/elements.hpp"

namespace counterpoise {

std::string_view name_of(Stage stage) {
  constexpr std::array<std::string_view, stage_count> names = {
      "coordinates", "tree forces", "transmission", "bare loads", "spring geometry", "loads"};
  return names[static_cast<std::size_t>(stage)];
}

void append_numbers(const Mechanism& mechanism, const NumberGroup& group,
                    std::vector<double>& numbers) {
  const auto append = [&](const auto& matrix) {
    numbers.insert(numbers.end(), matrix.data(), matrix.data() + matrix.size());
  };
  const auto element = static_cast<std::size_t>(group.element);
  switch (group.quantity) {
    case Quantity::gravity:
      append(mechanism.gravity);
      return;
    case Quantity::joint_geometry: {
      const Joint& joint = mechanism.bodies[element].joint;
      append(joint.axis);
      append(joint.origin);
      append(joint.rotation);
      numbers.push_back(joint.guess);
      return;
    }
    case Quantity::inertia:
      numbers.push_back(mechanism.bodies[element].mass);
      append(mechanism.bodies[element].com);
      append(mechanism.bodies[element].inertia);
      return;
    case Quantity::point:
      append(mechanism.points[element].position);
      return;
    case Quantity::loop_axes: {
      const Loop& loop = mechanism.loops[element];
      append(loop.axes[0]);
      append(loop.axes[1]);
      append(loop.rotation);
      return;
    }
    case Quantity::leg_inertia: {
      const Actuator& actuator = mechanism.actuators[element];
      for (const LegPart* part : {&actuator.tube, &actuator.rod})
        numbers.insert(numbers.end(), {part->mass, part->com, part->transverse, part->axial});
      return;
    }
    case Quantity::coupling:
      for (const CouplingTerm& term : mechanism.couplings[element].terms)
        numbers.push_back(term.ratio);
      numbers.push_back(mechanism.couplings[element].offset);
      return;
    case Quantity::spring_law: {
      const SpringLaw law = law_of(mechanism.springs[element]);
      numbers.push_back(law.rate);
      numbers.push_back(law.offset);
      return;
    }
    case Quantity::spring_limits:
    case Quantity::actuator_limits:
    case Quantity::zero_position:
    case Quantity::held_coordinate:
      return;
  }
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
