#pragma once

#include <span>
#include <string>
#include <vector>

#include "engine/evaluation/simulation.hpp"
#include "results/ranking.hpp"
#include "studies/cases/case_evaluator.hpp"

namespace counterpoise {

/// A warning, with its place in the model file, that a spring acts against what it is built for, as
/// Simulation::wrong_senses tells. `in` ends the sentence: " in motion reach", or nothing.
std::string sense_warning(const Model& model, const Mechanism& mechanism, const Finding& finding,
                          const std::string& in);

/// Finds out which designs of a study need springs that cannot be built.
class SpringSenses {
 public:
  /// `study` and `evaluator`, which is the study's, must outlive it.
  SpringSenses(const Study& study, CaseEvaluator& evaluator)
      : study_(study), evaluator_(evaluator) {}

  /// A warning for each spring that acts against what it is built for in a motion that the design
  /// runs; none if there is no such design or it cannot follow a motion. Cost: a simulation of each
  /// motion.
  [[nodiscard]] std::vector<std::string> of(std::span<const double> point);
  /// The same of the study's baseline.
  [[nodiscard]] std::vector<std::string> of_baseline();
  /// One warning that says how many of these cases need such springs, and what the first of them
  /// needs; empty if none does.
  [[nodiscard]] std::string among(const ResultsFile& results, const std::vector<Ranking>& best);

 private:
  template <class MakeDesign>
  void add(const MakeDesign& make_design, std::size_t motion, std::vector<std::string>& warnings);

  const Study& study_;
  CaseEvaluator& evaluator_;
};

}  // namespace counterpoise
