#include "studies/exact/optimum/sized_again.hpp"

#include <algorithm>

#include "studies/exact/problem/spring_sizer.hpp"
#include "studies/exact/proof/stored_goals.hpp"

namespace counterpoise {

std::optional<CaseOutcome> sized_again(const Study& study, const ResultsFile& results,
                                       const CaseRow& row, std::span<const double> point,
                                       const std::shared_ptr<const Baselines>& baselines) {
  const Search* search = study.search();
  if (search == nullptr || search->method != SearchMethod::exact_springs ||
      row.status == Status::feasible)
    return std::nullopt;
  const SpringRoles roles = find_spring_roles(study);
  SpringSizer sizer(study, roles);
  sizer.set_baselines(baselines);
  std::vector<double> outer;
  for (const int v : roles.outer) outer.push_back(point[static_cast<std::size_t>(v)]);
  SizedCase sized;
  sizer.size(outer, StoredGoals(results, study).of_case(row.id), sized);
  if (!std::equal(point.begin(), point.end(), sized.point.begin(), sized.point.end()))
    return std::nullopt;
  return std::move(sized.outcome);
}

}  // namespace counterpoise
