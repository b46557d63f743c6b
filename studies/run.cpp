#include "studies/run.hpp"

#include <fmt/format.h>

#include "cases/case_rows.hpp"
#include "cases/clock.hpp"
#include "cases/provenance.hpp"
#include "cases/run_options.hpp"
#include "cases/searches.hpp"
#include "cases/threads.hpp"
#include "optimizer/search/algorithm.hpp"
#include "results/differences.hpp"
#include "springs/exact.hpp"

namespace counterpoise {
namespace {

/// The shard of a run. It has to be named again when the run is continued.
std::string shard_of(const std::vector<StudyEntry>& entries) {
  for (const StudyEntry& entry : entries)
    if (entry.key == "shard") return entry.value;
  return "1/1";
}

Store continued(const RunOptions& options, const Birth& birth) {
  Store store = Store::open(options.output);
  const std::vector<StudyEntry> stored = store.study();
  require_known_hashes(options.output, stored);
  std::string changed = in_words(differences(stored, birth.study, options.allow_mixed));
  if (changed.empty() && shard_of(stored) != shard_of(birth.study))
    changed =
        fmt::format("the part of the study ({} and {})", shard_of(stored), shard_of(birth.study));
  if (changed.empty() && !(store.layout() == birth.layout)) changed = "the columns";
  if (!changed.empty())
    throw StoreError(StoreError::Kind::unusable,
                     fmt::format("{}: belongs to another run; what differs: {}; name another "
                                 "output, or start afresh with --force",
                                 options.output.string(), changed));
  return store;
}

/// Notes, before rows are added, the program that adds them if it is another one, and that the file
/// is not finished.
void note_program(Store& store, const Birth& birth, bool marked_as_finished) {
  if (marked_as_finished) store.reopen();
  const std::vector<StudyEntry> mixed = mixed_entries(store.study(), birth.study);
  if (!mixed.empty()) store.append({}, mixed);
}

}  // namespace

void check_search(const Study& study, const Interruption& interrupted) {
  const Search* search = study.search();
  if (search == nullptr) return;
  try {
    if (search->method == SearchMethod::exact_springs) {
      check_exact(study, interrupted);
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
  if (study.search() != nullptr && study.search()->proof && options.shard.count > 1)
    throw InputError(study.search()->where,
                     "a proof over geometry cannot be run in shards, as it decides by all that it "
                     "knows where to look next; it uses all threads of one machine");
  Threads threads(options.threads);
  CaseEvaluator first(study, {options.reuse, study.search() == nullptr, false, false,
                              planned_holding(study, threads.count())});
  const WorkMeter meter;
  const auto baselines = std::make_shared<const Baselines>(first.evaluate_baselines());
  const WorkTime baseline_time = meter.passed();
  const Birth birth = birth_of(study, *baselines, options.shard);

  const bool resuming = options.resume && Store::can_open(options.output);
  Store store = resuming ? continued(options, birth)
                         : Store::create(options.output, birth,
                                         options.force ? Existing::replace : Existing::refuse);
  RunState state{study, options, baselines, store, threads.count(), first, baseline_time};
  RunSummary summary;
  summary.baselines = baselines;
  if (resuming) store.check();
  const bool marked = store.finished();
  if (is_finished(state)) {
    summary.was_finished = true;
    std::move(store).publish();
    return summary;
  }
  note_program(store, birth, marked);
  threads.run([&] {
    summary = study.search() == nullptr                               ? run_samples(state)
              : study.search()->proof                                 ? run_proof(state)
              : study.search()->method == SearchMethod::exact_springs ? run_exact(state)
                                                                      : run_searches(state);
  });
  summary.baselines = baselines;
  summary.sizes_springs =
      study.search() != nullptr && study.search()->method == SearchMethod::exact_springs;
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
