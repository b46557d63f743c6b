#pragma once

#include <cstdint>
#include <vector>

#include "cases/run_options.hpp"
#include "input/definition/study.hpp"

namespace counterpoise {

/// The time that an exact search would take, told from a few geometries whose springs were sized.
struct ExactPlan {
  enum class Kind {
    search,  // over geometries
    single,  // geometry: all variables are of springs
    proof    // over mounts, which ends as soon as it is proved
  };
  Kind kind = Kind::search;
  std::int64_t geometries = 0;  // at most; of a proof the simplices that are allowed
  int threads = 1;              // that have work
  std::vector<double> tried;    // time of each geometry that was tried [s], ascending
  std::int64_t feasible = 0;    // of these
  bool whole = true;            // whether the last one was finished; if not, it takes longer

  [[nodiscard]] double mean() const;
  /// The clock time of the run if every geometry took as long as one that was tried.
  [[nodiscard]] double seconds(double of_one) const;
};

/// Plans the run that run_study with these options would do without earlier results, by sizing the
/// springs of random geometries, one at least, until `longest` [s] have passed. Writes nothing.
/// Throws InputError as run_study would, and Interrupted.
ExactPlan plan_exact(const Study& study, const RunOptions& options, double longest = 2.0);

}  // namespace counterpoise
