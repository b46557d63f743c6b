#pragma once

#include <memory>
#include <span>
#include <vector>

#include "cases/case_evaluator.hpp"
#include "cases/case_falls.hpp"
#include "cases/case_judge.hpp"
#include "engine/evaluation/evaluator.hpp"
#include "optimizer/interruption.hpp"

namespace counterpoise {

/// One design of a study with numbers that deviate from the design's own: parameters are set
/// besides those of the point, then springs are changed one by one. One per thread; `study` must
/// outlive it. Without deviations it gives the same bits as a CaseEvaluator.
class DeviatedCase {
 public:
  /// `baselines` are those that objectives and constraints compare with.
  DeviatedCase(const Study& study, const std::shared_ptr<const Baselines>& baselines,
               const Interruption& interrupted = {});

  /// Sets the design, see PointSource.
  void set_point(std::span<const double> point);

  /// Binds the design with these parameters. Returns false, with the reason in `out`, if there is
  /// no such design. Throws Interrupted.
  bool bind(std::span<const ParameterSetting> besides, CaseOutcome& out);
  /// The mechanism of each motion that the design runs; changes of their springs are used until the
  /// next bind().
  [[nodiscard]] std::span<Mechanism> mechanisms() { return mechanisms_; }
  /// The same of each scenario that is run.
  [[nodiscard]] std::span<Mechanism> fall_mechanisms() { return falls_.mechanisms(); }
  /// Whether any scenario is run.
  [[nodiscard]] bool falls() const { return falls_.any(); }

  /// Evaluates metrics, objectives and constraints of the bound design; stops at the first reason.
  void evaluate(CaseOutcome& out);
  /// Splits the loads of each motion into bare loads and influences of the springs. Returns false,
  /// with the reason in `out`, if the design cannot follow a motion.
  bool take_apart(std::vector<AffineLoads>& loads, CaseOutcome& out);

  /// Evaluates objectives and constraints of an outcome that has metrics, for the parameters last
  /// bound.
  void judge(CaseOutcome& out);

  /// How metrics of the motions are combined; the caller sets their Metrics.
  [[nodiscard]] std::span<MotionMetrics> parts() { return parts_; }
  /// The words " in motion squat" if a study has several motions; else empty.
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
  const Interruption interrupted_;
  CaseDesign design_;
  CaseJudge judge_;
  CaseFalls falls_;
  std::vector<OwnMotion> evaluators_;  // per motion of the study
  std::vector<double> point_;
  std::size_t pair_ = 0;               // of baselines
  std::vector<std::size_t> motions_;   // of the study, that the design runs
  std::vector<Mechanism> mechanisms_;  // per motion of the design, like what follows
  std::vector<Metrics> metrics_;
  std::vector<MotionMetrics> parts_;
};

}  // namespace counterpoise
