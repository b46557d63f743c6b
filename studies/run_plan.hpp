#pragma once

#include <cstdint>
#include <vector>

#include "cases/run_options.hpp"
#include "input/definition/study.hpp"

namespace counterpoise {

/// What a run would take, told from some of its designs that were tried.
struct RunPlan {
  enum class Kind {
    cases,       // of a sampled study
    search,      // evaluations of a search
    geometries,  // of an exact search
    single,      // one geometry of an exact search: all variables belong to springs
    proof        // over mounts, which ends as soon as it is proved
  };
  Kind kind = Kind::cases;
  std::int64_t count = 0;  // of cases, evaluations or geometries, at most; of a proof the simplices
                           // that are allowed
  int threads = 1;         // that have work at the same time

  std::int64_t tried = 0, feasible = 0;  // feasible: of those that were tried
  std::vector<double> each;  // the time of one [s]: of each geometry that was tried, or the mean of
                             // each stretch of cases, ascending; empty if there are no cases
  bool whole = true;         // whether the last geometry was finished; if not, it takes longer

  // The clock time of the run [s]. It lies from `least` to `most` with a probability of 95 % if its
  // cases are like those that were tried; of an exact search, if all geometries are as quick or as
  // slow as one that was tried.
  double seconds = 0.0, least = 0.0, most = 0.0;

  // of a sampled study or a search
  std::int64_t kept = 0;  // rows of the file, without the front where the study keeps some only
  double bytes_per_row = 0.0;
  /// The size of the file, in which every table takes a page before it has rows.
  [[nodiscard]] double file_bytes() const;

  [[nodiscard]] bool exact() const { return kind >= Kind::geometries; }
  /// The mean time of one [s].
  [[nodiscard]] double mean() const;
  /// Twice the standard error of that mean [s]; 0 of one stretch alone.
  [[nodiscard]] double doubt() const;
};

/// Plans the run that run_study with these options would do without earlier results: evaluates some
/// hundred cases in stretches spread over all of them, or sizes the springs of random geometries,
/// until `longest` [s] have passed, and scales their times. Writes nothing and reads no results
/// file. Throws InputError as run_study would, and Interrupted.
RunPlan plan_run(const Study& study, const RunOptions& options, double longest = 2.0);

}  // namespace counterpoise
