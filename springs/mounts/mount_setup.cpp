#include "springs/mounts/mount_setup.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cases/searches.hpp"
#include "optimizer/convex/problem.hpp"
#include "optimizer/convex/solve.hpp"
#include "optimizer/convex/tolerances.hpp"

namespace counterpoise {
namespace {

constexpr double most_choices = 10'000;  // of springs for one part

std::size_t place_of(const std::vector<int>& list, int variable) {
  return static_cast<std::size_t>(std::find(list.begin(), list.end(), variable) - list.begin());
}

/// The next of all combinations of digits, the last digit first; false after the last one.
bool advance(std::vector<int>& digits, const std::vector<int>& counts) {
  for (std::size_t i = digits.size(); i-- > 0;) {
    if (++digits[i] < counts[i]) return true;
    digits[i] = 0;
  }
  return false;
}

}  // namespace

MountSetup::MountSetup(const Study& study, const SizingGoal& goal,
                       const std::shared_ptr<const Baselines>& baselines, int threads,
                       const Interruption& interrupted, PartsOf what)
    : study_(study),
      roles_(with_choices_held(study, find_spring_roles(study))),
      goal_(goal),
      interrupted_(interrupted) {
  goal_.then.clear();
  for (int t = 0; t < threads; ++t) {
    sizers_.emplace_back(study_, roles_, Reuse::remember, interrupted);
    sizers_.back().leave_bounds_of_parameters();
    sizers_.back().set_baselines(baselines);
  }
  find_possible_levels();
  find_reference();
  for (MountPart& part : mount_parts(study_, roles_, sizers_.front(), what))
    families_.push_back({std::move(part), {}});
  require_countable();
  floor_ = ConvexTolerances::agreement * size_without_springs(sizers_.front().written().problem);
}

double MountSetup::objective_of(std::span<const double> parts) const {
  const double largest = *std::max_element(parts.begin(), parts.end());
  if (!adds_up() || largest == no_limit) return largest;
  Interval sum(0.0);
  for (const double part : parts) sum += Interval(part);
  return std::isfinite(sum.low) ? sum.low : -no_limit;
}

/// For each held variable, the levels that are possible at some mounts.
void MountSetup::find_possible_levels() {
  std::vector<double> middle;
  for (const Variable& variable : study_.variables)
    middle.push_back(variable.discrete() ? 0.0 : variable.low + (variable.high - variable.low) / 2);
  for (const int v : roles_.held) {
    const Variable& variable = study_.variables[v];
    std::vector<int>& levels = possible_.emplace_back();
    std::string fault;
    for (int level = 0; level < static_cast<int>(variable.level_count()); ++level) {
      fault = sizers_.front().fault_of(v, level, middle);
      if (fault.empty()) levels.push_back(level);
    }
    if (levels.empty())
      throw InputError(variable.where, fmt::format("no spring of variable {} is possible: {}",
                                                   variable.name, fault));
  }
}

/// Writes the problem at the geometry of the model, or in the middle of all ranges.
void MountSetup::find_reference() {
  const SearchOptions options = search_options(study_, roles_.outer, 0);
  for (const std::vector<int>& levels : possible_) reference_.held.push_back(levels.front());
  sizers_.front().hold(reference_.held);
  CaseOutcome outcome;
  for (const bool nominal : {true, false}) {
    reference_.outer.clear();
    for (std::size_t i = 0; i < options.lower.size(); ++i) {
      const double low = options.lower[i], high = options.upper[i];
      reference_.outer.push_back(nominal ? std::clamp(options.nominal[i], low, high)
                                         : low + (high - low) / 2.0);
    }
    if (!sizers_.front().write(reference_.outer, goal_, outcome)) continue;
    if (const auto& beside = sizers_.front().written().beside; !beside.empty())
      throw InputError(study_.search()->where,
                       fmt::format("the {} is not linear in the springs, and a proof over geometry "
                                   "must contain every limit; state it as a constraint or a range, "
                                   "or search with \"algorithm\" in place of \"geometry\"",
                                   beside.front()));
    static_cast<void>(length_constraints(study_, sizers_.front().writer().values()));
    return;
  }
  throw InputError(
      study_.search()->where,
      "there is no design in the middle of the ranges, where a proof begins: " + outcome.reason);
}

void MountSetup::require_countable() const {
  for (const MountFamily& family : families_) {
    double count = 1.0;
    for (const int v : family.part.held)
      count *= static_cast<double>(possible_[place_of(roles_.held, v)].size());
    if (count <= most_choices) continue;
    const Variable& first = study_.variables[family.part.held.front()];
    throw InputError(
        first.where,
        fmt::format("found {} combinations of springs that depend on each other, expected at most "
                    "{}: a proof over geometry tries each; leave out rows by \"where\", or search "
                    "with \"algorithm\" in place of \"geometry\"",
                    count, most_choices));
  }
}

void MountSetup::write_choices() {
  SpringSizer& sizer = sizers_.front();
  for (MountFamily& family : families_) {
    std::shared_ptr<const MountGeometry> geometry;
    std::vector<int> digits(family.part.held.size(), 0), counts;
    for (const int v : family.part.held)
      counts.push_back(static_cast<int>(possible_[place_of(roles_.held, v)].size()));
    do {
      interrupted_.poll();
      MountChoice& choice = family.choices.emplace_back();
      for (std::size_t i = 0; i < digits.size(); ++i)
        choice.levels.push_back(possible_[place_of(roles_.held, family.part.held[i])][digits[i]]);
      MountPlace at = reference_;
      place(family, choice, {}, at);
      sizer.hold(at.held);
      CaseOutcome outcome;
      if (!sizer.write(at.outer, goal_, outcome))
        throw InputError(study_.search()->where,
                         "there is no design in the middle of the ranges with these springs, "
                         "where a proof begins: " +
                             outcome.reason);
      if (!sizer.writer().broken_constraint().empty()) continue;
      if (!geometry) geometry = std::make_shared<const MountGeometry>(study_, family.part, sizer);
      auto problem = std::make_unique<MountProblem>(study_, roles_, sizer, family.part, geometry);
      if (!problem->impossible()) choice.problem = std::move(problem);
    } while (advance(digits, counts));
  }
}

std::vector<CornerSolver> MountSetup::solvers(const MountFamily& family,
                                              const MountChoice& choice) {
  MountPlace geometry = reference_;
  place(family, choice, {}, geometry);
  std::vector<CornerSolver> solvers;
  for (SpringSizer& sizer : sizers_)
    solvers.emplace_back(*choice.problem, roles_, sizer, goal_, geometry, interrupted_);
  return solvers;
}

std::optional<MountSetup::Found> MountSetup::find(const StoredMounts::Part& part) const {
  const auto f = static_cast<std::size_t>(part.index);
  if (f >= families_.size()) return std::nullopt;
  const std::vector<int>& variables = families_[f].part.variables;
  if (!std::equal(
          variables.begin(), variables.end(), part.loosest.begin(), part.loosest.end(),
          [&](int v, const auto& range) { return study_.variables[v].name == range.variable; }))
    return std::nullopt;
  const std::vector<MountChoice>& choices = families_[f].choices;
  const auto at = std::find_if(choices.begin(), choices.end(), [&](const MountChoice& choice) {
    return choice.problem && std::equal(choice.levels.begin(), choice.levels.end(),
                                        part.levels.begin(), part.levels.end());
  });
  if (at == choices.end()) return std::nullopt;
  return Found{f, static_cast<std::size_t>(at - choices.begin())};
}

void MountSetup::place(const MountFamily& family, const MountChoice& choice,
                       std::span<const double> at, MountPlace& place) const {
  const MountPart& part = family.part;
  for (std::size_t i = 0; i < choice.levels.size(); ++i)
    place.held[place_of(roles_.held, part.held[i])] = choice.levels[i];
  for (std::size_t i = 0; i < at.size(); ++i)
    place.outer[place_of(roles_.outer, part.variables[i])] =
        choice.problem->functions().value_at(static_cast<int>(i), at[i]);
}

namespace {

/// The sum of two certificates' multipliers, the second times a factor. Both hold for the same
/// problem, except for limits that the first one leaves out.
Certificate added(Certificate to, const Certificate& more, double factor) {
  to.limits.resize(more.limits.size(), 0.0);
  for (std::size_t l = 0; l < more.limits.size(); ++l) to.limits[l] += factor * more.limits[l];
  for (Certificate::Witness witness : more.witnesses) {
    witness.weight *= factor;
    to.witnesses.push_back(witness);
  }
  return to;
}

}  // namespace

CornerSolver::CornerSolver(const MountProblem& problem, const SpringRoles& roles,
                           SpringSizer& sizer, const SizingGoal& goal, MountPlace geometry,
                           Interruption interrupted)
    : problem_(problem),
      roles_(roles),
      sizer_(sizer),
      goal_(goal),
      geometry_(std::move(geometry)),
      options_{.interruption = std::move(interrupted)} {
  goal_.then.clear();
}

void CornerSolver::note(const Certificate& certificate, const MountProblem::Share& share,
                        std::optional<InstantMultipliers>& out) const {
  InstantMultipliers found = problem_.by_instant(certificate, share, sizer_);
  if (problem_.fault_of(found).empty()) out = std::move(found);
}

/// Where limits exclude each other: notes their multipliers as the conflict, and as the optimum the
/// multipliers without limits plus so large a multiple of the conflict that the bound is far above.
void CornerSolver::solve_conflict(const MountProblem::Share& share, const ConvexSolution& none,
                                  MountCorner& out) {
  note(none.certificate, share, out.conflict);
  ConvexProblem free = share.problem;
  free.limits.clear();
  const ConvexSolution relaxed = counterpoise::solve(free, options_);
  const double size = std::max(std::abs(relaxed.value), size_without_springs(free));
  const double factor = none.certificate.bound > 0.0 ? 2.0 * size / none.certificate.bound : 0.0;
  note(added(relaxed.certificate, none.certificate, factor), share, out.optimal);
  out.weights = problem_.weights_of(out.optimal, out.conflict);
  out.x = relaxed.x;
}

MountCorner CornerSolver::solve(std::span<const double> at, const std::vector<double>& start) {
  MountCorner out;
  const MountPart& part = problem_.part();
  for (std::size_t i = 0; i < part.variables.size(); ++i) {
    const auto place = std::find(roles_.outer.begin(), roles_.outer.end(), part.variables[i]);
    geometry_.outer[place - roles_.outer.begin()] =
        problem_.functions().value_at(static_cast<int>(i), at[i]);
  }
  CaseOutcome outcome;
  sizer_.hold(geometry_.held);
  if (!sizer_.write(geometry_.outer, goal_, outcome)) return out;
  const MountProblem::Share share = problem_.share_of(sizer_.written());
  options_.start = start;
  const ConvexSolution solution = counterpoise::solve(share.problem, options_);
  if (solution.status == ConvexSolution::Status::infeasible) {
    options_.start.clear();
    solve_conflict(share, solution, out);
    return out;
  }
  note(solution.certificate, share, out.optimal);
  out.weights = problem_.weights_of(out.optimal, out.conflict);
  out.x = solution.x;
  if (problem_.keeps_lengths(sizer_.written(), sizer_.loads()) && problem_.keeps_parameters(at))
    out.value = solution.value;
  return out;
}

}  // namespace counterpoise
