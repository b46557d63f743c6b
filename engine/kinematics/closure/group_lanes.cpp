#include "engine/kinematics/closure/group_lanes.hpp"

#include <algorithm>
#include <cmath>

namespace counterpoise {
namespace {

// Four decades above the pivot that counts as singular: what lanes solve here, one sample at a time
// solves as well, and both agree to rounding.
constexpr double least_conditioning = 1e-4;

}  // namespace

GroupLanes::GroupLanes(std::vector<Equation> equations, std::vector<BodyIndex> unknowns,
                       const Mechanism& mechanism, const Paths& paths)
    : equations_(std::move(equations), unknowns, mechanism, paths),
      unknowns_(std::move(unknowns)),
      factor_(equations_.rows(), static_cast<int>(unknowns_.size())),
      right_(equations_.residual().size()),
      solution_(unknowns_.size()) {}

void GroupLanes::linearise(const DesignGeometry& geometry, const JointView<Pack>& state,
                           std::span<const Pack> driven) {
  equations_.evaluate(geometry, state, driven);
  for (std::size_t j = 0; j < unknowns_.size(); ++j) {
    const std::span<const Pack> from = equations_.column(j);
    std::copy(from.begin(), from.end(), factor_.column(static_cast<int>(j)).begin());
  }
  factor_.compute();
}

std::span<const Pack> GroupLanes::newton_step() {
  const std::span<const Pack> residual = equations_.residual();
  std::copy(residual.begin(), residual.end(), right_.begin());
  factor_.solve(right_, solution_);
  return solution_;
}

void GroupLanes::set_unknowns(const JointColumn<Pack>& values) {
  factor_.solve(right_, solution_);
  for (std::size_t j = 0; j < unknowns_.size(); ++j) values[unknowns_[j]] = solution_[j];
}

void GroupLanes::solve_velocities(const JointState<Pack>& state,
                                  std::span<const Pack> driven_velocity) {
  std::fill(right_.begin(), right_.end(), Pack(0.0));
  const std::vector<BodyIndex>& joints = equations_.joints();
  for (std::size_t j = unknowns_.size(); j < joints.size(); ++j) {
    const std::span<const Pack> column = equations_.column(j);
    const Pack v = state.v[joints[j]];
    for (std::size_t i = 0; i < right_.size(); ++i) right_[i] -= column[i] * v;
  }
  equations_.add_driven(driven_velocity, right_);
  set_unknowns(state.v);
}

void GroupLanes::solve_accelerations(const DesignGeometry& geometry, const JointState<Pack>& state,
                                     std::span<const Pack> driven_acceleration) {
  for (BodyIndex body : unknowns_) state.a[body] = Pack(0.0);
  equations_.accelerate(geometry, state, right_);
  for (Pack& row : right_) row = -row;
  equations_.add_driven(driven_acceleration, right_);
  set_unknowns(state.a);
}

PackMask GroupLanes::regular() {
  return factor_.conditioning() >= Pack(least_conditioning);
}

namespace {

bool has_path(const Equation& equation) {
  return equation.kind == EquationKind::loop || equation.kind == EquationKind::line_drive;
}

Vec3<Pack> turned_by(const Mat3<Pack>& rotation, const Vec3d& direction) {
  Vec3<Pack> result;
  for (int i = 0; i < 3; ++i)
    result(i) = rotation(i, 0) * direction(0) + rotation(i, 1) * direction(1) +
                rotation(i, 2) * direction(2);
  return result;
}

PackMask every_lane() {
  return Pack(0.0) == Pack(0.0);
}

}  // namespace

EquationLanes::EquationLanes(std::vector<Equation> equations,
                             const std::vector<BodyIndex>& unknowns, const Mechanism& mechanism,
                             const Paths& paths)
    : equations_(std::move(equations)),
      paths_(&paths),
      ways_(equations_.size()),
      terms_(equations_.size(), Pack(1.0)),
      joints_(unknowns) {
  std::size_t rows = 0;
  for (std::size_t e = 0; e < equations_.size(); ++e) {
    const Equation& equation = equations_[e];
    rows += static_cast<std::size_t>(equation.rows);
    if (!has_path(equation)) {
      for (BodyIndex joint : joints_of(equation, mechanism, paths)) column_of(joint);
      continue;
    }
    const Path& path = path_of(equation, paths);
    ways_[e].line.resize(path);
    for (std::size_t end : {0u, 1u})
      for (BodyIndex joint : path.chains[end])
        ways_[e].columns[end].push_back(mechanism.moves(joint) ? column_of(joint) : -1);
  }
  residual_.resize(rows);
  columns_.resize(rows * joints_.size());
}

/// The column of a joint, made if missing.
int EquationLanes::column_of(BodyIndex joint) {
  const auto found = std::find(joints_.begin(), joints_.end(), joint);
  const auto column = static_cast<int>(found - joints_.begin());
  if (found == joints_.end()) joints_.push_back(joint);
  return column;
}

void EquationLanes::evaluate(const DesignGeometry& geometry, const JointView<Pack>& state,
                             std::span<const Pack> driven) {
  upright_ = every_lane();
  int row = 0;
  for (std::size_t e = 0; e < equations_.size(); ++e) {
    const Equation& equation = equations_[e];
    const auto element = static_cast<std::size_t>(equation.element);
    const auto at = static_cast<std::size_t>(row);
    if (has_path(equation))
      trace_line<Pack>(geometry, path_of(equation, *paths_), state, ways_[e].line);
    switch (equation.kind) {
      case EquationKind::joint_drive:
        residual_[at] = state.q[element] - driven[equation.slot];
        entry(row, column_of(equation.element)) = Pack(1.0);
        break;
      case EquationKind::coupling:
        evaluate_coupling(geometry.mechanism.couplings[element], state, terms_[e], row);
        break;
      case EquationKind::line_drive:
        evaluate_line(ways_[e], row);
        residual_[at] = ways_[e].line.length - driven[equation.slot];
        break;
      case EquationKind::loop:
        evaluate_loop(geometry, equation, path_of(equation, *paths_), ways_[e], row);
        break;
    }
    row += equation.rows;
  }
}

void EquationLanes::evaluate_coupling(const Coupling& coupling, const JointView<Pack>& state,
                                      Pack& largest, int row) {
  Pack residual = state.q[coupling.joint] - Pack(coupling.offset);
  largest = larger(abs(state.q[coupling.joint]), Pack(std::max(1.0, std::abs(coupling.offset))));
  for (const CouplingTerm& term : coupling.terms) entry(row, column_of(term.of)) = Pack(0.0);
  entry(row, column_of(coupling.joint)) = Pack(1.0);
  for (const CouplingTerm& term : coupling.terms) {
    const Pack part = state.q[term.of] * term.ratio;
    residual -= part;
    largest = larger(largest, abs(part));
    entry(row, column_of(term.of)) -= Pack(term.ratio);
  }
  residual_[row] = residual;
}

void EquationLanes::evaluate_line(const Way& way, int row) {
  for (std::size_t end : {0u, 1u})
    for (std::size_t k = 0; k < way.columns[end].size(); ++k)
      if (way.columns[end][k] >= 0)
        entry(row, way.columns[end][k]) = length_slope(way.line, end, k);
}

void EquationLanes::evaluate_loop(const DesignGeometry& geometry, const Equation& equation,
                                  const Path& path, const Way& way, int row) {
  const Loop& loop = geometry.mechanism.loops[equation.element];
  const auto& [first, second] = way.line.ends;
  const std::span<Pack> gap = std::span(residual_).subspan(static_cast<std::size_t>(row), 3);
  for (int i = 0; i < 3; ++i) gap[i] = first.p(i) - second.p(i);
  for (std::size_t end : {0u, 1u})
    for (std::size_t k = 0; k < way.columns[end].size(); ++k) {
      if (way.columns[end][k] < 0) continue;
      const Vec3<Pack>& column = way.line.ends[end].column[k];
      Pack* to = &entry(row, way.columns[end][k]);
      for (int i = 0; i < 3; ++i) to[i] = end == 0 ? column(i) : -column(i);
    }

  if (loop.keep == LoopKeep::weld) {
    Pack trace(0.0);
    for (int j = 0; j < 3; ++j) {
      const Vec3<Pack> held = turned_by(first.rotation, loop.rotation.col(j));
      trace += held.dot(Vec3<Pack>(second.rotation.col(j)));
    }
    upright_ = upright_ & (trace >= Pack(1.0));
  }
  const auto pairs = axis_pairs(loop);
  for (int i = 0; i < equation.rows - 3; ++i) {
    const AxisPair& pair = pairs[i];
    const Vec3<Pack> u = turned_by(first.rotation, pair.first);
    const Vec3<Pack> w = turned_by(second.rotation, pair.second);
    const int at = row + 3 + i;
    residual_[at] = u.dot(w);
    const Vec3<Pack> lever = u.cross(w);
    for (std::size_t end : {0u, 1u})
      for (std::size_t k = 0; k < way.columns[end].size(); ++k) {
        const BodyIndex joint = path.chains[end][k];
        if (geometry.type_of(joint) != JointType::revolute) continue;
        const Pack slope = way.line.ends[end].axis[k].dot(lever);
        entry(at, way.columns[end][k]) = end == 0 ? slope : -slope;
      }
  }
}

void EquationLanes::accelerate(const DesignGeometry& geometry, const JointView<Pack>& state,
                               std::span<Pack> rows) const {
  std::size_t row = 0;
  for (std::size_t e = 0; e < equations_.size(); ++e) {
    const Equation& equation = equations_[e];
    const auto element = static_cast<std::size_t>(equation.element);
    const Line<Pack>& line = ways_[e].line;
    if (equation.kind == EquationKind::joint_drive) {
      rows[row] = state.a[element];
    } else if (equation.kind == EquationKind::coupling) {
      const Coupling& coupling = geometry.mechanism.couplings[element];
      rows[row] = state.a[coupling.joint];
      for (const CouplingTerm& term : coupling.terms) rows[row] -= state.a[term.of] * term.ratio;
    } else if (equation.kind == EquationKind::line_drive) {
      Pack rate(0.0);
      rows[row] =
          length_acceleration<Pack>(geometry.frames, path_of(equation, *paths_), state, line, rate);
    } else {
      const Path& path = path_of(equation, *paths_);
      const EndState<Pack> first =
          trace_motion<Pack>(geometry.frames, path.chains[0], state, line.ends[0]);
      const EndState<Pack> second =
          trace_motion<Pack>(geometry.frames, path.chains[1], state, line.ends[1]);
      for (int i = 0; i < 3; ++i)
        rows[row + static_cast<std::size_t>(i)] = first.a(i) - second.a(i);
      const auto pairs = axis_pairs(geometry.mechanism.loops[element]);
      for (std::size_t k = 0; k + 3 < static_cast<std::size_t>(equation.rows); ++k) {
        const Vec3<Pack> u = turned_by(line.ends[0].rotation, pairs[k].first);
        const Vec3<Pack> w = turned_by(line.ends[1].rotation, pairs[k].second);
        const Vec3<Pack> du = first.omega.cross(u), dw = second.omega.cross(w);
        const Vec3<Pack> ddu = first.alpha.cross(u) + first.omega.cross(du);
        const Vec3<Pack> ddw = second.alpha.cross(w) + second.omega.cross(dw);
        rows[row + 3 + k] = ddu.dot(w) + du.dot(dw) * 2.0 + u.dot(ddw);
      }
    }
    row += static_cast<std::size_t>(equation.rows);
  }
}

void EquationLanes::add_driven(std::span<const Pack> driven, std::span<Pack> rows) const {
  std::size_t row = 0;
  for (const Equation& equation : equations_) {
    if (equation.slot >= 0) rows[row] += driven[equation.slot];
    row += static_cast<std::size_t>(equation.rows);
  }
}

Pack EquationLanes::scale() const {
  Pack squares(0.0);
  for (std::size_t e = 0; e < equations_.size(); ++e)
    if (has_path(equations_[e]))
      for (const Trace<Pack>& end : ways_[e].line.ends) {
        squares = larger(squares, end.p.dot(end.p));
        for (const Vec3<Pack>& origin : end.origin) squares = larger(squares, origin.dot(origin));
      }
  return sqrt(squares);
}

PackMask EquationLanes::met(double tolerance) const {
  const Pack size = larger(scale(), Pack(1e-6));
  PackMask met = upright_;
  std::size_t row = 0;
  for (std::size_t e = 0; e < equations_.size(); ++e) {
    const Equation& equation = equations_[e];
    const auto rows = static_cast<std::size_t>(equation.rows),
               points = std::min<std::size_t>(rows, 3);
    Pack gap(0.0), turn(0.0);
    for (std::size_t i = 0; i < rows; ++i)
      (i < points ? gap : turn) += residual_[row + i] * residual_[row + i];
    const Pack most = (has_path(equation) ? size : terms_[e]) * tolerance;
    met = met & (gap <= most * most) & (turn <= Pack(tolerance * tolerance));
    row += rows;
  }
  return met;
}

namespace {

// The least cosine between the spans of two consecutive samples. GroupWatch lets a span turn by up
// to 37 degrees before it refers to another one, and looks closer from 60 degrees on; 16 degrees
// more never take it there.
constexpr double little_turn = 0.96;

}  // namespace

WatchLanes::WatchLanes(const GroupLanes& group, int bodies, std::size_t driven_values)
    : product_(static_cast<int>(group.unknowns().size()),
               static_cast<int>(group.unknowns().size())),
      no_drive_(driven_values) {
  at_.resize(bodies, lanes<Pack>);
  const auto rows = static_cast<std::size_t>(group.equations().rows());
  if (rows > group.unknowns().size()) columns_.resize(rows * group.unknowns().size());
}

void WatchLanes::keep(const GroupLanes& group, int lane_kept) {
  determinant_ = lane(group.factor().determinant(), lane_kept);
  if (columns_.empty()) return;
  const auto rows = static_cast<std::size_t>(group.equations().rows());
  for (std::size_t j = 0; j < group.unknowns().size(); ++j)
    for (std::size_t i = 0; i < rows; ++i)
      columns_[j * rows + i] = lane(group.equations().column(j)[i], lane_kept);
}

void WatchLanes::begin(const DesignGeometry& geometry, GroupLanes& group,
                       const JointView<double>& sample) {
  const JointState<Pack> at = at_.block(0);
  for (BodyIndex joint : group.equations().joints()) {
    const auto b = static_cast<std::size_t>(joint);
    at.q[b] = Pack(sample.q[b]);
    at.sine[b] = Pack(sample.sine[b]);
    at.cosine[b] = Pack(sample.cosine[b]);
  }
  group.linearise(geometry, at, no_drive_);
  keep(group, 0);
}

bool WatchLanes::quiet(const GroupLanes& group, int used) {
  const Pack determinant = group.factor().determinant();
  const Pack both = shifted(determinant, determinant_) * determinant;
  PackMask same = both > Pack(0.0);
  if (!columns_.empty()) {
    const auto rows = static_cast<std::size_t>(group.equations().rows());
    const std::size_t m = group.unknowns().size();
    for (std::size_t i = 0; i < m; ++i) {
      for (std::size_t j = 0; j < m; ++j) product_.column(static_cast<int>(j))[i] = Pack(0.0);
      for (std::size_t r = 0; r < rows; ++r) {
        const Pack before = shifted(group.equations().column(i)[r], columns_[i * rows + r]);
        for (std::size_t j = 0; j < m; ++j)
          product_.column(static_cast<int>(j))[i] += before * group.equations().column(j)[r];
      }
    }
    product_.compute();
    same = product_.determinant() >= abs(both) * little_turn;
  }
  if (!holds(same, used)) return false;
  keep(group, used - 1);
  return true;
}

}  // namespace counterpoise
