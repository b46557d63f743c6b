#include "formulations/minimal/minimal_plan.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>

#include "engine/kinematics/closure/plan.hpp"
#include "engine/kinematics/zero_configuration.hpp"
#include "formulations/minimal/elimination_steps.hpp"

namespace counterpoise {
namespace {

constexpr double parallel = 1e-12;  // sine of the angle by which axes may miss a loop's plane
constexpr double most_turns = 3.0;  // largest multiple of an angle that is worth an identity

[[noreturn]] void refuse(const std::string& what, const std::string& why) {
  throw MechanismError(what + ": " + why);
}

const std::string& name_of_body(const Mechanism& mechanism, int body) {
  return mechanism.bodies[body].name;
}

const Joint& joint_of(const Mechanism& mechanism, int body) {
  return mechanism.bodies[body].joint;
}

/// The common normal of a loop's joints in its ancestor's axes, with every joint at position 0: a
/// revolute axis, or the normal of two slides.
Vec3d normal_of(const Mechanism& mechanism, const Path& path) {
  std::vector<Vec3d> slides;
  for (const std::vector<BodyIndex>& chain : path.chains) {
    Mat3d rotation = Mat3d::Identity();
    for (int body : chain) {
      const Joint& joint = joint_of(mechanism, body);
      rotation = rotation * joint.rotation;
      if (joint.type == JointType::revolute) return rotation * joint.axis;
      if (joint.type == JointType::prismatic) slides.push_back(rotation * joint.axis);
    }
  }
  for (const Vec3d& slide : slides)
    if (const Vec3d normal = slides.front().cross(slide); normal.norm() > 1e-6)
      return normal.normalized();
  return Vec3d::Zero();
}

PlanarChain planar_chain(const Mechanism& mechanism, const Path& path, std::size_t end,
                         const std::string& loop, const Mat3d& plane) {
  PlanarChain chain;
  Mat3d axes = plane;  // planar axes and normal, in the body's axes
  Eigen::Vector2d gap = Eigen::Vector2d::Zero();
  for (int body : path.chains[end]) {
    const Joint& joint = joint_of(mechanism, body);
    gap += (axes.transpose() * joint.origin).head<2>();
    axes = joint.rotation.transpose() * axes;
    if (joint.type == JointType::fixed) continue;
    PlanarJoint planar;
    planar.body = body;
    planar.turns = joint.type == JointType::revolute;
    planar.origin = gap;
    const Vec3d axis = axes.transpose() * joint.axis;
    const double off = planar.turns ? axis.head<2>().norm() : std::abs(axis.z());
    if (off > parallel)
      refuse("loop " + loop, "joint " + name_of_body(mechanism, body) + " leaves its plane");
    planar.sign = axis.z() < 0.0 ? -1.0 : 1.0;
    planar.along = axis.head<2>();
    chain.joints.push_back(planar);
    gap.setZero();
  }
  const Point& tip = mechanism.points[path.points[end]];
  chain.tip = gap + (axes.transpose() * tip.position).head<2>();
  return chain;
}

/// Finds the dyad's joints, and the radii that no known joint changes.
void find_unknowns(const std::vector<BodyIndex>& bodies, PlanarDyad& dyad) {
  std::vector<DyadJoint> found;
  for (std::size_t end : {0u, 1u})
    for (std::size_t i = 0; i < dyad.chains[end].joints.size(); ++i) {
      const int body = dyad.chains[end].joints[i].body;
      if (std::find(bodies.begin(), bodies.end(), body) != bodies.end()) found.push_back({end, i});
    }
  dyad.unknowns = {found.at(0), found.at(1)};
  for (std::size_t i : {0u, 1u}) {
    DyadJoint& at = dyad.unknowns[i];
    const PlanarChain& chain = dyad.chains[at.end];
    Eigen::Vector2d reach = chain.tip;
    bool constant = !elimination::undone(dyad, i);
    for (std::size_t j = at.position + 1; j < chain.joints.size(); ++j) {
      constant = constant && is_unknown(dyad, at.end, j);
      reach += chain.joints[j].origin;
    }
    if (constant) at.radius2 = reach.squaredNorm();
  }
}

class Builder {
 public:
  explicit Builder(const Mechanism& mechanism) : mechanism_(mechanism), paths_(mechanism) {
    plan_.mechanism = mechanism;
    plan_.tree.prepare(mechanism);
    plan_.depends_on.resize(mechanism.bodies.size());
    modulo_turns_.assign(mechanism.bodies.size(), false);
  }

  MinimalPlan build() {
    const Mobility mobility(mechanism_, paths_);
    const Plan plan = plan_actuators(mechanism_, paths_, mobility, Closure::closed_form);
    for (const Coordinate& coordinate : plan.coordinates)
      add_coordinate(mechanism_.actuators[coordinate.actuator]);
    for (const Step& step : plan.steps) add_step(step);
    for (std::size_t b = 0; b < mechanism_.bodies.size(); ++b) {
      std::set<int> carried(plan_.depends_on[b].begin(), plan_.depends_on[b].end());
      if (const int parent = mechanism_.bodies[b].parent; parent != world_body) {
        const auto& below = plan_.carried_by[parent];
        carried.insert(below.begin(), below.end());
      }
      plan_.carried_by.emplace_back(carried.begin(), carried.end());
    }
    choose_branches(plan);
    return std::move(plan_);
  }

 private:
  void add_coordinate(const Actuator& actuator) {
    if (actuator.linear())
      refuse("actuator " + actuator.name,
             "it drives the distance of two points; only joints can be independent here");
    plan_.coordinates.push_back(actuator.joint);
  }

  void add_step(const Step& step) {
    const Equation& equation = step.equations.front();
    const auto element = static_cast<std::size_t>(equation.element);
    if (step.kind == StepKind::joint) {
      add_driven(step.unknowns.front());
    } else if (step.kind == StepKind::coupling) {
      add_coupled(mechanism_.couplings[element], step.unknowns.front());
    } else if (step.kind == StepKind::dyad) {
      add_dyad(equation.element, step.unknowns);
    } else {
      std::string joints;
      for (int body : step.unknowns)
        joints += (joints.empty() ? "" : ", ") + name_of_body(mechanism_, body);
      refuse("joints " + joints, "no closed form gives them one or two at a time");
    }
  }

  void add_driven(int body) {
    MinimalStep step;
    step.kind = MinimalStep::Kind::driven;
    step.body = body;
    const auto at = std::find(plan_.coordinates.begin(), plan_.coordinates.end(), body);
    step.coordinate = static_cast<int>(at - plan_.coordinates.begin());
    depends_on(body) = {step.coordinate};
    plan_.steps.push_back(step);
  }

  void add_coupled(const Coupling& coupling, int unknown) {
    if (coupling.joint != unknown)
      refuse("coupling " + coupling.name,
             "it has to give " + name_of_body(mechanism_, coupling.joint) + " from the others");
    MinimalStep step;
    step.kind = MinimalStep::Kind::coupled;
    step.body = coupling.joint;
    step.coupling = coupling;
    bool whole = true, modulo = false, angles = true;
    std::set<int> coordinates;
    for (const CouplingTerm& term : coupling.terms) {
      const auto of = static_cast<std::size_t>(term.of);
      whole = whole && term.ratio == std::round(term.ratio) && std::abs(term.ratio) <= most_turns;
      modulo = modulo || modulo_turns_[of];
      angles = angles && joint_of(mechanism_, term.of).type == JointType::revolute;
      coordinates.insert(plan_.depends_on[of].begin(), plan_.depends_on[of].end());
    }
    step.by_turns =
        whole && angles && joint_of(mechanism_, coupling.joint).type == JointType::revolute;
    if (modulo && !step.by_turns)
      refuse("coupling " + coupling.name,
             "a loop gives an angle only modulo full turns, so only small whole multiples of it "
             "can turn another joint");
    depends_on(coupling.joint).assign(coordinates.begin(), coordinates.end());
    modulo_turns_[coupling.joint] = modulo;
    plan_.steps.push_back(step);
  }

  void add_dyad(LoopIndex loop, const std::vector<BodyIndex>& unknowns) {
    const Path& path = paths_.loops[loop];
    const std::string& name = mechanism_.loops[loop].name;
    const Vec3d normal = normal_of(mechanism_, path);
    if (normal.norm() < 0.5) refuse("loop " + name, "its joints do not move in a plane");
    Mat3d plane;
    plane.col(0) = normal.unitOrthogonal();
    plane.col(1) = normal.cross(plane.col(0));
    plane.col(2) = normal;
    MinimalStep step;
    step.kind = MinimalStep::Kind::dyad;
    step.dyad.loop = loop;
    for (std::size_t end : {0u, 1u})
      step.dyad.chains[end] = planar_chain(mechanism_, path, end, name, plane);
    find_unknowns(unknowns, step.dyad);
    std::set<int> coordinates;
    for (const PlanarChain& chain : step.dyad.chains)
      for (const PlanarJoint& joint : chain.joints) {
        const auto& known = depends_on(joint.body);
        coordinates.insert(known.begin(), known.end());
      }
    step.dyad.coordinates.assign(coordinates.begin(), coordinates.end());
    for (int body : unknowns) {
      depends_on(body) = step.dyad.coordinates;
      modulo_turns_[body] = joint_of(mechanism_, body).type == JointType::revolute;
    }
    plan_.steps.push_back(step);
  }

  /// Chooses for each dyad the branch that gives the zero configuration.
  void choose_branches(const Plan& plan) {
    std::vector<JointFrame> frames;
    prepare_frames(mechanism_, frames);
    ZeroConfiguration zero(mechanism_, paths_, plan);
    if (const auto finding = zero.solve({mechanism_, frames}))
      throw MechanismError(describe(*finding, mechanism_));
    const JointView<double> at = zero.state().view();
    MinimalState<double> state(plan_);
    const JointState<double> tried = state.joints();
    for (std::size_t i = 0; i < plan_.steps.size(); ++i) {
      if (plan_.steps[i].kind != MinimalStep::Kind::dyad) continue;
      PlanarDyad& dyad = plan_.steps[i].dyad;
      const auto miss = [&](double branch) {
        dyad.branch = branch;
        for (std::size_t b = 0; b < plan_.bodies(); ++b)
          elimination::set_joint<double>(plan_, static_cast<int>(b), at.q[b], tried);
        elimination::meet<double>(dyad, tried, state.dyads[i]);
        elimination::set_angles<double>(dyad, tried, state.dyads[i]);
        double sum = 0.0;
        for (const DyadJoint& unknown : dyad.unknowns) {
          const auto b = static_cast<std::size_t>(dyad.joint(unknown).body);
          const double off = tried.q[b] - at.q[b];
          sum += std::abs(dyad.joint(unknown).turns ? std::remainder(off, 2.0 * std::numbers::pi)
                                                    : off);
        }
        return sum;
      };
      const double plus = miss(1.0), minus = miss(-1.0);
      dyad.branch = plus <= minus ? 1.0 : -1.0;
    }
  }

  std::vector<int>& depends_on(int body) { return plan_.depends_on[body]; }

  const Mechanism& mechanism_;
  Paths paths_;
  MinimalPlan plan_;
  std::vector<bool> modulo_turns_;  // per body: whether its angle is known modulo full turns only
};

}  // namespace

MinimalPlan plan_minimal(const Mechanism& mechanism) {
  return Builder(mechanism).build();
}

}  // namespace counterpoise
