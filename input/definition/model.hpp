#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/evaluation/structure.hpp"
#include "engine/mechanism/finding.hpp"
#include "engine/mechanism/mechanism.hpp"
#include "engine/mechanism/stage.hpp"
#include "input/definition/cam_shape.hpp"
#include "input/definition/number.hpp"
#include "input/expressions/expression.hpp"
#include "input/text/json_document.hpp"
#include "input/text/units.hpp"

namespace counterpoise {

struct Model;
struct Study;
struct LoadCase;
class Expression;

/// The parts of a model that read a parameter directly.
struct ParameterReaders {
  std::vector<int> parameters;  // places in Model::evaluation_order of parameters that read it
  std::vector<int> bounds;      // parameters whose min or max reads it
  std::vector<int> fields;      // indices into Model::varying
};

/// The direct readers of every parameter of a model.
std::vector<ParameterReaders> find_readers(const Model& model);

/// Everything in a model that changes when some of its parameters do, directly or through other
/// parameters.
struct Reach {
  std::vector<bool> parameters;  // per parameter: it changes
  std::vector<int> bounds;       // parameters whose min or max changes, ascending
  std::vector<int> fields;       // indices into Model::varying, ascending
  bool motion = false;           // whether the motion of the load case changes, if one was examined

  /// Whether an expression of the model's parameters, or of a scope that begins with them, changes.
  [[nodiscard]] bool changes(const Expression& expression) const;
  /// Whether a parameter, its min or its max changes.
  [[nodiscard]] bool changes_parameter_or_bounds(std::size_t parameter) const;
};

/// Everything that changes with the parameters `from`, where the parameters flagged in `replaced`
/// (one flag per parameter) have values of their own instead of their expressions. A parameter in
/// both changes nonetheless.
Reach reach_of(const Model& model, std::span<const int> from, const std::vector<bool>& replaced);

/// What one variable of a study changes: in the design itself, which objectives and constraints
/// read, and in each load case, whose own parameters replace what the variable sets.
struct VariableReach {
  Reach design;
  std::vector<Reach> load_cases;

  /// The fields that the variable changes in any load case, ascending.
  [[nodiscard]] std::vector<int> fields() const;
  /// Whether the variable changes the motion of any load case.
  [[nodiscard]] bool moves() const;
};

/// Whether a variable of the study sets each parameter of the model.
std::vector<bool> set_by_variables(const Study& study);

/// What each variable of a study changes, found from its model, variables and load cases; one per
/// variable.
std::vector<VariableReach> find_reach(const Study& study);

/// A parameter of a model. The values of all of them, in SI, form the vector that expressions read.
struct Parameter {
  std::string name;
  std::string source;  // where the number is from ("published", "estimated", ...), or empty
  std::string note;
  Unit unit;     // unit in the file; the numbers below are in SI, results of expressions are
  Number value;  // converted when they are evaluated
  std::optional<Number> min, max;
  Location where;  // of its value in the file
};

/// A value for a parameter from outside, in SI. It replaces the parameter's expression.
struct ParameterSetting {
  int parameter = -1;  // index into Model::parameters
  double value = 0.0;
};

/// The fields of a mechanism that a file can give. The numbers of each are in the order of the
/// file.
enum class Field {
  gravity,
  axis,
  origin,
  zxz,
  rpy,
  quaternion,
  guess,
  mass,
  com,
  inertia,
  friction_coulomb,
  friction_viscous,
  friction_load_coefficient,
  point,
  pulley_axis,
  pulley_radius,
  pulley_zero,
  cam_profile,  // where it begins and ends, and its start; see CamShape
  loop_first_axis,
  loop_second_axis,
  loop_zxz,
  loop_rpy,
  loop_quaternion,
  coupling_ratio,  // of every term; those it does not have are zero
  coupling_offset,
  spring_rate,
  spring_free_length,
  spring_initial_tension,
  part_rates,  // of every spring of a group; those it does not have are zero
  part_free_lengths,
  part_initial_tensions,
  spring_friction,
  spring_mass,
  spring_min_length,
  spring_max_length,
  spring_max_load,
  spring_radius,
  spring_min_clearance,
  actuator_min_position,
  actuator_max_position,
  actuator_max_load,
  actuator_max_speed,
  actuator_holding_load,
  motor_ratio,
  rotor_inertia,
  motor_coulomb,
  motor_viscous,
  efficiency,
  back_efficiency,
  torque_constant,
  resistance,
  tube_mass,
  tube_com,
  tube_inertia,
  rod_mass,
  rod_com,
  rod_inertia,
  force,
  moment,
  obstacle_from,
  obstacle_to,
  obstacle_radius
};

/// The kind of element a field belongs to, in the order in which a mechanism is examined.
enum class FieldOwner { world, body, point, loop, coupling, spring, actuator, force, obstacle };

/// What is known of a field: a row of the one table of all fields.
struct FieldDescription {
  /// A key or a unit. Torsion springs, revolute joints and what drives or couples them may have
  /// another one than what slides.
  struct Word {
    std::string_view sliding, turning = sliding;
    [[nodiscard]] std::string_view of(bool turns) const { return turns ? turning : sliding; }
  };
  Field field;
  FieldOwner owner;
  Quantity quantity;  // the group of the element's numbers that change together
  std::size_t size;   // how many numbers it has
  Word key;           // in the file
  Word unit;          // SI; "1" of numbers that have none
  void (*assign)(Mechanism& mechanism, int element, std::span<const double> numbers);
  double Spring::*spring_number = nullptr;  // of the fields of springs, not of their groups
};
/// The row of a field. Its assign() writes the field into a mechanism: axes are normalised, angles
/// and quaternions become rotation matrices. `numbers` holds at least `size`.
const FieldDescription& describe(Field field);

/// One field of one element (body, point, coupling, ...) and what its numbers are.
struct FieldNumbers {
  Field field = Field::gravity;
  int element = -1;  // index in the mechanism
  std::array<Number, 6> numbers;
};

/// The mesh that a body looks like on pages. It changes no number.
struct Visual {
  int body = -1;
  std::filesystem::path file;          // STL or OBJ, found beside the model
  double scale = 1.0;                  // of the mesh's own lengths to metres
  Vec3d origin = Vec3d::Zero();        // of the mesh in body axes                      [m]
  Mat3d rotation = Mat3d::Identity();  // from the mesh's axes to the body's
  std::optional<Vec3d> colour;         // red, green, blue from 0 to 1; else the file's own
  Location where;                      // of the file's name
};

/// A model file: a mechanism whose numbers depend on parameters. Immutable once read.
struct Model {
  std::string name;
  Mechanism nominal;  // the design of the file itself; points are named "body.point"
  std::vector<Parameter> parameters;
  std::vector<double> nominal_values;  // of the parameters, in SI
  std::vector<int> evaluation_order;   // parameters with an expression, each behind those it reads
  Scope scope;                         // the parameters' names, in their order
  std::vector<Expression> expressions;
  std::vector<FieldNumbers> varying;      // the fields that depend on parameters
  std::vector<CamShape> cam_shapes;       // of profiles that are more than the name of a table
  std::vector<ParameterReaders> readers;  // of each parameter
  std::vector<int> file_order;            // position in the file of each body of the mechanism
  std::vector<Visual> visuals;
  JsonValue document;

  [[nodiscard]] int find_parameter(std::string_view parameter_name) const {
    return scope.find(parameter_name);
  }
  /// Whether a joint of some design has friction.
  [[nodiscard]] bool has_friction() const;
  /// A joint whose friction grows with its reaction in some design: the index of its body, or -1.
  [[nodiscard]] int load_friction_joint() const;
  /// The elements that have fields which depend on parameters.
  [[nodiscard]] ElementSet varying_elements() const;
  /// The shape of the cam at a point, or null.
  [[nodiscard]] const CamShape* find_cam_shape(int point) const;
  /// The place of something in the model file, by JSON pointer; for errors that the engine finds
  /// (MechanismError: "/actuators", "/loops"). If the place does not exist, returns the nearest one
  /// above it.
  [[nodiscard]] Location location(std::string_view pointer) const {
    return document.at_or_above(pointer).location();
  }
};

/// Turns parameter values into the numbers of a mechanism, which it keeps: it computes again only
/// numbers that depend on a value which differs from the last bind's. One per thread; the model
/// must outlive it. After the first call nothing is allocated unless a cam changes its shape or a
/// reason is returned.
class ModelBinder {
 public:
  explicit ModelBinder(const Model& model);

  /// Makes mechanism() the design with these settings (each parameter at most once, all others as
  /// in the file). Returns in words why there is no such design: a parameter or number that is not
  /// finite, outside its min or max (see slack_of()), or physically impossible; then mechanism()
  /// must not be used. Result and reason do not depend on earlier binds. Cost: nanoseconds per
  /// setting, tens of nanoseconds per expression that reads a changed value, tens of microseconds
  /// per turn of a cam that does.
  std::optional<std::string> bind(std::span<const ParameterSetting> settings);
  [[nodiscard]] const Mechanism& mechanism() const { return mechanism_; }

  /// The values of all parameters in the last bind, in SI.
  [[nodiscard]] std::span<const double> values() const { return values_; }
  /// What was wrong with a parameter in the last bind.
  struct Fault {
    enum class Kind { not_finite, below_min, above_max };
    Kind kind = Kind::not_finite;
    int parameter = -1;
    double value = 0.0;  // in SI
    double bound = 0.0;  // that the value is beyond, in SI; NaN where it is not finite
  };
  /// The fault that was the reason of the last bind; nothing if that was a number of the mechanism.
  [[nodiscard]] const std::optional<Fault>& fault() const { return fault_; }
  /// The parameter of that fault, or -1.
  [[nodiscard]] int refused_parameter() const { return fault_ ? fault_->parameter : -1; }
  /// All parameters that are beyond their bounds in the last bind, if the design would be possible
  /// without these bounds, so that mechanism() may be used; otherwise none.
  [[nodiscard]] std::vector<Fault> all_beyond_bounds() const;

 private:
  /// An element with varying numbers.
  struct Element {
    FieldOwner owner = FieldOwner::world;
    int index = -1;
    bool impossible = false;
    bool stale = false;
  };
  /// Flags with their number.
  struct Flags {
    std::vector<char> up;
    int count = 0;
    void set(std::size_t i, bool value) {
      count += static_cast<int>(value) - static_cast<int>(up[i]);
      up[i] = static_cast<char>(value);
    }
    [[nodiscard]] std::size_t first() const;
  };
  struct Bounds {
    double low, high;
  };

  void find_elements();
  void take(std::span<const ParameterSetting> settings);
  void give(std::size_t parameter, double value);
  void evaluate_parameters();
  void update_fields();
  void examine_elements();
  [[nodiscard]] Bounds bounds_of(std::size_t parameter) const;
  [[nodiscard]] double size_of_terms(std::size_t parameter) const;
  void hold_against_bounds(std::size_t parameter);
  [[nodiscard]] Fault fault_at_bound(std::size_t parameter) const;
  std::optional<std::string> reason();

  const Model* model_;
  std::vector<Element> elements_;              // in the order in which reasons are looked for
  std::vector<std::size_t> element_of_field_;  // index into elements_

  bool bound_before_ = false;
  std::vector<double> values_;
  Flags set_;                         // parameters that have a setting
  std::vector<std::uint64_t> round_;  // in which each was set last
  std::uint64_t rounds_ = 0;
  Flags pending_;                     // by place in the evaluation order
  std::vector<std::size_t> changed_;  // parameters, in this bind
  std::vector<char> stale_fields_;
  Flags not_finite_, out_of_bounds_;  // parameters
  int impossible_ = 0;                // elements
  Mechanism mechanism_;
  std::optional<Fault> fault_;
};

}  // namespace counterpoise
