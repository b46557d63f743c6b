#pragma once

#include <Eigen/Cholesky>
#include <functional>
#include <optional>

#include "engine/dynamics/applied_forces.hpp"
#include "engine/dynamics/articulated_bodies.hpp"
#include "engine/dynamics/inverse_dynamics.hpp"
#include "engine/dynamics/leg_forces.hpp"
#include "engine/dynamics/mass_matrix.hpp"
#include "engine/dynamics/spring_inertia.hpp"
#include "engine/falls/gaps.hpp"
#include "engine/falls/row_group.hpp"
#include "engine/falls/scenario.hpp"
#include "engine/falls/slides.hpp"
#include "engine/kinematics/closure/sample_state.hpp"

namespace counterpoise {

/// The equations of motion of a mechanism that moves by itself, at one instant, in double:
///
///   M(q) a + h(q, v) = springs + loads + A' multipliers,   A(q) a = gamma(q, v, t)
///
/// with the tree's mass matrix M by composite rigid bodies, to which rotors add their own, h by
/// recursive Newton-Euler, and one row of A for each equation of a loop, coupling, held gap and
/// two-point actuator that is held, followed or sticks. Joints whose actuators are held or followed
/// are known functions of time, and so are joints that stick by dry friction. The others are split
/// into independent ones, whose positions and velocities are given, and dependent ones, which
/// the rows determine; redundant rows are met in the least-squares sense. With a = N a_i + a_p the
/// independent accelerations follow from (N' M N) a_i = N' (f - M a_p); paper 002, eq. 25, is the
/// case without rows. Rows that share no unknown joint are solved apart. Without massive legs the
/// mass matrix is not needed: accelerations come from articulated bodies, in which the joints of a
/// group of rows move together, in time that grows with the number of bodies and groups.
class EquationsOfMotion {
 public:
  EquationsOfMotion(const Mechanism& mechanism, const Scenario& scenario);
  EquationsOfMotion(const EquationsOfMotion&) = delete;
  EquationsOfMotion& operator=(const EquationsOfMotion&) = delete;

  /// Whether the equations can be solved at the present pose.
  enum class Result {
    solved,
    open,           // the rows cannot be met near the last pose
    singular,       // the dependent joints do not follow from the independent ones
    singular_mass,  // an allowed motion moves no mass
    no_cable,       // the cable of a spring cannot be laid over its pulleys
    jumps,          // the tension of a spring comes or goes at once
  };

  /// Sets the positions and velocities of all joints.
  void place(const JointStart& at);
  /// Sets the positions and velocities of all joints, and chooses the independent ones anew, by
  /// pivoting. The velocities need not meet the rows.
  Result choose(double t, const JointStart& at);
  /// Closes the pose from the independent positions and velocities, which follow each other in y.
  /// Of dependent joints the last pose is the guess.
  Result close(double t, std::span<const double> y);
  /// Solves for the accelerations at the pose of the last `choose` or `close`.
  Result accelerate();
  /// The multipliers of least norm of all rows, and the loads of all actuators, after `accelerate`.
  void find_loads();

  /// Which gaps are held shut: constraints from the next `choose` on.
  void hold(std::vector<std::size_t> gaps);
  [[nodiscard]] const std::vector<std::size_t>& held() const { return held_; }

  /// What dry friction does in a slide: nothing, or it opposes a growing or a shrinking coordinate,
  /// or the coordinate sticks where it is.
  enum class Rubbing { none, ahead, back, stuck };
  [[nodiscard]] const std::vector<Slide>& slides() const { return slides_; }
  [[nodiscard]] Rubbing rubbing(std::size_t slide) const { return rubs_[slide]; }
  /// Sets what friction does in a slide, from the next `choose` on. One that sticks stands still
  /// where it is now.
  void rub(std::size_t slide, Rubbing how);
  /// When the next brake closes; infinite if none does.
  [[nodiscard]] double next_brake() const;
  /// Closes the brakes that close up to this time.
  void close_brakes(double until);
  /// The coordinate of a slide, and its slopes by the independent joints. The slopes are those of
  /// the pose at which the coordinate was asked for last.
  [[nodiscard]] ProfileValue slide_value(std::size_t slide);
  [[nodiscard]] Eigen::RowVectorXd slide_motions(std::size_t slide);
  /// Takes over what is held, sticks and rubs in other equations of the same mechanism, from the
  /// next `choose` on.
  void stand_as(const EquationsOfMotion& others);

  /// The matrix N of the independent motions (bodies x independents) and the reduced mass matrix N'
  /// M N, at the present pose. These are computed when they are first asked for.
  const Eigen::MatrixXd& motions();
  const Eigen::MatrixXd& mass();
  /// The full mass matrix, with legs, in the same way.
  const Eigen::MatrixXd& tree_mass();
  /// The independent joints, as body indices.
  [[nodiscard]] const std::vector<BodyIndex>& independent() const { return independent_; }
  [[nodiscard]] std::vector<double> independent_state() const;
  /// Adds `change` to the independent velocities and makes the others follow.
  void push(const Eigen::VectorXd& change);
  /// Changes velocities by the impulses that make them meet the rows and the known joints, with
  /// the least kinetic energy of the change. Returns the impulse on each actuator.
  std::optional<std::vector<double>> stop_held();
  /// Whether other joints would now be better independent ones: the rows determine the dependent
  /// joints much worse than where these were chosen.
  [[nodiscard]] bool choice_is_poor() const;
  /// The largest misfit of the rows, relative to the size of the geometry.
  [[nodiscard]] double misfit() const;

  [[nodiscard]] const Mechanism& mechanism() const { return mechanism_; }
  [[nodiscard]] DesignGeometry geometry() const { return {mechanism_, frames_}; }
  [[nodiscard]] JointView<double> state() const { return sample_.view(); }
  [[nodiscard]] JointStart joints() const;
  /// The bodies at the present state, with its accelerations where `accelerate` was called.
  [[nodiscard]] const BodyStates& bodies() const { return bodies_; }
  Gaps& gaps() { return gaps_; }
  [[nodiscard]] const Gaps::Gap& gap_info(std::size_t i) const { return gaps_[i]; }
  /// The angle between the velocity of a gap's point and the surface's normal [rad].
  [[nodiscard]] double angle(std::size_t i) const { return gaps_.angle(i, geometry(), bodies_); }
  /// The value of a gap, and in the second form its slopes by each joint. `see_bodies` must have
  /// been called at this state.
  GapValue gap(std::size_t i);
  GapValue gap(std::size_t i, std::span<double> row);
  void see_bodies() { bodies_.compute(geometry(), sample_.view()); }
  /// The force of a held gap, positive where it pushes; by its place in held().
  [[nodiscard]] double gap_force(std::size_t place) const;
  [[nodiscard]] double load(std::size_t actuator) const { return loads_[actuator]; }
  /// Position and velocity of an actuator.
  [[nodiscard]] ProfileValue actuator(std::size_t actuator);
  /// Whether the neighbours of a cable have passed each other about a pulley since this was asked
  /// last.
  bool cables_slip();
  /// The length of a spring, or the angle of a torsion spring.
  [[nodiscard]] double spring_length(std::size_t spring);
  /// Kinetic and potential energy, legs, rotors and springs with mass included, and the energy of
  /// all springs [J].
  [[nodiscard]] double kinetic_energy();
  [[nodiscard]] double potential_energy();
  [[nodiscard]] double spring_energy();
  /// The power of all loaded, held and followed actuators, of forces from outside and of friction,
  /// after `accelerate`, and after `find_loads` if that is needed [W].
  [[nodiscard]] double power();
  /// Whether the power depends on what actuators carry.
  [[nodiscard]] bool needs_loads() const { return follows_; }
  /// Whether any actuator, force from outside or friction may do work.
  [[nodiscard]] bool works() const;
  /// The size of the mechanism, of its surfaces and of where it has been [m].
  [[nodiscard]] double size() const { return size_; }
  /// The value of an actuator's profile at a time of the fall.
  [[nodiscard]] ProfileValue rule_at(std::size_t actuator, double t) const;
  /// Holds an actuator that follows a profile where it is, from the next `choose` on.
  void hold_actuator(std::size_t actuator);
  /// Sets the position that a held actuator keeps.
  void keep(std::size_t actuator, double position) { kept_[actuator] = position; }

 private:
  /// Loops, couplings, and these lines of two-point actuators.
  static std::vector<Equation> rows_of(const Mechanism& mechanism,
                                       const std::vector<std::size_t>& lines);
  void prepare_slides();
  void find_known();
  void join_still_bodies();
  /// Takes the lines of two-point actuators that are held, followed or stick as rows.
  void find_driven_lines();
  /// The force that this friction applies to a slide that moves, along its coordinate.
  static double friction_of(const Friction& friction, Rubbing how, double velocity);
  /// Adds to `force` what a force along the coordinate of a slide does on the joints.
  void add_slide_force(const Slide& slide, double along, Eigen::VectorXd& force) const;
  void add_friction();
  /// Adds what rotors take at the state's accelerations, and in the second function at the diagonal
  /// of the mass matrix and between the joints of a line.
  void add_rotors();
  void add_rotor_mass();
  /// What the actuator of a known joint carries of the friction of this joint.
  [[nodiscard]] double carried_friction(std::size_t known) const;
  /// Sets the loads of motors that fall with the mechanism: what arrives at it.
  void find_motor_loads(const Eigen::VectorXd& force);
  /// Parts the rows into groups that share no unknown joints.
  void find_groups();
  void set_known(double t);
  void evaluate_rows(RowGroup& group);
  [[nodiscard]] double misfit_of(const RowGroup& group) const;
  void choose_dependent();
  void tie_joints();
  Result step_dependent(RowGroup& group);
  Result solve_dependent();
  void find_follow();
  static void add_line_force(const Path& path, const Line<double>& line, double along,
                             Eigen::VectorXd& force);
  static void add_cable_force(std::span<const JointFrame> frames, const Cable& cable,
                              const CableLine<double>& line, double along, Eigen::VectorXd& force);
  void find_applied();
  void see_jump(std::size_t spring);
  /// What a force from outside is multiplied by now.
  [[nodiscard]] double factor_of(std::size_t force) const;
  /// What moves a leg, or a spring that has mass, on the joints at a state.
  using LineForce = std::function<void(const JointView<double>& state, std::span<double> tau)>;
  void add_line_mass(const Path& path, const LineForce& add);
  /// The mass of a spring among SpringInertia::coils.
  [[nodiscard]] double mass_of(std::size_t coil) const {
    return mechanism_.springs[coils_.coils()[coil].spring].mass;
  }
  /// Places and velocities of the points of a two-point actuator, in world axes, once bodies are
  /// seen.
  [[nodiscard]] std::array<BodyState, 2> ends_of(const std::array<PointIndex, 2>& points) const;
  void follow_velocities();
  Result accelerate_by_mass();
  void set_bias_accelerations();
  /// M a + h at the state's q, v and a, legs included.
  void find_inverse_dynamics(const TreeModel& tree);
  void find_multipliers(const Eigen::VectorXd& force);

  Mechanism mechanism_;
  Scenario scenario_;
  Paths paths_;
  std::vector<JointFrame> frames_;
  TreeModel tree_;
  // the same with bodies on joints that stand still as parts of those that carry them, which tells
  // nothing of what these joints carry
  TreeModel moving_tree_;
  Mechanism parts_;               // bodies of moving_tree_
  std::vector<char> is_still_;    // per body
  std::vector<double> still_at_;  // per body: where its joint is; 0 if it moves or is fixed
  InverseDynamicsScratch<double> newton_euler_;
  MassMatrixScratch<double> composite_;
  ArticulatedBodiesScratch articulated_;
  LegForces<double> legs_;
  SpringInertia<double> coils_;
  AppliedForces<double> forces_;
  std::vector<int> course_of_force_;       // index into Scenario::forces; -1 without one
  std::vector<std::size_t> driven_lines_;  // two-point actuators that are held, followed or stick
  std::vector<RowGroup> groups_;           // loops, couplings, driven lines by slot, held gaps
  /// What the groups follow from.
  struct Grouping {
    std::vector<std::size_t> lines, held;
    std::vector<char> known;

    bool operator==(const Grouping&) const = default;
  };
  std::optional<Grouping> grouping_;
  bool holds_surface_ = false;            // whether a held gap is one of a surface
  bool follows_ = false;                  // whether an actuator follows a profile
  std::vector<Eigen::Index> gap_rows_;    // of held gaps, among the rows of all groups
  std::vector<std::size_t> tied_groups_;  // those of ArticulatedBodiesScratch::tied
  std::vector<double> driven_position_, driven_velocity_, driven_acceleration_;
  Gaps gaps_;
  BodyStates bodies_;
  SampleState sample_;
  std::vector<Line<double>> spring_lines_, actuator_lines_;
  std::vector<CableLine<double>> cable_lines_;  // of springs; unused of those without a cable
  bool cables_laid_ = true;                     // when their lengths were asked for last
  static constexpr int unseen = -1;
  std::vector<int> jumps_behind_;  // per spring whose tension jumps: where the fall began
  bool jumped_ = false;            // whether one of them is no longer so

  std::vector<std::size_t> held_;
  std::vector<double> kept_;                 // per actuator: position that it is held at
  std::vector<BodyIndex> known_, unknown_;   // moving joints
  std::vector<std::size_t> known_actuator_;  // per known joint; `sticks` where friction holds it
  static constexpr std::size_t sticks = ~std::size_t{0};
  std::vector<Slide> slides_;                            // in the order of rubs_ and stuck_at_
  std::vector<int> slide_of_joint_, slide_of_actuator_;  // per body and actuator; -1 without one
  std::vector<Rubbing> rubs_;                            // per slide
  std::vector<double> stuck_at_;                         // per slide
  std::vector<double> rotors_;  // per body: inertia of rotors that turn with it; empty without any
  std::vector<char> is_known_;  // per body
  std::vector<char> is_rigid_;  // per body: known, or all determined by rows
  bool plain_ = true;           // neither legs nor rotors of lines have mass
  bool is_fast_ = true;         // plain, and every unknown joint without rows carries some mass
  std::vector<BodyIndex> independent_;
  Eigen::MatrixXd motions_, mass_, tree_mass_;
  struct {  // which of these matrices belong to the present pose
    bool follow = false, motions = false, mass = false, tree_mass = false;
  } ready_;
  Eigen::LLT<Eigen::MatrixXd> mass_factor_;
  Eigen::VectorXd outside_;  // what forces from outside do on the joints
  Eigen::VectorXd applied_, force_, effort_, acceleration_;
  Eigen::VectorXd multipliers_;  // of the rows of all groups, in their order
  Eigen::VectorXd carried_;      // what these put on each joint
  std::vector<double> loads_;
  // workspaces, so that evaluations allocate nothing
  Eigen::MatrixXd mass_of_motions_;
  std::vector<Eigen::Index> column_of_;  // per body: of an independent joint in motions_
  SampleState at_rest_;
  std::vector<double> still_, moved_;
  std::vector<double> row_;  // slopes of a gap; all zero between evaluations
  Eigen::VectorXd line_slopes_;
  double time_ = 0.0, size_ = 1.0;
};

}  // namespace counterpoise
