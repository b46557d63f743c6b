#include "springs/geometry_sizer.hpp"

#include <algorithm>
#include <utility>

#include "springs/problem/exact_goals.hpp"
#include "springs/problem/spring_sizer.hpp"
#include "springs/proof/certificate_text.hpp"
#include "springs/proof/stored_goals.hpp"

namespace counterpoise {
namespace {

const Study& asking_for_springs(const Study& study) {
  if (study.search() == nullptr || study.search()->method != SearchMethod::exact_springs)
    throw InputError({.file = study.path.string()},
                     "its springs are not sized exactly: expected a study with \"search\": "
                     "{\"method\": \"exact-springs\"}");
  return study;
}

SizingGoal without_further(SizingGoal goal) {
  goal.then.clear();
  return goal;
}

}  // namespace

struct GeometrySizer::Impl {
  const Study& study;
  const Interruption interrupted;
  const SpringRoles roles;
  const SizingGoal goal, hasty;
  SpringSizer sizer;
  SizedCase sized{};

  Impl(const Study& s, const Interruption& asked)
      : study(asking_for_springs(s)),
        interrupted(asked),
        roles(find_spring_roles(s)),
        goal(ExactGoals(s).corner_goal(0)),
        hasty(without_further(goal)),
        sizer(s, roles, Reuse::remember, asked) {
    sizer.set_baselines(std::make_shared<const Baselines>(sizer.evaluator().evaluate_baselines()));
  }

  SizedGeometry size(std::span<const double> point, const SizingGoal& of);
};

/// All but what proves the bound.
SizedGeometry GeometrySizer::Impl::size(std::span<const double> point, const SizingGoal& of) {
  std::vector<double> outer;
  for (const int v : roles.outer) outer.push_back(point[v]);
  sizer.size(outer, of, sized);
  SizedGeometry found;
  found.point = sized.point;
  found.outcome = sized.outcome;
  if (!sized.solved) return found;
  found.value = goal.value(found.outcome.objectives);
  if (sized.drives)
    found.bound = sized.drives->open > 0 ? -no_limit : *found.value;
  else
    found.bound =
        roles.chosen.empty() ? sized.solution.certificate.bound : sized.choice.best.front().value;
  return found;
}

GeometrySizer::GeometrySizer(const Study& study, const Interruption& interrupted)
    : impl_(new Impl(study, interrupted)) {}
GeometrySizer::~GeometrySizer() = default;
GeometrySizer::GeometrySizer(GeometrySizer&&) noexcept = default;

const char* GeometrySizer::sized() const {
  return impl_->roles.words();
}

const std::vector<int>& GeometrySizer::geometry() const {
  return impl_->roles.outer;
}

SizedGeometry GeometrySizer::size(std::span<const double> point) {
  Impl& own = *impl_;
  SizedGeometry found = own.size(point, own.goal);
  if (!own.sized.solved || own.sized.drives) return found;
  CertificateRow proof =
      certificate_row(own.study, own.sizer.written(), own.goal, own.sized, own.interrupted);
  found.bound = proof.bound;
  found.certificate = std::move(proof.text);
  return found;
}

SizedGeometry GeometrySizer::reach(std::span<const double> point) {
  return impl_->size(point, impl_->hasty);
}

std::optional<SpringOptimum> GeometrySizer::optimum() {
  return optimum_of(impl_->study, impl_->roles, impl_->sizer, impl_->goal, impl_->sized);
}

int GeometrySizer::objective() const {
  return impl_->goal.largest.front().objective;
}

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
  for (const int v : roles.outer) outer.push_back(point[v]);
  SizedCase sized;
  sizer.size(outer, StoredGoals(results, study).of_case(row.id), sized);
  if (!std::equal(point.begin(), point.end(), sized.point.begin(), sized.point.end()))
    return std::nullopt;
  return std::move(sized.outcome);
}

}  // namespace counterpoise
