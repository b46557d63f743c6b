#pragma once

#include <span>
#include <vector>

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

}  // namespace counterpoise
