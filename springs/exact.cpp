#include "springs/exact.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <stop_token>

#include "cases/clock.hpp"
#include "cases/searches.hpp"
#include "cases/threads.hpp"
#include "optimizer/search/algorithm.hpp"
#include "results/rows/tie_order.hpp"
#include "springs/mounts/mount_setup.hpp"
#include "springs/mounts/prove_run.hpp"
#include "springs/problem/drive_problem.hpp"
#include "springs/problem/exact_goals.hpp"
#include "springs/problem/spring_sizer.hpp"
#include "springs/proof/certificate_text.hpp"

namespace counterpoise {
namespace {

/// Whether a goal is not one objective as it is.
bool is_weighted(const SizingGoal& goal) {
  const SizingGoal::Part& first = goal.largest.front();
  return goal.largest.size() > 1 || first.weight != 1.0 || first.reference != 0.0;
}

/// What all starts of an exact search share.
struct ExactRun {
  const RunState& state;
  const SpringRoles roles;
  const ExactGoals goals;
  SearchStore store;

  explicit ExactRun(const RunState& s)
      : state(s), roles(find_spring_roles(s.study)), goals(s.study), store(s) {}

  [[nodiscard]] const Search& search() const { return *state.study.search(); }
  /// How near a case must be to the best of its start to tie with it. Weighted goals have no ties:
  /// designs are ranked by objectives.
  [[nodiscard]] TieTolerance ties_of(const SizingGoal& goal) const {
    if (is_weighted(goal)) return {0.0, 0.0};
    const auto objective = static_cast<std::size_t>(goal.largest.front().objective);
    const CaseOutcome& bare = state.baselines->pairs.front().without_springs;
    const bool known = bare.status == CaseStatus::feasible;
    return {state.study.ties[objective], known ? bare.objectives[objective] : 0.0};
  }
  [[nodiscard]] SpringSizer sizer() const {
    SpringSizer made(state.study, roles, state.options.reuse, state.options.interrupted);
    made.set_baselines(state.baselines);
    return made;
  }
};

/// What is stored of a case for which only the goal itself was minimised: the objectives that this
/// leaves open are not known.
CaseOutcome unsettled(const SizingGoal& goal, CaseOutcome outcome) {
  if (goal.then.empty() || outcome.status != CaseStatus::feasible) return outcome;
  const bool one = !is_weighted(goal);
  for (std::size_t i = 0; i < outcome.objectives.size(); ++i)
    if (!one || static_cast<int>(i) != goal.largest.front().objective)
      outcome.objectives[i] = std::numeric_limits<double>::quiet_NaN();
  outcome.reason = unsettled_reason;
  return outcome;
}

/// One task at the only geometry there is: its design, or all combinations near the best. Nothing
/// is stored before all long computations are done.
void run_geometry(ExactRun& run, int task, const SizingGoal& goal) {
  const Study& study = run.state.study;
  const Interruption& interrupted = run.state.options.interrupted;
  const WorkMeter meter;
  SpringSizer sizer = run.sizer();
  sizer.spread([](std::size_t count, const std::function<void(std::size_t)>& body) {
    parallel_each(count, body);
  });
  StartRows rows(run.state, run.store, task);
  SizedCase sized;
  sizer.size({}, goal, sized, run.search().within);
  std::optional<CertificateRow> proof;
  if (sized.solved && !sized.drives && sized.outcome.status == CaseStatus::feasible)
    proof = certificate_row(study, sizer.written(), goal, sized, interrupted);
  std::vector<StudyEntry> entries = choice_entries(study, sizer, sized, task, interrupted);
  rows.add(sized.point, sized.outcome, std::move(proof));
  CaseOutcome outcome;
  const std::int64_t most = run.search().within > 0.0 ? run.search().max_cases : 1;
  const std::int64_t cases = std::clamp<std::int64_t>(std::ssize(sized.choice.best), 1, most);
  const TieTolerance ties = run.ties_of(goal);
  for (std::int64_t i = 1; i < cases; ++i) {
    interrupted.poll();
    Combination one = sized.choice.best[i];
    const double best = sized.choice.best.front().value;
    const bool chosen_alone = run.roles.sized.empty();
    const bool settle = chosen_alone || one.value <= best + ties.at(best);
    if (settle && !chosen_alone) one = sizer.settled(goal, one);
    const std::vector<double> point = sizer.point_of(one);
    sizer.evaluator().evaluate(point, outcome);
    rows.add(point, settle ? outcome : unsettled(goal, outcome));
  }
  rows.finish(task, StartEnd{sized.solved ? "solved" : "no design", cases}, std::move(entries));
  run.store.note(sizer.evaluator().counts(), meter.passed());
}

/// One start of one task over the geometry. Ties are settled, and proofs kept, where they may
/// matter: at geometries that are better than all before or tie with the best of them, as all do
/// that tie with the best in the end. Interrupted it ends with the last geometry that was finished.
void run_start(ExactRun& run, int start, const SizingGoal& goal) {
  const Study& study = run.state.study;
  const Interruption& interrupted = run.state.options.interrupted;
  const WorkMeter meter;
  SpringSizer sizer = run.sizer();
  StartRows rows(run.state, run.store, std::int64_t{start} * run.search().max_evaluations);
  std::stop_source stop;
  SizingGoal hasty = goal;
  hasty.then.clear();
  SizedCase sized;
  const TieTolerance ties = run.ties_of(goal);
  std::optional<double> best;
  const auto contends = [&] {
    return sized.solved && sized.outcome.status == CaseStatus::feasible &&
           (!best || goal.value(sized.outcome.objectives) <= *best + ties.at(*best));
  };
  const auto size_and_store = [&](std::span<const double> outer) {
    interrupted.poll();
    sizer.size(outer, hasty, sized);
    if (!goal.then.empty() && contends()) sizer.settle(outer, goal, sized);
    if (!contends()) {
      rows.add(sized.point, unsettled(goal, sized.outcome));
      return;
    }
    std::optional<CertificateRow> proof;
    if (!sized.drives) proof = certificate_row(study, sizer.written(), goal, sized, interrupted);
    const double value = goal.value(sized.outcome.objectives);
    best = std::min(best.value_or(value), value);
    rows.add(sized.point, sized.outcome, std::move(proof));
  };
  const auto evaluate = [&](std::span<const double> outer) {
    try {
      size_and_store(outer);
    } catch (const Interrupted&) {
      stop.request_stop();
      return Evaluation{0.0, 0.0, false};
    }
    if (!sized.outcome.computable) return Evaluation{0.0, sized.outcome.violation, false};
    return Evaluation{goal.value(sized.outcome.objectives), sized.outcome.violation, true};
  };
  // tasks of one trade-off begin at the same points
  const SearchSummary summary =
      search(search_options(study, run.roles.outer, start % run.search().starts), evaluate,
             stop.get_token());
  std::optional<StartEnd> ended = end_of(summary);
  std::vector<StudyEntry> entries;
  if (!run.roles.chosen.empty() && summary.found && ended) try {
      sizer.size(summary.x, goal, sized);
      entries = choice_entries(study, sizer, sized, start, interrupted);
    } catch (const Interrupted&) {
      ended.reset();
    }
  rows.finish(start, ended, std::move(entries));
  run.store.note(sizer.evaluator().counts(), meter.passed());
}

void run_tasks(ExactRun& run, const std::vector<int>& starts,
               const std::function<SizingGoal(int task)>& goal_of) {
  run_starts(run.state, starts, [&](int start) {
    const int task = start / run.search().starts;
    if (run.roles.outer.empty())
      run_geometry(run, task, goal_of(task));
    else
      run_start(run, start, goal_of(task));
  });
}

}  // namespace

RunSummary run_exact(const RunState& state) {
  ExactRun run(state);
  run.store.note(state.let_go_of_first(), state.baseline_time);
  const int starts = run.search().starts;
  const std::vector<int> open = open_starts(state);
  std::vector<int> first, second;
  for (const int start : open)
    (run.goals.is_corner(start / starts) ? first : second).push_back(start);
  run_tasks(run, first, [&](int task) { return run.goals.corner_goal(task); });
  if (!second.empty() && !state.interrupted()) {
    const auto reached = run.goals.reached_at_corners(ResultsFile(state.store.path()));
    run_tasks(run, second, [&](int task) { return run.goals.goal(task, reached); });
  }
  return run.store.summary();
}

namespace {

/// The objectives that an exact search minimises, first or in turn.
std::vector<int> objectives_sized(const Study& study, const Search& search,
                                  const SpringRoles& roles) {
  if (search.trade_off) return search.trade_off->objectives;
  const bool all = roles.chosen.empty() || minimises_drives(study, 0);
  std::vector<int> objectives(all ? study.objectives.size() : 1);
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

/// Refuses a proof over geometry where a spring may go slack, is a group, or has friction or mass.
void require_springs_alone(const Study& study) {
  for (const Spring& spring : study.model->nominal.springs) {
    if (spring.heavy)
      throw InputError(
          study.search()->where,
          fmt::format("spring {} has mass, whose loads depend on its mounts as well, and "
                      "\"geometry\": \"prove\" proves nothing of it; search with \"algorithm\" in "
                      "place of \"geometry\", or leave out \"mass\"",
                      spring.name));
    if (spring.rubs)
      throw InputError(
          study.search()->where,
          fmt::format("spring {} has friction, which turns round where its mounts let it move the "
                      "other way, and \"geometry\": \"prove\" proves nothing of it; search with "
                      "\"algorithm\" in place of \"geometry\", or leave out \"friction\"",
                      spring.name));
    if (!spring.group.empty())
      throw InputError(
          study.search()->where,
          fmt::format("spring {} is a group of springs, so that loads are not affine in its "
                      "tension, and \"geometry\": \"prove\" proves nothing of it; search with "
                      "\"algorithm\" in place of \"geometry\", or put one spring in its place",
                      spring.name));
    if (spring.may_go_slack())
      throw InputError(
          study.search()->where,
          fmt::format("spring {} may go slack, so that loads are not affine in its tension, and "
                      "\"geometry\": \"prove\" proves nothing of it; search with \"algorithm\" in "
                      "place of \"geometry\", or leave out \"may_go_slack\"",
                      spring.name));
  }
}

/// Whether a proof over geometry may find the best mounts, as far as the study tells.
bool may_prove(const Study& study, const SpringRoles& roles) {
  try {
    require_springs_alone(study);
    require_provable(study, roles);
  } catch (const InputError&) {
    return false;
  }
  return roles.masses.empty();
}

/// Finds the mistakes in a proof over geometry that show only once its problem is written, before
/// there is a results file.
void check_mounts(const Study& study, const Interruption& interrupted) {
  const auto baselines =
      std::make_shared<const Baselines>(CaseEvaluator(study).evaluate_baselines());
  MountSetup(study, ExactGoals(study).corner_goal(0), baselines, 1, interrupted);
}

}  // namespace

void check_exact(const Study& study, const Interruption& interrupted) {
  const Search& search = *study.search();
  const SpringRoles roles = find_spring_roles(study);
  require_fit_for_drives(study);
  SpringSizer sizer(study, roles, Reuse::remember, interrupted);  // refuses products
  if (roles.outer.empty() && search.geometry)
    throw InputError(
        search.where,
        "every variable is a spring's or a mass's, so there is one optimum and nothing to search; "
        "leave out algorithm, starts, max_evaluations, seed and settings");
  if (search.proof && !roles.masses.empty()) {
    const Variable& mass = study.variables[roles.sized[roles.masses.front()]];
    throw InputError(
        mass.where, fmt::format("variable {} sizes a mass, and a proof over geometry sizes springs "
                                "alone; fix it, or search with \"max_evaluations\" in place of "
                                "\"geometry\"",
                                mass.name));
  }
  if (search.proof) require_springs_alone(study);
  if (search.proof) require_provable(study, roles);
  if (!search.geometry)
    for (const int v : roles.outer) require_geometry(study, static_cast<std::size_t>(v));
  if (!roles.outer.empty() && !search.geometry && !search.proof)
    throw InputError(
        search.where,
        fmt::format("{}: \"max_evaluations\" says how many "
                    "geometries to try (\"algorithm\", \"starts\" and \"seed\" how){}",
                    why_not_sized(study, static_cast<std::size_t>(roles.outer.front())),
                    may_prove(study, roles)
                        ? ", or \"geometry\": \"prove\" finds the best of all mounts"
                        : ""));
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
