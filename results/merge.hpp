#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "results/store.hpp"

namespace counterpoise {

/// What keeps two files of results from being one study: every key of the study table that ends in
/// `hash` and has another value or is missing in one, and unless `allow_mixed` also `tool_version`
/// and `vector_width`. Empty if nothing does.
std::vector<std::string> differing_keys(const std::vector<StudyEntry>& a,
                                        const std::vector<StudyEntry>& b, bool allow_mixed);

struct MergeSummary {
  std::int64_t cases = 0;
  std::int64_t repeated = 0;  // rows found in more than one part
};

/// Joins the parts (shards, interrupted runs) of one study. The output appears whole or not at all;
/// it is marked as finished when it has as many cases as the study's key `cases` says.
/// Throws StoreError: unusable if the parts are of different studies, or if a case has different
/// rows in two of them.
MergeSummary merge(const std::vector<std::filesystem::path>& parts,
                   const std::filesystem::path& output, Existing existing, bool allow_mixed);

}  // namespace counterpoise
