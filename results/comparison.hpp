#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "results/results_file.hpp"

namespace counterpoise {

struct CompareOptions {
  std::string by;        // objective; the first file's first if empty
  std::size_t top = 10;  // designs that are listed
  bool pareto = false;   // of these only the ones that no other dominates in any file
};

/// One design among those of several files.
struct ComparedCase {
  std::size_t of = 0;  // index of its file
  std::int64_t id = 0;
  std::int64_t place = 0;          // among all, from 1; 0 where it is not ranked among them
  std::vector<double> objectives;  // in the order of Comparison::objectives; NaN: not known
};

/// What one of the files that are compared holds.
struct ComparedFile {
  std::int64_t feasible = 0;
  std::optional<ComparedCase> best;  // none where no design is feasible
  std::int64_t on_front = 0;         // of the common front
};

/// The feasible designs of several results files with the same objectives, of one motion if a
/// variable selects it.
struct Comparison {
  std::string motion;                   // empty unless a variable selects it
  std::vector<std::string> objectives;  // that which ranks, then the others
  std::vector<ComparedFile> files;      // in the order in which they were given
  std::vector<std::size_t> order;       // of the files: the one with the best design first
  std::vector<ComparedCase> first;      // best first, without those of a file that print the same
  std::int64_t matches = 0;             // designs that were ranked, or are on the front
  std::int64_t unsettled = 0;           // feasible designs that are left out of a front, or stand
                                        // behind those they tie with: a number is not known
  std::optional<ComparedCase> knee;     // of a front; see knee_of
};

/// Ranks the designs of all files as one ranking would that held them all, in the order that rank()
/// has: ties are as near as the first file says, and designs that tie in everything are in the
/// order of the files. One comparison a motion if variables select it. Designs are listed that are
/// among the first 16 * `top`. Throws StoreError (unusable) where files have other objectives or
/// motions than the first, or none by this name. Cost: one pass over the feasible cases.
std::vector<Comparison> compare(std::span<const ResultsFile> files, const CompareOptions& options);

}  // namespace counterpoise
