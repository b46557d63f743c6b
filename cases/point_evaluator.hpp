#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cases/case_evaluator.hpp"

namespace counterpoise {

/// What is wrong with a point of a study (see PointSource), in words: a number that is not finite,
/// outside the range of its variable, or no level of it. Nothing if it is one.
std::optional<std::string> fault_of_point(const Study& study, std::span<const double> point);

/// The coordinate at which a numeric variable has this value in SI: the value itself, or the level
/// that has it. Throws InputError with the nearest level where none has it.
double coordinate_of(const Variable& variable, double value);
/// The coordinate of a text: the name of a catalogue's row or of a motion, or a number with a unit
/// ("2 N/mm"). Throws InputError.
double coordinate_of(const Variable& variable, std::string_view text);
/// The level of a row of a catalogue, counted from 1 in its file. Throws InputError.
double coordinate_of_row(const Variable& variable, std::int64_t row);

/// Evaluates points of a study one after the other for searches that others make; stages that do
/// not depend on what changed are remembered. One per thread.
class PointEvaluator {
 public:
  /// Evaluates the baselines. With `first_reason_only` an infeasible design costs less, and less of
  /// it is known, as in a run of a sampled study.
  explicit PointEvaluator(std::shared_ptr<const Study> study, bool first_reason_only = false);

  [[nodiscard]] const Study& study() const { return *study_; }
  [[nodiscard]] const Baselines& baselines() const { return *baselines_; }

  /// The point has to be one of the study. Allocates nothing for feasible cases after the first.
  void evaluate(std::span<const double> point, CaseOutcome& out) {
    evaluator_.evaluate(point, out);
  }
  /// The values of the constraints in the case evaluated last, one each; NaN where they are not
  /// known because that case could not be computed.
  void constraint_values(const CaseOutcome& last, std::span<double> out) const {
    evaluator_.constraint_values(last, out);
  }

 private:
  std::shared_ptr<const Study> study_;
  CaseEvaluator evaluator_;
  std::shared_ptr<const Baselines> baselines_;
};

}  // namespace counterpoise
