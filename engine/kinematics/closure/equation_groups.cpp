#include "engine/kinematics/closure/equation_groups.hpp"

#include <boost/pending/disjoint_sets.hpp>

namespace counterpoise {

std::vector<EquationGroup> group_equations(const std::vector<Equation>& equations,
                                           const std::vector<BodyIndex>& joints,
                                           const Mechanism& mechanism, const Paths& paths) {
  if (equations.size() == 1) return {{equations, joints}};
  constexpr int none = -1;
  std::vector<char> asked(mechanism.bodies.size(), 0);
  for (const BodyIndex joint : joints) asked[at(joint)] = 1;
  boost::disjoint_sets_with_storage<> sets(mechanism.bodies.size());
  std::vector<int> first(equations.size(), none);  // one of the joints asked for
  for (std::size_t e = 0; e < equations.size(); ++e)
    for (const BodyIndex joint : joints_of(equations[e], mechanism, paths)) {
      if (asked[at(joint)] == 0) continue;
      if (first[e] == none) first[e] = joint;
      sets.union_set(at(first[e]), at(joint));
    }

  std::vector<EquationGroup> groups;
  std::vector<int> group(mechanism.bodies.size(), none);  // of each set
  int without_joints = none;
  for (std::size_t e = 0; e < equations.size(); ++e) {
    int& place = first[e] == none ? without_joints : group[sets.find_set(at(first[e]))];
    if (place == none) {
      place = static_cast<int>(groups.size());
      groups.emplace_back();
    }
    groups[at(place)].equations.push_back(equations[e]);
  }
  for (const BodyIndex joint : joints) {
    const int place = group[sets.find_set(at(joint))];
    if (place != none) groups[at(place)].joints.push_back(joint);
  }
  return groups;
}

}  // namespace counterpoise
