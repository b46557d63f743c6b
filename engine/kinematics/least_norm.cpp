#include "engine/kinematics/least_norm.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <optional>
#include <string>

#include "engine/kinematics/closure/group_solver.hpp"
#include "engine/kinematics/coordinates.hpp"
#include "engine/kinematics/zero_configuration.hpp"

namespace counterpoise {
namespace {

constexpr int fewest_times = 200, most_times = 20'000;  // of the splines, without the first
constexpr int substeps = 2;                             // of Runge-Kutta between two of them
constexpr std::size_t most_choices = 5000;
constexpr double least_share = 1e-3;  // of the volume of free directions, in the chosen actuators

/// One choice of actuators to take the courses.
struct Choice {
  std::vector<Eigen::Index> actuators;
  double sign = 0.0;   // of the determinant at the start
  double worst = 1.0;  // share of the volume so far; 0 where the determinant changed its sign
};

class Follower {
 public:
  Follower(const Mechanism& mechanism, const Motion& motion)
      : mechanism_(mechanism),
        motion_(motion),
        paths_(mechanism, motion.drives),
        mobility_(mechanism, paths_),
        state_(mechanism.body_count()) {
    prepare_frames(mechanism, frames_);
    for (BodyIndex b = 0; b < mechanism.body_count(); ++b)
      if (mechanism.moves(b)) moving_.push_back(b);
    start_from_zero();
    drive();
    find_candidates();
  }

  LeastNorm find() {
    const bool starts = go_to_start();
    std::vector<JointGuess> guess;
    for (const BodyIndex b : moving_) guess.push_back({b, state_.view().q[b]});
    if (starts && look(0.0)) follow();
    return {chosen_courses(), std::move(guess)};
  }

 private:
  [[nodiscard]] DesignGeometry geometry() const { return {mechanism_, frames_}; }

  void start_from_zero() {
    const Plan plan = plan_actuators(mechanism_, paths_, mobility_, Closure::closed_form);
    ZeroConfiguration zero(mechanism_, paths_, plan);
    if (const std::optional<Finding> open = zero.solve(geometry()))
      throw MechanismError(*open, mechanism_, ", in the zero configuration");
    for (const BodyIndex b : moving_) state_.set_position(frames_, b, zero.state().view().q[b]);
  }

  /// Collects all equations: of loops, couplings, the motion's drives and the held actuators.
  void drive() {
    std::vector<Coordinate> coordinates(motion_.drives.begin(), motion_.drives.end());
    const std::vector<char> implied = mobility_.implied(coordinates);
    held_ = held_actuators(mechanism_, paths_, motion_);
    for (const ActuatorIndex a : held_) coordinates.push_back({.actuator = a});
    std::vector<Equation> equations = closing_equations(mechanism_);
    int given = 0;
    for (std::size_t i = 0; i < coordinates.size(); ++i) {
      if (i < implied.size() && implied[i] != 0) continue;
      ++given;
      equations.push_back(drive_equation(coordinates[i], static_cast<int>(i), mechanism_));
    }
    free_ = mobility_.degrees_of_freedom() - given;
    if (free_ <= 0)
      throw MechanismError(
          "the motion determines all joints, so that none is left to move with "
          "the least norm");
    std::vector<Equation> rates;
    for (ActuatorIndex a = 0; a < static_cast<int>(mechanism_.actuators.size()); ++a)
      rates.push_back(drive_equation({.actuator = a}, a, mechanism_));
    driven_.resize(coordinates.size());
    velocity_.resize(coordinates.size());
    zeros_.resize(rates.size());
    actuators_.emplace(std::move(rates), mechanism_, paths_, moving_);
    solver_.emplace(equations, moving_, mechanism_, paths_);
    system_.emplace(std::move(equations), mechanism_, paths_, moving_);
    factor_.set_threshold(rank_threshold);
    solver_->read_driven(geometry(), state_.view(), driven_);  // where held actuators stay
  }

  void find_candidates() {
    for (ActuatorIndex a = 0; a < static_cast<int>(mechanism_.actuators.size()); ++a) {
      const bool given =
          std::any_of(motion_.drives.begin(), motion_.drives.end(), [&](const Drive& drive) {
            return drive.actuator == a ||
                   (drive.joint >= 0 && drive.joint == mechanism_.actuators[a].joint);
          });
      if (!given && std::find(held_.begin(), held_.end(), a) == held_.end())
        candidates_.push_back(a);
    }
    std::vector<int> chosen(candidates_.size(), 0);
    for (std::size_t i = 0; i < chosen.size() && i < at(free_); ++i) chosen[i] = 1;
    do {
      Choice& choice = choices_.emplace_back();
      for (std::size_t i = 0; i < chosen.size(); ++i)
        if (chosen[i] != 0) choice.actuators.push_back(candidates_[i]);
    } while (choices_.size() < most_choices && std::prev_permutation(chosen.begin(), chosen.end()));
  }

  /// Sets the driven values, and their velocities, to those at time t.
  void set_driven(double t) {
    for (std::size_t i = 0; i < motion_.drives.size(); ++i) {
      const ProfileValue value = evaluate(motion_.drives[i].profile, t, motion_.duration);
      driven_[i] = value.position;
      velocity_[i] = value.velocity;
    }
  }

  /// Goes from the zero configuration, or the guess, to where the motion starts, with joints that
  /// move as little as possible. Returns whether it got there.
  bool go_to_start() {
    constexpr int parts = 64;
    for (const JointGuess& guess : motion_.guess)
      state_.set_position(frames_, guess.joint, guess.position);
    std::vector<double> from(driven_.size());
    solver_->read_driven(geometry(), state_.view(), from);
    set_driven(0.0);
    const std::vector<double> to = driven_;
    for (const Equation& equation : system_->equations())
      if (equation.kind == EquationKind::turn_drive)
        from[equation.slot] = unwrapped(from[equation.slot], to[equation.slot]);
    for (int part = 1; part <= parts; ++part) {
      const double share = static_cast<double>(part) / parts;
      for (std::size_t i = 0; i < driven_.size(); ++i)
        driven_[i] = part == parts ? to[i] : from[i] + share * (to[i] - from[i]);
      if (!settle()) return false;
    }
    return true;
  }

  bool settle() {
    return solver_->solve_positions(geometry(), state_, driven_) == GroupSolver::Result::solved;
  }

  /// Sets the joints' velocities at time t, and the directions in which the actuators are free.
  /// Returns false in a singular pose.
  bool find_rates(double t) {
    set_driven(t);
    system_->evaluate(geometry(), state_.view(), driven_);
    const Eigen::MatrixXd columns = system_->jacobian.leftCols(joints());
    factor_.compute(columns);
    if (columns.cols() - factor_.rank() != free_) return false;
    Eigen::VectorXd right = Eigen::VectorXd::Zero(columns.rows());
    system_->add_driven(velocity_, right);
    factor_.solve(right, rates_);
    const Eigen::MatrixXd kernel = factor_.kernel();

    actuators_->evaluate(geometry(), state_.view(), zeros_);  // residuals are positions
    const Eigen::MatrixXd of_actuators = actuators_->jacobian.leftCols(joints());
    directions_ = of_actuators * kernel;
    Eigen::VectorXd share;
    OrthogonalDecomposition free;
    free.compute(directions_);
    free.solve(of_actuators * rates_, share);
    rates_ -= kernel * share;
    actuator_rates_ = of_actuators * rates_;
    return true;
  }

  /// Looks at the pose at one of the splines' times: notes the positions of the candidates and how
  /// well each choice of them determines the pose.
  bool look(double t) {
    if (!find_rates(t)) return false;
    const double volume = std::sqrt((directions_.transpose() * directions_).determinant());
    if (!(volume > 0.0)) return false;
    // the basis of the directions may be turned over from one pose to the next
    if (before_.size() > 0 && (before_.transpose() * directions_).determinant() < 0.0)
      directions_.col(0) = -directions_.col(0);
    before_ = directions_;
    for (Choice& choice : choices_) {
      const double share = directions_(choice.actuators, Eigen::all).determinant() / volume;
      if (choice.sign == 0.0) choice.sign = share < 0.0 ? -1.0 : 1.0;
      choice.worst = std::min(choice.worst, std::max(share * choice.sign, 0.0));
    }
    times_.push_back(t);
    courses_.push_back(actuators_->residual);
    (times_.size() == 1 ? first_ : last_) = actuator_rates_;
    return true;
  }

  void follow() {
    const int steps = std::clamp(motion_.sample_count() - 1, fewest_times, most_times);
    for (int k = 1; k <= steps; ++k) {
      const double begin = times_.back();
      const double end = k == steps ? motion_.duration : motion_.duration * k / steps;
      for (int i = 0; i < substeps; ++i) {
        const double h = (end - begin) / substeps;
        if (!step(begin + i * h, h)) return;
      }
      if (!look(end)) return;
    }
  }

  /// A step of the Runge-Kutta method, and back to where the points have to be.
  bool step(double t, double h) {
    const Eigen::VectorXd here = positions();
    Eigen::VectorXd sum = Eigen::VectorXd::Zero(here.size());
    const auto stage = [&](double at, double weight) {
      if (at > 0.0) place(here + at * h * rates_);
      if (!find_rates(t + at * h)) return false;
      sum += weight / 6.0 * rates_;
      return true;
    };
    if (!stage(0.0, 1.0) || !stage(0.5, 2.0) || !stage(0.5, 2.0) || !stage(1.0, 1.0)) return false;
    place(here + h * sum);
    return settle();
  }

  [[nodiscard]] std::vector<Drive> chosen_courses() {
    const auto best =
        std::max_element(choices_.begin(), choices_.end(),
                         [](const Choice& a, const Choice& b) { return a.worst < b.worst; });
    if (!(best->worst >= least_share)) {
      std::string names;
      for (const ActuatorIndex a : candidates_)
        names += (names.empty() ? "" : ", ") + mechanism_.actuators[a].name;
      throw MechanismError("the motion passes poses in which it would be singular with any of " +
                           names + " given; give a coordinate of your own in its place");
    }
    // without any way the first pose is the zero configuration, and what is wrong is found later
    if (times_.empty()) {
      actuators_->evaluate(geometry(), state_.view(), zeros_);
      times_ = {0.0};
      courses_ = {actuators_->residual};
      first_ = Eigen::VectorXd::Zero(courses_.front().size());
    }
    const bool stopped = times_.back() < motion_.duration;
    if (stopped) {
      times_.push_back(motion_.duration);
      courses_.push_back(courses_.back());
      last_ = Eigen::VectorXd::Zero(first_.size());
    }
    std::vector<Drive> drives;
    for (const Eigen::Index a : best->actuators) {
      std::vector<double> values;
      for (const Eigen::VectorXd& at : courses_) values.push_back(at(a));
      drives.push_back({{.actuator = static_cast<ActuatorIndex>(a)},
                        clamped_spline(times_, std::move(values), first_(a), last_(a))});
    }
    return drives;
  }

  /// The number of moving joints, whose columns are the first of all Jacobians.
  [[nodiscard]] Eigen::Index joints() const { return static_cast<Eigen::Index>(moving_.size()); }
  [[nodiscard]] Eigen::VectorXd positions() const {
    Eigen::VectorXd q(joints());
    for (std::size_t j = 0; j < moving_.size(); ++j)
      q(static_cast<Eigen::Index>(j)) = state_.view().q[moving_[j]];
    return q;
  }
  void place(const Eigen::VectorXd& q) {
    for (std::size_t j = 0; j < moving_.size(); ++j)
      state_.set_position(frames_, moving_[j], q(static_cast<Eigen::Index>(j)));
  }

  const Mechanism& mechanism_;
  const Motion& motion_;
  Paths paths_;
  Mobility mobility_;
  std::vector<JointFrame> frames_;
  SampleState state_;
  std::vector<BodyIndex> moving_;
  std::vector<ActuatorIndex> held_, candidates_;
  int free_ = 0;  // how many actuators get courses
  std::vector<Choice> choices_;
  std::vector<double> driven_, velocity_;  // per slot of the equations
  std::vector<double> zeros_;              // one per actuator
  std::optional<EquationSystem> system_, actuators_;
  std::optional<GroupSolver> solver_;
  OrthogonalDecomposition factor_;
  Eigen::VectorXd rates_;           // of the moving joints
  Eigen::VectorXd actuator_rates_;  // that these lead to
  Eigen::MatrixXd directions_;      // of the actuators, that leave the points where they are
  Eigen::MatrixXd before_;          // the same in the pose looked at before
  std::vector<double> times_;
  std::vector<Eigen::VectorXd> courses_;  // positions of all actuators at these times
  Eigen::VectorXd first_, last_;          // rates of the actuators at the first and the last time
};

}  // namespace

LeastNorm find_least_norm(const Mechanism& mechanism, const Motion& motion) {
  return Follower(mechanism, motion).find();
}

}  // namespace counterpoise
