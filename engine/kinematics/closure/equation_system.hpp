#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <array>
#include <span>
#include <vector>

#include "engine/kinematics/closure/cable.hpp"
#include "engine/kinematics/closure/path.hpp"
#include "engine/math/scalar.hpp"
#include "engine/mechanism/finding.hpp"
#include "engine/mechanism/motion.hpp"

namespace counterpoise {

/// The paths of all elements that span two points, and of the points and bodies that a motion
/// drives, made once per structure and motion.
struct Paths {
  explicit Paths(const Mechanism& mechanism, std::span<const Drive> drives = {});
  std::vector<Path> loops;
  std::vector<Path> actuators;  // empty paths for actuators on joints
  std::vector<Path> springs;    // empty paths for torsion springs
  std::vector<Cable> cables;    // of springs; empty where they act along the line of their points
  // from the world's origin to driven points and to the origins of turned bodies, in the second
  // chain; empty paths for others
  std::vector<Path> points, bodies;
};

enum class EquationKind { joint_drive, line_drive, point_drive, turn_drive, coupling, loop };

/// One condition on the joint positions.
struct Equation {
  EquationKind kind;
  int element;    // index of the joint's body, the actuator, point, turned body, coupling or loop
  int slot = -1;  // index of the driven value of a drive
  int rows = 1;
  int axis = 0;  // of the drive of a point or of a turned body, as in Coordinate
};

/// Whether an equation has a path, between two points or from the world.
inline bool has_path(const Equation& equation) {
  return equation.kind != EquationKind::joint_drive && equation.kind != EquationKind::coupling;
}
/// Whether an equation drives a coordinate of the tool (Coordinate::is_of_tool).
inline bool drives_tool(const Equation& equation) {
  return equation.kind == EquationKind::point_drive || equation.kind == EquationKind::turn_drive;
}

/// The number of equations that a loop has, which is also that of the forces and moments that its
/// closure can carry: three of the point, and up to three of directions.
int rows_of(LoopKeep keep);
/// The equations of all couplings and loops.
std::vector<Equation> closing_equations(const Mechanism& mechanism);

/// The path of a loop, of the line of an actuator, or of a driven point or turned body.
const Path& path_of(const Equation& equation, const Paths& paths);

/// The moving joints an equation involves, as body indices.
std::vector<BodyIndex> joints_of(const Equation& equation, const Mechanism& mechanism,
                                 const Paths& paths);

/// The moving joints whose positions a spring's length depends on, as body indices.
std::vector<BodyIndex> joints_of_spring(const Mechanism& mechanism, const Paths& paths,
                                        SpringIndex spring);

/// Two directions, each on one body of a loop and in its axes, that are to stay at right angles.
struct AxisPair {
  Vec3d first, second;
};

/// The directions that the two bodies of a loop keep at right angles besides keeping the points
/// together: as many pairs as its equation has rows after the first three; the others are
/// unspecified.
std::array<AxisPair, 3> axis_pairs(const Loop& loop);

/// Several equations as one system c(q, s) = 0, at as many samples at once as S has lanes:
///   joint drive  q - s      line drive  length - s
///   point drive  world coordinate - s
///   turn drive   roll, pitch or yaw of the body - s, up to whole turns
///   coupling     q - sum of ratio * q_of - offset
///   loop         p_first - p_second (ancestor's axes), then cosines of angles between directions
///                on its two bodies, which must vanish (see axis_pairs)
/// Of the Jacobian only the columns of those joints are kept that occur in the equations: those in
/// `first`, in their order, then the others. Redundant rows are normal, and every solver must
/// expect them. Allocates only when made.
template <class S>
class Equations {
 public:
  Equations(std::vector<Equation> equations, const Mechanism& mechanism, const Paths& paths,
            const std::vector<BodyIndex>& first = {});

  /// Sets residuals and Jacobian at the state's positions. `driven` has one entry per slot.
  void evaluate(const DesignGeometry& geometry, const JointView<S>& state,
                std::span<const S> driven);
  /// Sets `rows` to the second time derivatives of the equations at the state's v and a, without
  /// the share of the driven values. Call it after `evaluate` at the same positions.
  void accelerate(const DesignGeometry& geometry, const JointView<S>& state,
                  std::span<S> rows) const;
  /// Adds the driven value of each drive (its velocity or acceleration) to the row of that drive.
  void add_driven(std::span<const S> driven, std::span<S> rows) const;

  [[nodiscard]] const std::vector<Equation>& equations() const { return equations_; }
  [[nodiscard]] int rows() const { return static_cast<int>(residual_.size()); }
  [[nodiscard]] std::span<const S> residual() const { return residual_; }
  /// The joint of each column.
  [[nodiscard]] const std::vector<BodyIndex>& joints() const { return joints_; }
  [[nodiscard]] std::span<const S> column(std::size_t j) const {
    return std::span(columns_).subspan(j * residual_.size(), residual_.size());
  }
  /// The line between the ends of an equation's path.
  [[nodiscard]] const Line<S>& line(std::size_t equation) const { return way_of(equation).line; }
  /// Whether no weld that met its rows is turned over.
  [[nodiscard]] auto upright() const { return upright_; }
  /// The size of the geometry, which is the largest distance of an end of a path, or of a body on
  /// it, from their ancestor [m].
  [[nodiscard]] S scale() const;
  /// Calls `call` for each equation with its index, the squares of the misfits of its points (or
  /// only row) and of its directions, and the size by which the former is to be divided: that of
  /// the geometry for lengths, and that of their largest term, if it is above 1, for couplings.
  template <class Call>
  void for_each_misfit(const Call& call) const;

 private:
  /// The data of a path: the traces of its ends, and the columns of the joints on it, -1 for fixed
  /// ones. Equations of one point, or of one turned body, share it.
  struct Way {
    Line<S> line;
    std::array<std::vector<int>, 2> columns;
  };

  [[nodiscard]] const Way& way_of(std::size_t equation) const { return ways_[way_[equation]]; }
  std::size_t add_way(const Equation& equation, const Mechanism& mechanism);
  int column_of(BodyIndex joint);
  S& entry(int row, int column) {
    return columns_[static_cast<std::size_t>(column) * residual_.size() +
                    static_cast<std::size_t>(row)];
  }
  /// `largest` becomes that of the coupling's terms, at least 1.
  void evaluate_coupling(const Coupling& coupling, const JointView<S>& state, S& largest, int row);
  void evaluate_line(const Way& way, int row);
  void evaluate_point(const Equation& equation, const Way& way, int row);
  void evaluate_turn(const DesignGeometry& geometry, const Equation& equation, const Way& way,
                     int row);
  void evaluate_loop(const DesignGeometry& geometry, const Equation& equation, const Path& path,
                     const Way& way, int row);

  std::vector<Equation> equations_;
  const Paths* paths_;
  std::vector<Way> ways_;         // in the order of their first equations
  std::vector<std::size_t> way_;  // of each equation that has one
  std::vector<S> terms_;          // of each equation: a coupling's largest term, at least 1
  std::vector<BodyIndex> joints_;
  std::vector<S> residual_, columns_;
  decltype(S() < S()) upright_{};
};

template <class S>
template <class Call>
void Equations<S>::for_each_misfit(const Call& call) const {
  const S size = larger(scale(), S(1e-6));
  std::size_t row = 0;
  for (std::size_t e = 0; e < equations_.size(); ++e) {
    const auto rows = static_cast<std::size_t>(equations_[e].rows),
               points = std::min<std::size_t>(rows, 3);
    S gap(0.0), turn(0.0);
    for (std::size_t i = 0; i < rows; ++i)
      (i < points ? gap : turn) += residual_[row + i] * residual_[row + i];
    const bool length = has_path(equations_[e]) && equations_[e].kind != EquationKind::turn_drive;
    call(e, gap, turn, length ? size : terms_[e]);
    row += rows;
  }
}

/// Equations at one sample, in double, with a dense Jacobian of the joints that occur in them, and
/// findings.
class EquationSystem {
 public:
  /// The Jacobian begins with the columns of the joints in `first`, whether or not they occur.
  EquationSystem(std::vector<Equation> equations, const Mechanism& mechanism, const Paths& paths,
                 const std::vector<BodyIndex>& first = {});

  /// Sets `residual` (rows) and `jacobian` (rows x joints) at the state's positions.
  void evaluate(const DesignGeometry& geometry, const JointView<double>& state,
                std::span<const double> driven);
  /// Sets `acceleration` to the second time derivative of c at the state's v and a, without the
  /// share of the driven values. Call it after `evaluate` at the same positions.
  void accelerate(std::span<const JointFrame> frames, const JointView<double>& state);

  [[nodiscard]] const std::vector<Equation>& equations() const { return rows_.equations(); }
  [[nodiscard]] int rows() const { return rows_.rows(); }
  /// The joint of each column.
  [[nodiscard]] const std::vector<BodyIndex>& joints() const { return rows_.joints(); }
  /// Adds the driven value of each drive (its velocity or acceleration) to the row of that drive.
  void add_driven(std::span<const double> driven, Eigen::VectorXd& rows) const;
  /// The largest residual. Lengths are divided by the size of the geometry, and couplings by their
  /// largest term if it is above 1; other rows count as they are.
  [[nodiscard]] double misfit() const;
  /// The size of the geometry that `misfit` divides lengths by [m].
  [[nodiscard]] double scale() const { return rows_.scale(); }
  /// The finding that the equation with the largest residual cannot be met.
  [[nodiscard]] Finding open_finding(double time) const;
  /// The findings that the pose is singular, that a singular pose was passed between two samples,
  /// and that the pose jumped. They name the first driven point, or else the first loop, or else
  /// the first actuator. `smallest` is the smallest singular value of the Jacobian of the joints
  /// that are determined.
  [[nodiscard]] Finding singular_finding(double time, double smallest) const;
  [[nodiscard]] Finding passage_finding(double time) const;
  [[nodiscard]] Finding jump_finding(double time) const;

  Eigen::VectorXd residual;
  Eigen::MatrixXd jacobian;
  Eigen::VectorXd acceleration;

 private:
  /// The largest misfit and its equation.
  struct Worst {
    std::size_t equation;  // index of the equation
    double misfit, residual;
    bool angle;  // whether the residual is one of directions
  };

  [[nodiscard]] Worst worst() const;
  [[nodiscard]] double angle_off(std::size_t loop_equation) const;
  [[nodiscard]] double miss_of_point(int point) const;
  [[nodiscard]] const Equation& spokesman() const;
  [[nodiscard]] Finding finding_of_spokesman(FindingKind tool, FindingKind loop,
                                             FindingKind actuator, double time) const;

  Equations<double> rows_;
  const Mechanism* mechanism_ = nullptr;  // mechanism of the last evaluation
};

}  // namespace counterpoise
