#include "engine/kinematics/closure/equation_system.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "engine/kinematics/closure/tolerances.hpp"
#include "engine/math/pack.hpp"

namespace counterpoise {
namespace {

template <class S>
Vec3<S> turned_by(const Mat3<S>& rotation, const Vec3d& direction) {
  Vec3<S> result;
  for (int i = 0; i < 3; ++i)
    result(i) = rotation(i, 0) * direction(0) + rotation(i, 1) * direction(1) +
                rotation(i, 2) * direction(2);
  return result;
}

/// Traces the second end of a path from the world: a point, or the origin of a body.
template <class S>
void trace_tool(const DesignGeometry& geometry, const Path& path, const JointView<S>& state,
                Trace<S>& end) {
  const PointIndex point = path.points[1];
  const Vec3d tip = point < 0 ? Vec3d(Vec3d::Zero()) : geometry.mechanism.points[point].position;
  trace_positions<S>(geometry.frames, path.chains[1], tip, state, end);
}

/// Roll, pitch or yaw of a body with these axes: R = Rz(yaw) Ry(pitch) Rx(roll), as in URDF.
template <class S>
S angle_of(const Mat3<S>& r, int axis) {
  using std::atan2, std::sqrt;
  if (axis == 0) return atan2(r(2, 1), r(2, 2));
  if (axis == 2) return atan2(r(1, 0), r(0, 0));
  return atan2(S(-r(2, 0)), S(sqrt(S(r(0, 0) * r(0, 0) + r(1, 0) * r(1, 0)))));
}

/// An angle up to whole turns, between -pi and pi.
double without_turns(double angle) {
  return std::remainder(angle, 2.0 * std::numbers::pi);
}
Pack without_turns(const Pack& angle) {
  return each_lane(angle, [](double x) { return without_turns(x); });
}

/// How roll, pitch and yaw of a body change with its angular velocity, which is
///   omega = x roll' + y pitch' + z yaw'
/// with the world's z, the y that yaw has turned, and the x that yaw and pitch have turned. At a
/// pitch of +-90 deg x and z coincide, and the rates are divided by nearly zero.
template <class S>
class Turns {
 public:
  explicit Turns(const Mat3<S>& r) {
    using std::sqrt;
    cosine_pitch_ = sqrt(S(r(0, 0) * r(0, 0) + r(1, 0) * r(1, 0)));
    inverse_ = S(1.0) / larger(cosine_pitch_, S(tiny));
    sine_pitch_ = -r(2, 0);
    cosine_yaw_ = r(0, 0) * inverse_;
    sine_yaw_ = r(1, 0) * inverse_;
  }

  /// The rates of roll, pitch and yaw at this angular velocity.
  [[nodiscard]] Vec3<S> rates(const Vec3<S>& omega) const {
    const S along = cosine_yaw_ * omega(0) + sine_yaw_ * omega(1);
    const S across = cosine_yaw_ * omega(1) - sine_yaw_ * omega(0);
    const S roll = along * inverse_;
    return {roll, across, omega(2) + sine_pitch_ * roll};
  }
  /// Their second derivatives: the rates at what the angular acceleration has beyond the turning of
  /// x and y.
  [[nodiscard]] Vec3<S> accelerations(const Vec3<S>& omega, const Vec3<S>& alpha) const {
    const Vec3<S> rate = rates(omega);
    const S &roll = rate(0), &pitch = rate(1), &yaw = rate(2);
    const Vec3<S> x_turning(-sine_yaw_ * cosine_pitch_ * yaw - cosine_yaw_ * sine_pitch_ * pitch,
                            cosine_yaw_ * cosine_pitch_ * yaw - sine_yaw_ * sine_pitch_ * pitch,
                            -cosine_pitch_ * pitch);
    const Vec3<S> y_turning(-cosine_yaw_ * yaw, -sine_yaw_ * yaw, S(0.0));
    return rates(Vec3<S>(alpha - x_turning * roll - y_turning * pitch));
  }

 private:
  S cosine_pitch_, sine_pitch_, cosine_yaw_, sine_yaw_, inverse_;
};

}  // namespace

template <class S>
Equations<S>::Equations(std::vector<Equation> equations, const Mechanism& mechanism,
                        const Paths& paths, const std::vector<BodyIndex>& first)
    : equations_(std::move(equations)),
      paths_(&paths),
      way_(equations_.size()),
      terms_(equations_.size(), S(1.0)),
      joints_(first) {
  std::size_t rows = 0;
  for (std::size_t e = 0; e < equations_.size(); ++e) {
    const Equation& equation = equations_[e];
    rows += static_cast<std::size_t>(equation.rows);
    if (!has_path(equation)) {
      for (BodyIndex joint : joints_of(equation, mechanism, paths)) column_of(joint);
      continue;
    }
    const auto same = std::find_if(equations_.begin(), equations_.begin() + static_cast<int>(e),
                                   [&](const Equation& earlier) {
                                     return drives_tool(earlier) && earlier.kind == equation.kind &&
                                            earlier.element == equation.element;
                                   });
    const auto at = static_cast<std::size_t>(same - equations_.begin());
    way_[e] = at < e ? way_[at] : add_way(equation, mechanism);
  }
  residual_.resize(rows);
  columns_.resize(rows * joints_.size());
}

template <class S>
std::size_t Equations<S>::add_way(const Equation& equation, const Mechanism& mechanism) {
  const Path& path = path_of(equation, *paths_);
  Way& way = ways_.emplace_back();
  way.line.resize(path);
  for (Trace<S>& end : way.line.ends) end.p.setConstant(S(0.0));
  for (std::size_t end : {0u, 1u})
    for (BodyIndex joint : path.chains[end])
      way.columns[end].push_back(mechanism.moves(joint) ? column_of(joint) : -1);
  return ways_.size() - 1;
}

/// The column of a joint, made if missing.
template <class S>
int Equations<S>::column_of(BodyIndex joint) {
  const auto found = std::find(joints_.begin(), joints_.end(), joint);
  const auto column = static_cast<int>(found - joints_.begin());
  if (found == joints_.end()) joints_.push_back(joint);
  return column;
}

template <class S>
void Equations<S>::evaluate(const DesignGeometry& geometry, const JointView<S>& state,
                            std::span<const S> driven) {
  upright_ = S(0.0) == S(0.0);
  std::size_t traced = 0;
  int row = 0;
  for (std::size_t e = 0; e < equations_.size(); ++e) {
    const Equation& equation = equations_[e];
    const auto element = static_cast<std::size_t>(equation.element);
    const auto at = static_cast<std::size_t>(row);
    if (has_path(equation) && way_[e] == traced) {
      const Path& path = path_of(equation, *paths_);
      Line<S>& to = ways_[traced++].line;
      if (drives_tool(equation))
        trace_tool<S>(geometry, path, state, to.ends[1]);
      else
        trace_line<S>(geometry, path, state, to);
    }
    switch (equation.kind) {
      case EquationKind::joint_drive:
        residual_[at] = state.q[element] - driven[equation.slot];
        entry(row, column_of(equation.element)) = S(1.0);
        break;
      case EquationKind::coupling:
        evaluate_coupling(geometry.mechanism.couplings[element], state, terms_[e], row);
        break;
      case EquationKind::line_drive:
        evaluate_line(way_of(e), row);
        residual_[at] = line(e).length - driven[equation.slot];
        break;
      case EquationKind::point_drive:
        evaluate_point(equation, way_of(e), row);
        residual_[at] = line(e).ends[1].p(equation.axis) - driven[equation.slot];
        break;
      case EquationKind::turn_drive:
        evaluate_turn(geometry, equation, way_of(e), row);
        residual_[at] = without_turns(angle_of(line(e).ends[1].rotation, equation.axis) -
                                      driven[equation.slot]);
        break;
      case EquationKind::loop:
        evaluate_loop(geometry, equation, path_of(equation, *paths_), way_of(e), row);
        break;
    }
    row += equation.rows;
  }
}

template <class S>
void Equations<S>::evaluate_coupling(const Coupling& coupling, const JointView<S>& state,
                                     S& largest, int row) {
  S residual = state.q[coupling.joint] - S(coupling.offset);
  largest = larger(abs(state.q[coupling.joint]), S(std::max(1.0, std::abs(coupling.offset))));
  for (const CouplingTerm& term : coupling.terms) entry(row, column_of(term.of)) = S(0.0);
  entry(row, column_of(coupling.joint)) = S(1.0);
  for (const CouplingTerm& term : coupling.terms) {
    const S part = state.q[term.of] * term.ratio;
    residual -= part;
    largest = larger(largest, abs(part));
    entry(row, column_of(term.of)) -= S(term.ratio);
  }
  residual_[row] = residual;
}

template <class S>
void Equations<S>::evaluate_line(const Way& way, int row) {
  for (std::size_t end : {0u, 1u})
    for (std::size_t k = 0; k < way.columns[end].size(); ++k)
      if (way.columns[end][k] >= 0)
        entry(row, way.columns[end][k]) = length_slope(way.line, end, k);
}

template <class S>
void Equations<S>::evaluate_point(const Equation& equation, const Way& way, int row) {
  for (std::size_t k = 0; k < way.columns[1].size(); ++k)
    if (way.columns[1][k] >= 0)
      entry(row, way.columns[1][k]) = way.line.ends[1].column[k](equation.axis);
}

template <class S>
void Equations<S>::evaluate_turn(const DesignGeometry& geometry, const Equation& equation,
                                 const Way& way, int row) {
  const Trace<S>& end = way.line.ends[1];
  const Path& path = paths_->bodies[static_cast<std::size_t>(equation.element)];
  const Turns<S> turns(end.rotation);
  for (std::size_t k = 0; k < way.columns[1].size(); ++k) {
    if (way.columns[1][k] < 0) continue;
    const bool turning = geometry.type_of(path.chains[1][k]) == JointType::revolute;
    entry(row, way.columns[1][k]) =
        turning ? turns.rates(Vec3<S>(end.axis[k]))(equation.axis) : S(0.0);
  }
}

template <class S>
void Equations<S>::evaluate_loop(const DesignGeometry& geometry, const Equation& equation,
                                 const Path& path, const Way& way, int row) {
  const Loop& loop = geometry.mechanism.loops[equation.element];
  const auto& [first, second] = way.line.ends;
  const std::span<S> gap = std::span(residual_).subspan(static_cast<std::size_t>(row), 3);
  for (int i = 0; i < 3; ++i) gap[i] = first.p(i) - second.p(i);
  for (std::size_t end : {0u, 1u})
    for (std::size_t k = 0; k < way.columns[end].size(); ++k) {
      if (way.columns[end][k] < 0) continue;
      const Vec3<S>& column = way.line.ends[end].column[k];
      S* to = &entry(row, way.columns[end][k]);
      for (int i = 0; i < 3; ++i) to[i] = end == 0 ? column(i) : -column(i);
    }

  if (loop.keep == LoopKeep::weld) {
    S trace(0.0);
    for (int j = 0; j < 3; ++j) {
      const Vec3<S> held = turned_by(first.rotation, loop.rotation.col(j));
      trace += held.dot(Vec3<S>(second.rotation.col(j)));
    }
    upright_ = upright_ & (trace >= S(1.0));
  }
  const auto pairs = axis_pairs(loop);
  for (int i = 0; i < equation.rows - 3; ++i) {
    const AxisPair& pair = pairs[i];
    const Vec3<S> u = turned_by(first.rotation, pair.first);
    const Vec3<S> w = turned_by(second.rotation, pair.second);
    const int at = row + 3 + i;
    residual_[at] = u.dot(w);
    const Vec3<S> lever = u.cross(w);
    for (std::size_t end : {0u, 1u})
      for (std::size_t k = 0; k < way.columns[end].size(); ++k) {
        const BodyIndex joint = path.chains[end][k];
        if (geometry.type_of(joint) != JointType::revolute) continue;
        const S slope = way.line.ends[end].axis[k].dot(lever);
        entry(at, way.columns[end][k]) = end == 0 ? slope : -slope;
      }
  }
}

template <class S>
void Equations<S>::accelerate(const DesignGeometry& geometry, const JointView<S>& state,
                              std::span<S> rows) const {
  const Way* traced = nullptr;
  EndState<S> tool;
  std::size_t row = 0;
  for (std::size_t e = 0; e < equations_.size(); ++e) {
    const Equation& equation = equations_[e];
    const auto element = static_cast<std::size_t>(equation.element);
    if (equation.kind == EquationKind::joint_drive) {
      rows[row] = state.a[element];
    } else if (equation.kind == EquationKind::coupling) {
      const Coupling& coupling = geometry.mechanism.couplings[element];
      rows[row] = state.a[coupling.joint];
      for (const CouplingTerm& term : coupling.terms) rows[row] -= state.a[term.of] * term.ratio;
    } else if (equation.kind == EquationKind::line_drive) {
      S rate(0.0);
      rows[row] =
          length_acceleration<S>(geometry.frames, path_of(equation, *paths_), state, line(e), rate);
    } else if (drives_tool(equation)) {
      const Trace<S>& end = line(e).ends[1];
      if (traced != &way_of(e))
        tool = trace_motion<S>(geometry.frames, path_of(equation, *paths_).chains[1], state, end);
      traced = &way_of(e);
      rows[row] = equation.kind == EquationKind::point_drive
                      ? tool.a(equation.axis)
                      : Turns<S>(end.rotation).accelerations(tool.omega, tool.alpha)(equation.axis);
    } else {
      const Path& path = path_of(equation, *paths_);
      const std::array<Trace<S>, 2>& ends = line(e).ends;
      const EndState<S> first = trace_motion<S>(geometry.frames, path.chains[0], state, ends[0]);
      const EndState<S> second = trace_motion<S>(geometry.frames, path.chains[1], state, ends[1]);
      for (int i = 0; i < 3; ++i)
        rows[row + static_cast<std::size_t>(i)] = first.a(i) - second.a(i);
      const auto pairs = axis_pairs(geometry.mechanism.loops[element]);
      for (std::size_t k = 0; k + 3 < static_cast<std::size_t>(equation.rows); ++k) {
        const Vec3<S> u = turned_by(ends[0].rotation, pairs[k].first);
        const Vec3<S> w = turned_by(ends[1].rotation, pairs[k].second);
        const Vec3<S> du = first.omega.cross(u), dw = second.omega.cross(w);
        const Vec3<S> ddu = first.alpha.cross(u) + first.omega.cross(du);
        const Vec3<S> ddw = second.alpha.cross(w) + second.omega.cross(dw);
        rows[row + 3 + k] = ddu.dot(w) + du.dot(dw) * 2.0 + u.dot(ddw);
      }
    }
    row += static_cast<std::size_t>(equation.rows);
  }
}

template <class S>
void Equations<S>::add_driven(std::span<const S> driven, std::span<S> rows) const {
  std::size_t row = 0;
  for (const Equation& equation : equations_) {
    if (equation.slot >= 0) rows[row] += driven[equation.slot];
    row += static_cast<std::size_t>(equation.rows);
  }
}

template <class S>
S Equations<S>::scale() const {
  S squares(0.0);
  for (const Way& way : ways_)
    for (const Trace<S>& end : way.line.ends) {
      squares = larger(squares, end.p.dot(end.p));
      for (const Vec3<S>& origin : end.origin) squares = larger(squares, origin.dot(origin));
    }
  return sqrt(squares);
}

template class Equations<double>;
template class Equations<Pack>;

EquationSystem::EquationSystem(std::vector<Equation> equations, const Mechanism& mechanism,
                               const Paths& paths, const std::vector<BodyIndex>& first)
    : rows_(std::move(equations), mechanism, paths, first) {
  residual.setZero(rows());
  acceleration.setZero(rows());
  jacobian.setZero(rows(), static_cast<Eigen::Index>(joints().size()));
}

void EquationSystem::evaluate(const DesignGeometry& geometry, const JointView<double>& state,
                              std::span<const double> driven) {
  mechanism_ = &geometry.mechanism;
  rows_.evaluate(geometry, state, driven);
  std::copy(rows_.residual().begin(), rows_.residual().end(), residual.data());
  for (std::size_t j = 0; j < joints().size(); ++j)
    std::copy(rows_.column(j).begin(), rows_.column(j).end(),
              jacobian.col(static_cast<Eigen::Index>(j)).data());
}

void EquationSystem::accelerate(std::span<const JointFrame> frames,
                                const JointView<double>& state) {
  rows_.accelerate({*mechanism_, frames}, state,
                   {acceleration.data(), static_cast<std::size_t>(acceleration.size())});
}

void EquationSystem::add_driven(std::span<const double> driven, Eigen::VectorXd& rows) const {
  rows_.add_driven(driven, {rows.data(), static_cast<std::size_t>(rows.size())});
}

EquationSystem::Worst EquationSystem::worst() const {
  Worst worst{0, -1.0, 0.0, false};
  rows_.for_each_misfit([&](std::size_t e, double gap, double turn, double size) {
    const double miss = std::sqrt(gap), cosine = std::sqrt(turn);
    if (!(miss / size <= worst.misfit)) worst = {e, miss / size, miss, false};
    if (!(cosine <= worst.misfit)) worst = {e, cosine, 0.0, true};
  });
  if (rows_.upright()) return worst;
  for (std::size_t e = 0; e < equations().size(); ++e)
    if (equations()[e].rows == 6 && angle_off(e) > 1.0) return {e, 1.0, 0.0, true};
  return worst;
}

/// The angle by which the bodies of a loop are turned against what it keeps [rad].
double EquationSystem::angle_off(std::size_t index) const {
  const Loop& loop = mechanism_->loops[equations()[index].element];
  const auto& [first, second] = rows_.line(index).ends;
  const Vec3d a = first.rotation * loop.axes[0], b = second.rotation * loop.axes[1];
  const double between = std::atan2(a.cross(b).norm(), std::abs(a.dot(b)));
  if (loop.keep == LoopKeep::parallel) return between;
  if (loop.keep == LoopKeep::perpendicular) return std::numbers::pi / 2.0 - between;
  return Eigen::AngleAxisd(first.rotation * loop.rotation * second.rotation.transpose()).angle();
}

double EquationSystem::misfit() const {
  return worst().misfit;
}

const Equation& EquationSystem::spokesman() const {
  for (const EquationKind kind : {EquationKind::point_drive, EquationKind::turn_drive,
                                  EquationKind::loop, EquationKind::line_drive})
    for (const Equation& equation : equations())
      if (equation.kind == kind) return equation;
  return equations().front();
}

Finding EquationSystem::finding_of_spokesman(FindingKind tool, FindingKind loop,
                                             FindingKind actuator, double time) const {
  const Equation& equation = spokesman();
  if (equation.kind == EquationKind::turn_drive) return {tool, -1, time};
  if (equation.kind == EquationKind::point_drive) return {tool, equation.element, time};
  return {equation.kind == EquationKind::loop ? loop : actuator, equation.element, time};
}

Finding EquationSystem::open_finding(double time) const {
  const Worst at = worst();
  const Equation& equation = equations()[at.equation];
  if (at.angle) {
    const double off = angle_off(at.equation);
    return {FindingKind::loop_askew, equation.element, time, off, 0.0, off};
  }
  if (equation.kind == EquationKind::point_drive)
    return {FindingKind::point_unreachable,
            equation.element,
            time,
            miss_of_point(equation.element),
            0.0,
            at.misfit};
  FindingKind kind = FindingKind::loop_open;
  if (equation.kind == EquationKind::turn_drive) kind = FindingKind::turn_unreachable;
  if (equation.kind == EquationKind::line_drive) kind = FindingKind::actuator_unreachable;
  if (equation.kind == EquationKind::coupling) kind = FindingKind::coupling_open;
  return {kind, equation.element, time, at.residual, 0.0, at.misfit};
}

/// How far a point is from where it is driven to, along the coordinates that are given [m].
double EquationSystem::miss_of_point(int point) const {
  double squares = 0.0;
  Eigen::Index row = 0;
  for (const Equation& equation : equations()) {
    if (equation.kind == EquationKind::point_drive && equation.element == point)
      squares += residual(row) * residual(row);
    row += equation.rows;
  }
  return std::sqrt(squares);
}

Finding EquationSystem::singular_finding(double time, double smallest) const {
  Finding finding = finding_of_spokesman(FindingKind::singular_tool, FindingKind::singular_loop,
                                         FindingKind::singular_actuator, time);
  finding.value = smallest;
  return finding;
}

Finding EquationSystem::passage_finding(double time) const {
  return finding_of_spokesman(FindingKind::singular_tool_passed, FindingKind::singular_loop_passed,
                              FindingKind::singular_actuator_passed, time);
}

Finding EquationSystem::jump_finding(double time) const {
  return finding_of_spokesman(FindingKind::tool_jump, FindingKind::loop_jump,
                              FindingKind::actuator_jump, time);
}

namespace {

std::vector<BodyIndex> moving_joints(const Path& path, const Mechanism& mechanism) {
  std::vector<BodyIndex> joints;
  for (const std::vector<BodyIndex>& chain : path.chains)
    for (BodyIndex body : chain)
      if (mechanism.moves(body)) joints.push_back(body);
  return joints;
}

}  // namespace

int rows_of(LoopKeep keep) {
  switch (keep) {
    case LoopKeep::point:
      return 3;
    case LoopKeep::perpendicular:
      return 4;
    case LoopKeep::parallel:
      return 5;
    case LoopKeep::weld:
      return 6;
  }
  return 3;
}

std::vector<Equation> closing_equations(const Mechanism& mechanism) {
  std::vector<Equation> equations;
  for (int i = 0; i < static_cast<int>(mechanism.couplings.size()); ++i)
    equations.push_back({EquationKind::coupling, i});
  for (int i = 0; i < static_cast<int>(mechanism.loops.size()); ++i)
    equations.push_back({EquationKind::loop, i, -1, rows_of(mechanism.loops[i].keep)});
  return equations;
}

const Path& path_of(const Equation& equation, const Paths& paths) {
  const auto i = static_cast<std::size_t>(equation.element);
  switch (equation.kind) {
    case EquationKind::loop:
      return paths.loops[i];
    case EquationKind::point_drive:
      return paths.points[i];
    case EquationKind::turn_drive:
      return paths.bodies[i];
    default:
      return paths.actuators[i];
  }
}

Paths::Paths(const Mechanism& mechanism, std::span<const Drive> drives)
    : points(mechanism.points.size()), bodies(mechanism.bodies.size()) {
  for (const Loop& loop : mechanism.loops) loops.push_back(path_between(mechanism, loop.points));
  for (const Actuator& actuator : mechanism.actuators)
    actuators.push_back(actuator.linear() ? path_between(mechanism, actuator.points) : Path{});
  for (const Spring& spring : mechanism.springs)
    springs.push_back(spring.type == SpringType::torsion ? Path{}
                                                         : path_between(mechanism, spring.points));
  for (const Spring& spring : mechanism.springs) cables.push_back(cable_of(mechanism, spring));
  for (const Drive& drive : drives) {
    if (drive.point >= 0)
      points[at(drive.point)] = path_to(mechanism, mechanism.points[drive.point].body, drive.point);
    if (drive.turned >= 0) bodies[at(drive.turned)] = path_to(mechanism, drive.turned, -1);
  }
}

std::vector<BodyIndex> joints_of(const Equation& equation, const Mechanism& mechanism,
                                 const Paths& paths) {
  if (equation.kind == EquationKind::joint_drive) return {equation.element};
  if (equation.kind == EquationKind::coupling) {
    const Coupling& coupling = mechanism.couplings[equation.element];
    std::vector<BodyIndex> joints = {coupling.joint};
    for (const CouplingTerm& term : coupling.terms) joints.push_back(term.of);
    return joints;
  }
  return moving_joints(path_of(equation, paths), mechanism);
}

std::vector<BodyIndex> joints_of_spring(const Mechanism& mechanism, const Paths& paths,
                                        SpringIndex spring) {
  const auto s = static_cast<std::size_t>(spring);
  if (mechanism.springs[s].type == SpringType::torsion) return {mechanism.springs[s].joint};
  if (mechanism.springs[s].is_cable()) return moving_joints(paths.cables[s], mechanism);
  return moving_joints(paths.springs[s], mechanism);
}

std::array<AxisPair, 3> axis_pairs(const Loop& loop) {
  const auto& [a, b] = loop.axes;
  switch (loop.keep) {
    case LoopKeep::point:
      break;
    case LoopKeep::perpendicular:
      return {AxisPair{a, b}};
    case LoopKeep::parallel: {
      const Vec3d e = a.unitOrthogonal();
      return {AxisPair{e, b}, AxisPair{a.cross(e), b}};
    }
    case LoopKeep::weld: {
      const Mat3d& r = loop.rotation;
      return {AxisPair{r.col(0), Vec3d::UnitY()}, AxisPair{r.col(1), Vec3d::UnitZ()},
              AxisPair{r.col(2), Vec3d::UnitX()}};
    }
  }
  return {};
}

}  // namespace counterpoise
