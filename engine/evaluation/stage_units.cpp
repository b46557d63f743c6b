#include "engine/evaluation/stage_units.hpp"

#include <algorithm>
#include <set>

#include "engine/dynamics/leg_forces.hpp"
#include "engine/dynamics/spring_law.hpp"
#include "engine/dynamics/tree_model.hpp"
#include "engine/evaluation/stages/force_map.hpp"
#include "engine/evaluation/stages/spring_geometry.hpp"

namespace counterpoise {
namespace {

using Groups = std::set<NumberGroup>;

// q, v, a, sine, cosine; joints at rest and coordinates that are held have them too
constexpr std::size_t series_of_joint = 5;
constexpr std::size_t series_of_drive = 5;

/// A unit in the making, each entry once.
struct Draft {
  Groups reads;
  std::set<int> drives;
  std::set<std::size_t> upstream;

  [[nodiscard]] StageUnit unit(Stage stage, std::size_t remembered, std::size_t series) const {
    return {stage,
            {reads.begin(), reads.end()},
            {drives.begin(), drives.end()},
            {upstream.begin(), upstream.end()},
            remembered,
            series};
  }
};

class UnitFinder {
 public:
  explicit UnitFinder(const EvaluationPlan& plan)
      : plan_(plan),
        mechanism_(plan.nominal),
        map_(plan),
        springs_(plan, map_),
        zero_(mechanism_.bodies.size()),
        step_of_(mechanism_.bodies.size(), none) {
    find_zero();
  }

  std::vector<StageUnit> find() {
    add_coordinates();
    add_transmission();
    add_springs();
    add_tree_forces();
    add_loads();
    return std::move(units_);
  }

 private:
  static constexpr std::size_t none = ~std::size_t{0};

  static std::size_t at(int body) { return static_cast<std::size_t>(body); }

  /// The bodies whose joints an equation reads, and its own numbers into `reads`.
  std::vector<int> see_geometry(const Equation& equation, Groups& reads) const {
    if (equation.kind == EquationKind::joint_drive) return {};
    if (equation.kind == EquationKind::coupling) {
      reads.insert({Quantity::coupling, equation.element});
      const Coupling& coupling = mechanism_.couplings[at(equation.element)];
      std::vector<int> joints = {coupling.joint};
      for (const CouplingTerm& term : coupling.terms) joints.push_back(term.of);
      return joints;
    }
    if (equation.kind == EquationKind::loop) reads.insert({Quantity::loop_axes, equation.element});
    std::vector<int> bodies;
    const Path& path = path_of(equation, plan_.paths);
    for (const std::size_t end : {0u, 1u}) {
      reads.insert({Quantity::point, path.points[end]});
      for (const int body : path.chains[end]) {
        reads.insert({Quantity::joint_geometry, body});
        bodies.push_back(body);
      }
    }
    return bodies;
  }

  /// What the position of each joint in the zero configuration depends on.
  void find_zero() {
    for (int body = 0; body < mechanism_.body_count(); ++body)
      zero_[at(body)].insert({Quantity::joint_geometry, body});
    for (const Step& step : plan_.actuator_plan.steps) {
      Groups reads;
      for (const Equation& equation : step.equations) {
        if (equation.kind != EquationKind::loop && equation.kind != EquationKind::coupling)
          continue;
        for (const int body : see_geometry(equation, reads)) reads.merge(Groups(zero_[at(body)]));
      }
      for (const int body : step.unknowns) zero_[at(body)].merge(Groups(reads));
    }
  }

  /// An equation of the motion's plan that is to determine the joints of `unknowns`.
  void see(const Equation& equation, const std::vector<int>& unknowns, Draft& draft) const {
    if (equation.slot >= 0 && at(equation.slot) < plan_.drives.driven)
      draft.drives.insert(equation.slot);
    if (equation.slot >= 0 && at(equation.slot) >= plan_.drives.driven) see_held(equation, draft);
    for (const int body : see_geometry(equation, draft.reads)) {
      draft.reads.merge(Groups(zero_[at(body)]));
      const bool unknown = std::find(unknowns.begin(), unknowns.end(), body) != unknowns.end();
      if (!unknown && step_of_[at(body)] != none) draft.upstream.insert(step_of_[at(body)]);
    }
  }

  /// A coordinate that stays where it is in the zero configuration.
  void see_held(const Equation& equation, Draft& draft) const {
    if (equation.kind == EquationKind::joint_drive)
      draft.reads.merge(Groups(zero_[at(equation.element)]));
    for (const int body : see_geometry(equation, draft.reads))
      draft.reads.merge(Groups(zero_[at(body)]));
  }

  void add_coordinates() {
    const std::size_t held = plan_.drives.coordinates.size() - plan_.drives.driven;
    std::size_t unmoved = series_of_joint * mechanism_.bodies.size() + series_of_drive * held;
    for (const Step& step : plan_.motion_plan.steps) {
      Draft draft;
      for (const Equation& equation : step.equations) see(equation, step.unknowns, draft);
      const std::size_t series =
          series_of_joint * step.unknowns.size() + series_of_drive * draft.drives.size();
      unmoved -= series_of_joint * step.unknowns.size();
      for (const int body : step.unknowns) step_of_[at(body)] = units_.size();
      steps_.insert(units_.size());
      units_.push_back(draft.unit(Stage::coordinates, 1, series));
    }
    if (!units_.empty()) units_.front().series += unmoved;
    if (plan_.motion_plan.redundant.empty()) return;
    Draft draft;
    for (const Equation& equation : plan_.motion_plan.redundant) see(equation, {}, draft);
    units_.push_back(draft.unit(Stage::coordinates, 1, 0));
  }

  void add_transmission() {
    Draft draft;
    std::size_t series = 2 * mechanism_.actuators.size();  // positions, velocities
    for (int body = 0; body < mechanism_.body_count(); ++body) {
      draft.reads.insert({Quantity::joint_geometry, body});
      for (const auto& entry : map_.entries(body)) series += entry.series < 0 ? 0 : 1;
    }
    for (int i = 0; i < static_cast<int>(mechanism_.couplings.size()); ++i)
      draft.reads.insert({Quantity::coupling, i});
    for (int i = 0; i < static_cast<int>(mechanism_.loops.size()); ++i)
      draft.reads.insert({Quantity::loop_axes, i});
    const auto see_points = [&](const auto& elements) {
      for (const auto& element : elements)
        for (const int point : element.points)
          if (point >= 0) draft.reads.insert({Quantity::point, point});
    };
    see_points(mechanism_.loops);
    see_points(mechanism_.actuators);
    draft.upstream = steps_;
    transmission_ = units_.size();
    units_.push_back(draft.unit(Stage::transmission, 1, series));
  }

  void add_springs() {
    first_spring_ = units_.size();
    for (std::size_t s = 0; s < mechanism_.springs.size(); ++s) {
      Draft draft;
      for (const int point : mechanism_.springs[s].points)
        if (point >= 0) draft.reads.insert({Quantity::point, point});
      draft.upstream = {transmission_};
      units_.push_back(
          draft.unit(Stage::spring_geometry, remembered_shapes, 1 + springs_.influenced(s).size()));
    }
  }

  void add_tree_forces() {
    Draft draft;
    draft.reads.insert({Quantity::gravity, -1});
    for (int body = 0; body < mechanism_.body_count(); ++body)
      draft.reads.insert({Quantity::inertia, body});
    const auto see_joint = [&](int body) {
      draft.reads.insert({Quantity::joint_geometry, body});
      if (step_of_[at(body)] != none) draft.upstream.insert(step_of_[at(body)]);
    };
    TreeModel tree;
    tree.prepare(mechanism_);
    for (const TreeModel::Body& body : tree.bodies) see_joint(body.index);
    const LegForces<double> legs(mechanism_);
    for (const auto& [actuator, path] : legs.legs()) {
      draft.reads.insert({Quantity::leg_inertia, static_cast<int>(actuator)});
      if (!LegForces<double>::has_mass(mechanism_.actuators[actuator])) continue;
      for (const std::size_t end : {0u, 1u}) {
        draft.reads.insert({Quantity::point, path.points[end]});
        for (const int body : path.chains[end]) see_joint(body);
      }
    }
    units_.push_back(draft.unit(Stage::tree_forces, 1, mechanism_.bodies.size()));
  }

  void add_loads() {
    Draft bare;
    bare.upstream = {transmission_, units_.size() - 1};
    units_.push_back(bare.unit(Stage::bare_loads, 1, mechanism_.actuators.size()));
    std::vector<Draft> loads(mechanism_.actuators.size());
    const std::size_t bare_unit = units_.size() - 1;
    for (std::size_t s = 0; s < mechanism_.springs.size(); ++s)
      for (const int actuator : springs_.influenced(s)) {
        loads[at(actuator)].upstream.insert({bare_unit, first_spring_ + s});
        loads[at(actuator)].reads.insert({Quantity::spring_law, static_cast<int>(s)});
      }
    for (const Draft& draft : loads)
      if (!draft.upstream.empty()) units_.push_back(draft.unit(Stage::loads, remembered_loads, 0));
  }

  const EvaluationPlan& plan_;
  const Mechanism& mechanism_;
  ForceMap<double> map_;
  SpringGeometry<double> springs_;
  std::vector<Groups> zero_;          // per body
  std::vector<std::size_t> step_of_;  // per body, the unit that determines its joint
  std::set<std::size_t> steps_;
  std::size_t transmission_ = none, first_spring_ = none;
  std::vector<StageUnit> units_;
};

}  // namespace

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
      return;
  }
}

std::vector<StageUnit> stage_units(const EvaluationPlan& plan) {
  return UnitFinder(plan).find();
}

}  // namespace counterpoise
