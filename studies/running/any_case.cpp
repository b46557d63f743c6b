#include "studies/running/any_case.hpp"

#include "studies/cases/case_evaluator.hpp"
#include "studies/running/point_source.hpp"
#include "studies/stored/case_rows.hpp"
#include "studies/stored/stored_study.hpp"

namespace counterpoise {

std::optional<CaseRow> any_case(const ResultsFile& results, std::int64_t id) {
  std::optional<CaseRow> row = results.find(id);
  if (row || !results.keep_rule() || !results.evaluated().contains(id)) return row;
  const Study study = stored_study(results);
  CaseEvaluator evaluator(study);
  evaluator.set_baselines(std::make_shared<const Baselines>(evaluator.evaluate_baselines()));
  std::vector<double> point(study.variables.size());
  PointSource(study).point(id, point);
  CaseOutcome outcome;
  evaluator.evaluate(point, outcome);
  return row_of(study, id, point, outcome);
}

}  // namespace counterpoise
