#include <Eigen/QR>
#include <algorithm>
#include <cmath>

#include "engine/falls/equations_of_motion.hpp"
#include "engine/kinematics/closure/equation_groups.hpp"
#include "engine/kinematics/closure/tolerances.hpp"

namespace counterpoise {

std::vector<Equation> EquationsOfMotion::rows_of(const Mechanism& mechanism,
                                                 const std::vector<std::size_t>& lines) {
  std::vector<Equation> equations = closing_equations(mechanism);
  int slot = 0;
  for (const std::size_t line : lines)
    equations.push_back({EquationKind::line_drive, static_cast<int>(line), slot++, 1});
  return equations;
}

void EquationsOfMotion::find_groups() {
  const Grouping now{driven_lines_, held_, is_known_};
  if (grouping_ && *grouping_ == now) return;
  grouping_ = now;
  groups_.clear();
  holds_surface_ = std::any_of(held_.begin(), held_.end(),
                               [this](std::size_t gap) { return gaps_[gap].point >= 0; });
  const std::vector<Equation> equations = rows_of(mechanism_, driven_lines_);
  std::vector<std::vector<BodyIndex>> joints;  // of each equation, then of each held gap
  for (const Equation& equation : equations)
    joints.push_back(joints_of(equation, mechanism_, paths_));
  for (const std::size_t gap : held_) joints.push_back(gaps_.joints_of(gap, mechanism_));

  struct Members {
    std::vector<Equation> equations;
    std::vector<std::size_t> places;
    std::vector<BodyIndex> joints;
  };
  std::vector<Members> members;
  for (const std::vector<std::size_t>& rows : group_rows(joints, unknown_, mechanism_)) {
    Members& all = members.emplace_back();
    for (const std::size_t e : rows) {
      if (e < equations.size())
        all.equations.push_back(equations[e]);
      else
        all.places.push_back(e - equations.size());
      all.joints.insert(all.joints.end(), joints[e].begin(), joints[e].end());
    }
  }

  std::vector<char> is_unknown(mechanism_.bodies.size(), 0);
  for (const BodyIndex joint : unknown_) is_unknown[at(joint)] = 1;
  Eigen::Index row = 0;
  gap_rows_.assign(held_.size(), 0);
  for (Members& all : members) {
    std::sort(all.joints.begin(), all.joints.end());
    all.joints.erase(std::unique(all.joints.begin(), all.joints.end()), all.joints.end());
    RowGroup& made = groups_.emplace_back(all.equations, std::move(all.places),
                                          std::move(all.joints), mechanism_, paths_);
    for (std::size_t j = 0; j < made.joints.size(); ++j)
      if (is_unknown[at(made.joints[j])] != 0) made.unknown.push_back(static_cast<Eigen::Index>(j));
    made.first_row = row;
    const Eigen::Index closing = made.equations.rows();
    for (std::size_t i = 0; i < made.places.size(); ++i)
      gap_rows_[made.places[i]] = row + closing + static_cast<Eigen::Index>(i);
    const Eigen::Index rows = closing + static_cast<Eigen::Index>(made.places.size());
    const auto add_rows = [&made](const std::vector<BodyIndex>& in_row, int count) {
      std::vector<Eigen::Index> columns;
      for (const BodyIndex joint : in_row)
        columns.push_back(std::lower_bound(made.joints.begin(), made.joints.end(), joint) -
                          made.joints.begin());
      std::sort(columns.begin(), columns.end());
      columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
      made.columns_of_rows.insert(made.columns_of_rows.end(), at(count), columns);
    };
    for (const Equation& equation : made.equations.equations())
      add_rows(joints_of(equation, mechanism_, paths_), equation.rows);
    for (const std::size_t place : made.places) add_rows(joints[equations.size() + place], 1);
    made.rows.setZero(rows, static_cast<Eigen::Index>(made.joints.size()));
    made.residual.setZero(rows);
    row += rows;
  }
  multipliers_.setZero(row);
}

/// Evaluates the rows of a group. `see_bodies` must have been called at the same state if
/// surfaces are held.
void EquationsOfMotion::evaluate_rows(RowGroup& group) {
  const Eigen::Index closing = group.equations.rows();
  if (closing > 0) {
    group.equations.evaluate(geometry(), sample_.view(), driven_position_);
    group.rows.topRows(closing) = group.equations.jacobian;
    group.residual.head(closing) = group.equations.residual;
  }
  for (std::size_t i = 0; i < group.places.size(); ++i) {
    const auto row = closing + static_cast<Eigen::Index>(i);
    group.residual(row) = gap(held_[group.places[i]], row_).gap;
    for (std::size_t j = 0; j < group.joints.size(); ++j) {
      double& slope = row_[at(group.joints[j])];
      group.rows(row, static_cast<Eigen::Index>(j)) = slope;
      slope = 0.0;  // as it is to be where a gap has no slope
    }
  }
}

double EquationsOfMotion::misfit_of(const RowGroup& group) const {
  double worst = group.equations.rows() > 0 ? group.equations.misfit() : 0.0;
  for (Eigen::Index i = group.equations.rows(); i < group.residual.size(); ++i)
    worst = std::max(worst, std::abs(group.residual(i)) / size_);
  return worst;
}

double EquationsOfMotion::misfit() const {
  double worst = 0.0;
  for (const RowGroup& group : groups_) worst = std::max(worst, misfit_of(group));
  return worst;
}

bool EquationsOfMotion::choice_is_poor() const {
  constexpr double much = 0.3;
  return std::any_of(groups_.begin(), groups_.end(), [](const RowGroup& group) {
    return group.conditioning < much * group.chosen_conditioning;
  });
}

/// Parts the unknown joints of each group into independent and dependent ones, by pivoting. A pivot
/// counts as zero next to the largest one of all groups.
void EquationsOfMotion::choose_dependent() {
  struct Choice {
    std::vector<Eigen::Index> order;
    std::vector<double> pivots;
  };
  std::vector<Choice> choices(groups_.size());
  double largest = 0.0;
  if (holds_surface_) see_bodies();
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    RowGroup& group = groups_[g];
    evaluate_rows(group);
    Choice& choice = choices[g];
    choice.order = group.unknown;
    if (group.unknown.empty() || group.count() == 0) continue;
    if (group.is_large()) {
      const SparseDecomposition::Pattern pattern = group.pattern_of(group.unknown);
      group.read_entries(pattern, group.unknown);
      const SpanningColumns spanning =
          spanning_columns(pattern, static_cast<int>(group.unknown.size()), group.entries);
      for (std::size_t i = 0; i < spanning.columns.size(); ++i)
        choice.order[i] = group.unknown[at(spanning.columns[i])];
      choice.pivots = spanning.pivots;
      for (const double pivot : choice.pivots) largest = std::max(largest, pivot);
      continue;
    }
    group.copy_columns(group.unknown, group.columns);
    const Eigen::ColPivHouseholderQR<Eigen::MatrixXd> factor(group.columns);
    for (std::size_t i = 0; i < choice.order.size(); ++i)
      choice.order[i] = group.unknown[static_cast<std::size_t>(
          factor.colsPermutation().indices()(static_cast<Eigen::Index>(i)))];
    for (Eigen::Index i = 0; i < factor.nonzeroPivots(); ++i)
      choice.pivots.push_back(std::abs(factor.matrixQR()(i, i)));
    for (const double pivot : choice.pivots) largest = std::max(largest, pivot);
  }
  std::vector<char> is_dependent(mechanism_.bodies.size(), 0);
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    RowGroup& group = groups_[g];
    const Choice& choice = choices[g];
    const auto rank = std::count_if(choice.pivots.begin(), choice.pivots.end(),
                                    [&](double pivot) { return pivot > rank_threshold * largest; });
    group.part({choice.order.begin(), choice.order.begin() + rank});
    for (const Eigen::Index j : group.dependent) is_dependent[at(group.joints[at(j)])] = 1;
  }
  independent_.clear();
  for (const BodyIndex joint : unknown_)
    if (is_dependent[at(joint)] == 0) independent_.push_back(joint);
}

/// Takes one step of Newton's method for the dependent joints of a group. Rows and factors belong
/// to where a step begins, so that a group has arrived after a second short step, or one that is
/// rounding: what they still miss would be noise in accelerations, for which an integrator of fine
/// tolerance shortens its steps.
auto EquationsOfMotion::step_dependent(RowGroup& group) -> Result {
  constexpr double short_step = 1e-11, rounding = 1e-13;
  evaluate_rows(group);
  if (group.dependent.empty()) {
    group.arrived = true;
    return Result::solved;
  }
  group.decompose();
  double largest_column = tiny;
  for (const Eigen::Index j : group.unknown)
    largest_column = std::max(largest_column, group.rows.col(j).norm());
  group.conditioning = group.least_pivot() / largest_column;
  if (!(group.conditioning > singular_pivot)) return Result::singular;
  group.right = group.residual;
  group.solve(group.right, group.values);
  const double largest = group.values.cwiseAbs().maxCoeff();
  if (!(largest < 1e3)) return Result::open;
  for (std::size_t i = 0; i < group.dependent.size(); ++i) {
    const BodyIndex joint = group.joints[at(group.dependent[i])];
    sample_.set_position(frames_, joint,
                         sample_.view().q[joint] - group.values(static_cast<Eigen::Index>(i)));
  }
  group.arrived = largest <= rounding || (group.is_near && largest <= short_step);
  group.is_near = largest <= short_step;
  return Result::solved;
}

/// Newton's method for the positions of the dependent joints, and the slopes of their positions.
auto EquationsOfMotion::solve_dependent() -> Result {
  constexpr int most_steps = 30;
  for (RowGroup& group : groups_) {
    group.conditioning = 1.0;
    group.is_near = group.arrived = false;
  }
  bool moving = !groups_.empty();
  for (int step = 0; moving && step < most_steps; ++step) {
    if (holds_surface_) see_bodies();
    moving = false;
    for (RowGroup& group : groups_) {
      if (group.arrived) continue;
      if (const Result result = step_dependent(group); result != Result::solved) return result;
      moving = moving || !group.arrived;
    }
  }
  return moving || (!groups_.empty() && misfit() > closed_tolerance) ? Result::open
                                                                     : Result::solved;
}

/// The velocities of the dependent joints from the velocities of all others.
void EquationsOfMotion::follow_velocities() {
  const JointState<double> state = sample_.view();
  for (RowGroup& group : groups_) {
    if (group.dependent.empty()) continue;
    for (const Eigen::Index j : group.dependent) state.v[group.joints[at(j)]] = 0.0;
    group.right.setZero(group.count());
    for (std::size_t j = 0; j < group.joints.size(); ++j)
      group.right.noalias() -=
          group.rows.col(static_cast<Eigen::Index>(j)) * state.v[group.joints[j]];
    group.equations.add_driven(driven_velocity_, group.right);
    group.solve(group.right, group.values);
    for (std::size_t d = 0; d < group.dependent.size(); ++d)
      state.v[group.joints[at(group.dependent[d])]] = group.values(static_cast<Eigen::Index>(d));
  }
}

/// The accelerations that the rows ask for while the independent joints do not accelerate.
void EquationsOfMotion::set_bias_accelerations() {
  const JointState<double> state = sample_.view();
  for (const BodyIndex b : unknown_) state.a[b] = 0.0;
  if (holds_surface_) see_bodies();
  for (RowGroup& group : groups_) {
    if (group.dependent.empty()) continue;
    Eigen::VectorXd& gamma = group.right;
    gamma.setZero(group.count());
    const Eigen::Index closing = group.equations.rows();
    if (closing > 0) {
      group.equations.accelerate(frames_, sample_.view());
      gamma.head(closing) = -group.equations.acceleration;
      group.equations.add_driven(driven_acceleration_, gamma);
    }
    for (std::size_t i = 0; i < group.places.size(); ++i)
      gamma(closing + static_cast<Eigen::Index>(i)) = -gap(held_[group.places[i]]).acceleration;
    group.solve(gamma, group.values);
    for (std::size_t d = 0; d < group.dependent.size(); ++d)
      state.a[group.joints[at(group.dependent[d])]] = group.values(static_cast<Eigen::Index>(d));
  }
}

/// Finds how the dependent joints of each group move with the independent ones.
void EquationsOfMotion::find_follow() {
  if (ready_.follow) return;
  ready_.follow = true;
  for (RowGroup& group : groups_) {
    if (group.dependent.empty() || group.independent.empty()) continue;
    group.copy_columns(group.independent, group.independent_columns);
    group.solve(group.independent_columns, group.follow);
    group.follow = -group.follow;
  }
}

const Eigen::MatrixXd& EquationsOfMotion::motions() {
  if (ready_.motions) return motions_;
  ready_.motions = true;
  find_follow();
  motions_.setZero(mechanism_.body_count(), static_cast<Eigen::Index>(independent_.size()));
  column_of_.resize(mechanism_.bodies.size());
  for (std::size_t i = 0; i < independent_.size(); ++i) {
    column_of_[at(independent_[i])] = static_cast<Eigen::Index>(i);
    motions_(int{independent_[i]}, static_cast<Eigen::Index>(i)) = 1.0;
  }
  for (const RowGroup& group : groups_)
    for (Eigen::Index i = 0; i < group.follow.cols(); ++i)
      for (Eigen::Index d = 0; d < group.follow.rows(); ++d)
        motions_(int{group.joints[at(group.dependent[at(d)])]},
                 column_of_[at(group.joints[at(group.independent[at(i)])])]) = group.follow(d, i);
  return motions_;
}

/// Ties the joints of each group for articulated bodies. A group without freedoms holds its joints.
void EquationsOfMotion::tie_joints() {
  is_fast_ = plain_;
  is_rigid_ = is_known_;
  tied_groups_.clear();
  std::vector<char> is_tied(mechanism_.bodies.size(), 0);
  std::vector<TiedJoints> tied;
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    const RowGroup& group = groups_[g];
    if (group.dependent.empty()) continue;
    TiedJoints joints;
    for (const std::vector<Eigen::Index>* part : {&group.independent, &group.dependent})
      for (const Eigen::Index j : *part) {
        joints.joints.push_back(group.joints[at(j)]);
        is_tied[at(joints.joints.back())] = 1;
        if (group.independent.empty()) is_rigid_[at(joints.joints.back())] = 1;
      }
    if (group.independent.empty()) continue;
    const auto n = static_cast<Eigen::Index>(joints.joints.size());
    joints.motions.setIdentity(n, static_cast<Eigen::Index>(group.independent.size()));
    tied.push_back(std::move(joints));
    tied_groups_.push_back(g);
  }
  for (const BodyIndex joint : unknown_)
    if (is_tied[at(joint)] == 0 && composite_.place[at(joint)] < 0) is_fast_ = false;
  articulated_.tie(moving_tree_, is_rigid_, std::move(tied));
}

/// The least-norm multipliers of the rows that put `force` on the unknown joints. The columns of
/// the dependent joints span those of all unknown ones, so the forces on the dependent joints
/// suffice.
void EquationsOfMotion::find_multipliers(const Eigen::VectorXd& force) {
  carried_.setZero(mechanism_.body_count());
  for (RowGroup& group : groups_) {
    group.multipliers.setZero(group.count());
    if (!group.dependent.empty()) {
      for (std::size_t d = 0; d < group.dependent.size(); ++d)
        group.values(static_cast<Eigen::Index>(d)) =
            force(int{group.joints[at(group.dependent[d])]});
      group.solve_transposed(group.values, group.multipliers);
    }
    multipliers_.segment(group.first_row, group.count()) = group.multipliers;
    for (std::size_t j = 0; j < group.joints.size(); ++j)
      carried_(int{group.joints[j]}) +=
          group.rows.col(static_cast<Eigen::Index>(j)).dot(group.multipliers);
    Eigen::Index row = 0;
    for (const Equation& equation : group.equations.equations()) {
      if (equation.slot >= 0) loads_[driven_lines_[at(equation.slot)]] = group.multipliers(row);
      row += equation.rows;
    }
  }
  for (std::size_t k = 0; k < known_.size(); ++k)
    if (known_actuator_[k] != sticks)
      loads_[known_actuator_[k]] = force(int{known_[k]}) - carried_(int{known_[k]});
}

}  // namespace counterpoise
