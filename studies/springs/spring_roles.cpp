#include "studies/springs/spring_roles.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace counterpoise {
namespace {

bool is_law(Field field) {
  return field == Field::spring_rate || field == Field::spring_free_length ||
         field == Field::spring_initial_tension;
}

bool is_limit(Field field) {
  return field == Field::spring_min_length || field == Field::spring_max_length ||
         field == Field::spring_max_load;
}

/// What one variable changes, through parameters that depend on those it sets.
class Reach {
 public:
  Reach(const Study& study, const Variable& variable)
      : model_(*study.model), parameters_(model_.parameters.size(), false) {
    for (const VariableTarget& target : variable.targets)
      parameters_[static_cast<std::size_t>(target.parameter)] = true;
    for (const int p : model_.evaluation_order) {
      const Number& number = model_.parameters[static_cast<std::size_t>(p)].value;
      if (!number.fixed() && reads(expression_of(number)))
        parameters_[static_cast<std::size_t>(p)] = true;
    }
    for (const FieldNumbers& field : model_.varying) note(field);
    for (const LoadCase& load_case : study.motions)
      for (const Expression& expression : load_case.motion.expressions)
        if (reads(expression)) beyond_springs_ = true;
    std::sort(springs_.begin(), springs_.end());
    springs_.erase(std::unique(springs_.begin(), springs_.end()), springs_.end());
  }

  /// Laws of springs, and nothing but laws and limits of springs.
  [[nodiscard]] bool springs_alone() const { return !springs_.empty() && !beyond_springs_; }
  [[nodiscard]] const std::vector<int>& springs() const { return springs_; }
  [[nodiscard]] const std::vector<bool>& parameters() const { return parameters_; }

 private:
  [[nodiscard]] const Expression& expression_of(const Number& number) const {
    return model_.expressions[static_cast<std::size_t>(number.expression)];
  }
  [[nodiscard]] bool reads(const Expression& expression) const {
    const auto used = expression.used();
    return std::any_of(used.begin(), used.end(),
                       [&](int p) { return parameters_[static_cast<std::size_t>(p)]; });
  }
  void note(const FieldNumbers& field) {
    const auto changes = [&](const Number& number) {
      return !number.fixed() && reads(expression_of(number));
    };
    const auto end = field.numbers.begin() + static_cast<int>(size_of(field.field));
    if (!std::any_of(field.numbers.begin(), end, changes)) return;
    if (is_law(field.field)) springs_.push_back(field.element);
    if (!is_law(field.field) && !is_limit(field.field)) beyond_springs_ = true;
  }

  const Model& model_;
  std::vector<bool> parameters_;
  std::vector<int> springs_;  // whose laws change
  bool beyond_springs_ = false;
};

const char* needs_springs =
    "an exact search sizes or chooses springs, but no variable enters springs' laws alone: give a "
    "\"range\" to a parameter that is a rate, free_length or initial_tension of a spring, or a "
    "\"catalogue\" that sets them";

/// A spring follows one chosen variable, or sized ones.
void require_one_master(const Study& study, const SpringRoles& roles) {
  for (const int chosen : roles.chosen)
    for (const int spring : roles.springs[static_cast<std::size_t>(chosen)])
      for (std::size_t v = 0; v < roles.roles.size(); ++v) {
        const auto& others = roles.springs[v];
        if (static_cast<int>(v) == chosen ||
            !std::binary_search(others.begin(), others.end(), spring))
          continue;
        throw InputError(
            study.variables[v].where,
            fmt::format("variables {} and {} both enter the law of spring {}; an exact search "
                        "chooses a spring by one variable, or sizes it",
                        study.variables[static_cast<std::size_t>(chosen)].name,
                        study.variables[v].name,
                        study.model->nominal.springs[static_cast<std::size_t>(spring)].name));
      }
}

}  // namespace

SpringRoles find_spring_roles(const Study& study) {
  SpringRoles found;
  found.inner_parameters.assign(study.model->parameters.size(), false);
  for (std::size_t v = 0; v < study.variables.size(); ++v) {
    const Variable& variable = study.variables[v];
    if (variable.kind == VariableKind::motion)
      throw InputError(variable.where,
                       "an exact search runs all motions of the study in every case; name the one "
                       "motion in \"motions\" instead of a variable that selects it");
    const Reach reach(study, variable);
    const SpringRole role = !reach.springs_alone() ? SpringRole::outer
                            : variable.discrete()  ? SpringRole::chosen
                                                   : SpringRole::sized;
    if (role == SpringRole::outer && variable.discrete())
      throw InputError(variable.where,
                       fmt::format("variable {} has levels and moves more than springs' laws; an "
                                   "exact search needs continuous geometry: give a \"range\" "
                                   "without \"count\"",
                                   variable.name));
    found.roles.push_back(role);
    found.springs.push_back(role == SpringRole::outer ? std::vector<int>{} : reach.springs());
    (role == SpringRole::outer   ? found.outer
     : role == SpringRole::sized ? found.sized
                                 : found.chosen)
        .push_back(static_cast<int>(v));
    if (role == SpringRole::outer) continue;
    for (std::size_t p = 0; p < reach.parameters().size(); ++p)
      if (reach.parameters()[p]) found.inner_parameters[p] = true;
  }
  if (!found.any()) throw InputError(study.search()->where, needs_springs);
  require_one_master(study, found);
  return found;
}

}  // namespace counterpoise
