#include "studies/stored/stored_study.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "input/reading/read.hpp"
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

/// Results of earlier versions have no min_tension of any spring.
void leave_out_later_metrics(const StoreLayout& layout, Study& study) {
  if (std::any_of(layout.metrics.begin(), layout.metrics.end(),
                  [](const std::string& name) { return name.ends_with(".min_tension"); }))
    return;
  std::erase_if(study.stored, [&](int index) {
    const MetricName& metric = study.metrics[static_cast<std::size_t>(index)];
    return metric.of == MetricOf::spring &&
           metric.statistic == static_cast<int>(SpringStatistic::min_tension);
  });
}

}  // namespace

Study stored_study(const ResultsFile& results) {
  require_files(results);
  try {
    Study study = read_study(stored_study_path(results.study()), stored_files(results.study()));
    leave_out_later_metrics(results.layout(), study);
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
