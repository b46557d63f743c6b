#include "results/merge.hpp"

#include <algorithm>
#include <map>

#include "results/results_file.hpp"

namespace counterpoise {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t batch_size = 4096;
constexpr const char* case_count_key = "cases";

[[noreturn]] void refuse(const std::string& message) {
  throw StoreError(StoreError::Kind::unusable, message);
}

// The next case of one part.
struct Source {
  explicit Source(const ResultsFile& results)
      : path(results.path().string()), cases(results.cases()) {
    advance();
  }
  void advance() { more = cases.next(row); }

  std::string path;
  ResultsFile::Cursor cases;
  CaseRow row;
  bool more = false;
};

void require_one_study(const std::vector<ResultsFile>& parts, bool allow_mixed) {
  const ResultsFile& first = parts.front();
  for (const ResultsFile& part : parts) {
    std::string keys;
    for (const std::string& key : differing_keys(first.study(), part.study(), allow_mixed)) {
      keys += (keys.empty() ? "" : ", ") + key;
    }
    if (!keys.empty()) {
      refuse(part.path().string() + " and " + first.path().string() + " differ in " + keys);
    }
    if (part.layout() != first.layout()) {
      refuse(part.path().string() + " and " + first.path().string() + " have other columns");
    }
  }
}

Birth birth_of_all(const ResultsFile& first) {
  Birth birth{first.layout(), first.study(), first.variables(), first.baselines()};
  std::erase_if(birth.study, [](const StudyEntry& entry) {
    return entry.key == "finished" || entry.key == "shard";
  });
  return birth;
}

// What a part's study table has beyond the first's: what its searches noted.
std::vector<StudyEntry> added_entries(const Birth& birth, const ResultsFile& part) {
  std::vector<StudyEntry> entries = birth_of_all(part).study;
  std::erase_if(entries, [&](const StudyEntry& entry) {
    return std::any_of(birth.study.begin(), birth.study.end(),
                       [&](const StudyEntry& known) { return known.key == entry.key; });
  });
  return entries;
}

// All cases by ascending id, each once.
MergeSummary copy_cases(const std::vector<ResultsFile>& parts, Store& store) {
  std::vector<Source> sources(parts.begin(), parts.end());
  MergeSummary summary;
  RowBatch batch(store.layout());
  while (true) {
    Source* next = nullptr;
    for (Source& source : sources) {
      if (source.more && (next == nullptr || source.row.id < next->row.id)) next = &source;
    }
    if (next == nullptr || batch.size() == batch_size) {
      store.append(batch);
      batch.clear();
    }
    if (next == nullptr) return summary;

    batch.add(next->row);
    ++summary.cases;
    for (Source& source : sources) {
      if (&source == next || !source.more || source.row.id != next->row.id) continue;
      if (source.row != next->row) {
        refuse("case " + std::to_string(source.row.id) + " differs between " + next->path +
               " and " + source.path);
      }
      ++summary.repeated;
      source.advance();
    }
    next->advance();
  }
}

}  // namespace

std::vector<std::string> differing_keys(const std::vector<StudyEntry>& a,
                                        const std::vector<StudyEntry>& b, bool allow_mixed) {
  const auto matters = [allow_mixed](const std::string& key) {
    if (key == "tool_version" || key == "vector_width") return !allow_mixed;
    return key.ends_with("hash");
  };
  std::map<std::string, std::vector<std::string>> values;
  for (const auto* entries : {&a, &b}) {
    for (const StudyEntry& entry : *entries) {
      if (matters(entry.key)) values[entry.key].push_back(entry.value);
    }
  }
  std::vector<std::string> keys;
  for (const auto& [key, found] : values) {
    if (found.size() != 2 || found[0] != found[1]) keys.push_back(key);
  }
  return keys;
}

MergeSummary merge(const std::vector<fs::path>& parts, const fs::path& output, Existing existing,
                   bool allow_mixed) {
  if (parts.empty()) refuse("there is nothing to merge");
  std::vector<ResultsFile> files(parts.begin(), parts.end());
  require_one_study(files, allow_mixed);
  for (const fs::path& part : parts) {
    std::error_code ignored;
    if (fs::equivalent(part, output, ignored)) {
      refuse(output.string() + ": is one of the files to merge; name another output");
    }
  }

  if (existing == Existing::refuse && holds_results(output)) {
    refuse(output.string() + ": exists already and is not overwritten; replace it with --force");
  }
  const Birth birth = birth_of_all(files.front());
  const fs::path growing = output.string() + ".merging";
  MergeSummary summary;
  try {
    Store store = Store::create(growing, birth, Existing::replace);
    summary = copy_cases(files, store);
    for (const ResultsFile& file : files)
      store.append({}, added_entries(birth, file), file.certificates());
    const auto expected = files.front().value(case_count_key);
    if (expected == std::to_string(summary.cases)) store.finish();
    Store::create(output, birth, existing);  // refuses a locked one, clears away an older one
  } catch (...) {
    fs::remove(growing);
    throw;
  }
  fs::rename(growing, output);
  return summary;
}

}  // namespace counterpoise
