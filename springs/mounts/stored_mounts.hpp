#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "results/rows/rows.hpp"

namespace counterpoise {

/// The key of the study table that holds a proof over mounts.
inline constexpr const char* mounts_key = "search.mounts";

/// How a proof over mounts ended: proved; by a limit of the study; with the smallest possible
/// simplices; with a best design that breaks a limit outside the proof; or it was interrupted.
enum class MountEnd { proved, max_simplices, max_memory, smallest, other_limit, interrupted };

/// How far a proof over mounts has come ("geometry": "prove"), as stored in the study table.
struct StoredMounts {
  /// Some of the variables, with the objective minimised over them and certain springs chosen.
  /// Where the objective is the largest of all parts, a bound of one part, whatever springs are
  /// chosen, is a bound of it; where it is their sum, the sum of the bounds is.
  struct Part {
    struct Range {
      std::string variable;
      double low = 0.0, high = 0.0;
    };
    std::int64_t index = 0;             // among all parts of the problem
    std::vector<std::int64_t> levels;   // of the variables that choose its springs
    std::vector<Range> loosest;         // of each variable, where the bound is lowest
    std::optional<double> best, bound;  // none: no springs meet the limits; nothing is known
    std::vector<double> best_at, best_x;
    std::int64_t simplices = 0, leaves = 0;
    double by_limits = 0.0, by_bound = 0.0;  // shares of the box that hold nothing better, because
                                             // of limits, and because of the bound
    std::int64_t bytes = 0;
    std::string data;  // the tree, compressed
    std::string hash;  // of the data
  };
  std::optional<double> best, bound;  // as of parts
  std::int64_t best_case = 0;         // 0: none
  std::int64_t cases = 0;             // stored so far
  double gap = 0.0;                   // that was asked for, in the objective's unit
  std::optional<double> stored_best;  // what the search had found when it stored a case last
  std::int64_t searches = 0;          // over the geometry, done so far
  MountEnd ended = MountEnd::interrupted;
  bool adds_up = false;  // whether the objective is the sum of all parts
  std::vector<Part> parts;
};

const char* word_for(MountEnd end);
/// Whether a proof's gap is as small as asked for, up to rounding: what `run` and `verify` go by.
inline bool is_reached(double gap, double asked) {
  return gap <= asked * (1.0 + 1e-6);
}
std::string mounts_text(const StoredMounts& mounts);
/// Reads a stored proof. Throws InputError if the text is not what was written.
StoredMounts read_mounts(const std::string& text);

}  // namespace counterpoise
