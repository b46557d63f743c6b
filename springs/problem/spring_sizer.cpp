#include "springs/problem/spring_sizer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "optimizer/convex/conflict.hpp"
#include "optimizer/convex/problem.hpp"
#include "optimizer/convex/solve.hpp"
#include "optimizer/convex/tolerances.hpp"
#include "springs/problem/best_springs.hpp"
#include "springs/problem/drive_problem.hpp"
#include "springs/problem/sizing_problem.hpp"

namespace counterpoise {

/// Says that limits with these names exclude each other, whatever is sized (see
/// SpringRoles::words()).
std::string conflict_text(const std::string& sized, const std::string& names);

/// Limits that exclude each other, in words: those that carry the proof of `solution`, which may be
/// more than needed.
std::string proved_conflict(const std::string& sized, const WrittenProblem& written,
                            const ConvexSolution& solution);

/// A smallest set of limits that exclude each other, in words: without any one of its names the
/// others can be met by some spring that is possible at all. Bounds of products follow from others
/// and are not named. Cost: one solve for each name.
std::string whole_conflict(const std::string& sized, const WrittenProblem& written,
                           std::vector<ConvexLimit> limits_of_any_spring,
                           const ConvexOptions& options);

namespace {

constexpr double promise_kept = 1e-7;  // relative, of the promised objective with the engine's
constexpr double slack = 1e-10;        // relative loss of the objective allowed to settle ties
constexpr double equal_cost = 1e-12;   // relative, of drives

}  // namespace

struct SpringSizer::Impl {
  const Study& study;
  const SpringRoles& roles;
  ConvexOptions convex;
  EachIndex each;
  CaseEvaluator evaluator;
  ProblemWriter writer;
  std::vector<AffineLoads> loads;  // per motion
  std::vector<int> held;           // levels of SpringRoles::held
  std::vector<bool> unbounded;     // parameters whose bounds do not exclude a geometry by itself
  Geometry geometry;
  const std::vector<DriveChoice> drive_choices;
  WrittenProblem written;
  ConvexSolution reached;  // the optimum of `written`, before ties are settled

  Impl(const Study& s, const SpringRoles& r, Reuse reuse, const Interruption& interrupted)
      : study(s),
        roles(r),
        convex{.interruption = interrupted},
        evaluator(s, {reuse, false}),
        writer(s, r, interrupted),
        held(r.held.size(), 0),
        unbounded(writer.judged_with_springs()),
        drive_choices(choices_of(s)) {}

  bool take_apart(std::span<const double> outer, CaseOutcome& out);
  /// If there is only one geometry, finding a smallest set is worth its cost.
  [[nodiscard]] std::string conflict(const ConvexSolution& solution) {
    return roles.outer.empty() && roles.chosen.empty()
               ? whole_conflict(roles.words(), written, writer.limits_of_any_spring(), convex)
               : proved_conflict(roles.words(), written, solution);
  }
  bool solve_written(double within, SizedCase& out);
  void finish_sized(const SizingGoal& goal, SizedCase& out);
  void settle_ties(const SizingGoal& goal, SizedCase& out);
  void choose_springs(const SizingGoal& goal, double within, SizedCase& out);
  [[nodiscard]] Combination settled(const SizingGoal& goal, const Combination& reached,
                                    bool same_options);
  [[nodiscard]] bool refuse_empty_stock(CaseOutcome& out) const;
  void judge(const SizingGoal& goal, double promised, SizedCase& out);
  [[nodiscard]] DriveProblem drive_problem() const;
  DrivenSprings without_drives(SizedCase& out) const;
  void size_with_cheapest_drives(const SizingGoal& goal, SizedCase& out);
  void size_with_drives(const SizingGoal& goal, SizedCase& out);
  void settle_with_drives(const std::vector<int>& objectives, SizingGoal& next,
                          DriveProblem& problem, DrivenSprings& found);
  void find_drives(const SizingGoal& goal, SizedCase& out);
  void take(DrivenSprings& found, SizedCase& out);
  void judge_drives(const SizingGoal& goal, SizedCase& out);
  [[nodiscard]] std::vector<double> point_of(const std::vector<double>& x,
                                             const std::vector<int>& options) const;
};

/// Loads are affine in masses, so two values of a mass give the loads of all, exact to rounding.
bool SpringSizer::Impl::take_apart(std::span<const double> outer, CaseOutcome& out) {
  geometry.point.assign(study.variables.size(), 0.0);
  for (std::size_t i = 0; i < outer.size(); ++i) geometry.point[roles.outer[i]] = outer[i];
  for (const int v : roles.sized) geometry.point[v] = study.variables[v].low;
  for (std::size_t i = 0; i < held.size(); ++i) geometry.point[roles.held[i]] = held[i];
  writer.choose_possible(geometry.point);
  geometry.masses.assign(study.motions.size(), {});
  for (const int unknown : roles.masses) {
    const int v = roles.sized[unknown];
    const Variable& variable = study.variables[v];
    geometry.point[v] = variable.high;
    if (!evaluator.take_apart(geometry.point, loads, out, unbounded)) return false;
    for (AffineLoads& motion : loads) motion.add_bent_springs();
    geometry.point[v] = variable.low;
    for (std::size_t m = 0; m < loads.size(); ++m) {
      MassLoads& mass = geometry.masses[m].emplace_back();
      mass.unknown = unknown;
      mass.present = variable.low;
      for (const AffineLoads::ActuatorLoad& load : loads[m].actuators)
        mass.per_unit.push_back(load.bare);
    }
  }
  if (!evaluator.take_apart(geometry.point, loads, out, unbounded)) return false;
  for (AffineLoads& motion : loads) motion.add_bent_springs();  // of which none is sized
  for (std::size_t m = 0; m < loads.size(); ++m)
    for (MassLoads& mass : geometry.masses[m]) {
      const Variable& variable = study.variables[roles.sized[mass.unknown]];
      for (std::size_t a = 0; a < mass.per_unit.size(); ++a)
        for (std::size_t k = 0; k < mass.per_unit[a].size(); ++k) {
          double& slope = mass.per_unit[a][k];
          slope = (slope - loads[m].actuators[a].bare[k]) / (variable.high - variable.low);
        }
    }
  geometry.loads = &loads;
  geometry.parameters = evaluator.parameters();
  geometry.mechanisms.clear();
  for (std::size_t m = 0; m < loads.size(); ++m)
    geometry.mechanisms.push_back(&evaluator.mechanism(m));
  return true;
}

std::vector<double> SpringSizer::Impl::point_of(const std::vector<double>& x,
                                                const std::vector<int>& options) const {
  std::vector<double> point = geometry.point;
  const std::vector<double> u = writer.sized_at(x);
  for (std::size_t i = 0; i < u.size(); ++i) point[roles.sized[i]] = u[i];
  for (std::size_t g = 0; g < options.size(); ++g) {
    const StockGroup& group = written.stock.groups[g];
    point[group.variable] = group.levels[options[g]];
  }
  return point;
}

/// Solves the problem that was written: `reached`, or where springs are chosen `out.choice`.
/// Refuses the case where no springs meet all limits.
bool SpringSizer::Impl::solve_written(double within, SizedCase& out) {
  if (!written.conflict.empty()) {
    out.outcome.refuse(conflict_text(roles.words(), written.conflict), 1.0);
    return false;
  }
  if (roles.chosen.empty()) {
    reached = solve(written.problem, convex);
    if (reached.status != ConvexSolution::Status::infeasible) return true;
    out.solution = reached;
    out.outcome.refuse(conflict(out.solution), std::max(out.solution.certificate.bound, slack));
    return false;
  }
  const ChoiceProblem problem{written.problem, written.stock.options};
  ChoiceOptions options;
  options.within = within;
  if (within > 0.0) options.keep = static_cast<std::size_t>(study.search()->max_cases);
  options.convex = convex;
  options.each = each;
  out.choice = choose(problem, options);
  out.solution = out.choice.relaxed;
  if (!out.choice.best.empty()) return true;
  const bool none = out.solution.status == ConvexSolution::Status::infeasible;
  out.outcome.refuse(none ? conflict(out.solution) : "no combination of springs meets all limits",
                     none ? std::max(out.solution.certificate.bound, slack) : slack);
  return false;
}

/// Makes a case of the springs that reach the goal.
void SpringSizer::Impl::finish_sized(const SizingGoal& goal, SizedCase& out) {
  out.solution = reached;
  out.solved = true;
  settle_ties(goal, out);
  writer.tidy(out.solution.x);
  out.solution.value = objective_of(written.problem, out.solution.x);
  out.solution.gap = out.solution.value - out.solution.certificate.bound;
  out.point = point_of(out.solution.x, {});
  judge(goal, out.solution.value, out);
}

/// Makes further objectives least in turn, without giving up what was reached.
void SpringSizer::Impl::settle_ties(const SizingGoal& goal, SizedCase& out) {
  if (goal.then.empty()) return;
  WrittenProblem own = std::move(written);
  SizingGoal next = goal;
  ConvexOptions options = convex;
  options.proof = false;
  const auto keep = [&](int objective, double value) {
    next.bounds.push_back({objective, value + slack * std::abs(value)});
  };
  for (const SizingGoal::Part& part : goal.largest)
    keep(part.objective, part.reference + out.solution.value / part.weight);
  for (const int objective : goal.then) {
    next.largest = {{objective}};
    writer.write(geometry, next, written);
    options.start = out.solution.x;
    ConvexSolution better = solve(written.problem, options);
    if (better.status == ConvexSolution::Status::infeasible) break;  // slack below rounding
    out.solution.x = std::move(better.x);
    keep(objective, better.value);
  }
  written = std::move(own);
}

/// Whether some chosen variable has no spring that fits.
bool SpringSizer::Impl::refuse_empty_stock(CaseOutcome& out) const {
  for (const StockGroup& group : written.stock.groups) {
    if (!group.levels.empty()) continue;
    const auto kind = [](const std::string& reason) { return reason.substr(0, reason.find(" (")); };
    const bool one_kind = std::all_of(
        group.reasons.begin(), group.reasons.end(),
        [&](const std::string& reason) { return kind(reason) == kind(group.reasons.front()); });
    out.refuse(
        fmt::format("no spring of variable {} fits{}: {}", study.variables[group.variable].name,
                    one_kind ? "" : ", the first for this reason", group.reasons.front()),
        1.0);
    return true;
  }
  return false;
}

/// The combination whose further objectives are least in turn among those as good as `reached`, or
/// of the same options only. Its value is the goal's.
Combination SpringSizer::Impl::settled(const SizingGoal& goal, const Combination& reached,
                                       bool same_options) {
  const WrittenProblem own = written;
  Combination best = reached;
  SizingGoal next = goal;
  const auto keep = [&](int objective, double value) {
    next.bounds.push_back({objective, value + slack * std::abs(value)});
  };
  keep(goal.largest.front().objective, reached.value);
  for (const int objective : goal.then) {
    next.largest = {{objective}};
    writer.write(geometry, next, written);
    ChoiceProblem problem{written.problem, written.stock.options};
    for (std::size_t g = 0; same_options && g < problem.groups.size(); ++g)
      problem.groups[g].options = {problem.groups[g].options[reached.options[g]]};
    ChoiceSolution better = choose(problem, {.convex = convex, .each = each});
    if (better.best.empty()) break;  // slack below rounding
    best = std::move(better.best.front());
    if (same_options) best.options = reached.options;
    keep(objective, best.value);
  }
  written = own;
  best.value = objective_of(written.problem, best.x);
  // limits of combinations hold to rounding only, which must not cost the proof of the goal
  const bool gave_up_more =
      best.value > reached.value + ConvexTolerances::agreement * std::abs(reached.value);
  return gave_up_more ? reached : best;
}

void SpringSizer::Impl::choose_springs(const SizingGoal& goal, double within, SizedCase& out) {
  if (!solve_written(within, out)) return;
  out.solved = true;
  std::vector<Combination>& kept = out.choice.best;
  if (!goal.then.empty()) {
    Combination best = settled(goal, kept.front(), false);
    std::erase_if(kept, [&](const Combination& one) { return one.options == best.options; });
    kept.insert(kept.begin(), std::move(best));
  }
  out.point = point_of(kept.front().x, kept.front().options);
}

DriveProblem SpringSizer::Impl::drive_problem() const {
  DriveProblem problem{
      written.problem, written.stock.options,
      open_drives(study, drive_choices, writer.motions(), written.problem.lower.size())};
  keep_constraints(study, problem);
  return problem;
}

/// The springs that the problem without drives has come to.
DrivenSprings SpringSizer::Impl::without_drives(SizedCase& out) const {
  DrivenSprings start;
  start.x = roles.chosen.empty() ? reached.x : out.choice.best.front().x;
  if (!roles.chosen.empty()) start.options = out.choice.best.front().options;
  out.choice = {};
  out.solution = {};
  return start;
}

/// Finds the cheapest drives that suffice for some springs, and the springs for which further
/// objectives are then least in turn.
void SpringSizer::Impl::size_with_cheapest_drives(const SizingGoal& goal, SizedCase& out) {
  SizingGoal next;
  next.largest = {{goal.then.empty() ? goal.largest.front().objective : goal.then.front()}};
  writer.write(geometry, next, written);
  if (!solve_written(0.0, out)) return;
  const DrivenSprings start = without_drives(out);
  DriveProblem problem = drive_problem();
  DrivenSprings found = cheapest_drives(problem, {start.options, start.x, 0.0}, convex);
  if (found.pairs.empty()) {
    out.outcome.refuse(words_of_lacking(study, found), 1.0);
    return;
  }
  out.drives = {found.cost, found.open};
  problem.most_cost = found.cost * (1.0 + equal_cost);
  for (std::size_t d = 0; d < problem.drives.size(); ++d) problem.drives[d].pairs = found.left[d];
  settle_with_drives(goal.then, next, problem, found);
  take(found, out);
  judge_drives(goal, out);
}

/// Looks for other springs where drives lack for those that are best without them.
void SpringSizer::Impl::find_drives(const SizingGoal& goal, SizedCase& out) {
  if (out.solved && !out.drives && finds_with_drives(study) &&
      lacks_drives_only(study, out.outcome))
    size_with_drives(goal, out);
}

/// Finds the springs that reach the goal best among those for which drives suffice, after those
/// that are best without drives have none.
void SpringSizer::Impl::size_with_drives(const SizingGoal& goal, SizedCase& out) {
  const std::string reason = std::move(out.outcome.reason);
  out.solved = false;
  out.outcome.computable = false;
  DriveProblem problem = drive_problem();
  DrivenSprings found = best_springs(problem, without_drives(out), convex);
  if (found.pairs.empty()) {
    out.outcome.reason = fmt::format("{}; with the springs that are best without drives, {}",
                                     words_of_lacking(study, found), reason);
    out.point = geometry.point;
    return;
  }
  const WrittenProblem own = written;
  out.drives = {found.value, found.open};
  SizingGoal next = goal;
  for (const SizingGoal::Part& part : goal.largest) {
    const double value = part.reference + found.value / part.weight;
    next.bounds.push_back({part.objective, value + slack * std::abs(value)});
  }
  settle_with_drives(goal.then, next, problem, found);
  written = own;
  take(found, out);
  out.solution.x = std::move(found.x);
  judge(goal, objective_of(written.problem, out.solution.x), out);
}

void SpringSizer::Impl::take(DrivenSprings& found, SizedCase& out) {
  out.solved = true;
  writer.tidy(found.x);
  out.point = point_of(found.x, found.options);
}

/// Makes objectives least in turn, without giving up what the bounds of `next` hold.
void SpringSizer::Impl::settle_with_drives(const std::vector<int>& objectives, SizingGoal& next,
                                           DriveProblem& problem, DrivenSprings& found) {
  for (const int objective : objectives) {
    next.largest = {{objective}};
    writer.write(geometry, next, written);
    problem.convex = written.problem;
    found = best_springs(problem, found, convex);
    next.bounds.push_back({objective, found.value + slack * std::abs(found.value)});
  }
}

/// Evaluates the springs with the engine, which chooses drives for them by itself.
void SpringSizer::Impl::judge_drives(const SizingGoal& goal, SizedCase& out) {
  evaluator.evaluate(out.point, out.outcome);
  if (!out.outcome.computable) return;
  const double reached = out.outcome.objectives[goal.largest.front().objective];
  const double promised = out.drives->value;
  const double size = promise_kept * std::max(std::abs(promised), std::abs(reached));
  if (std::abs(reached - promised) <= size || (out.drives->open > 0 && reached < promised)) return;
  out.outcome.status = CaseStatus::failed;
  out.outcome.reason = fmt::format(
      "the cheapest drives promised to cost {:.9g}, but the evaluation of these springs "
      "gives {:.9g}",
      promised, reached);
}

/// Evaluates the optimum with the engine and compares the result with that of the solver.
void SpringSizer::Impl::judge(const SizingGoal& goal, double promised, SizedCase& out) {
  evaluator.evaluate(out.point, out.outcome);
  if (!out.outcome.computable) return;
  double reached = -no_limit, size = 0.0;
  for (const SizingGoal::Part& part : goal.largest) {
    const double value = out.outcome.objectives[part.objective];
    reached = std::max(reached, part.weight * (value - part.reference));
    size = std::max({size, std::abs(part.weight * value), std::abs(part.weight * part.reference)});
  }
  for (const ConvexSum& piece : written.problem.objective) {
    double constant = std::abs(piece.constant);
    for (const ConvexSum::Term& term : piece.norms) {
      const std::vector<double> nothing(written.problem.lower.size(), 0.0);
      const SeriesNorm& norm = written.problem.norms[term.index];
      constant += std::abs(term.weight) * value_of(written.problem, norm, nothing);
    }
    size = std::max(size, constant);
  }
  if (std::abs(reached - promised) <= promise_kept * size) return;
  size = std::max(size, size_of_terms(written.problem, out.solution.x));
  if (std::abs(reached - promised) <= promise_kept * size) return;
  out.outcome.status = CaseStatus::failed;
  out.outcome.reason =
      fmt::format("sizing promised {:.9g}, but the evaluation of these springs gives {:.9g}",
                  promised, reached);
}

SpringSizer::SpringSizer(const Study& study, const SpringRoles& roles, Reuse reuse,
                         const Interruption& interrupted)
    : impl_(new Impl(study, roles, reuse, interrupted)) {}
SpringSizer::~SpringSizer() = default;
SpringSizer::SpringSizer(SpringSizer&&) noexcept = default;

void SpringSizer::set_baselines(const std::shared_ptr<const Baselines>& baselines) {
  impl_->evaluator.set_baselines(baselines);
  impl_->writer.set_baselines(*baselines);
}

void SpringSizer::hold(std::span<const int> levels) {
  impl_->held.assign(levels.begin(), levels.end());
}

void SpringSizer::leave_bounds_of_parameters() {
  impl_->unbounded.assign(impl_->unbounded.size(), true);
}

void SpringSizer::spread(EachIndex each) {
  impl_->each = std::move(each);
}

std::string SpringSizer::fault_of(int variable, int level, const std::vector<double>& point) {
  return impl_->writer.fault_of(variable, level, point);
}

bool SpringSizer::write(std::span<const double> outer, const SizingGoal& goal, CaseOutcome& out) {
  Impl& own = *impl_;
  out.begin();
  if (!own.take_apart(outer, out)) return false;
  own.writer.write(own.geometry, goal, own.written);
  if (own.refuse_empty_stock(out)) return false;
  if (is_finite(own.written.problem)) return true;
  out.refuse("lengths of springs, loads or objectives are too large to be computed here", 1.0);
  return false;
}

void SpringSizer::size(std::span<const double> outer, const SizingGoal& goal, SizedCase& out,
                       double within) {
  Impl& own = *impl_;
  out.solved = false;
  out.drives.reset();
  if (write(outer, goal, out.outcome)) {
    if (minimises_drives(own.study, goal.largest.front().objective)) {
      own.size_with_cheapest_drives(goal, out);
    } else if (own.roles.chosen.empty()) {
      if (own.solve_written(0.0, out)) own.finish_sized(goal, out);
    } else {
      own.choose_springs(goal, within, out);
      if (out.solved) own.judge(goal, out.choice.best.front().value, out);
    }
    own.find_drives(goal, out);
  }
  if (!out.solved) out.point = own.geometry.point;
}

void SpringSizer::settle(std::span<const double> outer, const SizingGoal& goal, SizedCase& out) {
  if (!impl_->roles.chosen.empty() || out.drives) return size(outer, goal, out);
  impl_->finish_sized(goal, out);
  impl_->find_drives(goal, out);
}

const WrittenProblem& SpringSizer::written() const {
  return impl_->written;
}

const ProblemWriter& SpringSizer::writer() const {
  return impl_->writer;
}

const std::vector<AffineLoads>& SpringSizer::loads() const {
  return impl_->loads;
}

const std::vector<double>& SpringSizer::point() const {
  return impl_->geometry.point;
}

std::vector<double> SpringSizer::point_of(const Combination& combination) const {
  return impl_->point_of(combination.x, combination.options);
}

Combination SpringSizer::settled(const SizingGoal& goal, const Combination& combination) {
  return impl_->settled(goal, combination, true);
}

CaseEvaluator& SpringSizer::evaluator() {
  return impl_->evaluator;
}

namespace {

void add_once(std::vector<std::string>& names, std::string name) {
  if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(std::move(name));
}

std::string listed(const std::vector<std::string>& names, std::size_t most) {
  std::string text;
  for (std::size_t i = 0; i < std::min(names.size(), most); ++i)
    text += (i == 0 ? "" : ", ") + names[i];
  return text + (names.size() > most ? ", ..." : "");
}

}  // namespace

std::string conflict_text(const std::string& sized, const std::string& names) {
  return "no " + sized + " can meet all of: " + names +
         "; without any one of these the others can be met";
}

std::string proved_conflict(const std::string& sized, const WrittenProblem& written,
                            const ConvexSolution& solution) {
  constexpr std::size_t most_named = 4;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < written.limits.size(); ++i)
    if (solution.certificate.limits[i] > 0.0) add_once(names, written.limits[i].name);
  return "no " + sized + " within bounds meet all limits: " + listed(names, most_named);
}

std::string whole_conflict(const std::string& sized, const WrittenProblem& written,
                           std::vector<ConvexLimit> limits_of_any_spring,
                           const ConvexOptions& options) {
  ConvexProblem problem = written.problem;
  ConflictMembers members;
  std::vector<std::string> names;
  for (std::size_t l = 0; l < written.limits.size(); ++l) {
    const auto known = std::find(names.begin(), names.end(), written.limits[l].name);
    if (known == names.end()) {
      names.push_back(written.limits[l].name);
      members.groups.push_back({static_cast<int>(l)});
    } else {
      members.groups[known - names.begin()].push_back(static_cast<int>(l));
    }
  }
  for (ConvexLimit& limit : limits_of_any_spring) {
    members.always.push_back(static_cast<int>(problem.limits.size()));
    problem.limits.push_back(std::move(limit));
  }
  for (std::size_t at = 0; at < written.rates.size(); ++at)
    if (written.rates[at] >= 0) members.unbounded.push_back(static_cast<int>(at));
  const Conflict conflict = smallest_conflict(problem, options, members);
  names.clear();
  for (const int limit : conflict.limits) add_once(names, written.limits[limit].name);
  for (const Conflict::Bound& bound : conflict.bounds) {
    const auto at = static_cast<std::size_t>(bound.variable);
    add_once(names,
             fmt::format("{} at {} {:.6g}", written.names[at], bound.upper ? "most" : "least",
                         bound.upper ? problem.upper[at] : problem.lower[at]));
  }
  if (names.size() == 1) return "no " + sized + " can meet " + names.front();
  return conflict_text(sized, listed(names, names.size()));
}

}  // namespace counterpoise
