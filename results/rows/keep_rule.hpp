#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "results/rows/rows.hpp"

namespace counterpoise {

/// Non-dominated cases that a file keeps at most.
inline constexpr std::size_t most_of_front = 100'000;
/// The key of the study table with the size of a front that was thinned out to so many.
inline constexpr const char* front_size_key = "keep.front_size";
/// The most cases with the same objectives that are kept in a front or a tie: the first by id.
inline constexpr std::size_t most_equal_kept = 100;

/// Which cases of a sampled study a results file keeps. They are the same cases whatever the order,
/// the shards and the interruptions in which the study was evaluated.
struct KeepRule {
  std::int64_t best = 0;           // the first feasible cases by all objectives in turn, then id
  bool front = false;              // the feasible cases that no other dominates
  std::int64_t sample = 0;         // so many cases, feasible or not, each as likely
  std::uint64_t seed = 1;          // of the sample
  std::vector<std::string> per{};  // for each level of these variables its best case
  std::int64_t cases = 0;          // of the study

  /// "the best 1000, those that no other dominates, a sample of 2000"
  /// `front_size` is the size of a front before it was thinned out, or 0.
  [[nodiscard]] std::string in_words(std::int64_t front_size = 0) const;
};

/// The rule as keys of the study table, and back: nothing where all cases are kept. Throws
/// std::invalid_argument for entries that no rule makes.
std::vector<StudyEntry> entries_of(const KeepRule& rule);
std::optional<KeepRule> keep_rule_of(const std::vector<StudyEntry>& entries);

/// A sample of the ids 1 .. cases: exactly as many as wanted, chosen by a random permutation that
/// the seed gives. Each id can be asked for alone.
class IdSample {
 public:
  IdSample(std::int64_t cases, std::int64_t wanted, std::uint64_t seed);

  [[nodiscard]] bool contains(std::int64_t id) const { return place(id) < wanted_; }
  /// The place of an id in the permutation, from 0.
  [[nodiscard]] std::uint64_t place(std::int64_t id) const;

 private:
  std::uint64_t cases_, wanted_, seed_;
  unsigned half_bits_;
};

}  // namespace counterpoise
