#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "engine/falls/fall.hpp"
#include "engine/falls/scenario.hpp"
#include "input/definition/model.hpp"
#include "input/definition/number.hpp"
#include "input/definition/parametric_motion.hpp"
#include "input/text/input_error.hpp"

namespace counterpoise {

/// A number in a unit, which may be an expression of a model's parameters. The result of an
/// expression is in the unit too.
struct NumberInUnit {
  Number number;
  Unit unit;
  Location where;
};

/// The brake of an actuator: what its dry friction is, and when it closes.
struct BrakeNumbers {
  enum class Given { torque, load, holding_load };
  Given given = Given::holding_load;
  NumberInUnit size;  // of a torque or a load
  NumberInUnit closes;
};

/// What one actuator does.
struct ActuatorRuleNumbers {
  ActuatorMode mode = ActuatorMode::free;
  int drive = -1;  // of the start's motion, that the actuator goes on along
  std::optional<ProfileNumbers> profile = {};  // of its own
  std::optional<BrakeNumbers> brake = {};
  bool shorted = false;
};

/// The course of a force from outside.
struct FallingForceNumbers {
  ForceIndex force;
  int course = -1;  // of the start's motion, that the force goes on along
  std::optional<ProfileNumbers> profile = {};  // of its own
};

/// A contact whose numbers may depend on parameters; `nominal` has the rest of it.
struct ContactNumbers {
  Contact nominal;
  std::array<NumberInUnit, 3> point, direction;
  NumberInUnit radius;
  NumberInUnit restitution;
  Location direction_where;
};

struct StopNumbers {
  Stop nominal;
  std::optional<NumberInUnit> min, max;
  NumberInUnit restitution;
  Location where;
};

struct StartCoordinate {
  GivenCoordinate nominal;
  NumberInUnit position, velocity;
};

/// Where a scenario begins: at instants of a motion, or at given coordinates.
struct ScenarioStart {
  std::string file;  // of the motion, as the scenario names it; empty if coordinates are given
  std::optional<ParametricMotion> motion;
  std::vector<double> times;  // of the motion [s]; at coordinates one, which means nothing
  bool several = false;       // the file has "times" or "every", whose place is `times_where`
  Location times_where;
  std::vector<StartCoordinate> coordinates;
  Location where;
};

/// A scenario whose numbers may depend on a model's parameters. Immutable once read.
struct ParametricScenario {
  Scenario nominal;  // with the model's own parameters and the settings, at the first instant
  ScenarioStart start;
  ActuatorMode others = ActuatorMode::free;    // of actuators that the file does not name
  std::vector<ActuatorRuleNumbers> actuators;  // one per actuator of the model
  std::vector<FallingForceNumbers> forces;
  std::vector<ContactNumbers> contacts;
  std::vector<StopNumbers> stops;
  std::vector<ParameterSetting> settings;  // parameters that the scenario sets
  std::vector<Expression> expressions;     // of the model's parameters
  std::vector<std::string> warnings;       // lines, each with its place
};

/// The values that expressions of a scenario have with some values of the parameters, in SI.
/// `parameters` may be null where no number depends on any.
struct ScenarioValues {
  std::span<const Expression> expressions;
  const double* parameters = nullptr;

  [[nodiscard]] double of(const NumberInUnit& quantity) const;
};

/// Each of these makes a part of a scenario from its numbers, or returns why that is impossible.
std::optional<Refusal> make_contact(const ContactNumbers& numbers, const ScenarioValues& values,
                                    Contact& out);
std::optional<Refusal> make_stop(const StopNumbers& numbers, const ScenarioValues& values,
                                 Stop& out);
std::optional<Refusal> make_coordinate(const StartCoordinate& numbers, const ScenarioValues& values,
                                       GivenCoordinate& out);
/// `duration` is that of the scenario, which a rule's own profile is defined over.
std::optional<Refusal> make_rule(const ActuatorRuleNumbers& numbers, const ScenarioValues& values,
                                 double duration, ActuatorRule& out);
/// The same of a force.
std::optional<Refusal> make_force(const FallingForceNumbers& numbers, const ScenarioValues& values,
                                  double duration, FallingForce& out);

/// Turns parameter values into a scenario and its start, which it keeps. One per thread; the
/// ParametricScenario must outlive it.
class ScenarioBinder {
 public:
  explicit ScenarioBinder(const ParametricScenario& scenario);

  /// Makes scenario() the scenario with these parameter values (ModelBinder::values()), begun at
  /// one of the instants of its start. If there is none, returns the reason in words; then
  /// scenario() and start() must not be used.
  std::optional<std::string> bind(std::span<const double> parameters, std::size_t instant = 0);
  [[nodiscard]] const Scenario& scenario() const { return bound_; }

  /// The joints at the start that was bound last, or why the mechanism cannot be there. Throws
  /// MechanismError when the motion's coordinates are too few or too many.
  [[nodiscard]] std::variant<JointStart, Finding> start(const Mechanism& mechanism) const;

 private:
  std::optional<Refusal> bind_parts(std::span<const double> parameters);

  const ParametricScenario* scenario_;
  std::optional<MotionBinder> motion_;
  std::size_t instant_ = 0;
  Scenario bound_;
  std::vector<GivenCoordinate> coordinates_;
};

}  // namespace counterpoise
