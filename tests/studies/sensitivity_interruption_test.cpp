#include <catch2/catch.hpp>

#include "studies/sensitivity.hpp"
#include "tests/cases/evaluated_arm.hpp"
#include "tests/support/counted_question.hpp"

using namespace counterpoise;
using namespace counterpoise::test;

TEST_CASE("an analysis asks for each design and resample whether to stop") {
  CountedQuestion counted;
  SensitivityOptions options;
  options.samples = 32;
  options.threads = 1;
  options.interrupted = counted.interruption();
  const Study study = study_of(arm_files(arm_study(rate_and_free + one_objective)));
  const SensitivityPlan plan = plan_sensitivity(study, options);
  CHECK_FALSE(analyse_sensitivity(study, plan, options).interrupted);
  // Sobol's indices draw their interval from all factors at once, Morris' effects for each
  const std::int64_t resamples =
      default_resamples * static_cast<std::int64_t>(1 + plan.factors.size());
  CHECK(counted.asked() >= plan.evaluations() + resamples);
  for (std::int64_t n = 1; n <= counted.asked(); n += counted.asked() / 30) {
    CountedQuestion question(n);
    options.interrupted = question.interruption();
    const Sensitivity found = analyse_sensitivity(study, plan, options);
    CHECK(found.interrupted);
    CHECK(found.motions.empty());
    CHECK(question.asked_in_vain() <= 1);
  }
}
