#include "engine/evaluation/plan.hpp"

#include <algorithm>
#include <set>

#include "engine/dynamics/applied_forces.hpp"
#include "engine/dynamics/leg_forces.hpp"
#include "engine/dynamics/spring_inertia.hpp"
#include "engine/dynamics/tree_model.hpp"
#include "engine/kinematics/clearance.hpp"

namespace counterpoise {

using Groups = std::set<NumberGroup>;

/// A unit that is being declared, with each entry once.
struct Draft {
  Groups reads;
  std::set<int> drives;
  std::set<std::size_t> upstream;

  [[nodiscard]] StageUnit unit(Stage stage) const {
    return {stage,
            {reads.begin(), reads.end()},
            {drives.begin(), drives.end()},
            {upstream.begin(), upstream.end()},
            {}};
  }
};

/// For each body the step of the motion's plan that determines its joint, or StageUnits::none if
/// that does not move.
inline std::vector<std::size_t> steps_of_joints(const EvaluationPlan& plan) {
  std::vector<std::size_t> steps(plan.nominal.bodies.size(), StageUnits::none);
  for (std::size_t i = 0; i < plan.motion_plan.steps.size(); ++i)
    for (const BodyIndex body : plan.motion_plan.steps[i].unknowns) steps[at(body)] = i;
  return steps;
}

EvaluationPlan::EvaluationPlan(const Mechanism& mechanism, const Motion& motion, Closure closure)
    : nominal(mechanism),
      paths(nominal, motion.drives),
      mobility(nominal, paths),
      actuator_plan(plan_actuators(nominal, paths, mobility, closure)),
      drives(nominal, paths, mobility, motion),
      motion_plan(make_plan(nominal, paths, mobility, drives.coordinates, drives.implied,
                            motion.skips ? Closure::newton : closure)) {
  find_shares();
  stage_units = declare_units(*this);
}

void EvaluationPlan::find_shares() {
  force_shares = find_force_shares(nominal, paths, actuator_plan);
  const auto loaded_by = [this](const std::vector<BodyIndex>& joints) {
    std::vector<ActuatorIndex> actuators;
    for (const BodyIndex joint : joints)
      for (const ForceShare& share : force_shares[joint]) actuators.push_back(share.actuator);
    std::sort(actuators.begin(), actuators.end());
    actuators.erase(std::unique(actuators.begin(), actuators.end()), actuators.end());
    return actuators;
  };
  for (int s = 0; s < static_cast<int>(nominal.springs.size()); ++s) {
    spring_joints.push_back(joints_of_spring(nominal, paths, s));
    influenced.push_back(loaded_by(spring_joints.back()));
  }
  weighed.resize(nominal.springs.size());
  const SpringInertia<double> inertia(nominal);
  for (const SpringInertia<double>::Coil& coil : inertia.coils())
    weighed[coil.spring] = loaded_by(coil.movers);
}

namespace {

class Declaration {
 public:
  explicit Declaration(const EvaluationPlan& plan)
      : plan_(plan),
        mechanism_(plan.nominal),
        step_of_(steps_of_joints(plan)),
        slopes_of_(step_of_.size(), StageUnits::none) {}

  StageUnits make() {
    declare_zero_configuration();
    declare_held_coordinates();
    declare_coordinates();
    declare_transmission();
    declare_actuator_motion();
    declare_springs();
    declare_spring_masses();
    declared_.tree_forces = add(declare_tree_forces(plan_, mechanism_));
    for (StageUnit& unit : declare_bare_loads(plan_, declared_, mechanism_))
      declared_.bare_loads.push_back(add(std::move(unit)));
    declare_loads();
    for (StageUnit& unit : declared_.units) unit.numbers = numbers_of(unit.reads);
    return std::move(declared_);
  }

 private:
  /// These groups, with computed quantities replaced by the groups that they depend on.
  template <class ListOfGroups>
  [[nodiscard]] std::vector<NumberGroup> numbers_of(const ListOfGroups& groups) const {
    Groups numbers;
    for (const NumberGroup& group : groups) {
      if (group.quantity == Quantity::zero_position)
        numbers.insert(zero_positions_[at(group.element)].begin(),
                       zero_positions_[at(group.element)].end());
      else if (group.quantity == Quantity::held_coordinate)
        numbers.insert(held_slots_[at(group.element)].begin(),
                       held_slots_[at(group.element)].end());
      else
        numbers.insert(group);
    }
    return {numbers.begin(), numbers.end()};
  }

  std::size_t add(StageUnit unit) {
    declared_.units.push_back(std::move(unit));
    return declared_.units.size() - 1;
  }

  /// Returns the bodies with joints that an equation reads, and adds the equation's own numbers to
  /// `reads`.
  std::vector<BodyIndex> see_geometry(const Equation& equation, Groups& reads) const {
    if (equation.kind == EquationKind::joint_drive) return {};
    if (equation.kind == EquationKind::coupling) {
      reads.insert({Quantity::coupling, equation.element});
      const Coupling& coupling = mechanism_.couplings[at(equation.element)];
      std::vector<BodyIndex> joints = {coupling.joint};
      for (const CouplingTerm& term : coupling.terms) joints.push_back(term.of);
      return joints;
    }
    if (equation.kind == EquationKind::loop) reads.insert({Quantity::loop_axes, equation.element});
    std::vector<BodyIndex> bodies;
    const Path& path = path_of(equation, plan_.paths);
    for (const std::size_t end : {0u, 1u}) {
      if (path.points[end] >= 0) reads.insert({Quantity::point, path.points[end]});
      for (const BodyIndex body : path.chains[end]) {
        reads.insert({Quantity::joint_geometry, body});
        bodies.push_back(body);
      }
    }
    return bodies;
  }

  void declare_zero_configuration() {
    std::vector<Groups> positions(mechanism_.bodies.size());
    Draft draft;
    for (BodyIndex body = 0; body < mechanism_.body_count(); ++body) {
      positions[at(body)].insert({Quantity::joint_geometry, body});
      draft.reads.insert({Quantity::joint_geometry, body});
    }
    const auto see = [&](const std::vector<Equation>& equations) {
      Groups numbers;
      for (const Equation& equation : equations) {
        if (equation.kind != EquationKind::loop && equation.kind != EquationKind::coupling)
          continue;
        const std::vector<BodyIndex> bodies = see_geometry(equation, numbers);
        draft.reads.insert(numbers.begin(), numbers.end());
        for (const BodyIndex body : bodies)
          numbers.insert(positions[at(body)].begin(), positions[at(body)].end());
      }
      return numbers;
    };
    for (const Step& step : plan_.actuator_plan.steps) {
      const Groups numbers = see(step.equations);
      for (const BodyIndex body : step.unknowns)
        positions[at(body)].insert(numbers.begin(), numbers.end());
    }
    see(plan_.actuator_plan.redundant);
    declared_.zero_configuration = draft.unit(Stage::coordinates);
    zero_positions_ = std::move(positions);
  }

  void declare_held_coordinates() {
    held_slots_.resize(plan_.drives.coordinates.size());
    Draft draft;
    for (std::size_t slot = plan_.drives.driven; slot < held_slots_.size(); ++slot) {
      Draft one;
      const Equation drive = drive_equation(plan_.drives.coordinates[slot], 0, mechanism_);
      if (drive.kind == EquationKind::joint_drive)
        one.reads.insert({Quantity::zero_position, drive.element});
      for (const BodyIndex body : see_geometry(drive, one.reads))
        one.reads.insert({Quantity::zero_position, body});
      draft.reads.insert(one.reads.begin(), one.reads.end());
      held_slots_[slot] = numbers_of(one.reads);
    }
    declared_.held_coordinates = draft.unit(Stage::coordinates);
  }

  /// Adds what an equation of the motion's plan reads that is to determine the joints of
  /// `unknowns`.
  void see(const Equation& equation, const std::vector<BodyIndex>& unknowns, Draft& draft) const {
    if (equation.slot >= 0 && at(equation.slot) < plan_.drives.driven)
      draft.drives.insert(equation.slot);
    else if (equation.slot >= 0)
      draft.reads.insert({Quantity::held_coordinate, equation.slot});
    for (const BodyIndex body : see_geometry(equation, draft.reads)) {
      draft.reads.insert({Quantity::zero_position, body});
      const bool unknown = std::find(unknowns.begin(), unknowns.end(), body) != unknowns.end();
      const std::size_t step = step_of_[at(body)];
      if (!unknown && step != StageUnits::none) draft.upstream.insert(step);
    }
  }

  void declare_coordinates() {
    for (const Step& step : plan_.motion_plan.steps) {
      Draft draft;
      for (const Equation& equation : step.equations) see(equation, step.unknowns, draft);
      add(draft.unit(Stage::coordinates));
    }
    if (plan_.motion_plan.redundant.empty()) return;
    Draft draft;
    for (const Equation& equation : plan_.motion_plan.redundant) see(equation, {}, draft);
    add(draft.unit(Stage::coordinates));
  }

  /// Adds the step of the motion's plan and the unit of the transmission that a joint's pose and
  /// slopes come from.
  void see_joint(BodyIndex body, Draft& draft) const {
    for (const std::size_t unit : {step_of_[at(body)], slopes_of_[at(body)]})
      if (unit != StageUnits::none) draft.upstream.insert(unit);
  }

  void declare_transmission() {
    for (const Step& step : plan_.actuator_plan.steps) {
      declared_.transmission.push_back(StageUnits::none);
      if (step.kind == StepKind::joint) continue;
      Draft draft;
      for (const Equation& equation : step.equations)
        for (const BodyIndex body : see_geometry(equation, draft.reads))
          if (step.kind != StepKind::coupling)
            see_joint(body, draft);
          else if (slopes_of_[at(body)] != StageUnits::none)
            draft.upstream.insert(slopes_of_[at(body)]);
      declared_.transmission.back() = add(draft.unit(Stage::transmission));
      for (const BodyIndex body : step.unknowns)
        slopes_of_[at(body)] = declared_.transmission.back();
    }
  }

  void declare_actuator_motion() {
    Draft draft;
    for (std::size_t a = 0; a < mechanism_.actuators.size(); ++a) {
      const Actuator& actuator = mechanism_.actuators[a];
      if (!actuator.linear()) {
        const std::size_t step = step_of_[at(actuator.joint)];
        if (step != StageUnits::none) draft.upstream.insert(step);
        continue;
      }
      const Equation line{EquationKind::line_drive, static_cast<int>(a)};
      for (const BodyIndex body : see_geometry(line, draft.reads))
        if (step_of_[at(body)] != StageUnits::none) draft.upstream.insert(step_of_[at(body)]);
    }
    declared_.actuator_motion = add(draft.unit(Stage::transmission));
  }

  /// Adds what the distances of a spring from obstacles read besides its points.
  void see_obstacles(const Spring& spring, Draft& draft) const {
    for (const ObstacleIndex obstacle : spring.clear_of) {
      draft.reads.insert({Quantity::obstacle, obstacle});
      for (const PointIndex point : mechanism_.obstacles[obstacle].points)
        if (point >= 0) draft.reads.insert({Quantity::point, point});
    }
    for (const BodyIndex body : SpringClearance<double>(mechanism_, spring).bodies()) {
      draft.reads.insert({Quantity::joint_geometry, body});
      if (step_of_[at(body)] != StageUnits::none) draft.upstream.insert(step_of_[at(body)]);
    }
  }

  void declare_springs() {
    declared_.first_spring = declared_.units.size();
    for (std::size_t s = 0; s < mechanism_.springs.size(); ++s) {
      const Spring& spring = mechanism_.springs[s];
      Draft draft;
      for (const PointIndex point : spring.points) {
        if (point >= 0) draft.reads.insert({Quantity::point, point});
        if (spring.on_cam) draft.reads.insert({Quantity::pulley, point});
      }
      for (const PointIndex point : spring.over) {
        draft.reads.insert({Quantity::point, point});
        if (mechanism_.points[point].is_pulley) draft.reads.insert({Quantity::pulley, point});
      }
      for (const std::vector<BodyIndex>& chain : plan_.paths.springs[s].chains)
        for (const BodyIndex body : chain) draft.reads.insert({Quantity::joint_geometry, body});
      for (const Cable::Stop& stop : plan_.paths.cables[s].stops)
        for (const BodyIndex body : stop.chain)
          draft.reads.insert({Quantity::joint_geometry, body});
      see_obstacles(spring, draft);
      for (const BodyIndex joint : plan_.spring_joints[s]) see_joint(joint, draft);
      add(draft.unit(Stage::spring_geometry));
    }
  }

  void declare_spring_masses() {
    declared_.spring_masses.assign(mechanism_.springs.size(), StageUnits::none);
    const SpringInertia<double> inertia(mechanism_);
    for (const SpringInertia<double>::Coil& coil : inertia.coils()) {
      Draft draft;
      draft.reads.insert({Quantity::gravity, -1});
      for (const PointIndex point : coil.path.points) draft.reads.insert({Quantity::point, point});
      for (const BodyIndex body : coil.movers) {
        draft.reads.insert({Quantity::joint_geometry, body});
        see_joint(body, draft);
      }
      declared_.spring_masses[coil.spring] = add(draft.unit(Stage::tree_forces));
    }
  }

  void declare_loads() {
    std::vector<Draft> loads(mechanism_.actuators.size());
    for (std::size_t s = 0; s < mechanism_.springs.size(); ++s)
      for (const ActuatorIndex actuator : plan_.influenced[s]) {
        loads[at(actuator)].upstream.insert({declared_.bare_loads[at(actuator)],
                                             declared_.actuator_motion,
                                             declared_.first_spring + s});
        loads[at(actuator)].reads.insert({Quantity::spring_law, static_cast<int>(s)});
      }
    for (std::size_t s = 0; s < mechanism_.springs.size(); ++s)
      for (const ActuatorIndex actuator : plan_.weighed[s]) {
        loads[at(actuator)].upstream.insert({declared_.bare_loads[at(actuator)],
                                             declared_.actuator_motion,
                                             declared_.spring_masses[s]});
        loads[at(actuator)].reads.insert({Quantity::spring_law, static_cast<int>(s)});
      }
    for (const Draft& draft : loads)
      declared_.loads.push_back(draft.upstream.empty() ? StageUnits::none
                                                       : add(draft.unit(Stage::loads)));
  }

  const EvaluationPlan& plan_;
  const Mechanism& mechanism_;
  std::vector<std::size_t> step_of_;    // per body, the step that determines its joint
  std::vector<std::size_t> slopes_of_;  // and the unit of its slopes by the actuators
  std::vector<Groups> zero_positions_;  // groups behind the zero position of a body
  std::vector<std::vector<NumberGroup>> held_slots_;  // and behind a held coordinate, per slot
  StageUnits declared_;
};

}  // namespace

StageUnits declare_units(const EvaluationPlan& plan) {
  return Declaration(plan).make();
}

namespace {

/// The bodies of a design whose joints get forces of the tree, of actuators that have mass, from
/// outside, or of friction.
std::set<BodyIndex> carriers_of(const Mechanism& design) {
  std::set<BodyIndex> carriers;
  TreeModel tree;
  tree.prepare(design);
  for (const TreeModel::Body& body : tree.bodies) carriers.insert(body.index);
  for (BodyIndex body = 0; body < design.body_count(); ++body)
    if (design.moves(body) && !design.bodies[body].friction.none()) carriers.insert(body);
  const LegForces<double> legs(design);
  for (const auto& [actuator, path] : legs.legs())
    if (LegForces<double>::has_mass(design.actuators[actuator]))
      for (const std::vector<BodyIndex>& chain : path.chains)
        carriers.insert(chain.begin(), chain.end());
  const AppliedForces<double> forces(design);
  for (std::size_t f = 0; f < forces.size(); ++f)
    carriers.insert(forces.chain(f).begin(), forces.chain(f).end());
  return carriers;
}

}  // namespace

StageUnit declare_tree_forces(const EvaluationPlan& plan, const Mechanism& design) {
  const std::vector<std::size_t> step_of = steps_of_joints(plan);
  Draft draft;
  draft.reads.insert({Quantity::gravity, -1});
  const auto see_joint = [&](BodyIndex body) {
    draft.reads.insert({Quantity::joint_geometry, body});
    if (step_of[at(body)] != StageUnits::none) draft.upstream.insert(step_of[at(body)]);
  };
  for (BodyIndex body = 0; body < design.body_count(); ++body) {
    draft.reads.insert({Quantity::inertia, body});
    draft.reads.insert({Quantity::friction, body});
  }
  for (const BodyIndex body : carriers_of(design)) see_joint(body);
  const LegForces<double> legs(design);
  for (const auto& [actuator, path] : legs.legs()) {
    draft.reads.insert({Quantity::leg_inertia, static_cast<int>(actuator)});
    if (!LegForces<double>::has_mass(design.actuators[actuator])) continue;
    for (const PointIndex point : path.points) draft.reads.insert({Quantity::point, point});
  }
  for (std::size_t f = 0; f < design.forces.size(); ++f) {
    draft.reads.insert({Quantity::applied_force, static_cast<int>(f)});
    draft.reads.insert({Quantity::point, design.forces[f].point});
  }
  return draft.unit(Stage::tree_forces);
}

std::vector<StageUnit> declare_bare_loads(const EvaluationPlan& plan, const StageUnits& declared,
                                          const Mechanism& design) {
  std::vector<Draft> drafts(design.actuators.size());
  for (Draft& draft : drafts) draft.upstream.insert(declared.tree_forces);
  const std::set<BodyIndex> carriers = carriers_of(design);
  for (std::size_t i = 0; i < plan.actuator_plan.steps.size(); ++i)
    for (const BodyIndex body : plan.actuator_plan.steps[i].unknowns) {
      if (declared.transmission[i] == StageUnits::none || !carriers.contains(body)) continue;
      for (const ForceShare& share : plan.force_shares[at(body)])
        drafts[at(share.actuator)].upstream.insert(declared.transmission[i]);
    }
  std::vector<StageUnit> units;
  for (const Draft& draft : drafts) units.push_back(draft.unit(Stage::bare_loads));
  return units;
}

}  // namespace counterpoise
