#include "engine/kinematics/closure/mobility.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "engine/kinematics/closure/group_solver.hpp"
#include "engine/kinematics/closure/tolerances.hpp"
#include "engine/mechanism/finding.hpp"

namespace counterpoise {
namespace {

constexpr double least_pivot = 1e-12;

/// The first names of a list that may be long, and how many more there are.
std::string list_of(const std::vector<std::string>& names) {
  constexpr std::size_t most = 12;
  const std::size_t shown = names.size() <= most + 1 ? names.size() : most;
  std::string text;
  for (std::size_t i = 0; i < shown; ++i) text += (i == 0 ? "" : ", ") + names[i];
  if (shown < names.size()) text += " and " + std::to_string(names.size() - shown) + " more";
  return text;
}

/// Zeros for the driven values of equations.
std::vector<double> rest(const std::vector<Equation>& equations) {
  std::size_t slots = 0;
  for (const Equation& equation : equations)
    slots = std::max(slots, static_cast<std::size_t>(equation.slot + 1));
  return std::vector<double>(slots, 0.0);
}

}  // namespace

Equation drive_equation(const Coordinate& coordinate, int slot, const Mechanism& mechanism) {
  if (coordinate.point >= 0)
    return {EquationKind::point_drive, coordinate.point, slot, 1, coordinate.axis};
  if (coordinate.turned >= 0)
    return {EquationKind::turn_drive, coordinate.turned, slot, 1, coordinate.axis};
  if (coordinate.actuator < 0) return {EquationKind::joint_drive, coordinate.joint, slot};
  const Actuator& actuator = mechanism.actuators[coordinate.actuator];
  if (actuator.linear()) return {EquationKind::line_drive, coordinate.actuator, slot};
  return {EquationKind::joint_drive, actuator.joint, slot};
}

Mobility::Mobility(const Mechanism& mechanism, const Paths& paths)
    : mechanism_(mechanism), paths_(&paths), constraints_(closing_equations(mechanism)) {
  for (BodyIndex b = 0; b < mechanism.body_count(); ++b)
    if (mechanism.moves(b)) moving_.push_back(b);
  if (!moving_.empty()) groups_ = group_equations(constraints_, moving_, mechanism_, paths);

  for (int trial = 0; trial < 3; ++trial) add_configuration(trial);
  degrees_of_freedom_ = static_cast<int>(moving_.size()) - rank(constraints_, moving_);
}

/// Adds the closed configuration at the guess, and in later trials others beside it. These are
/// reached along the mechanism's own degrees of freedom: one that moves only because of its
/// dimensions would lose its mobility on another branch.
void Mobility::add_configuration(int trial) {
  const bool beside = trial > 0 && !open_;
  Configuration configuration{SampleState(mechanism_.body_count()), {}};
  prepare_frames(mechanism_, configuration.frames);
  configuration.state.set_guess({mechanism_, configuration.frames});
  std::vector<double> way(mechanism_.bodies.size());
  for (const BodyIndex b : moving_) way[at(b)] = nudge(trial, b, mechanism_.bodies[b].joint.type);
  for (const EquationGroup& group : groups_) {
    if (!beside || group.joints.empty()) continue;
    const Eigen::MatrixXd columns = slopes(group, configurations_.front(), {});
    Eigen::VectorXd nudged(columns.cols()), along;
    for (std::size_t j = 0; j < group.joints.size(); ++j)
      nudged(static_cast<Eigen::Index>(j)) = way[at(group.joints[j])];
    OrthogonalDecomposition factor;
    factor.compute(columns);
    factor.solve(columns * nudged, along);
    for (std::size_t j = 0; j < group.joints.size(); ++j)
      way[at(group.joints[j])] -= along(static_cast<Eigen::Index>(j));
  }
  for (const BodyIndex b : moving_) {
    const double from =
        beside ? configurations_.front().state.view().q[b] : mechanism_.bodies[b].joint.guess;
    configuration.state.set_position(configuration.frames, b, from + way[at(b)]);
  }
  std::optional<Finding> worst;
  for (const EquationGroup& group : groups_) {
    const std::optional<Finding> open = close(group, configuration);
    if (open && (!worst || open->violation > worst->violation)) worst = open;
  }
  if (trial > 0 && worst) {
    if (open_ && worst->violation < open_->violation) open_ = worst;
    return;
  }
  open_ = worst;
  configurations_.push_back(std::move(configuration));
}

/// Closes the loops and couplings of a group from the positions of a configuration.
std::optional<Finding> Mobility::close(const EquationGroup& group,
                                       Configuration& configuration) const {
  const DesignGeometry geometry{mechanism_, configuration.frames};
  if (group.joints.empty()) {
    EquationSystem system(group.equations, mechanism_, *paths_);
    system.evaluate(geometry, configuration.state.view(), {});
    if (system.misfit() <= solved_misfit) return std::nullopt;
    return system.open_finding(0.0);
  }
  GroupSolver solver(group.equations, group.joints, mechanism_, *paths_);
  const auto result = solver.solve_positions(geometry, configuration.state, {});
  if (result == GroupSolver::Result::solved) return std::nullopt;
  return solver.system().open_finding(0.0);
}

int Mobility::redundant_equations() const {
  int rows = 0;
  for (const Equation& equation : constraints_) rows += equation.rows;
  return rows - (static_cast<int>(moving_.size()) - degrees_of_freedom_);
}

/// The slopes of a group's equations by its joints, at unit length for couplings: their ratios are
/// exact, and one that is large makes no other equation less certain.
Eigen::MatrixXd Mobility::slopes(const EquationGroup& group, const Configuration& configuration,
                                 std::span<const double> driven) const {
  EquationSystem system(group.equations, mechanism_, *paths_, group.joints);
  system.evaluate({mechanism_, configuration.frames}, configuration.state.view(), driven);
  Eigen::Index row = 0;
  for (const Equation& equation : group.equations) {
    if (equation.kind == EquationKind::coupling) system.jacobian.row(row).normalize();
    row += equation.rows;
  }
  return system.jacobian.leftCols(static_cast<Eigen::Index>(group.joints.size()));
}

int Mobility::rank(const std::vector<Equation>& equations,
                   const std::vector<BodyIndex>& joints) const {
  int largest = 0;
  if (equations.empty() || joints.empty()) return 0;
  const std::vector<EquationGroup> groups = group_equations(equations, joints, mechanism_, *paths_);
  const std::vector<double> driven = rest(equations);
  std::vector<Eigen::MatrixXd> blocks;
  for (const Configuration& configuration : configurations_) {
    blocks.clear();
    for (const EquationGroup& group : groups)
      if (!group.joints.empty()) blocks.push_back(slopes(group, configuration, driven));
    largest = std::max(largest, rank_of(blocks, rank_threshold, least_pivot));
  }
  return largest;
}

std::vector<Equation> Mobility::with_drives(const std::vector<Coordinate>& coordinates) const {
  std::vector<Equation> equations = constraints_;
  for (std::size_t i = 0; i < coordinates.size(); ++i)
    equations.push_back(drive_equation(coordinates[i], static_cast<int>(i), mechanism_));
  return equations;
}

std::vector<char> Mobility::implied(const std::vector<Coordinate>& coordinates) const {
  std::vector<char> implied(coordinates.size(), 0);
  const auto of_tool = [](const Coordinate& coordinate) { return coordinate.is_of_tool(); };
  if (std::none_of(coordinates.begin(), coordinates.end(), of_tool)) return implied;
  std::vector<Coordinate> independent;
  int known = rank(constraints_, moving_);
  for (std::size_t i = 0; i < coordinates.size(); ++i) {
    independent.push_back(coordinates[i]);
    const int more = rank(with_drives(independent), moving_);
    if (more == known && coordinates[i].is_of_tool()) {
      implied[i] = 1;
      independent.pop_back();
    }
    known = more;
  }
  return implied;
}

bool Mobility::determined_by(const std::vector<Coordinate>& coordinates) const {
  return static_cast<int>(coordinates.size()) == degrees_of_freedom_ &&
         rank(with_drives(coordinates), moving_) == static_cast<int>(moving_.size());
}

std::string Mobility::undetermined_joints(const std::vector<Equation>& equations) const {
  const Configuration& configuration = configurations_.back();
  Eigen::MatrixXd columns(0, static_cast<Eigen::Index>(moving_.size()));
  if (!equations.empty()) columns = slopes({equations, moving_}, configuration, rest(equations));
  // a joint is determined if its unit vector lies in the row space
  std::vector<std::string> names;
  const int base = rank_of(columns, rank_threshold, least_pivot);
  for (std::size_t j = 0; j < moving_.size(); ++j) {
    Eigen::MatrixXd more(columns.rows() + 1, columns.cols());
    more.topRows(columns.rows()) = columns;
    more.bottomRows(1).setZero();
    more(columns.rows(), static_cast<Eigen::Index>(j)) = 1.0;
    if (rank_of(more, rank_threshold, least_pivot) > base)
      names.push_back(mechanism_.bodies[moving_[j]].name);
  }
  return list_of(names);
}

std::string Mobility::surplus_coordinates(const std::vector<Coordinate>& coordinates) const {
  const int full = rank(with_drives(coordinates), moving_);
  std::vector<std::string> names;
  for (std::size_t i = 0; i < coordinates.size(); ++i) {
    std::vector<Coordinate> others = coordinates;
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
    if (rank(with_drives(others), moving_) == full)
      names.push_back(name_of(coordinates[i], mechanism_));
  }
  return list_of(names);
}

/// Names the loops that take the last mobility, if any single one does.
std::string Mobility::locking_loops() const {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < constraints_.size(); ++i) {
    if (constraints_[i].kind != EquationKind::loop) continue;
    std::vector<Equation> others = constraints_;
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
    if (rank(others, moving_) < static_cast<int>(moving_.size()))
      names.push_back(mechanism_.loops[constraints_[i].element].name);
  }
  if (names.empty()) return "";
  return "; without " + std::string(names.size() == 1 ? "loop " : "any of the loops ") +
         list_of(names) + " it could move";
}

void Mobility::require_determined_by(const std::vector<Coordinate>& coordinates,
                                     const std::string& what) const {
  const int count = static_cast<int>(coordinates.size());
  const int full = rank(with_drives(coordinates), moving_);
  const bool too_few = full < static_cast<int>(moving_.size());
  const bool too_many = count > degrees_of_freedom_ - (static_cast<int>(moving_.size()) - full);
  if (!too_few && !too_many) return;
  if (open_) throw MechanismError(*open_, mechanism_, ", near the zero configuration");
  std::string text = std::to_string(count) + " " + what + " for " +
                     std::to_string(degrees_of_freedom_) + " degrees of freedom";
  const std::string joints = too_few ? undetermined_joints(with_drives(coordinates)) : "";
  const std::string surplus = too_many ? surplus_coordinates(coordinates) : "";
  const bool of_tool = std::any_of(coordinates.begin(), coordinates.end(),
                                   [](const Coordinate& c) { return c.is_of_tool(); });
  const char* way_out =
      of_tool ? "; give coordinates for as many as are free, or \"redundant\": \"least-norm\"" : "";
  if (too_few && too_many)
    text +=
        ", but in every pose tried " + (surplus.empty() ? "they" : surplus) +
        (count == 1 ? " has no hold on it" : " depend on each other") +
        (joints.empty() ? "" : ": with all of them held, the joints " + joints + " can still move");
  else if (too_few)
    text += "; nothing determines the joints " + joints + way_out;
  else
    text += "; more than enough: any of " + surplus;
  if (degrees_of_freedom_ == 0) text += locking_loops();
  throw MechanismError(text);
}

}  // namespace counterpoise
