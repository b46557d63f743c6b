#include "studies/pages/spring_changes.hpp"

#include <algorithm>
#include <array>

namespace counterpoise {
namespace {

/// Whether a spring has no tension at any length, no friction and no mass.
bool idle(const Spring& spring) {
  const SpringLaw law = law_of(spring);
  return law.rate == 0.0 && law.offset == 0.0 && spring.group_law.count == 0 &&
         spring.friction == 0.0 && spring.mass == 0.0;
}

bool same_law(const Spring& a, const Spring& b) {
  const SpringLaw one = law_of(a), other = law_of(b);
  return one == other && a.group_law == b.group_law && a.friction == b.friction && a.mass == b.mass;
}

bool same_points(const Mechanism& design, const Mechanism& baseline, const Spring& spring) {
  const auto same = [&](PointIndex point) {
    const Point &one = design.points[point], &other = baseline.points[point];
    return one.position == other.position && one.axis == other.axis && one.radius == other.radius;
  };
  return spring.type == SpringType::torsion ||
         (std::all_of(spring.points.begin(), spring.points.end(), same) &&
          std::all_of(spring.over.begin(), spring.over.end(), same));
}

}  // namespace

std::string_view name_of(SpringChange change) {
  constexpr std::array<std::string_view, 4> names = {"added", "changed", "same", "unused"};
  return names[static_cast<std::size_t>(change)];
}

std::vector<SpringChange> spring_changes(const Mechanism& design, const Mechanism& baseline) {
  std::vector<SpringChange> changes;
  for (std::size_t s = 0; s < design.springs.size(); ++s) {
    const Spring& spring = design.springs[s];
    const Spring& before = baseline.springs[s];
    if (idle(spring))
      changes.push_back(SpringChange::unused);
    else if (idle(before))
      changes.push_back(SpringChange::added);
    else if (same_law(spring, before) && same_points(design, baseline, spring))
      changes.push_back(SpringChange::same);
    else
      changes.push_back(SpringChange::changed);
  }
  return changes;
}

}  // namespace counterpoise
