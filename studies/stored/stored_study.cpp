#include "studies/stored/stored_study.hpp"

#include <fmt/format.h>

#include "studies/reading/read.hpp"
#include "studies/stored/case_rows.hpp"
#include "studies/stored/provenance.hpp"

namespace counterpoise {
namespace {

/// A file of the study has a path, a text and its hash.
void require_files(const ResultsFile& results) {
  if (!results.value("study.path")) throw damaged(results.path(), "it holds no study");
  for (const StudyEntry& entry : results.study()) {
    constexpr std::string_view ending = ".path";
    if (!entry.key.ends_with(ending)) continue;
    const std::string file = entry.key.substr(0, entry.key.size() - ending.size());
    if (!results.value(file + ".text"))
      throw damaged(results.path(), fmt::format("table study has no key {}.text", file));
  }
  require_known_hashes(results.path(), results.study());
  const std::vector<std::string> changed = changed_texts(results.study());
  if (!changed.empty())
    throw damaged(results.path(), fmt::format("texts in table study were changed since they were "
                                              "stored: {}",
                                              fmt::join(changed, ", ")));
}

}  // namespace

Study stored_study(const ResultsFile& results) {
  require_files(results);
  try {
    Study study = read_study(stored_study_path(results.study()), stored_files(results.study()));
    if (!(layout_of(study) == results.layout()))
      throw damaged(results.path(), "its columns are not those of the study it holds");
    return study;
  } catch (const InputError& error) {
    throw StoreError(StoreError::Kind::unusable,
                     fmt::format("{}: this version refuses the study it was made from: {}",
                                 results.path().string(), error.what()));
  }
}

}  // namespace counterpoise
