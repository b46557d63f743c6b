#include "studies/cases/evaluation_counts.hpp"

namespace counterpoise {

void add(const EvaluationCounts& counts, EvaluationCounts& sum) {
  const auto add_one = [](const StageCount& count, StageCount& total) {
    total.runs += count.runs;
    total.reused += count.reused;
    total.seconds += count.seconds;
  };
  for (std::size_t stage = 0; stage < stage_count; ++stage)
    add_one(counts.stages[stage], sum.stages[stage]);
  add_one(counts.falls, sum.falls);
  for (std::size_t i = 0; i < case_work_count; ++i) sum.work[i] += counts.work[i];
}

double EvaluationCounts::seconds() const {
  double sum = falls.seconds;
  for (const StageCount& stage : stages) sum += stage.seconds;
  for (const double time : work) sum += time;
  return sum;
}

EvaluationCounts scaled(EvaluationCounts counts, double factor) {
  counts.falls.seconds *= factor;
  for (StageCount& stage : counts.stages) stage.seconds *= factor;
  for (double& time : counts.work) time *= factor;
  return counts;
}

}  // namespace counterpoise
