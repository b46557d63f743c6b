#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "results/rows/rows.hpp"

namespace counterpoise {

/// A key of the study table whose values differ in two files; a value is empty if that file lacks
/// the key.
struct Difference {
  std::string key;
  std::optional<std::string> first, second;
  std::string path = {};  // of the input, if the key is that of its hash
};

/// The reasons why two results files do not belong to one study: keys of the study table with
/// different values, or missing in one file, that end in `hash` or, unless `allow_mixed`, describe
/// the program that made the rows (version, commit, compiler, flags, instruction set and vector
/// width).
std::vector<Difference> differences(const std::vector<StudyEntry>& a,
                                    const std::vector<StudyEntry>& b, bool allow_mixed);

/// The kind of a hash: "xxh3" for "xxh3:99aa06...", empty if it has no prefix.
std::string_view kind_of_hash(std::string_view hash);

/// The differences as text for messages: keys of the program with both values, inputs by name, as
/// "the text of the model", and hashes that cannot be compared with both kinds.
std::string in_words(std::span<const Difference> differences);

/// The study entries of files made by different programs: for each key of the program that differs,
/// both values joined.
std::vector<StudyEntry> mixed_entries(const std::vector<StudyEntry>& a,
                                      const std::vector<StudyEntry>& b);

}  // namespace counterpoise
