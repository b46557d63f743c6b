#include "studies/exact/proof/instant_in_words.hpp"

namespace counterpoise {

InstantInWords::InstantInWords(const Study& study, const WrittenProblem& written,
                               const WitnessInstant& instant) {
  const SeriesNorm& norm = written.problem.norms[instant.norm];
  const auto series = static_cast<std::size_t>(norm.parts[instant.part].series);
  const SeriesOrigin& origin = written.origins[series];
  const int of = written.norm_metrics[instant.norm];
  const auto& actuators = study.model->nominal.actuators;
  metric = of >= 0 ? study.metrics[static_cast<std::size_t>(of)].name
                   : actuators[static_cast<std::size_t>(origin.actuator)].name + ".max";
  motion = study.motions[origin.motion].name;
  if (origin.actuator >= 0)
    time = static_cast<double>(instant.sample) * study.motions[origin.motion].motion.nominal.step;
}

}  // namespace counterpoise
