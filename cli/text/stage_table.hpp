#pragma once

#include <string>

#include "results/text/cells.hpp"
#include "studies/planning/run_plan.hpp"

namespace counterpoise {

/// What a run would take, for a terminal: a row a stage, then time, file and memory.
std::string to_text(const Study& study, const RunPlan& plan);
/// The same as a JSON object; null where the rehearsal could not tell.
Json json_of(const Study& study, const RunPlan& plan);

/// What the stages of a run did, for a terminal: runs, results that served again, time of all
/// workers together; then how many cases a second, of a run that lasted `seconds`.
std::string to_text(const RunSummary& summary, double seconds);
/// How many falls the run's scenarios took, and their share of the workers' time; empty if none.
std::string falls_text(const RunSummary& summary);
/// The stages alone, as a JSON array.
Json stages_json(const RunSummary& summary);

/// 0 where nothing was evaluated.
double cases_per_second(const RunSummary& summary, double seconds);
/// Time of the workers outside the stages: binding, objectives, rows  [s].
double other_seconds(const RunSummary& summary);

}  // namespace counterpoise
