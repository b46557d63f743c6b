#include "studies/springs/spring_roles.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace counterpoise {
namespace {

bool is_law(Field field) {
  return field == Field::spring_rate || field == Field::spring_free_length ||
         field == Field::spring_initial_tension;
}

/// The key of a limit of a spring; empty for any other field.
std::string_view limit_key(Field field) {
  switch (field) {
    case Field::spring_min_length:
      return "min_length";
    case Field::spring_max_length:
      return "max_length";
    case Field::spring_max_load:
      return "max_load";
    default:
      return {};
  }
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
    note_bounds();
    note_goals(study);
    std::sort(springs_.begin(), springs_.end());
    springs_.erase(std::unique(springs_.begin(), springs_.end()), springs_.end());
  }

  /// Laws of springs, and nothing but laws and limits of springs.
  [[nodiscard]] bool springs_alone() const { return !springs_.empty() && !beyond_springs_; }
  [[nodiscard]] const std::vector<int>& springs() const { return springs_; }
  /// "max_load of spring s, ..."; empty where it changes no limit of a spring.
  [[nodiscard]] const std::string& limits() const { return limits_; }
  [[nodiscard]] bool beyond_springs() const { return beyond_springs_; }
  /// Whether it moves a bound of a parameter that it does not set.
  [[nodiscard]] bool bounds() const { return bounds_; }
  /// Whether an objective or a constraint reads it.
  [[nodiscard]] bool goals() const { return goals_; }
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
    if (is_law(field.field)) {
      springs_.push_back(field.element);
    } else if (const std::string_view key = limit_key(field.field); !key.empty()) {
      limits_ += fmt::format("{}{} of spring {}", limits_.empty() ? "" : ", ", key,
                             model_.nominal.springs[static_cast<std::size_t>(field.element)].name);
    } else {
      beyond_springs_ = true;
    }
  }
  /// Bounds of other parameters that it moves: a design may break them.
  void note_bounds() {
    for (std::size_t p = 0; p < parameters_.size(); ++p)
      for (const auto* bound : {&model_.parameters[p].min, &model_.parameters[p].max})
        if (!parameters_[p] && *bound && !(*bound)->fixed() && reads(expression_of(**bound)))
          bounds_ = true;
  }
  void note_goals(const Study& study) {
    const auto reads_parameter = [&](const Expression& expression) {
      const auto used = expression.used();
      return std::any_of(used.begin(), used.end(), [&](int value) {
        return value < study.metric_offset() && parameters_[static_cast<std::size_t>(value)];
      });
    };
    for (const Objective& objective : study.objectives)
      if (objective.expression && reads_parameter(*objective.expression)) goals_ = true;
    for (const Constraint& constraint : study.constraints)
      if (reads_parameter(constraint.expression)) goals_ = true;
  }

  const Model& model_;
  std::vector<bool> parameters_;
  std::vector<int> springs_;  // whose laws change
  std::string limits_;        // of springs that change
  bool beyond_springs_ = false;
  bool bounds_ = false;
  bool goals_ = false;
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

void require_geometry(const Study& study, const Variable& variable) {
  const Reach reach(study, variable);
  if (!reach.springs().empty() || reach.beyond_springs() || reach.bounds()) return;
  if (reach.limits().empty() && !reach.goals())
    throw InputError(variable.where,
                     fmt::format("variable {} has no effect on the mechanism: no spring, body or "
                                 "motion, objective or constraint reads what it sets; remove it",
                                 variable.name));
  throw InputError(
      variable.where,
      fmt::format("variable {} is {}, and enters no spring's law: an exact search cannot size it; "
                  "set it in the model and remove the variable{}",
                  variable.name,
                  reach.limits().empty() ? "read by objectives or constraints alone"
                                         : "a limit, " + reach.limits(),
                  variable.discrete() ? ""
                                      : ", or say by \"max_evaluations\" how many of its values "
                                        "to try"));
}

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
    if (role == SpringRole::outer && variable.discrete()) {
      require_geometry(study, variable);
      throw InputError(variable.where,
                       fmt::format("variable {} has levels and moves more than springs' laws; an "
                                   "exact search needs continuous geometry: give a \"range\" "
                                   "without \"count\"",
                                   variable.name));
    }
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
