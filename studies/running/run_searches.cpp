#include <numeric>
#include <stop_token>

#include "studies/running/search_store.hpp"

namespace counterpoise {
namespace {

/// One start of a search over all variables.
void run_start(const RunState& state, int start, SearchStore& store) {
  const Study& study = state.study;
  CaseEvaluator evaluator(study, {state.options.reuse, false});
  evaluator.set_baselines(state.baselines);
  std::stop_source stop;
  CaseOutcome outcome;
  const auto begun = std::chrono::steady_clock::now();
  StartRows rows(state, store, std::int64_t{start} * study.search()->max_evaluations);

  const auto evaluate = [&](std::span<const double> x) {
    if (state.interrupted()) stop.request_stop();
    evaluator.evaluate(x, outcome);
    rows.add(x, outcome);
    return Evaluation{outcome.computable ? outcome.objectives.front() : 0.0, outcome.violation,
                      outcome.computable};
  };
  std::vector<int> all(study.variables.size());
  std::iota(all.begin(), all.end(), 0);
  const SearchSummary summary =
      search(search_options(study, all, start), evaluate, stop.get_token());
  rows.finish(start, summary.why == Stopped::cancelled ? "" : words_for(summary));
  store.note(evaluator.counts(),
             std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count());
}

}  // namespace

RunSummary run_searches(const RunState& state) {
  const std::vector<int> open = open_starts(state);
  SearchStore store(state);
  store.note(state.let_go_of_first(), 0.0);
  run_starts(state, open, [&](int start) { run_start(state, start, store); });
  return store.summary();
}

}  // namespace counterpoise
