#pragma once

#include <memory>

#include "engine/evaluation/actuator_motion.hpp"
#include "engine/evaluation/friction_loads.hpp"
#include "engine/evaluation/load_metrics.hpp"
#include "engine/evaluation/metrics.hpp"
#include "engine/evaluation/spring_geometry.hpp"
#include "engine/evaluation/tree_forces.hpp"
#include "engine/math/extremes.hpp"
#include "engine/mechanism/stage.hpp"

namespace counterpoise {

/// The stages from a design to its metrics, in the order of the functions below. Each runs only if
/// something that its unit is declared to read (see StageUnits) changed since it last ran;
/// otherwise its result is kept. Nothing is allocated after the first design of a motion's length,
/// but by `rub`, whose result is not kept.
///
/// A motion that is too long to be held is evaluated in stretches (chunks of samples), one at a
/// time. A design goes through them in a loop, whose body calls the functions below:
///   pipeline.rewind();
///   do { ... } while (pipeline.next());
/// What concerns the whole motion (findings, ranges, metrics) is known in its last stretch, and up
/// to then describes the samples so far. No stage remembers a design after another stretch.
template <class S>
class Pipeline {
 public:
  Pipeline(std::shared_ptr<const EvaluationPlan> plan, const Motion& motion, Reuse reuse,
           const Holding& holding = {});

  /// Sets the motion for the designs that follow. It may differ in numbers only from the motion
  /// that the pipeline was made with.
  void set_motion(const Motion& motion);

  /// Goes to the first stretch. Costs nothing where it is the only one.
  void rewind();
  /// Goes to the next stretch. Returns false at the last one.
  bool advance();
  /// Does the same, but begins again after the last stretch if sums of loads overflowed or
  /// underflowed, so that `judge` sums them up scaled.
  bool next();
  [[nodiscard]] const Stretch& stretch() const { return kinematics_.stretch(); }

  /// Computes coordinates and transmission of the next design. After a finding the other stages
  /// must not be asked for. A finding is the one to be reported so far: that of an earlier stage
  /// may take its place in later stretches, as if all had been followed at once.
  std::optional<Finding> follow(const Mechanism& mechanism);
  /// Computes the outline of one spring. Each spring must be outlined or placed before loads are
  /// judged with springs.
  void outline_spring(const Mechanism& mechanism, std::size_t spring);
  /// Computes the whole geometry of one spring.
  void place_spring(const Mechanism& mechanism, std::size_t spring);
  /// Computes the distances of a spring from the obstacles that it keeps clear of, if there are
  /// any. The spring must have been outlined or placed.
  void clear_spring(const Mechanism& mechanism, std::size_t spring);
  /// Computes tree forces and bare loads.
  void carry(const Mechanism& mechanism);
  /// Computes what friction of joints that grows with their reactions adds to the loads, with or
  /// without springs. Returns why that is not known; `judge` must then not be called in this
  /// stretch. Does nothing where no joint has such friction, else must be called in every stretch.
  std::optional<Finding> rub(const Mechanism& mechanism, bool springs);
  /// Computes loads and their metrics, with or without springs; `out` gets one entry per actuator
  /// and spring. Returns whether all of them are finite numbers. Must be called in every stretch.
  bool judge(const Mechanism& mechanism, bool springs, Metrics& out);

  /// The part of one spring in the load of one actuator.
  struct Influence {
    std::size_t spring;
    std::size_t share;  // index among the spring's influenced actuators
  };
  [[nodiscard]] std::span<const Influence> influences(std::size_t actuator) const {
    return influences_[actuator];
  }
  /// The load of an actuator without springs. Valid after `carry`.
  [[nodiscard]] std::span<const S> bare_load(std::size_t actuator) const {
    return tree_forces_.bare_load(actuator);
  }
  /// The load of an actuator per tension of one of its influences. Valid after `place_spring`.
  [[nodiscard]] std::span<const S> per_tension(const Influence& influence) const {
    const SpringShape<S>& at = shape(influence.spring);
    return std::span(at.influence).subspan(influence.share * at.length.size(), at.length.size());
  }

  /// The load of an actuator in the design last judged.
  [[nodiscard]] LoadSeries<S> load(std::size_t actuator) const;
  /// The same without friction that grows with reactions, also after `rub`.
  [[nodiscard]] LoadSeries<S> affine_load(std::size_t actuator) const;
  /// The loads with such friction in the design last judged; null where no joint has any.
  [[nodiscard]] const FrictionLoads<S>* friction_loads() const {
    return rubs_ ? friction_loads_.get() : nullptr;
  }
  /// Has `rub` find what dry friction may carry at rest, as it does where a motor is known.
  void find_ends() { find_ends_ = true; }
  /// By how much dry friction at rest, of joints and springs, may change that load, to either side.
  /// That of springs counts where `springs` says so; their directions must be known. Where friction
  /// grows with reactions, its loads know that.
  [[nodiscard]] S play(const Mechanism& mechanism, std::size_t actuator, std::size_t block,
                       bool springs) const;
  /// Whether the design last judged had springs.
  [[nodiscard]] bool with_springs() const { return with_springs_; }
  /// The accelerations of an actuator in the design last judged.
  std::span<const S> accelerate(const Mechanism& mechanism, std::size_t actuator) {
    return actuator_motion_.accelerate(mechanism, kinematics_, actuator);
  }
  /// The shape of a spring. Valid after `outline_spring`, and complete after `place_spring`.
  [[nodiscard]] const SpringShape<S>& shape(std::size_t spring) const {
    return springs_.shape(spring);
  }
  /// The tension of a spring whose law is not straight. Valid after `place_spring`, up to the next
  /// call.
  std::span<const S> bent_tension(const Mechanism& mechanism, std::size_t spring);
  /// Which way the length of a spring goes that rubs: 1 where it grows, -1 where it shrinks, 0 at
  /// rest. Valid after `place_spring`, up to the next call.
  std::span<const S> direction(std::size_t spring);
  /// The same as that function returned last.
  [[nodiscard]] std::span<const S> known_direction(std::size_t spring) const {
    return directions_[spring].of_length;
  }
  /// The load of an actuator without tensions of springs, but with their friction and mass. Valid
  /// after `carry`, where all springs are placed.
  [[nodiscard]] std::span<const S> load_without_tensions(const Mechanism& mechanism,
                                                         std::size_t actuator,
                                                         std::vector<S>& scratch);
  [[nodiscard]] const Path& spring_path(std::size_t spring) const {
    return plan_->paths.springs[spring];
  }
  /// The farthest coordinate of the nominal design [m].
  [[nodiscard]] double size() const { return size_; }
  [[nodiscard]] const ActuatorMotion<S>& actuator_motion() const { return actuator_motion_; }
  [[nodiscard]] const Transmission<S>& transmission() const { return transmission_; }
  [[nodiscard]] const EvaluationPlan& plan() const { return *plan_; }
  /// Per sample that is held whether it is left out (see Motion::skips); empty if none is.
  [[nodiscard]] std::span<const char> left_out() const { return kinematics_.left_out(); }
  /// Whether samples do not weigh as in Stretch.
  [[nodiscard]] bool has_weights() const { return !sample_weights_.empty(); }
  /// The weight in means of a sample that is held.
  [[nodiscard]] double weight(int k) const;
  /// The number of samples that are held.
  [[nodiscard]] int samples() const { return stretch().samples; }
  [[nodiscard]] double step() const { return kinematics_.step(); }
  /// Whether the motion has inertia. If not, its samples are poses, and its times only order them.
  [[nodiscard]] bool inertia() const { return inertia_; }
  [[nodiscard]] JointView<S> joints(int block) const { return kinematics_.joints().block(block); }
  [[nodiscard]] DesignGeometry geometry(const Mechanism& mechanism) const {
    return kinematics_.geometry(mechanism);
  }
  [[nodiscard]] const TreeModel& tree() const { return tree_forces_.tree(); }
  /// What the motion multiplies a force from outside by, after `carry`.
  [[nodiscard]] const S& force_factor(std::size_t force, std::size_t block) const {
    return tree_forces_.factor(force, block);
  }

  /// See Evaluator.
  void count_apart(bool apart);
  [[nodiscard]] StageCounts counts(bool apart) const;
  /// See Evaluator::set_varying.
  void look_at(const ElementSet& varying) { revisions_.look_at(varying); }

 private:
  void find_influences();
  void weigh_springs(const Mechanism& mechanism);
  void forget();
  std::optional<Finding> transmit(const Mechanism& mechanism);
  void declare_carriers(const Mechanism& mechanism);
  void count(Stage stage, std::int64_t runs, std::int64_t reused);
  void complete_spring(std::size_t spring);
  void go_to(int first);
  ActuatorMetrics sum_up(std::size_t actuator);
  void set_terms(const Mechanism& mechanism, std::size_t actuator);
  ActuatorMetrics judge_actuator(const Mechanism& mechanism, std::size_t actuator);
  void weigh_samples();
  double share_held(double holding_load, std::size_t actuator);
  bool judge_springs(const Mechanism& mechanism, std::vector<SpringMetrics>& out) const;

  std::shared_ptr<const EvaluationPlan> plan_;
  Reuse reuse_;
  bool inertia_ = true;  // whether the motion has inertia
  double size_ = 0.0;
  Motion weighted_;                // a motion whose poses may weigh differently, or have none
  std::vector<S> sample_weights_;  // per block, if samples do not weigh as in Stretch
  double sum_of_weights_ = 0.0;    // of these, from the start of the motion on
  std::int64_t samples_left_out_ = 0;
  Revisions revisions_;
  StaleUnits stale_;

  Kinematics<S> kinematics_;
  Transmission<S> transmission_;
  ActuatorMotion<S> actuator_motion_;
  TreeForces<S> tree_forces_;
  SpringGeometry<S> springs_;
  std::vector<LoadMemory> memories_;  // per actuator

  std::optional<Finding> actuator_finding_;  // of the actuators' motion
  std::vector<Stamp> bare_stamps_;           // per actuator, of what its load without springs and
                                             // its metrics then are made from
  Stamp last_stamp_ = 0;

  bool with_springs_ = true;                        // whether the design last judged had springs
  std::vector<std::vector<Influence>> influences_;  // per actuator
  std::vector<std::vector<SpringTerm<S>>> terms_;   // per actuator
  /// The tension of a spring whose law is not straight, and what it was made from.
  struct BentTension {
    std::vector<S> tension;
    Stamp shape = 0;
    double rate = 0.0, free_length = 0.0, initial_tension = 0.0;
    GroupLaw group_law;
    Stamp stamp = 0;  // of this; 0: none yet
  };
  std::vector<BentTension> bent_;  // per spring
  /// The part of a coil's own mass in the load of an actuator.
  struct Weight {
    std::size_t coil;   // index among TreeForces::coils
    std::size_t share;  // index among the actuators that its mass can load
  };
  std::vector<std::vector<Weight>> weights_;  // per actuator
  std::vector<Stamp> coil_stamps_;            // per coil, of its loads per mass
  /// Which way the length of a spring that rubs goes, and what that was made from.
  struct Direction {
    std::vector<S> of_length;
    Stamp shape = 0, motion = 0;
    bool moves = false;
    Stamp stamp = 0;  // of this; 0: none yet
  };
  std::vector<Direction> directions_;  // per spring
  Stamp motion_stamp_ = 0;             // of the actuators' motion
  /// The metrics of an actuator without springs.
  struct BareMetrics {
    ActuatorMetrics metrics;
    Stamp stamp = 0;  // of the inputs they were made from; 0: not known
    bool finite = true;
  };
  std::vector<BareMetrics> bare_metrics_;
  bool rubs_ = false, find_ends_ = false;  // whether the design has friction that grows with
                                           // reactions, and whether to find its ends at rest
  std::unique_ptr<FrictionLoads<S>> friction_loads_;  // null until a design has any

  std::vector<LoadTotals<S>> totals_;   // per actuator
  std::vector<double> slipping_;        // per actuator, weights of samples that it does not hold
  std::vector<ActuatorMetrics> plain_;  // from sums that are not scaled
  std::vector<char> lost_;              // per actuator, whether its sums have to be scaled
  bool scaling_ = false;                // whether the motion is gone through again for them

  std::array<StageCounts, 2> counts_{};  // of the rest, and of what is counted apart
  std::size_t account_ = 0;
  StageClock clock_;
};

}  // namespace counterpoise
