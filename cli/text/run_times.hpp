#pragma once

#include <string>

#include "results/text/cells.hpp"
#include "studies/run_plan.hpp"

namespace counterpoise {

/// What a run would take, for a terminal: how many designs it has, how long those took that were
/// tried, how long the run takes and how sure that is, and the size of its file.
std::string to_text(const Study& study, const RunPlan& plan);
/// The same as a JSON object; null for what is not known.
Json json_of(const Study& study, const RunPlan& plan);

/// CPU time of what a run does before and after its workers [s].
struct RunCosts {
  double ranking = 0.0;
  double reasons = 0.0;  // evaluating failed cases on, to tell why
  double process = 0.0;  // everything since the program began, up to the report
};

/// What the stages of a run did, for a terminal: runs, results that served again, and CPU time of
/// all threads together; then what the rest took, so that the last row is the sum of all; then how
/// many cases a second, of a run that lasted `seconds`.
std::string to_text(const RunSummary& summary, const RunCosts& costs, double seconds);
/// How many falls the run's scenarios took, and their share of the workers' time; empty if none.
std::string falls_text(const RunSummary& summary);
/// The stages alone, as a JSON array.
Json stages_json(const RunSummary& summary);
/// CPU time besides stages and falls, as a JSON object: binding, judging, sizing, writing, ranking,
/// reasons, other and total.
Json cpu_json(const RunSummary& summary, const RunCosts& costs);

/// 0 where nothing was evaluated.
double cases_per_second(const RunSummary& summary, double seconds);

}  // namespace counterpoise
