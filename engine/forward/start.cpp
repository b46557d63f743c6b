#include <algorithm>
#include <cmath>
#include <memory>

#include "engine/evaluation/pipeline.hpp"
#include "engine/forward/fall.hpp"
#include "engine/kinematics/closure/group_solver.hpp"

namespace counterpoise {
namespace {

/// A pose on the way of a motion from which Newton's method may go on.
struct Waypoint {
  SampleState state;
  std::vector<Coordinate> coordinates;
  std::size_t driven = 0;
};

/// The pose of a motion at sample k, or why it has none.
std::variant<Waypoint, Finding> waypoint(const Mechanism& mechanism, const Motion& motion, int k) {
  const auto plan = std::make_shared<const EvaluationPlan>(mechanism, motion, Closure::closed_form);
  Pipeline<double> pipeline(plan, motion, Reuse::remember);
  if (const auto finding = pipeline.follow(mechanism)) return *finding;
  Waypoint point{SampleState(mechanism.body_count()), plan->drives.coordinates,
                 plan->drives.driven};
  point.state.read_lane<double>(pipeline.joints(k), 0);
  return point;
}

double position_of(const Coordinate& coordinate, const Mechanism& mechanism, const Paths& paths,
                   const DesignGeometry& geometry, const JointView<double>& state) {
  const BodyIndex joint =
      coordinate.actuator >= 0 ? mechanism.actuators[coordinate.actuator].joint : coordinate.joint;
  if (joint != world_body) return state.q[joint];
  const Path& path = paths.actuators[static_cast<std::size_t>(coordinate.actuator)];
  Line<double> line;
  line.resize(path);
  trace_line<double>(geometry, path, state, line);
  return line.length;
}

/// Closes the mechanism where its coordinates have these values, from the pose of a waypoint.
std::variant<JointStart, Finding> close_at(const Mechanism& mechanism, Waypoint point,
                                           const std::vector<ProfileValue>& given, double time) {
  const Paths paths(mechanism);
  std::vector<JointFrame> frames;
  prepare_frames(mechanism, frames);
  const DesignGeometry geometry{mechanism, frames};
  std::vector<Equation> equations = closing_equations(mechanism);
  std::vector<double> position, velocity;
  for (std::size_t c = 0; c < point.coordinates.size(); ++c) {
    const Coordinate& coordinate = point.coordinates[c];
    equations.push_back(drive_equation(coordinate, static_cast<int>(c), mechanism));
    const bool driven = c < given.size();
    position.push_back(
        driven ? given[c].position
               : position_of(coordinate, mechanism, paths, geometry, point.state.view()));
    velocity.push_back(driven ? given[c].velocity : 0.0);
  }
  std::vector<BodyIndex> moving;
  for (BodyIndex b = 0; b < mechanism.body_count(); ++b)
    if (mechanism.moves(b)) moving.push_back(b);
  JointStart start;
  start.q.assign(mechanism.bodies.size(), 0.0);
  start.v = start.q;
  if (moving.empty()) return start;
  GroupSolver solver(std::move(equations), moving, mechanism, paths);
  if (solver.solve_positions(geometry, point.state, position) != GroupSolver::Result::solved)
    return solver.system().open_finding(time);
  solver.linearise(geometry, point.state.view(), position);
  solver.solve_velocities(point.state.view(), velocity);
  for (const BodyIndex b : moving) {
    start.q[static_cast<std::size_t>(b)] = point.state.view().q[b];
    start.v[static_cast<std::size_t>(b)] = point.state.view().v[b];
  }
  return start;
}

}  // namespace

std::variant<JointStart, Finding> start_of_motion(const Mechanism& mechanism, const Motion& motion,
                                                  double time) {
  const int k =
      std::clamp(static_cast<int>(std::lround(time / motion.step)), 0, motion.sample_count() - 1);
  auto near = waypoint(mechanism, motion, k);
  if (const auto* finding = std::get_if<Finding>(&near)) return *finding;
  std::vector<ProfileValue> given;
  for (const Drive& drive : motion.drives)
    given.push_back(evaluate(drive.profile, time, motion.duration));
  return close_at(mechanism, std::move(std::get<Waypoint>(near)), given, time);
}

std::variant<JointStart, Finding> start_of_coordinates(const Mechanism& mechanism,
                                                       const std::vector<GivenCoordinate>& given) {
  // the way from the zero configuration to the given coordinates, so that loops stay on its branch
  constexpr int steps = 100;
  Motion motion;
  motion.duration = 1.0;
  motion.step = 1.0 / steps;
  motion.inertia = false;
  for (const GivenCoordinate& one : given)
    motion.drives.push_back({one.actuator, one.joint, Hold{one.position}});
  {
    Motion zero = motion;
    zero.drives.clear();
    auto at_zero = waypoint(mechanism, zero, 0);
    if (const auto* finding = std::get_if<Finding>(&at_zero)) return *finding;
    const Paths paths(mechanism);
    std::vector<JointFrame> frames;
    prepare_frames(mechanism, frames);
    for (std::size_t i = 0; i < given.size(); ++i) {
      const double from =
          position_of({given[i].actuator, given[i].joint}, mechanism, paths, {mechanism, frames},
                      std::get<Waypoint>(at_zero).state.view());
      motion.drives[i].profile = PointToPoint{from, given[i].position, 0.0, 1.0};
    }
  }
  auto at_end = waypoint(mechanism, motion, steps);
  if (const auto* finding = std::get_if<Finding>(&at_end)) return *finding;
  std::vector<ProfileValue> values;
  for (const GivenCoordinate& one : given) values.push_back({one.position, one.velocity, 0.0});
  return close_at(mechanism, std::move(std::get<Waypoint>(at_end)), values, 0.0);
}

}  // namespace counterpoise
