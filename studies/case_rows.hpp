#pragma once

#include "results/layout.hpp"
#include "studies/case_evaluator.hpp"
#include "studies/provenance.hpp"

namespace counterpoise {

/// Everything a results file of this study is born with.
Birth birth_of(const Study& study, const Baselines& baselines, const Shard& shard);

/// One case as a row of that file.
CaseRow row_of(const Study& study, std::int64_t id, std::span<const double> point,
               const CaseOutcome& outcome);

/// The point that a row's variables describe.
std::vector<double> point_of(const Study& study, const CaseRow& row);

}  // namespace counterpoise
