#pragma once

#include <functional>
#include <string>
#include <vector>

#include "input/definition/study.hpp"
#include "optimizer/statistics/morris.hpp"
#include "optimizer/statistics/sobol_indices.hpp"
#include "optimizer/statistics/tornado.hpp"
#include "studies/run.hpp"

namespace counterpoise {

/// A variable of a study as a factor. Every variable is one except the variable that selects the
/// motion. Coordinates are as in points (see Variable): a level, or a value.
struct StudyFactor {
  std::size_t variable = 0;  // index into Study::variables
  std::string unit;          // SI unit of a parameter that gets its number unchanged, if it has one
  double centre = 0.0;       // coordinate of the baseline, or else the middle
  bool centre_is_baseline = false;
};

/// The factors of a study in the order of its variables. A centre is the baseline's own value if
/// the variable can take it. For a continuous variable that sets a parameter unchanged, this value
/// has to be within the range; for a discrete one, it is the level that has all settings of the
/// baseline, or for numbers the nearest level. Otherwise the centre is the middle.
std::vector<StudyFactor> factors_of(const Study& study);

/// The number of levels of Morris's grid over the variable: four if it is continuous, all of its
/// levels if it is discrete.
int grid_levels(const Variable& variable);
double coordinate_of_level(const Variable& variable, int level);

/// The values that the tornado tries: both ends, or every row of a catalogue, whose order means
/// nothing.
TornadoFactor tornado_factor(const Variable& variable, double centre);

struct SensitivityOptions {
  std::int64_t samples = 1024;  // base samples; rounded up to a power of two
  std::uint64_t seed = 1;
  std::vector<std::string> objectives;            // names; empty for all
  int threads = 0;                                // 0 for as many as the machine has
  Interruption interrupted;                       // if it asks to stop there are no results
  std::function<void(const Progress&)> progress;  // called from one thread at a time
  // for tests; results do not depend on it
  Reuse reuse = Reuse::remember;
};

/// The evaluations of an analysis, for each motion that is analysed separately.
struct SensitivityPlan {
  std::vector<StudyFactor> factors;
  std::vector<std::size_t> objectives;  // indices into Study::objectives
  std::vector<int> motion_levels;       // of the motion variable; {-1}: all motions together
  std::int64_t base_samples = 0;
  std::int64_t trajectories = 0;
  std::int64_t sobol_rows = 0, morris_rows = 0, tornado_rows = 0;

  [[nodiscard]] std::int64_t rows() const { return sobol_rows + morris_rows + tornado_rows; }
  [[nodiscard]] std::int64_t evaluations() const {
    return rows() * static_cast<std::int64_t>(motion_levels.size());
  }
};

/// The fewest and the most base samples that are accepted.
inline constexpr std::int64_t fewest_samples = 16;
inline constexpr std::int64_t most_samples = std::int64_t{1} << 20;

/// Plans base samples * (factors + 2) points for Sobol's indices, a sixteenth as many trajectories
/// as base samples (10 to 1000) for Morris, and both ends of every factor for the tornado. Throws
/// InputError when the study has no variable besides the motion, too many variables, or no
/// objective of a requested name.
SensitivityPlan plan_sensitivity(const Study& study, const SensitivityOptions& options);

struct ObjectiveSensitivity {
  std::size_t objective = 0;  // index into Study::objectives
  SobolIndices sobol;
  std::vector<MorrisEffect> morris;  // per factor
  std::vector<TornadoBar> tornado;   // by falling swing
  TornadoEnd centre;                 // value with all factors at their centre
};

/// The results of Saltelli's designs for one motion, and the sensitivities that follow from them.
struct MotionSensitivity {
  std::string motion;  // empty: all motions together
  std::int64_t designs = 0;
  std::int64_t computable = 0;  // number of designs that have metrics
  std::int64_t within = 0;      // number of those that keep all limits and constraints
  std::string reason;           // why the first design that is not computable is not
  std::vector<ObjectiveSensitivity> objectives;

  [[nodiscard]] double computable_share() const {
    return static_cast<double>(computable) / static_cast<double>(designs);
  }
};

struct Sensitivity {
  bool interrupted = false;  // if so, everything else is empty
  std::vector<MotionSensitivity> motions;
};

/// Computes how the objectives of a study depend on its variables; the study's sampling or search
/// is ignored. Designs that break a limit or constraint count like all others; those that cannot be
/// computed are left out. Results are the same bits for any number of threads. Throws InputError as
/// CaseEvaluator does.
Sensitivity analyse_sensitivity(const Study& study, const SensitivityPlan& plan,
                                const SensitivityOptions& options);

}  // namespace counterpoise
