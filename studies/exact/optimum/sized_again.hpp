#pragma once

#include <memory>
#include <optional>

#include "results/results_file.hpp"
#include "studies/cases/case_outcome.hpp"
#include "studies/definition/study.hpp"

namespace counterpoise {

/// What sizing the springs of a case again comes to. An exact search keeps a geometry without
/// springs that meet all limits as a case whose reason names those limits; its sized variables hold
/// the lower ends of their ranges, which are no design to evaluate.
///
/// Nothing where the study is no exact search, the case is feasible, or sizing finds springs that
/// are not the case's own. Cost: a convex problem, and for the only geometry there is several.
std::optional<CaseOutcome> sized_again(const Study& study, const ResultsFile& results,
                                       const CaseRow& row, std::span<const double> point,
                                       const std::shared_ptr<const Baselines>& baselines);

}  // namespace counterpoise
