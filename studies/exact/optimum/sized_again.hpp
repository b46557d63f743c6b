#pragma once

#include <memory>
#include <optional>

#include "cases/case_outcome.hpp"
#include "input/definition/study.hpp"
#include "results/results_file.hpp"

namespace counterpoise {

/// Sizes the springs of a case again and returns the outcome. An exact search stores a geometry
/// without springs that meet all limits as a case whose reason names those limits; its sized
/// variables hold the lower ends of their ranges, which are not a design to evaluate.
///
/// Returns nothing if the study is not an exact search, the case is feasible, or sizing finds
/// springs that are not the case's own. Cost: one convex problem; several if the study has only one
/// geometry.
std::optional<CaseOutcome> sized_again(const Study& study, const ResultsFile& results,
                                       const CaseRow& row, std::span<const double> point,
                                       const std::shared_ptr<const Baselines>& baselines);

}  // namespace counterpoise
