#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "input/definition/study.hpp"
#include "optimizer/interruption.hpp"
#include "optimizer/statistics/rank_statistics.hpp"
#include "results/results_file.hpp"
#include "studies/reports/robustness/worst_case.hpp"

namespace counterpoise {

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

}  // namespace counterpoise
