#pragma once

#include <span>
#include <vector>

namespace counterpoise {

struct Model;
struct Study;
struct LoadCase;
class Expression;

/// What reads a parameter of a model directly.
struct ParameterReaders {
  std::vector<int> parameters;  // by their places in Model::evaluation_order
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
  bool motion = false;           // the motion of a load case changes, where one was looked at

  /// Whether an expression of the model's parameters, or of a scope that begins with them, changes.
  [[nodiscard]] bool changes(const Expression& expression) const;
};

/// What follows the parameters `from` where those in `replaced` (one per parameter) have values of
/// their own, which replace their expressions. What is in both changes nonetheless.
Reach reach_of(const Model& model, std::span<const int> from, const std::vector<bool>& replaced);

/// What one variable of a study changes: in the design itself, which objectives and constraints
/// read, and in each load case, whose own parameters replace what the variable sets.
struct VariableReach {
  Reach design;
  std::vector<Reach> load_cases;

  /// Fields that it changes in any load case, ascending.
  [[nodiscard]] std::vector<int> fields() const;
  /// Whether it changes the motion of any load case.
  [[nodiscard]] bool moves() const;
};

/// Per parameter of the model: whether a variable of the study sets it.
std::vector<bool> set_by_variables(const Study& study);

/// One per variable of a study, from its model, variables and load cases.
std::vector<VariableReach> find_reach(const Study& study);

}  // namespace counterpoise
