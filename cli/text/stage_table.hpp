#pragma once

#include <string>

#include "results/text/cells.hpp"
#include "studies/plans/exact_plan.hpp"
#include "studies/plans/run_plan.hpp"

namespace counterpoise {

/// What a run would take, for a terminal: a row a stage, then time, file and memory.
std::string to_text(const Study& study, const RunPlan& plan);
/// The same as a JSON object; null where the rehearsal could not tell.
Json json_of(const Study& study, const RunPlan& plan);

/// The same of an exact search: how many geometries, how long those took that were tried, and from
/// when to when the run may end.
std::string to_text(const Study& study, const ExactPlan& plan);
Json json_of(const Study& study, const ExactPlan& plan);

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
