#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cases/case_evaluator.hpp"
#include "engine/evaluation/evaluator.hpp"
#include "engine/evaluation/simulation.hpp"

namespace counterpoise {

/// A robot in one motion of a study.
struct ComparedRobot {
  MotionDesign design;
  Simulation run;  // with reactions, if they can be computed
};

/// A case and the robots that it is compared with, in one motion that the case runs. The motion may
/// depend on parameters, but its duration and step do not, so all have the same samples.
struct ComparedMotion {
  std::size_t motion = 0;  // index of Study::motions
  ComparedRobot robot;
  std::optional<ComparedRobot> baseline;         // none where there is no such robot, or
  std::optional<ComparedRobot> without_springs;  // it cannot follow; of the baseline
  std::string no_baseline;                       // why there is none, in words
  std::string no_reactions;                      // why runs have no reactions; empty if they have
};

/// All motions that a case runs. Throws InputError where the case cannot follow one.
std::vector<ComparedMotion> compared_motions(const Study& study, CaseEvaluator& evaluator,
                                             std::span<const double> point);

/// The column with this name, which the simulation has.
const std::vector<double>& column_of(const Simulation& simulation, std::string_view name);

/// The name of a spring's tension column in the output of `simulate`.
std::string tension_column(const Spring& spring);
std::string length_column(const Spring& spring);

/// Indices of the actuators that some objective of the study names, through `of` or in an
/// expression.
std::vector<int> named_actuators(const Study& study);

/// The words " in motion reach" if a study has several motions; else empty.
std::string in_motion(const Study& study, std::size_t motion);

/// A load at one instant, split by cause: load = gravity + inertia + forces + friction + sum of
/// springs' shares [N or N m].
struct LoadSplit {
  struct Share {
    int spring = -1;  // index in the mechanism
    double load = 0.0;
  };
  double load = 0.0;
  double gravity = 0.0;        // load of the robot without springs, held in this pose
  double inertia = 0.0;        // what moving the robot without springs adds to that
  double forces = 0.0;         // what forces from outside add
  double friction = 0.0;       // what friction of joints adds
  std::vector<Share> springs;  // those that load the actuator in some pose
};

/// The loads of a design over one motion, ready to be split at any sample.
class SplitLoads {
 public:
  /// Splits the loads of a design that can follow the motion. Cost: two evaluations, three where
  /// forces act from outside, and one more where joints have friction. Where that grows with
  /// reactions, all of it counts as friction, also what springs add to it, and a run more.
  SplitLoads(const Mechanism& mechanism, const Motion& motion);

  [[nodiscard]] LoadSplit at(std::size_t actuator, std::size_t sample) const;
  /// Whether a sample is left out (see Motion::skips). Its loads are 0.
  [[nodiscard]] bool left_out(std::size_t sample) const { return loads_.weight(sample) == 0.0; }
  /// The load at every sample.
  [[nodiscard]] std::vector<double> load(std::size_t actuator) const;

 private:
  void split(const Mechanism& mechanism, const Motion& motion);
  void add_load_friction(const Mechanism& mechanism, const Motion& motion);

  std::vector<Spring> springs_;
  AffineLoads loads_, at_rest_;
  std::optional<AffineLoads> smooth_;   // without friction, where joints have any
  std::optional<AffineLoads> gravity_;  // alone, where forces act from outside
  // per actuator, what friction adds that grows with reactions; empty where no joint has any
  std::vector<std::vector<double>> load_friction_;
};

/// The samples at which a series has a local maximum, the first of equal ones. Two maxima count as
/// one unless the series falls by more than `dip` between them.
std::vector<std::size_t> separate_peaks(std::span<const double> values, double dip);

struct CriticalInstant {
  std::size_t motion = 0;  // index of Study::motions
  std::size_t sample = 0;
  double time = 0.0;               // [s]
  std::vector<PosePosition> pose;  // of a motion of poses
  LoadSplit split;
  std::optional<double> baseline;  // its load at this instant
};

/// The instants at which an actuator's |load| is largest over all motions of a case, and further
/// local maxima near that value, largest first.
struct ActuatorInstants {
  static constexpr std::size_t most = 4;
  static constexpr double near = 0.01;  // near means within this fraction of the largest
  static constexpr double dip = 1e-6;   // of the largest, see separate_peaks

  int actuator = -1;                      // index in the mechanism
  std::vector<CriticalInstant> instants;  // at most `most`
  std::size_t left_out = 0;               // number of further near maxima
};

/// The critical instants of these actuators, in their order.
std::vector<ActuatorInstants> critical_instants(const std::vector<ComparedMotion>& motions,
                                                std::span<const int> actuators);

}  // namespace counterpoise
