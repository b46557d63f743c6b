#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "cases/case_evaluator.hpp"
#include "results/text/cells.hpp"

namespace counterpoise {

/// Chosen designs of a study in the motions that they run, each beside the baseline, as the page of
/// a report shows them.
class DesignMotions {
 public:
  /// `study` must outlive this object.
  explicit DesignMotions(const Study& study) : study_(&study) {}

  /// Adds a design: its poses, the loads of its actuators as `simulate` gives them, and the parts
  /// of these loads. A design that cannot follow a motion is shown as near to it as it gets,
  /// without loads. `evaluator` is that of the study; its design is changed. Cost: some simulations
  /// a motion.
  void add(std::int64_t id, std::span<const double> point, CaseEvaluator& evaluator);

  /// Type `MotionsData` of report/src/report/data.ts. {"column": 3} stands for a column of numbers,
  /// which is in the block once, however many designs have it.
  [[nodiscard]] Json json() const;

 private:
  Json& motion_json(std::size_t motion, CaseEvaluator& evaluator);

  const Study* study_;
  std::map<std::size_t, Json> motions_;
};

}  // namespace counterpoise
