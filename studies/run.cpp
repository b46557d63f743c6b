#include "studies/run.hpp"

#include <fmt/format.h>
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/info.h>
#include <oneapi/tbb/task_arena.h>

#include <algorithm>
#include <chrono>
#include <numeric>

#include "optimizer/algorithm.hpp"
#include "results/merge.hpp"
#include "studies/cases/case_rows.hpp"
#include "studies/running/run_cases.hpp"
#include "studies/running/search_store.hpp"
#include "studies/springs/spring_sizer.hpp"

namespace counterpoise {
namespace {

/// A shard has to be named again when it is continued.
std::string shard_of(const std::vector<StudyEntry>& entries) {
  for (const StudyEntry& entry : entries)
    if (entry.key == "shard") return entry.value;
  return "1/1";
}

Store continued(const RunOptions& options, const Birth& birth) {
  Store store = Store::open(options.output);
  const std::vector<StudyEntry> stored = store.study();
  std::string changed = in_words(differences(stored, birth.study, options.allow_mixed));
  if (changed.empty() && shard_of(stored) != shard_of(birth.study)) changed = "shard";
  if (changed.empty() && !(store.layout() == birth.layout)) changed = "columns";
  if (!changed.empty())
    throw StoreError(StoreError::Kind::unusable,
                     fmt::format("{}: belongs to another run; what differs: {}; name another "
                                 "output, or start afresh with --force",
                                 options.output.string(), changed));
  return store;
}

/// Before rows are added: the program that adds them, if it is another, and that some are missing.
void note_program(Store& store, const Birth& birth, bool marked_as_finished) {
  if (marked_as_finished) store.reopen();
  const std::vector<StudyEntry> mixed = mixed_entries(store.study(), birth.study);
  if (!mixed.empty()) store.append({}, mixed);
}

/// Objectives that an exact search makes least, first or in turn.
std::vector<int> objectives_sized(const Study& study, const Search& search,
                                  const SpringRoles& roles) {
  if (search.trade_off) return search.trade_off->objectives;
  std::vector<int> objectives(roles.chosen.empty() ? study.objectives.size() : 1);
  std::iota(objectives.begin(), objectives.end(), 0);
  return objectives;
}

/// Writes the problems of the geometry that the search begins at: most of what is not convex or
/// not in proportion shows there, before there is a results file.
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

/// What an exact search cannot take; see find_spring_roles.
void check_exact(const Study& study, const Search& search, const Interruption& interrupted) {
  const SpringRoles roles = find_spring_roles(study);
  SpringSizer sizer(study, roles, Reuse::remember, interrupted);  // refuses products
  if (roles.outer.empty() && search.geometry)
    throw InputError(search.where,
                     "every variable is a spring's, so there is one optimum and nothing to search; "
                     "leave out algorithm, starts, max_evaluations, seed and settings");
  if (!search.geometry)
    for (const int v : roles.outer) require_geometry(study, static_cast<std::size_t>(v));
  if (!roles.outer.empty() && !search.geometry)
    throw InputError(
        search.where,
        fmt::format("variable {} moves more than springs: \"max_evaluations\" says how many "
                    "geometries to try (\"algorithm\", \"starts\" and \"seed\" how)",
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
}

}  // namespace

void check_search(const Study& study, const Interruption& interrupted) {
  const Search* search = study.search();
  if (search == nullptr) return;
  try {
    if (search->method == SearchMethod::exact_springs) {
      check_exact(study, *search, interrupted);
      return;
    }
    for (const std::string& algorithm : search->algorithms)
      check_algorithm(algorithm, study.variables.size());
  } catch (const std::invalid_argument& error) {
    throw InputError(search->where, error.what());
  }
}

RunSummary run_study(const Study& study, const RunOptions& options) {
  check_search(study, options.interrupted);
  if (study.search() != nullptr && study.search()->trade_off && options.shard.count > 1)
    throw InputError(study.search()->where,
                     "a trade-off cannot be run in shards, as its points follow from its corners");
  CaseEvaluator first(study, {options.reuse, study.search() == nullptr});
  const auto start = std::chrono::steady_clock::now();
  const auto baselines = std::make_shared<const Baselines>(first.evaluate_baselines());
  const std::chrono::duration<double> baseline_time = std::chrono::steady_clock::now() - start;
  const Birth birth = birth_of(study, *baselines, options.shard);

  const bool resuming = options.resume && Store::can_open(options.output);
  Store store = resuming ? continued(options, birth)
                         : Store::create(options.output, birth,
                                         options.force ? Existing::replace : Existing::refuse);
  const int threads = options.threads > 0 ? options.threads : tbb::info::default_concurrency();
  const tbb::global_control allowed(tbb::global_control::max_allowed_parallelism,
                                    static_cast<std::size_t>(threads));
  tbb::task_arena arena(threads);
  RunState state{study, options, baselines, store, threads, first};
  RunSummary summary;
  const bool marked = store.finished();
  if (is_finished(state)) {
    summary.was_finished = true;
    std::move(store).publish();
    return summary;
  }
  note_program(store, birth, marked);
  arena.execute([&] {
    summary = study.search() == nullptr                               ? run_samples(state)
              : study.search()->method == SearchMethod::exact_springs ? run_exact(state)
                                                                      : run_searches(state);
  });
  summary.worker_seconds += baseline_time.count();
  summary.had_lost_cases = marked;
  if (summary.interrupted) {
    if (!store.is_in_place()) summary.beside = store.path();
  } else {
    store.finish();
    std::move(store).publish();
  }
  return summary;
}

}  // namespace counterpoise
