#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "results/store.hpp"

namespace counterpoise {

/// A key of the study table whose values differ in two files; a value is empty if that file lacks
/// the key.
struct Difference {
  std::string key;
  std::optional<std::string> first, second;
};

/// The reasons why two files of results are not one study: every key of the study table that ends
/// in `hash` and, unless `allow_mixed`, every key that says what program made the rows (its
/// version, commit, compiler, flags, instruction set and vector width), where values differ or one
/// file lacks it. Empty if there are none.
std::vector<Difference> differences(const std::vector<StudyEntry>& a,
                                    const std::vector<StudyEntry>& b, bool allow_mixed);

/// The kind that a hash says it is: "xxh3" for "xxh3:99aa06...", empty where it says nothing.
std::string_view kind_of_hash(std::string_view hash);

/// The differences as text for messages: keys of the program with both values, others by their
/// names, and hashes that cannot be compared with both kinds.
std::string in_words(std::span<const Difference> differences);

/// The study entries of files made by different programs: for each key of the program that differs,
/// both values joined.
std::vector<StudyEntry> mixed_entries(const std::vector<StudyEntry>& a,
                                      const std::vector<StudyEntry>& b);

struct MergeSummary {
  std::int64_t cases = 0;
  std::int64_t repeated = 0;              // rows found in more than one part
  std::vector<std::string> missing;       // shards ("2/3") that no part is
  std::vector<std::string> not_finished;  // parts that do not hold all the cases they should
  bool complete = false;                  // the output is the whole study
};

/// Joins the parts (shards, interrupted runs) of one study. The output appears complete or not at
/// all, and the file it replaces stays until then; it is marked as finished when the parts are all
/// shards of the study, each finished, or have as many cases as the study's key `cases` says.
/// Throws StoreError: unusable if the parts are of different studies, or if a case has different
/// rows in two of them.
MergeSummary merge(const std::vector<std::filesystem::path>& parts,
                   const std::filesystem::path& output, Existing existing, bool allow_mixed);

}  // namespace counterpoise
