#include "studies/exact/exact_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "cases/searches.hpp"
#include "optimizer/search/algorithm.hpp"
#include "studies/exact/problem/exact_goals.hpp"
#include "studies/exact/proving/mount_setup.hpp"
#include "studies/exact/proving/provable.hpp"

namespace counterpoise {
namespace {

/// The objectives that an exact search minimises, first or in turn.
std::vector<int> objectives_sized(const Study& study, const Search& search,
                                  const SpringRoles& roles) {
  if (search.trade_off) return search.trade_off->objectives;
  std::vector<int> objectives(roles.chosen.empty() ? study.objectives.size() : 1);
  std::iota(objectives.begin(), objectives.end(), 0);
  return objectives;
}

/// Writes the problems of the geometry at which the search begins: most expressions that are not
/// convex are found there, before there is a results file.
void write_first_problems(const Study& study, const Search& search, const SpringRoles& roles,
                          SpringSizer& sizer) {
  sizer.set_baselines(std::make_shared<const Baselines>(sizer.evaluator().evaluate_baselines()));
  SearchOptions options = search_options(study, roles.outer, 0);
  for (std::size_t i = 0; i < options.nominal.size(); ++i)
    options.nominal[i] = std::clamp(options.nominal[i], options.lower[i], options.upper[i]);
  for (const int objective : objectives_sized(study, search, roles)) {
    SizingGoal goal;
    goal.largest = {{objective}};
    CaseOutcome outcome;
    sizer.write(options.nominal, goal, outcome);
  }
}

/// Finds what only the problem itself tells of a proof over geometry, before there is a results
/// file.
void check_mounts(const Study& study, const Interruption& interrupted) {
  const auto baselines =
      std::make_shared<const Baselines>(CaseEvaluator(study).evaluate_baselines());
  MountSetup(study, ExactGoals(study).corner_goal(0), baselines, 1, interrupted);
}

}  // namespace

void check_exact(const Study& study, const Interruption& interrupted) {
  const Search& search = *study.search();
  const SpringRoles roles = find_spring_roles(study);
  SpringSizer sizer(study, roles, Reuse::remember, interrupted);  // refuses products
  if (roles.outer.empty() && search.geometry)
    throw InputError(search.where,
                     "every variable is a spring's, so there is one optimum and nothing to search; "
                     "leave out algorithm, starts, max_evaluations, seed and settings");
  if (search.proof) require_provable(study, roles);
  if (!search.geometry)
    for (const int v : roles.outer) require_geometry(study, static_cast<std::size_t>(v));
  if (!roles.outer.empty() && !search.geometry && !search.proof)
    throw InputError(
        search.where,
        fmt::format(
            "variable {} moves more than springs: \"max_evaluations\" says how many "
            "geometries to try (\"algorithm\", \"starts\" and \"seed\" how), or, if it only "
            "moves mounts of springs, \"geometry\": \"prove\" finds the best of all",
            study.variables[static_cast<std::size_t>(roles.outer.front())].name));
  if (search.within > 0.0 && (roles.chosen.empty() || !roles.outer.empty()))
    throw InputError(search.where,
                     "\"within_percent\" keeps combinations of catalogue springs near the best, so "
                     "it needs catalogues, and no geometry to search over");
  if (search.trade_off && !roles.chosen.empty())
    throw InputError(
        search.where,
        "a trade-off is for springs that are sized; with catalogues run the study once "
        "for each objective, or sample it and rank --pareto");
  for (const std::string& algorithm : search.algorithms)
    if (search.geometry) check_algorithm(algorithm, roles.outer.size());
  write_first_problems(study, search, roles, sizer);
  if (search.proof) check_mounts(study, interrupted);
}

}  // namespace counterpoise
