#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cases/case_evaluator.hpp"
#include "cases/case_falls.hpp"
#include "cases/case_judge.hpp"
#include "engine/evaluation/evaluator.hpp"
#include "input/definition/study.hpp"
#include "optimizer/interruption.hpp"
#include "optimizer/statistics/rank_statistics.hpp"
#include "results/results_file.hpp"
#include "studies/box_metrics.hpp"

namespace counterpoise {

/// One design of a study with numbers that deviate from the design's own: further parameters are
/// set after the point's own, then springs are changed one by one. One per thread; `study` must
/// outlive it. Without deviations it gives the same bits as a CaseEvaluator.
class DeviatedCase {
 public:
  /// `baselines`: what objectives and constraints compare with.
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
  /// A finding in a motion of the design, in words.
  [[nodiscard]] std::string describe(const Finding& finding, std::size_t of_design) const;
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
  ElementSet varying_;  // in which designs differ
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

/// Every corner is evaluated if all springs together have at most this many; see BoxMetrics.
inline constexpr std::size_t most_corners = 4096;

/// The largest value of an objective over all tolerances.
struct WorstCase {
  bool infeasible = false;  // whether it is infeasible somewhere in the box; then there is no value
  std::string reason;       // in words, at the first place where it is infeasible
  double value = 0.0;
  bool upper_bound =
      false;  // whether there were too many corners, so that the value may exceed the largest
  /// Whether the value is the largest of the designs that were tried, and larger ones may exist: so
  /// where a study reads scenarios, whose metrics no bound over the box is known for.
  bool sampled = false;
};

/// Finds the worst case of the design in `at`, whose point is set: at the design itself and at
/// `samples` of the sampled parameters, each over the whole box of the springs. Cost per sample:
/// that of a case, a copy of its loads, and a pass over the time samples per actuator and as many
/// corners as a Pack has lanes.
WorstCase worst_case(const Study& study, const ToleranceBox& box,
                     std::span<const ToleranceInterval> intervals,
                     std::span<const std::vector<double>> samples, std::size_t objective,
                     DeviatedCase& at);

/// Random designs for each sample of Tolerances: 16 * 256 give a 95th percentile that one draw in
/// three hundred decides.
inline constexpr std::size_t draws_per_sample = 16;

/// One of the best designs, evaluated with tolerances.
struct RobustDesign {
  CaseRow row;  // as stored
  double nominal = 0.0;
  bool as_stored = true;  // whether the nominal evaluation has the bits of the row
  WorstCase worst;
  Percentile percentile;      // of random designs; infeasible ones count as infinite
  double broken_share = 0.0;  // of random designs that are infeasible
  std::string broken_reason;  // reason of the first infeasible one
  double best_share = 0.0;    // share of draws in which it is the best of all designs here
};

/// The best designs of one motion (or of the study), in the order of the ranking, and how well that
/// order survives tolerances. Draws are common to all designs: in each draw the parameters of all
/// designs lie at the same shares of their intervals.
struct RobustRanking {
  std::string motion;  // empty unless a variable selects it
  std::vector<RobustDesign> designs;
  std::optional<double> tau_worst;       // Kendall's, nominal against worst case
  std::optional<double> tau_percentile;  // nominal against percentile
};

struct RobustnessOptions {
  std::string by;        // objective; the study's first if empty
  std::size_t top = 20;  // designs a motion
  std::string motion;    // only this motion; all if empty
  int threads = 0;       // all processors; changes no bit
  Interruption interrupted = {};
};

/// Numbers that all designs share, for a summary.
struct RobustnessSize {
  std::size_t sampled = 0;       // parameters that are sampled
  std::size_t samples = 0;       // of them, beside the design itself
  std::size_t spring_parts = 0;  // numbers of springs that deviate on their own
  std::size_t draws = 0;
};
RobustnessSize size_of(const Study& study, const Tolerances& tolerances);

/// Evaluates the best designs of a results file again under tolerances. `study` is the study of the
/// results. Throws StoreError (unusable) for an objective or motion that it does not have, and
/// Interrupted.
std::vector<RobustRanking> robustness(const ResultsFile& results, const Study& study,
                                      const Tolerances& tolerances,
                                      const RobustnessOptions& options);

/// The same of one feasible design alone, by the study's first objective, without the share of
/// draws in which it is the best. On one thread. Throws Interrupted, and InputError where the study
/// mounts drives.
RobustDesign robust_design(const Study& study, const Tolerances& tolerances, const CaseRow& row,
                           const Interruption& interrupted);

}  // namespace counterpoise
