#include "engine/kinematics/closure/plan.hpp"

#include <algorithm>

#include "engine/mechanism/finding.hpp"

namespace counterpoise {
namespace {

class Planner {
 public:
  Planner(const Mechanism& mechanism, const Paths& paths, const Mobility& mobility, Closure closure)
      : mechanism_(mechanism),
        paths_(paths),
        mobility_(mobility),
        closure_(closure),
        known_(mechanism.bodies.size(), false) {
    for (BodyIndex b = 0; b < mechanism.body_count(); ++b) known_[b] = !mechanism.moves(b);
  }

  Plan make(std::vector<Coordinate> coordinates, const std::vector<char>& implied) {
    plan_.coordinates = std::move(coordinates);
    std::vector<Equation> checked;
    for (std::size_t i = 0; i < plan_.coordinates.size(); ++i) {
      const bool follows = i < implied.size() && implied[i] != 0;
      (follows ? checked : open_)
          .push_back(drive_equation(plan_.coordinates[i], static_cast<int>(i), mechanism_));
    }
    for (const Equation& equation : closing_equations(mechanism_)) open_.push_back(equation);
    while (settle_one() || settle_few() || settle_group()) {
    }
    if (std::find(known_.begin(), known_.end(), false) != known_.end())
      throw MechanismError("the coordinates do not determine all joints");
    plan_.redundant = std::move(open_);
    plan_.redundant.insert(plan_.redundant.end(), checked.begin(), checked.end());
    return std::move(plan_);
  }

 private:
  [[nodiscard]] std::vector<BodyIndex> unknowns_of(const Equation& equation) const {
    std::vector<BodyIndex> unknowns = joints_of(equation, mechanism_, paths_);
    std::erase_if(unknowns, [&](BodyIndex b) { return known_[b]; });
    return unknowns;
  }

  /// Takes one equation that alone determines its unknowns.
  bool settle_one() {
    for (std::size_t i = 0; i < open_.size(); ++i) {
      const std::vector<BodyIndex> unknowns = unknowns_of(open_[i]);
      if (unknowns.empty() || static_cast<int>(unknowns.size()) > open_[i].rows) continue;
      if (mobility_.rank({open_[i]}, unknowns) != static_cast<int>(unknowns.size())) continue;
      add_step({open_[i]}, unknowns);
      return true;
    }
    return false;
  }

  /// Takes the first two or three equations that together determine their unknowns: Newton's method
  /// on a small group costs less than on all connected equations, and loops behind it become dyads
  /// again.
  bool settle_few() {
    constexpr std::size_t most_open = 24;
    if (open_.size() > most_open) return false;
    std::vector<std::vector<BodyIndex>> unknowns;
    for (const Equation& equation : open_) unknowns.push_back(unknowns_of(equation));
    const auto settle = [&](std::initializer_list<std::size_t> members) {
      std::vector<Equation> equations;
      std::vector<BodyIndex> all;
      int rows = 0;
      for (std::size_t i : members) {
        if (unknowns[i].empty()) return false;
        equations.push_back(open_[i]);
        rows += open_[i].rows;
        for (BodyIndex b : unknowns[i])
          if (std::find(all.begin(), all.end(), b) == all.end()) all.push_back(b);
      }
      const int count = static_cast<int>(all.size());
      if (count > rows || mobility_.rank(equations, all) != count) return false;
      add_step(std::move(equations), std::move(all));
      return true;
    };
    for (std::size_t i = 0; i < open_.size(); ++i)
      for (std::size_t j = i + 1; j < open_.size(); ++j)
        if (settle({i, j})) return true;
    for (std::size_t i = 0; i < open_.size(); ++i)
      for (std::size_t j = i + 1; j < open_.size(); ++j)
        for (std::size_t k = j + 1; k < open_.size(); ++k)
          if (settle({i, j, k})) return true;
    return false;
  }

  /// Takes all equations that share unknowns with the first open one.
  bool settle_group() {
    std::vector<Equation> equations;
    std::vector<BodyIndex> unknowns;
    for (bool grown = true; grown;) {
      grown = false;
      for (const Equation& equation : open_) {
        const std::vector<BodyIndex> more = unknowns_of(equation);
        const auto shared = [&](BodyIndex b) {
          return std::find(unknowns.begin(), unknowns.end(), b) != unknowns.end();
        };
        if (more.empty() || contains(equations, equation)) continue;
        if (!unknowns.empty() && std::none_of(more.begin(), more.end(), shared)) continue;
        equations.push_back(equation);
        for (BodyIndex b : more)
          if (!shared(b)) unknowns.push_back(b);
        grown = true;
      }
    }
    if (unknowns.empty()) return false;
    if (mobility_.rank(equations, unknowns) != static_cast<int>(unknowns.size())) return false;
    add_step(std::move(equations), std::move(unknowns));
    return true;
  }

  static bool same(const Equation& a, const Equation& b) {
    return a.kind == b.kind && a.element == b.element && a.slot == b.slot && a.axis == b.axis;
  }
  static bool contains(const std::vector<Equation>& equations, const Equation& equation) {
    return std::any_of(equations.begin(), equations.end(),
                       [&](const Equation& other) { return same(other, equation); });
  }

  void add_step(std::vector<Equation> equations, std::vector<BodyIndex> unknowns) {
    std::erase_if(open_, [&](const Equation& e) { return contains(equations, e); });
    for (BodyIndex b : unknowns) known_[b] = true;
    Step step;
    step.kind = kind_of(equations, unknowns, step);
    step.equations = std::move(equations);
    step.unknowns = std::move(unknowns);
    plan_.steps.push_back(std::move(step));
  }

  [[nodiscard]] StepKind kind_of(const std::vector<Equation>& equations,
                                 const std::vector<BodyIndex>& unknowns, Step& step) const {
    if (equations.size() > 1) return StepKind::group;
    const Equation& equation = equations.front();
    const auto element = static_cast<std::size_t>(equation.element);
    if (equation.kind == EquationKind::joint_drive) return StepKind::joint;
    if (equation.kind == EquationKind::coupling) return StepKind::coupling;
    if (closure_ == Closure::newton || drives_tool(equation)) return StepKind::group;
    if (equation.kind == EquationKind::line_drive) {
      step.line_joint = *find_on_path(paths_.actuators[element], unknowns.front());
      return StepKind::line;
    }
    const auto dyad = make_dyad(mechanism_.loops[element], paths_.loops[element], unknowns);
    if (!dyad) return StepKind::group;
    step.dyad = *dyad;
    return StepKind::dyad;
  }

  const Mechanism& mechanism_;
  const Paths& paths_;
  const Mobility& mobility_;
  Closure closure_;
  std::vector<bool> known_;
  std::vector<Equation> open_;
  Plan plan_;
};

}  // namespace

Plan make_plan(const Mechanism& mechanism, const Paths& paths, const Mobility& mobility,
               std::vector<Coordinate> coordinates, const std::vector<char>& implied,
               Closure closure) {
  return Planner(mechanism, paths, mobility, closure).make(std::move(coordinates), implied);
}

Plan plan_actuators(const Mechanism& mechanism, const Paths& paths, const Mobility& mobility,
                    Closure closure) {
  std::vector<Coordinate> actuators;
  for (int a = 0; a < static_cast<int>(mechanism.actuators.size()); ++a)
    actuators.push_back({a, -1});
  mobility.require_determined_by(actuators, "actuators");
  return make_plan(mechanism, paths, mobility, std::move(actuators), {}, closure);
}

}  // namespace counterpoise
