#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "engine/kinematics/closure/plan.hpp"
#include "engine/mechanism/finding.hpp"
#include "engine/mechanism/motion.hpp"

namespace counterpoise {

/// How many samples are evaluated at a time: studies use Pack; one sample at a time is the same
/// code with double.
enum class Lanes { pack, one };

struct SimulationOptions {
  bool springs = true;     // if false, as if the mechanism had no springs
  bool reactions = false;  // whether to add the wrench through each joint and loop closure
  Closure closure = Closure::closed_form;
  Lanes lanes_of_samples = Lanes::pack;
  // so many at a time that a stretch more costs nothing, and so few that some hundred columns of
  // them take some megabytes
  Holding holding = Holding::at_most(8192);
};

struct Series {
  std::string name;            // "lift.load", "torso.q", ...; see README, `simulate`
  std::vector<double> values;  // one per sample; NaN where the sample is left out (Motion::skips)
};

/// The result of one inverse-dynamics run as columns; the first is "t".
struct Simulation {
  std::vector<Series> columns;
  std::vector<Finding> broken_limits;  // first finding per element and limit; the run goes on
  std::vector<Finding>
      wrong_senses;  // springs built to pull that push, or the reverse; where worst
  // how many components per sample neither equilibrium nor sharing rules settle, and the joints and
  // closures that they concern; see Reactions
  int open_reactions = 0;
  std::vector<std::string> open_joints;
};

/// Takes the samples that are left out away from all columns.
void remove_left_out(std::vector<Series>& columns);

/// One inverse-dynamics run that holds a stretch of the samples at a time.
class SimulationRun {
 public:
  /// Takes the columns of the next stretch, in order; the first begins with sample 0. Values may be
  /// moved from where `read` is not called later.
  using Take = std::function<void(std::span<Series> columns, int first)>;

  /// Throws MechanismError when the motion's coordinates or the actuators are too few or too many.
  SimulationRun(const Mechanism& mechanism, const Motion& motion, const SimulationOptions& options);
  ~SimulationRun();
  SimulationRun(const SimulationRun&) = delete;
  SimulationRun& operator=(const SimulationRun&) = delete;

  /// Goes through the motion. Returns the finding when the mechanism cannot follow it, whatever
  /// `take` got until then, and otherwise the simulation without columns. It may begin again with
  /// sample 0. Throws MechanismError when the sharing rules contradict each other.
  std::variant<Simulation, Finding> check(const Take& take);
  /// Goes through a motion again for which `check` found none, unless it is one stretch, whose
  /// columns are still there.
  void read(const Take& take);

  class Impl;

 private:
  std::unique_ptr<Impl> impl_;
};

/// Runs `mechanism` through `motion`, and holds all columns. Returns the finding when it cannot
/// follow. Throws MechanismError as SimulationRun does.
std::variant<Simulation, Finding> simulate(const Mechanism& mechanism, const Motion& motion,
                                           const SimulationOptions& options);

}  // namespace counterpoise
