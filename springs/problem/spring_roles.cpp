#include "springs/problem/spring_roles.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "springs/problem/unknowns.hpp"

namespace counterpoise {
namespace {

/// Whether loads are affine in a field of a body, where its centre of mass stays.
bool is_weight(Field field) {
  return field == Field::mass || field == Field::inertia;
}

/// What one variable changes in a model and a study, which decides its role.
class Part {
 public:
  Part(const Study& study, std::size_t variable) : reach_(study.reach[variable]) {
    const Model& model = *study.model;
    for (const int f : reach_.fields()) note(model, model.varying[f]);
    std::sort(springs_.begin(), springs_.end());
    springs_.erase(std::unique(springs_.begin(), springs_.end()), springs_.end());
    beyond_springs_ = beyond_springs_ || reach_.moves();
    beyond_masses_ = beyond_masses_ || reach_.moves();
    // bounds of other parameters, which a design may break
    bounds_ = std::any_of(reach_.design.bounds.begin(), reach_.design.bounds.end(),
                          [&](int p) { return !reach_.design.parameters[p]; });
    for (const Objective& objective : study.objectives)
      if (objective.expression && reach_.design.changes(*objective.expression)) goals_ = true;
    for (const Constraint& constraint : study.constraints)
      if (reach_.design.changes(constraint.expression)) goals_ = true;
  }

  /// Whether it changes laws of springs, and nothing but laws and limits of springs.
  [[nodiscard]] bool springs_alone() const { return !springs_.empty() && !beyond_springs_; }
  [[nodiscard]] const std::vector<int>& springs() const { return springs_; }
  /// Whether it changes masses and inertias, and nothing else of the mechanism.
  [[nodiscard]] bool masses_alone() const { return masses_ && springs_.empty() && !beyond_masses_; }
  /// "max_load of spring s, ..."; empty where it changes no limit of a spring.
  [[nodiscard]] const std::string& limits() const { return limits_; }
  [[nodiscard]] bool beyond_springs() const { return beyond_springs_; }
  /// "the friction of spring s", or "the mass of spring s", which a search takes as known; empty if
  /// it changes none.
  [[nodiscard]] const std::string& known() const { return known_; }
  /// Whether it moves a bound of a parameter that it does not set.
  [[nodiscard]] bool bounds() const { return bounds_; }
  /// Whether an objective or a constraint reads it.
  [[nodiscard]] bool goals() const { return goals_; }
  /// Marks the parameters that it changes, in any load case.
  void mark_parameters(std::vector<bool>& marks) const {
    for (std::size_t p = 0; p < marks.size(); ++p) {
      if (reach_.design.parameters[p]) marks[p] = true;
      for (const Reach& reach : reach_.load_cases)
        if (reach.parameters[p]) marks[p] = true;
    }
  }

 private:
  void note(const Model& model, const FieldNumbers& field) {
    const FieldDescription& description = describe(field.field);
    if (field.field == Field::spring_friction || field.field == Field::spring_mass) {
      beyond_springs_ = beyond_masses_ = true;
      known_ = fmt::format("the {} of spring {}", description.key.sliding,
                           model.nominal.springs[field.element].name);
    } else if (description.quantity == Quantity::spring_law) {
      springs_.push_back(field.element);
    } else if (description.quantity == Quantity::spring_limits) {
      limits_ += fmt::format("{}{} of spring {}", limits_.empty() ? "" : ", ",
                             description.key.sliding, model.nominal.springs[field.element].name);
    } else {
      beyond_springs_ = true;
      (is_weight(field.field) ? masses_ : beyond_masses_) = true;
    }
  }

  const VariableReach& reach_;
  std::vector<int> springs_;  // whose laws change
  std::string limits_;        // of springs that change
  bool beyond_springs_ = false;
  std::string known_;  // of a spring, that changes
  bool masses_ = false, beyond_masses_ = false;
  bool bounds_ = false;
  bool goals_ = false;
};

const char* needs_springs =
    "an exact search sizes springs and masses or chooses springs, but no variable enters springs' "
    "laws alone or masses alone: give a \"range\" to a parameter that is a rate, free_length or "
    "initial_tension of a spring or the mass of a body, or a \"catalogue\" that sets numbers of a "
    "spring";

/// A spring follows one chosen variable, or sized ones.
void require_one_master(const Study& study, const SpringRoles& roles) {
  for (const int chosen : roles.chosen)
    for (const int spring : roles.springs[chosen])
      for (std::size_t v = 0; v < roles.roles.size(); ++v) {
        const auto& others = roles.springs[v];
        if (static_cast<int>(v) == chosen ||
            !std::binary_search(others.begin(), others.end(), spring))
          continue;
        throw InputError(
            study.variables[v].where,
            fmt::format("variables {} and {} both enter the law of spring {}; an exact search "
                        "chooses a spring by one variable, or sizes it",
                        study.variables[chosen].name, study.variables[v].name,
                        study.model->nominal.springs[spring].name));
      }
}

/// Turns the variables that some mass is not affine in into outer ones.
void keep_affine_masses(const Study& study, SpringRoles& roles) {
  if (roles.masses.empty()) return;
  const Model& model = *study.model;
  const SpringLaws laws(study, roles);
  const auto refused = [&](const Number& number) {
    for (std::size_t m = 0; m < study.motions.size() && !number.fixed(); ++m)
      if (laws.expression(m, static_cast<std::size_t>(number.expression)).refusal) return true;
    return false;
  };
  for (std::size_t f = 0; f < model.varying.size(); ++f) {
    const FieldNumbers& field = model.varying[f];
    if (!is_weight(field.field) ||
        std::none_of(field.numbers.begin(), field.numbers.end(), refused))
      continue;
    for (const int i : roles.masses) {
      const std::vector<int> moved = study.reach[roles.sized[i]].fields();
      if (std::binary_search(moved.begin(), moved.end(), static_cast<int>(f)))
        roles.roles[roles.sized[i]] = SpringRole::outer;
    }
  }
}

/// The first spring among some whose law is not straight; -1 without one.
int bent_among(const Study& study, const std::vector<int>& springs) {
  const auto at = std::find_if(springs.begin(), springs.end(), [&](int s) {
    return !study.model->nominal.springs[s].is_straight();
  });
  return at == springs.end() ? -1 : *at;
}

/// Lists the variables by their roles.
void list(const Study& study, SpringRoles& found) {
  for (auto* variables : {&found.outer, &found.sized, &found.chosen, &found.masses})
    variables->clear();
  found.springs.clear();
  found.inner_parameters.assign(study.model->parameters.size(), false);
  for (std::size_t v = 0; v < study.variables.size(); ++v) {
    const SpringRole role = found.roles[v];
    const Part part(study, v);
    found.springs.push_back(role == SpringRole::outer ? std::vector<int>{} : part.springs());
    std::vector<int>& variables = role == SpringRole::outer   ? found.outer
                                  : role == SpringRole::sized ? found.sized
                                                              : found.chosen;
    variables.push_back(static_cast<int>(v));
    if (role == SpringRole::outer) continue;
    part.mark_parameters(found.inner_parameters);
    if (part.masses_alone()) found.masses.push_back(static_cast<int>(found.sized.size()) - 1);
  }
}

}  // namespace

std::string why_not_sized(const Study& study, std::size_t index) {
  const Variable& variable = study.variables[index];
  const Part part(study, index);
  if (!part.known().empty())
    return fmt::format("variable {} enters {}, which is known to a search", variable.name,
                       part.known());
  const int bent = bent_among(study, part.springs());
  if (bent < 0) return fmt::format("variable {} moves more than springs", variable.name);
  const Spring& spring = study.model->nominal.springs[bent];
  return fmt::format(
      "variable {} enters the law of spring {}, which {}, so that loads "
      "are not affine in it",
      variable.name, spring.name, spring.group.empty() ? "may go slack" : "is a group of springs");
}

void require_geometry(const Study& study, std::size_t index) {
  const Variable& variable = study.variables[index];
  const Part part(study, index);
  if (!part.springs().empty() || part.beyond_springs() || part.bounds()) return;
  if (part.limits().empty() && !part.goals())
    throw InputError(variable.where,
                     fmt::format("variable {} has no effect on the mechanism: no spring, body or "
                                 "motion, objective or constraint reads what it sets; remove it",
                                 variable.name));
  throw InputError(
      variable.where,
      fmt::format("variable {} is {}, and enters no spring's law: an exact search cannot size it; "
                  "set it in the model and remove the variable{}",
                  variable.name,
                  part.limits().empty() ? "read by objectives or constraints alone"
                                        : "a limit, " + part.limits(),
                  variable.discrete() ? ""
                                      : ", or say by \"max_evaluations\" how many of its values "
                                        "to try"));
}

SpringRoles find_spring_roles(const Study& study) {
  SpringRoles found;
  if (const int joint = study.model->load_friction_joint(); joint >= 0)
    throw InputError(
        study.search()->where,
        fmt::format(
            "friction of the joint {} grows with its reaction, so that loads are not affine "
            "in the springs, and an exact search finds and proves nothing of them: search "
            "with the method \"nlopt\", or sample; without \"load_coefficient\" it is "
            "exact",
            study.model->nominal.bodies[joint].name));
  for (std::size_t v = 0; v < study.variables.size(); ++v) {
    const Variable& variable = study.variables[v];
    if (variable.kind == VariableKind::motion)
      throw InputError(variable.where,
                       "an exact search runs all motions of the study in every case; name the one "
                       "motion in \"motions\" instead of a variable that selects it");
    const Part part(study, v);
    const bool mass = part.masses_alone() && !variable.discrete();
    const int bent = bent_among(study, part.springs());
    if (bent >= 0 && variable.discrete())
      throw InputError(variable.where,
                       why_not_sized(study, v) +
                           ", and has levels; an exact search chooses among " +
                           (study.model->nominal.springs[bent].group.empty()
                                ? "springs that never go slack: leave \"may_go_slack\" out, or "
                                : "single springs: ") +
                           "search with the method \"nlopt\", or sample");
    const SpringRole role = (!part.springs_alone() && !mass) || bent >= 0 ? SpringRole::outer
                            : variable.discrete()                         ? SpringRole::chosen
                                                                          : SpringRole::sized;
    if (role == SpringRole::outer && variable.discrete()) {
      require_geometry(study, v);
      if (!part.known().empty())
        throw InputError(variable.where,
                         why_not_sized(study, v) +
                             ", and has levels; give a \"range\" without \"count\", or sample");
      throw InputError(
          variable.where,
          fmt::format("variable {} has levels and {}; an exact search needs continuous "
                      "{}: give a \"range\" without \"count\"",
                      variable.name,
                      part.masses_alone() ? "sizes a mass" : "moves more than springs' laws",
                      part.masses_alone() ? "masses" : "geometry"));
    }
    found.roles.push_back(role);
  }
  list(study, found);
  keep_affine_masses(study, found);
  list(study, found);
  for (const int v : found.outer)
    if (const int bent = bent_among(study, Part(study, static_cast<std::size_t>(v)).springs());
        bent >= 0) {
      const bool group = !study.model->nominal.springs[bent].group.empty();
      (group ? found.searches_groups : found.searches_slack) = true;
    }
  if (!found.any())
    for (const int v : found.outer)
      if (const int bent = bent_among(study, Part(study, static_cast<std::size_t>(v)).springs());
          bent >= 0)
        throw InputError(
            study.variables[v].where,
            why_not_sized(study, static_cast<std::size_t>(v)) +
                ", and nothing else is sized: search with the method \"nlopt\", or sample" +
                (study.model->nominal.springs[bent].group.empty()
                     ? "; without \"may_go_slack\" an exact search finds the best springs that "
                       "are never slack"
                     : ""));
  if (!found.any()) throw InputError(study.search()->where, needs_springs);
  require_one_master(study, found);
  return found;
}

SpringRoles with_choices_held(const Study& study, SpringRoles roles) {
  roles.held = std::move(roles.chosen);
  roles.chosen.clear();
  for (const int v : roles.held) roles.roles[v] = SpringRole::held;
  roles.inner_parameters.assign(roles.inner_parameters.size(), false);
  for (const int v : roles.sized)
    Part(study, static_cast<std::size_t>(v)).mark_parameters(roles.inner_parameters);
  return roles;
}

}  // namespace counterpoise
