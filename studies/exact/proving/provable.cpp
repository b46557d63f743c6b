#include "studies/exact/proving/provable.hpp"

#include <fmt/format.h>

#include "optimizer/enclosure/dyadic_simplex.hpp"
#include "studies/exact/mounts/length_constraints.hpp"
#include "studies/exact/mounts/mount_functions.hpp"

namespace counterpoise {
namespace {

/// Refuses a bounded parameter that follows from a spring's choice and from another variable:
/// whether the spring is possible would depend on both.
void require_apart(const Study& study, int chosen, int other) {
  const auto follows = [&](int variable, std::size_t p) -> bool {
    return study.reach[static_cast<std::size_t>(variable)].design.parameters[p];
  };
  for (std::size_t p = 0; p < study.model->parameters.size(); ++p) {
    const Parameter& parameter = study.model->parameters[p];
    if (!(parameter.min || parameter.max) || !follows(chosen, p) || !follows(other, p)) continue;
    throw InputError(
        study.variables[static_cast<std::size_t>(chosen)].where,
        fmt::format("variables {} and {} both change parameter {}, which has bounds; a proof over "
                    "geometry needs a constraint in place of these",
                    study.variables[static_cast<std::size_t>(chosen)].name,
                    study.variables[static_cast<std::size_t>(other)].name, parameter.name));
  }
}

}  // namespace

void require_provable(const Study& study, const SpringRoles& roles) {
  const Search& search = *study.search();
  if (roles.outer.empty())
    throw InputError(
        search.where,
        "\"geometry\": \"prove\" needs variables that move mounts of springs; here all "
        "belong to the springs themselves, whose optimum is proved without it");
  if (roles.outer.size() > most_dimensions)
    throw InputError(
        search.where,
        fmt::format("found {} variables that move mounts, expected at most {}: a proof "
                    "over more would not end; fix some, or search with \"algorithm\"",
                    roles.outer.size(), most_dimensions));
  for (const int chosen : roles.chosen)
    for (int v = 0; v < static_cast<int>(study.variables.size()); ++v)
      if (v != chosen) require_apart(study, chosen, v);
  if (search.trade_off)
    throw InputError(
        search.where,
        "a trade-off is no single objective, so \"geometry\": \"prove\" cannot go with "
        "it; prove a weighted sum of objectives");
  for (const int v : roles.outer) require_mount(study, roles, static_cast<std::size_t>(v));
  const Objective& first = study.objectives.front();  // the others only settle ties
  if (first.expression && spring_of_length(study, roles.sized, *first.expression, first.where) >= 0)
    throw InputError(first.where,
                     "reads a length of a spring, which a proof over geometry takes in constraints "
                     "only; search with \"algorithm\" in place of \"geometry\"");
  for (const Constraint& constraint : study.constraints)
    static_cast<void>(
        spring_of_length(study, roles.sized, constraint.expression, constraint.where));
}

}  // namespace counterpoise
