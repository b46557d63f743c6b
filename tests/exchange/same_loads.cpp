#include "tests/exchange/same_loads.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>

#include "tests/support/simulation.hpp"

namespace counterpoise::test {

void require_same_loads(const Mechanism& mechanism, const Motion& given, const Mechanism& again,
                        Motion motion) {
  REQUIRE(again.actuators.size() == mechanism.actuators.size());
  for (Drive& drive : motion.drives) {
    if (drive.actuator >= 0)
      drive.actuator = find_actuator(again, mechanism.actuators[drive.actuator].name);
    else
      drive.joint = find_body(again, mechanism.bodies[drive.joint].name);
  }
  const Simulation before = run(mechanism, given), after = run(again, motion);
  double largest = 0.0;
  for (const Actuator& actuator : mechanism.actuators)
    largest = std::max(largest, peak(column(before, actuator.name + ".load")));
  for (const Actuator& actuator : mechanism.actuators) {
    CAPTURE(actuator.name);
    const std::vector<double>&a = column(before, actuator.name + ".load"),
          &b = column(after, actuator.name + ".load");
    for (std::size_t k = 0; k < a.size(); ++k)
      REQUIRE(std::abs(a[k] - b[k]) <= 1e-9 * (largest + 1e-3));
  }
}

}  // namespace counterpoise::test
