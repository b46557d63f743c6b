#pragma once

#include <string_view>
#include <utility>

#include "input/definition/study.hpp"
#include "input/text/input_error.hpp"
#include "results/results_file.hpp"
#include "results/rows/rows.hpp"

namespace counterpoise {

/// The part i of n that one run works on: a range of the places in CaseOrder, or of search starts.
struct Shard {
  int index = 1;
  int count = 1;
};

/// The study table of a results file: name, what program makes it (version, commit, compiler,
/// flags, instruction set, vector width), time of creation, number of cases, and path, text and
/// hash of the study and of every file it was read from.
std::vector<StudyEntry> provenance_of(const Study& study, const Shard& shard);

/// XXH3 of a text, 128 bits, with the name of its kind: tells texts apart, no protection against
/// forgery.
std::string hash_of(std::string_view text);

/// The path of the study that entries were made of, and a provider of its files as they were then.
std::filesystem::path stored_study_path(const std::vector<StudyEntry>& entries);
FileProvider stored_files(const std::vector<StudyEntry>& entries);

/// Throws StoreError (unusable) where texts were stored with hashes of a kind that this program
/// does not know, as in files of earlier versions: such texts cannot be checked.
void require_known_hashes(const std::filesystem::path& results,
                          const std::vector<StudyEntry>& entries);

/// The keys ("model", "motion.2") of the texts whose hash differs from the one stored with them,
/// except for hashes of an unknown kind (see require_known_hashes()).
std::vector<std::string> changed_texts(const std::vector<StudyEntry>& entries);

/// The identity of this program, as far as the bits of its results may depend on it.
struct BuildInfo {
  std::string_view version;          // of the project: "0.1.0"
  std::string_view commit;           // its hash, with "-dirty" where files were changed since;
                                     // "unknown" outside git
  std::string_view compiler;         // "GNU 12.2.0"
  std::string_view flags;            // used for the whole program
  std::string_view instruction_set;  // "x86-64 sse3 ...": what the compiler could use
};

BuildInfo build_info();

/// The study that results were made from, read again from the texts stored with them. Throws
/// StoreError (unusable) if these are not complete, not as they were stored, or of another study
/// than the columns, or if this version refuses the study.
Study stored_study(const ResultsFile& results);

/// Runs `read`, which reads JSON stored with results: a mistake in the JSON is reported as a fault
/// of the file.
template <class Read>
auto reading(const ResultsFile& results, const Read& read) {
  try {
    return read();
  } catch (const InputError& error) {
    throw damaged(results.path(), error.what());
  }
}

}  // namespace counterpoise
