#pragma once

#include <memory>
#include <span>
#include <vector>

#include "engine/evaluation/evaluator.hpp"
#include "studies/cases/case_design.hpp"
#include "studies/cases/case_judge.hpp"

namespace counterpoise {

/// One design of a study with other numbers than the design's own: parameters set besides those of
/// the point, then springs changed one by one. One per thread; `study` must outlive it. Undeviated
/// it gives the bits of a CaseEvaluator.
class DeviatedCase {
 public:
  /// `baselines`: what objectives and constraints compare with.
  DeviatedCase(const Study& study, const std::shared_ptr<const Baselines>& baselines);

  /// The design from here on, see PointSource.
  void set_point(std::span<const double> point);

  /// Binds the design with these parameters. False, with the reason in `out`, where there is none.
  bool bind(std::span<const ParameterSetting> besides, CaseOutcome& out);
  /// The mechanism of each motion that the design runs; what is changed in their springs counts
  /// until the next bind().
  [[nodiscard]] std::span<Mechanism> mechanisms() { return mechanisms_; }

  /// Metrics, objectives and constraints of what was bound; stops at the first reason.
  void evaluate(CaseOutcome& out);
  /// The loads of each motion taken apart. False, with the reason in `out`, where one cannot be
  /// followed.
  bool take_apart(std::vector<AffineLoads>& loads, CaseOutcome& out);

  /// Objectives and constraints of an outcome that has metrics, for the parameters last bound.
  void judge(CaseOutcome& out);

  /// How metrics of the motions are combined; their Metrics are set by the user of it.
  [[nodiscard]] std::span<MotionMetrics> parts() { return parts_; }
  /// " in motion squat", where a study has several.
  [[nodiscard]] std::string in_motion(std::size_t of_design) const;
  /// The value of every model parameter in the last bind().
  [[nodiscard]] std::span<const double> parameters() const { return design_.parameters(); }

 private:
  bool refused(const std::optional<Finding>& finding, std::size_t of_design, CaseOutcome& out);

  struct OwnMotion {
    Evaluator evaluator;
    std::uint64_t revision = 0;  // of the motion that the evaluator has
  };

  const Study* study_;
  CaseDesign design_;
  CaseJudge judge_;
  std::vector<OwnMotion> evaluators_;  // per motion of the study
  std::vector<double> point_;
  std::size_t pair_ = 0;               // of baselines
  std::vector<std::size_t> motions_;   // of the study, that the design runs
  std::vector<Mechanism> mechanisms_;  // per motion of the design, like what follows
  std::vector<Metrics> metrics_;
  std::vector<MotionMetrics> parts_;
};

}  // namespace counterpoise
