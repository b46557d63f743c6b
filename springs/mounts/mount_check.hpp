#pragma once

#include <optional>

#include "optimizer/interruption.hpp"
#include "results/results_file.hpp"
#include "springs/mounts/stored_mounts.hpp"

namespace counterpoise {

struct Study;

/// The result of adding up a proof over mounts again.
struct MountVerdict {
  bool valid = false;                  // the stored numbers agree with the sum of the parts
  std::string fault;                   // in words; empty if valid
  bool open = false;                   // it proves less than the study asks for, and says so
  std::optional<double> bound, value;  // bound added up again; best case's. No bound: limits
                                       // exclude all springs at all mounts
  std::int64_t best_case = 0;          // 0: none
  std::int64_t leaves = 0;             // simplices whose bounds were added up
  double gap = 0.0, asked = 0.0;       // value - bound, and what the study asked for
};

/// The proof over mounts stored in a results file; nothing if it has none. Throws InputError if it
/// cannot be read.
std::optional<StoredMounts> mounts_of(const ResultsFile& results);

/// Adds up the bound of every simplex again, on so many threads (0 for all), without a solver and
/// without the search: it rebuilds the simplices from the tree, checks every multiplier, encloses
/// the sums in intervals, and compares the lowest bound with the one stored and with the best case.
/// Throws Interrupted.
MountVerdict verify_mounts(const ResultsFile& results, const Study& study,
                           const StoredMounts& mounts, int threads = 0,
                           const Interruption& interrupted = {});

}  // namespace counterpoise
