#include "engine/kinematics/closure/equation_groups.hpp"

#include <boost/pending/disjoint_sets.hpp>
#include <cstdint>

namespace counterpoise {

std::vector<std::vector<std::size_t>> group_rows(
    const std::vector<std::vector<BodyIndex>>& joints_of_rows, const std::vector<BodyIndex>& joints,
    const Mechanism& mechanism) {
  constexpr int none = -1;
  std::vector<char> asked(mechanism.bodies.size(), 0);
  for (const BodyIndex joint : joints) asked[at(joint)] = 1;
  boost::disjoint_sets_with_storage<> sets(mechanism.bodies.size());
  std::vector<int> first(joints_of_rows.size(), none);  // one of the joints asked for
  for (std::size_t row = 0; row < joints_of_rows.size(); ++row)
    for (const BodyIndex joint : joints_of_rows[row]) {
      if (asked[at(joint)] == 0) continue;
      if (first[row] == none) first[row] = joint;
      sets.union_set(at(first[row]), at(joint));
    }

  std::vector<std::vector<std::size_t>> groups;
  std::vector<int> group(mechanism.bodies.size(), none);  // of each set
  int without_joints = none;
  for (std::size_t row = 0; row < joints_of_rows.size(); ++row) {
    int& place = first[row] == none ? without_joints : group[sets.find_set(at(first[row]))];
    if (place == none) {
      place = static_cast<int>(groups.size());
      groups.emplace_back();
    }
    groups[at(place)].push_back(row);
  }
  return groups;
}

std::vector<EquationGroup> group_equations(const std::vector<Equation>& equations,
                                           const std::vector<BodyIndex>& joints,
                                           const Mechanism& mechanism, const Paths& paths) {
  if (equations.size() == 1) return {{equations, joints}};
  std::vector<std::vector<BodyIndex>> joints_of_rows;
  for (const Equation& equation : equations)
    joints_of_rows.push_back(joints_of(equation, mechanism, paths));
  std::vector<EquationGroup> groups;
  constexpr std::size_t none = SIZE_MAX;
  std::vector<std::size_t> group(mechanism.bodies.size(), none);  // of each joint
  for (const std::vector<std::size_t>& rows : group_rows(joints_of_rows, joints, mechanism)) {
    for (const std::size_t row : rows)
      for (const BodyIndex joint : joints_of_rows[row]) group[at(joint)] = groups.size();
    EquationGroup& made = groups.emplace_back();
    for (const std::size_t row : rows) made.equations.push_back(equations[row]);
  }
  for (const BodyIndex joint : joints)
    if (group[at(joint)] != none) groups[group[at(joint)]].joints.push_back(joint);
  return groups;
}

}  // namespace counterpoise
