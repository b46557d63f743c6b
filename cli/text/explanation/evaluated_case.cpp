#include "cli/text/explanation/evaluated_case.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "cases/case_rows.hpp"
#include "cases/provenance.hpp"
#include "results/rows/rows.hpp"
#include "springs/exact.hpp"
#include "studies/applied_model.hpp"
#include "studies/warnings.hpp"

namespace counterpoise {

EvaluatedCase::EvaluatedCase(const ResultsFile& results, const Extent& extent, CaseRow stored)
    : shown{extent, stored_study(results), std::move(stored), {}, {}, {}, {}, {}, {}},
      evaluator(shown.study),
      results_(results),
      baselines_(std::make_shared<const Baselines>(evaluator.evaluate_baselines())) {
  evaluator.set_baselines(baselines_);
  shown.point = point_of(shown.study, shown.stored);
  evaluator.evaluate(shown.point, shown.outcome);
  if (differs())
    if (auto sized = sized_again(shown.study, results, shown.stored, shown.point, baselines_))
      shown.outcome = std::move(*sized);
  for (const ParameterSetting& setting : settings_of(shown.study, shown.point, -1))
    shown.set.insert(setting.parameter);
  shown.proof = proof_of(shown.study, results, shown.stored.id);
}

/// Whether the row would be another than the stored one in any bit of what is stored.
bool EvaluatedCase::differs() const {
  const CaseRow& stored = shown.stored;
  const CaseRow now = row_of(shown.study, stored.id, shown.point, shown.outcome);
  const auto same = [](double a, double b) { return a == b || std::isnan(b); };
  const bool other_reason = now.reason != stored.reason && stored.settled();
  return now.status != stored.status || other_reason || now.metrics != stored.metrics ||
         !std::equal(now.objectives.begin(), now.objectives.end(), stored.objectives.begin(),
                     stored.objectives.end(), same);
}

void EvaluatedCase::explain() {
  shown.parameters.assign(evaluator.parameters().begin(), evaluator.parameters().end());
  if (shown.outcome.computable)
    shown.explanation = counterpoise::explain(shown.study, results_, shown.stored, shown.point,
                                              shown.outcome, evaluator, baselines_);
}

PartsList EvaluatedCase::parts() {
  if (!shown.outcome.computable)
    throw StoreError(
        StoreError::Kind::unusable,
        fmt::format("case {} cannot be built: {}", shown.stored.id, shown.outcome.reason));
  return parts_of(shown.study, shown.point, shown.outcome, evaluator);
}

std::vector<std::string> EvaluatedCase::messages() {
  std::vector<std::string> said;
  if (differs())
    said.push_back(
        fmt::format("note: case {} evaluated now differs from the stored row (another version, "
                    "vector width or processor?)",
                    shown.stored.id));
  for (const WrongSense& wrong : SpringSenses(shown.study).of(shown.point))
    said.push_back(wrong.warning);
  return said;
}

}  // namespace counterpoise
