#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cases/case_evaluator.hpp"
#include "engine/evaluation/evaluator.hpp"
#include "input/definition/study.hpp"
#include "results/ranking.hpp"

namespace counterpoise {

/// Parts of a model that can change nothing, each a warning with its place in the file: all of it
/// where nothing that moves has mass; springs without rate and preload, springs whose ends do not
/// move against each other, and parameters that nothing in the model reads, though a motion or a
/// study may.
std::vector<std::string> idle_parts(const Model& model);

/// The same of a study's model with its motions and objectives, which may read parameters; the
/// study's variables without effect on objectives, constraints and limits; and limits, objectives
/// and constraints of speeds where "inertia" is false and speeds mean nothing.
std::vector<std::string> idle_parts(const Study& study);

/// A spring that acts against what it is built for, as Evaluator::find_wrong_senses tells.
struct WrongSense {
  std::string words;  // "spring s1 would have to push at t=1.5 s (tension -3.2 N) in motion reach"
  std::string warning;  // the same with the place in the model file, and what to do
};

/// `in` ends the words: " in motion reach", or nothing.
WrongSense wrong_sense(const Model& model, const Mechanism& mechanism, const Motion& motion,
                       const Finding& finding, const std::string& in);

/// Finds out which designs of a study need springs that cannot be built.
class SpringSenses {
 public:
  /// `study` must outlive it.
  explicit SpringSenses(const Study& study)
      : study_(study), designs_(study), engines_(study.motions.size()) {}

  /// Each spring that acts against what it is built for in a motion that the design runs; none if
  /// there is no such design or it cannot follow a motion. Cost: an evaluation of each motion.
  [[nodiscard]] std::vector<WrongSense> of(std::span<const double> point);
  /// The same of the study's baseline.
  [[nodiscard]] std::vector<WrongSense> of_baseline();
  /// A warning that says how many of these cases need such springs, and what the first of them
  /// needs; empty if none does.
  [[nodiscard]] std::string among(const ResultsFile& results, const std::vector<Ranking>& best);

 private:
  template <class MakeDesign>
  void add(const MakeDesign& make_design, std::size_t motion, std::vector<WrongSense>& found);

  const Study& study_;
  CaseDesign designs_;
  std::vector<std::optional<Evaluator>> engines_;  // per motion
};

}  // namespace counterpoise
