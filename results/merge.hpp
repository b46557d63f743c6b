#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "results/differences.hpp"
#include "results/store.hpp"

namespace counterpoise {

struct MergeSummary {
  std::int64_t cases = 0;
  std::int64_t repeated = 0;  // rows found in more than one part
  std::int64_t after = 0;     // the merge went on after this case, where one was interrupted before
  std::vector<std::string> missing;       // shards ("2/3") that no part is
  std::vector<std::string> not_finished;  // parts that do not hold all the cases they should
  bool complete = false;                  // the output is the whole study
};

/// What a merge is to do with parts that are not the whole study.
enum class Wanted {
  what_is_there,  // join them; the output says that it is incomplete
  whole,          // refuse them, and say which parts are missing or not finished
};

/// Joins the parts (shards, interrupted runs) of one study. The output appears complete or not at
/// all, and the file it replaces stays until then; it is marked as finished when the parts are all
/// shards of the study, each finished, or have as many cases as the study's key `cases` says.
/// Throws StoreError: unusable if the parts are of different studies, if one was changed after it
/// was finished, or if a case has different rows in two of them. Parts that are finished are read
/// once for that; then rows go by in a stream: a part is open only while its ids are due. Shards
/// of a sampling are thus opened one after the other, however many there are; shards of a grid that
/// share a window, together. A merge that was killed goes on where it was, if the parts are the
/// same files; where only some cases are kept it begins anew. `between_batches` is called now and
/// then while cases are copied; where it throws, the merge is interrupted, and goes on in the same
/// way.
MergeSummary merge(const std::vector<std::filesystem::path>& parts,
                   const std::filesystem::path& output, Existing existing, bool allow_mixed,
                   Wanted wanted = Wanted::what_is_there,
                   const std::function<void()>& between_batches = {});

}  // namespace counterpoise
