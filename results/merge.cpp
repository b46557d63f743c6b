#include "results/merge.hpp"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <iterator>
#include <list>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "results/results_file.hpp"
#include "results/rows/rows.hpp"
#include "results/sqlite/schema.hpp"

namespace counterpoise {

/// Which parts of the study some files are.
class Shards {
 public:
  /// Throws StoreError (unusable) for a file that is a part of another number of parts.
  void add(const ResultsFile& file);

  /// Whether the files are the whole study, each finished.
  [[nodiscard]] bool whole() const;
  /// Throws StoreError (unusable) that names the parts that are missing or not finished.
  void require_whole(const std::filesystem::path& output) const;
  /// The first missing parts ("2/3"), and files that are not finished.
  [[nodiscard]] std::vector<std::string> missing() const;
  [[nodiscard]] const std::vector<std::string>& not_finished() const { return not_finished_; }
  /// The finished parts: "1/3 3/3".
  [[nodiscard]] std::string finished() const;

 private:
  [[nodiscard]] std::string name_of(int index) const;
  int index_of(const std::string& shard, const ResultsFile& file);

  int count_ = 0;  // of all shards; 0: the parts are not shards
  std::set<int> there_, finished_;
  std::vector<std::string> not_finished_;
  bool whole_ = false;
};

namespace {

namespace fs = std::filesystem;

constexpr std::size_t batch_size = 4096;

[[noreturn]] void refuse(const std::string& message) {
  throw StoreError(StoreError::Kind::unusable, message);
}

/// A part, and which ids it has.
struct Part {
  fs::path path;
  std::int64_t first = 0, last = -1;  // none if last < first
};

/// The next case of a part that is open.
class Source {
 public:
  Source(const fs::path& path, std::int64_t after)
      : results_(path), failures_(results_.failure_cursor(after)), cases_(results_.cases(after)) {
    more_failures_ = failures_.next(failure_);
    advance();
  }

  [[nodiscard]] bool more() const { return more_; }
  [[nodiscard]] const CaseRow& row() const { return row_; }
  [[nodiscard]] const ResultsFile& results() const { return results_; }
  void advance() { more_ = cases_.next(row_); }
  /// Adds the reason why a case failed whose row was just added to the batch.
  void add_failure(RowBatch& batch) {
    while (more_failures_ && failure_.id < row_.id) more_failures_ = failures_.next(failure_);
    if (more_failures_ && failure_.id == row_.id) batch.set_failure(failure_);
  }

 private:
  ResultsFile results_;
  ResultsFile::FailureCursor failures_;
  ResultsFile::Cursor cases_;
  FailureRow failure_;
  CaseRow row_;
  bool more_failures_ = false, more_ = false;
};

void require_one_study(const ResultsFile& first, const ResultsFile& part, bool allow_mixed) {
  const std::string both = part.path().string() + " and " + first.path().string();
  const auto found = differences(part.study(), first.study(), allow_mixed);
  if (!found.empty()) refuse(both + " differ in " + in_words(found));
  for (const StudyEntry& entry : first.study())
    if ((entry.key.starts_with("keep.") && entry.key != front_size_key) ||
        entry.key == case_count_key)
      if (part.value(entry.key) != entry.value) refuse(both + " differ in " + entry.key);
  if (part.layout() != first.layout()) refuse(both + " have other columns");
}

bool is_of_one_file(const StudyEntry& entry) {
  constexpr std::array<std::string_view, 5> keys = {finished_key, shard_key, shards_key,
                                                    birth_name_key, joined_key};
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

/// All cases by ascending id, each once, of those after the `after`th.
class Stream {
 public:
  Stream(std::vector<Part> parts, std::int64_t after) : parts_(std::move(parts)), after_(after) {
    std::erase_if(parts_,
                  [&](const Part& part) { return part.last < part.first || part.last <= after; });
    std::stable_sort(parts_.begin(), parts_.end(),
                     [](const Part& a, const Part& b) { return a.first < b.first; });
  }

  MergeSummary copy_to(Store& store, const std::function<void()>& between_batches) {
    MergeSummary summary;
    RowBatch batch(store.layout());
    while (Source* const next = least()) {
      batch.add(next->row());
      next->add_failure(batch);
      for (Source& source : open_)
        if (&source != next && source.more() && source.row().id == next->row().id) {
          require_same(*next, source);
          ++summary.repeated;
          source.advance();
        }
      next->advance();
      if (batch.size() < batch_size) continue;
      store.append_kept(batch);
      batch.clear();
      if (between_batches) between_batches();
    }
    store.append_kept(batch);
    return summary;
  }

 private:
  /// The open part with the least id, after parts that are due are opened and others closed.
  Source* least() {
    std::erase_if(open_, [](const Source& source) { return !source.more(); });
    while (true) {
      Source* least = nullptr;
      for (Source& source : open_)
        if (least == nullptr || source.row().id < least->row().id) least = &source;
      if (due_ == parts_.size() || (least != nullptr && least->row().id < parts_[due_].first))
        return least;
      open_.emplace_back(parts_[due_++].path, after_);
    }
  }

  static void require_same(const Source& a, const Source& b) {
    if (a.row() != b.row())
      refuse("case " + std::to_string(a.row().id) + " differs between " +
             a.results().path().string() + " and " + b.results().path().string());
  }

  std::vector<Part> parts_;  // by their first ids
  std::int64_t after_;
  std::size_t due_ = 0;  // the next to open
  std::list<Source> open_;
};

/// The names of the files to join; equal for an earlier merge of the same files.
std::string names_of(const std::vector<fs::path>& parts) {
  std::string names;
  for (const fs::path& part : parts) {
    std::error_code ignored;
    const auto changed = fs::last_write_time(part, ignored).time_since_epoch().count();
    names += fs::absolute(part).lexically_normal().string() + ' ' +
             std::to_string(fs::file_size(part, ignored)) + ' ' + std::to_string(changed) + '\n';
  }
  return names;
}

void set(std::vector<StudyEntry>& entries, StudyEntry entry) {
  for (StudyEntry& known : entries)
    if (known.key == entry.key) return static_cast<void>(known = std::move(entry));
  entries.push_back(std::move(entry));
}

/// Starts of a search may end before all their cases are used.
bool is_search(const ResultsFile& results) {
  return std::any_of(results.study().begin(), results.study().end(),
                     [](const StudyEntry& entry) { return entry.key.starts_with("search."); });
}

/// Adds up what parts say that keep some of their cases only. Throws StoreError (unusable) where
/// two have evaluated the same case, which then cannot be counted once.
void add_totals(const std::vector<fs::path>& parts, Store& store) {
  IdSet seen;
  Totals totals(store.layout());
  for (const fs::path& path : parts) {
    const ResultsFile part(path);
    const IdSet evaluated = part.evaluated();
    for (const auto& [first, last] : evaluated.ranges()) {
      const auto next = seen.ranges().upper_bound(last);
      if (next != seen.ranges().begin() && std::prev(next)->second >= first)
        refuse(path.string() + ": has evaluated cases from " + std::to_string(first) + " to " +
               std::to_string(last) +
               ", some of which another file has too; files that keep some of the cases only can "
               "be joined if they are of different cases");
    }
    for (const auto& [first, last] : evaluated.ranges()) seen.insert(first, last);
    totals.add(part.totals());
  }
  store.add_totals(totals, seen);
}

}  // namespace

MergeSummary merge(const std::vector<fs::path>& parts, const fs::path& output, Existing existing,
                   bool allow_mixed, Wanted wanted, const std::function<void()>& between_batches) {
  if (parts.empty()) refuse("there is nothing to merge");
  for (const fs::path& part : parts) {
    std::error_code ignored;
    if (fs::equivalent(part, output, ignored))
      refuse(output.string() + ": is one of the files to merge; name another output");
  }
  const ResultsFile first(parts.front());
  Birth birth = birth_of_all(first);
  Shards shards;
  std::vector<Part> places;
  bool search = false;
  for (const fs::path& path : parts) {
    const ResultsFile file(path);
    require_one_study(first, file, allow_mixed);
    if (const std::string fault = file.check().fault; !fault.empty()) throw damaged(path, fault);
    shards.add(file);
    for (StudyEntry& mixed : mixed_entries(birth.study, file.study()))
      set(birth.study, std::move(mixed));
    search = search || is_search(file);
    const auto [least, most] = file.ids().value_or(std::pair<std::int64_t, std::int64_t>(0, -1));
    places.push_back({path, least, most});
  }
  if (wanted == Wanted::whole) shards.require_whole(output);
  if (!shards.whole()) set(birth.study, {shards_key, shards.finished()});

  if (!first.keep_rule()) birth.study.push_back({joined_key, names_of(parts)});
  Store store = Store::create(output, birth, existing, Making::merge);
  const std::int64_t after = store.ids().last;
  MergeSummary summary = Stream(places, after).copy_to(store, between_batches);
  summary.after = after;
  if (first.keep_rule()) add_totals(parts, store);
  summary.cases = store.ids().count;
  for (const fs::path& path : parts) {
    const ResultsFile file(path);
    store.append({}, added_entries(birth, file), file.certificates());
  }
  summary.missing = shards.missing();
  summary.not_finished = shards.not_finished();
  const std::optional<std::string> cases = first.value(case_count_key);
  summary.complete = cases && !search ? cases == std::to_string(summary.cases) : shards.whole();
  if (wanted == Wanted::whole && !summary.complete)
    refuse(output.string() + ": is not made, because the parts have " +
           std::to_string(summary.cases) + " of " + cases.value_or("all") + " cases");
  store.forget(joined_key);
  if (summary.complete)
    store.finish();
  else
    store.sum_up();
  std::move(store).publish();
  return summary;
}

namespace {

constexpr std::size_t most_named = 10;

}  // namespace

void Shards::add(const ResultsFile& file) {
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

bool Shards::whole() const {
  return whole_ || (count_ > 0 && std::cmp_equal(finished_.size(), count_));
}

void Shards::require_whole(const std::filesystem::path& output) const {
  if (whole()) return;
  std::string what;
  for (const std::string& shard : missing()) what += (what.empty() ? "shards " : ", ") + shard;
  if (!what.empty()) what += " are missing";
  for (std::size_t i = 0; i < not_finished_.size() && i <= most_named; ++i) {
    const bool last = i + 1 == std::min(not_finished_.size(), most_named + 1);
    what += (what.empty() ? ""
             : i == 0     ? "; "
                          : ", ") +
            (i < most_named ? not_finished_[i] : std::string("...")) +
            (last ? " is not finished" : "");
  }
  throw StoreError(StoreError::Kind::unusable,
                   output.string() + ": is not made, because " +
                       (what.empty() ? "the files are not all parts of the study" : what));
}

std::vector<std::string> Shards::missing() const {
  std::vector<std::string> missing;
  for (int i = 1; i <= count_ && missing.size() <= most_named; ++i)
    if (!there_.contains(i)) missing.push_back(missing.size() < most_named ? name_of(i) : "...");
  return missing;
}

std::string Shards::finished() const {
  std::string words;
  for (const int i : finished_) {
    if (!words.empty()) words += ' ';
    words += name_of(i);
  }
  return words;
}

std::string Shards::name_of(int index) const {
  return std::to_string(index) + '/' + std::to_string(count_);
}

/// The index of a shard, 2 of "2/3", if all shards are thirds.
int Shards::index_of(const std::string& shard, const ResultsFile& file) {
  int index = 0, count = 0;
  const char* const end = shard.data() + shard.size();
  const auto first = std::from_chars(shard.data(), end, index);
  const bool slash = first.ec == std::errc() && first.ptr != end && *first.ptr == '/';
  const auto second = slash ? std::from_chars(first.ptr + 1, end, count) : first;
  if (!slash || second.ec != std::errc() || second.ptr != end || index < 1 || index > count)
    throw damaged(file.path(), "\"" + shard + "\" in table study is no shard i/n");
  if (count_ != 0 && count != count_)
    throw StoreError(StoreError::Kind::unusable, file.path().string() + ": is shard " + shard +
                                                     ", and another file is one of " +
                                                     std::to_string(count_) +
                                                     " shards; merge those of one number");
  count_ = count;
  return index;
}

}  // namespace counterpoise
