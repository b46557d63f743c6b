#include "results/merge.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <set>
#include <sstream>
#include <utility>

#include "results/results_file.hpp"
#include "results/sqlite/schema.hpp"

namespace counterpoise {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t batch_size = 4096;

/// What program made the rows, by keys of the study table.
constexpr std::array<std::string_view, 6> program_keys = {
    "tool_version", "commit", "compiler", "flags", "instruction_set", "vector_width"};

[[noreturn]] void refuse(const std::string& message) {
  throw StoreError(StoreError::Kind::unusable, message);
}

// The next case of one part.
struct Source {
  explicit Source(const ResultsFile& results)
      : path(results.path().string()), failures(results.failures()), cases(results.cases()) {
    advance();
  }
  void advance() { more = cases.next(row); }
  // Says why the case failed, of which the batch has just got the row.
  void add_failure(RowBatch& batch) {
    while (failure < failures.size() && failures[failure].id < row.id) ++failure;
    if (failure < failures.size() && failures[failure].id == row.id)
      batch.set_failure(failures[failure]);
  }

  std::string path;
  std::vector<FailureRow> failures;
  std::size_t failure = 0;  // the next one
  ResultsFile::Cursor cases;
  CaseRow row;
  bool more = false;
};

void require_one_study(const std::vector<ResultsFile>& parts, bool allow_mixed) {
  const ResultsFile& first = parts.front();
  for (const ResultsFile& part : parts) {
    const std::string both = part.path().string() + " and " + first.path().string();
    const auto found = differences(part.study(), first.study(), allow_mixed);
    if (!found.empty()) refuse(both + " differ in " + in_words(found));
    if (part.layout() != first.layout()) refuse(both + " have other columns");
  }
}

bool is_of_one_file(const StudyEntry& entry) {
  constexpr std::array<std::string_view, 4> keys = {finished_key, shard_key, shards_key,
                                                    birth_name_key};
  return std::find(keys.begin(), keys.end(), entry.key) != keys.end();
}

Birth birth_of_all(const ResultsFile& first) {
  Birth birth{first.layout(), first.study(), first.variables(), first.baselines(),
              first.failure_names()};
  std::erase_if(birth.study, is_of_one_file);
  return birth;
}

// The entries of a part's study table that the first part lacks: those that its searches wrote.
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
    next->add_failure(batch);
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

std::optional<std::string> value_of(const std::vector<StudyEntry>& entries, std::string_view key) {
  for (const StudyEntry& entry : entries)
    if (entry.key == key) return entry.value;
  return std::nullopt;
}

void set(std::vector<StudyEntry>& entries, StudyEntry entry) {
  for (StudyEntry& known : entries)
    if (known.key == entry.key) return static_cast<void>(known = std::move(entry));
  entries.push_back(std::move(entry));
}

bool is_of_program(std::string_view key) {
  return std::find(program_keys.begin(), program_keys.end(), key) != program_keys.end();
}

/// Of hashes that differ because they are of different kinds; else empty.
std::string kinds_in_words(const std::string& first, const std::string& second) {
  const std::string_view one = kind_of_hash(first), other = kind_of_hash(second);
  if (one.empty() || other.empty() || one == other) return "";
  return " (" + std::string(one) + " and " + std::string(other) + " cannot be compared)";
}

/// Starts of a search may end before all their cases are used.
bool is_search(const ResultsFile& results) {
  return std::any_of(results.study().begin(), results.study().end(),
                     [](const StudyEntry& entry) { return entry.key.starts_with("search."); });
}

/// Which parts of the study some files are.
class Shards {
 public:
  explicit Shards(const std::vector<ResultsFile>& files) {
    for (const ResultsFile& file : files) {
      const auto own = file.value(shard_key), joined = file.value(shards_key);
      const bool finished = file.value(finished_key) == "1";
      if (!finished && !joined) not_finished_.push_back(file.path().string());
      if (finished && !own) whole_ = true;
      std::istringstream words(own.value_or(joined.value_or("")));
      for (std::string shard; words >> shard;) {
        const int index = index_of(shard, file);
        there_.insert(index);
        if (finished || !own) finished_.insert(index);
      }
    }
    for (int i = 1; i <= count_ && missing_.size() <= most_named; ++i)
      if (!there_.contains(i))
        missing_.push_back(missing_.size() < most_named ? name_of(i) : "...");
  }

  bool whole() const { return whole_ || (count_ > 0 && std::cmp_equal(finished_.size(), count_)); }
  const std::vector<std::string>& missing() const { return missing_; }
  const std::vector<std::string>& not_finished() const { return not_finished_; }
  std::string finished() const {
    std::string words;
    for (const int i : finished_) {
      if (!words.empty()) words += ' ';
      words += name_of(i);
    }
    return words;
  }

 private:
  static constexpr std::size_t most_named = 10;

  std::string name_of(int index) const {
    return std::to_string(index) + '/' + std::to_string(count_);
  }

  /// The index of a shard, 2 of "2/3", if all shards are thirds.
  int index_of(const std::string& shard, const ResultsFile& file) {
    int index = 0, count = 0;
    const char* const end = shard.data() + shard.size();
    const auto first = std::from_chars(shard.data(), end, index);
    const bool slash = first.ec == std::errc() && first.ptr != end && *first.ptr == '/';
    const auto second = slash ? std::from_chars(first.ptr + 1, end, count) : first;
    if (!slash || second.ec != std::errc() || second.ptr != end || index < 1 || index > count)
      throw damaged(file.path(), "\"" + shard + "\" in table study is no shard i/n");
    if (count_ != 0 && count != count_)
      refuse(file.path().string() + ": is shard " + shard + ", and another file is one of " +
             std::to_string(count_) + " shards; merge those of one number");
    count_ = count;
    return index;
  }

  int count_ = 0;  // of all shards; 0: the parts are none
  std::set<int> there_, finished_;
  std::vector<std::string> missing_, not_finished_;
  bool whole_ = false;
};

}  // namespace

std::string_view kind_of_hash(std::string_view hash) {
  const std::size_t end = hash.find(':');
  return end == std::string_view::npos ? std::string_view() : hash.substr(0, end);
}

std::vector<Difference> differences(const std::vector<StudyEntry>& a,
                                    const std::vector<StudyEntry>& b, bool allow_mixed) {
  const auto matters = [&](const std::string& key) {
    return is_of_program(key) ? !allow_mixed : key.ends_with("hash");
  };
  std::set<std::string> keys;
  for (const auto* entries : {&a, &b})
    for (const StudyEntry& entry : *entries)
      if (matters(entry.key)) keys.insert(entry.key);
  std::vector<Difference> found;
  for (const std::string& key : keys) {
    Difference difference{key, value_of(a, key), value_of(b, key)};
    if (difference.first != difference.second) found.push_back(std::move(difference));
  }
  return found;
}

std::string in_words(std::span<const Difference> differences) {
  std::string words;
  bool of_program = false;
  for (const auto& [key, first, second] : differences) {
    words += (words.empty() ? "" : ", ") + key;
    if (!is_of_program(key)) {
      words += kinds_in_words(first.value_or(""), second.value_or(""));
      continue;
    }
    of_program = true;
    const auto shown = [](const std::optional<std::string>& value) {
      return value ? '"' + *value + '"' : std::string("none");
    };
    words += " (" + shown(first) + " and " + shown(second) + ')';
  }
  if (of_program) words += "; --allow-mixed takes rows of different programs together";
  return words;
}

std::vector<StudyEntry> mixed_entries(const std::vector<StudyEntry>& a,
                                      const std::vector<StudyEntry>& b) {
  constexpr std::string_view between = " | ";
  std::vector<StudyEntry> entries;
  for (const std::string_view key : program_keys) {
    const std::optional<std::string> first = value_of(a, key), second = value_of(b, key);
    if (first == second) continue;
    const std::string known = first.value_or("none"), other = second.value_or("none");
    const std::string listed = std::string(between) + known + std::string(between);
    if (listed.find(std::string(between) + other + std::string(between)) == std::string::npos)
      entries.push_back({std::string(key), known + std::string(between) + other});
  }
  return entries;
}

MergeSummary merge(const std::vector<fs::path>& parts, const fs::path& output, Existing existing,
                   bool allow_mixed) {
  if (parts.empty()) refuse("there is nothing to merge");
  std::vector<ResultsFile> files(parts.begin(), parts.end());
  require_one_study(files, allow_mixed);
  for (const fs::path& part : parts) {
    std::error_code ignored;
    if (fs::equivalent(part, output, ignored))
      refuse(output.string() + ": is one of the files to merge; name another output");
  }
  const Shards shards(files);
  Birth birth = birth_of_all(files.front());
  for (const ResultsFile& file : files)
    for (StudyEntry& mixed : mixed_entries(birth.study, file.study()))
      set(birth.study, std::move(mixed));
  if (!shards.whole()) set(birth.study, {shards_key, shards.finished()});

  Store store = Store::create(output, birth, existing, Making::merge);
  MergeSummary summary = copy_cases(files, store);
  for (const ResultsFile& file : files)
    store.append({}, added_entries(birth, file), file.certificates());
  summary.missing = shards.missing();
  summary.not_finished = shards.not_finished();
  const std::optional<std::string> cases = files.front().value(case_count_key);
  const bool counted = cases && !std::any_of(files.begin(), files.end(), is_search);
  summary.complete = counted ? cases == std::to_string(summary.cases) : shards.whole();
  if (summary.complete) store.finish();
  std::move(store).publish();
  return summary;
}

}  // namespace counterpoise
