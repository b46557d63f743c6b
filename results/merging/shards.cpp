#include "results/merging/shards.hpp"

#include <algorithm>
#include <charconv>
#include <sstream>
#include <utility>

#include "results/rows/store_error.hpp"
#include "results/sqlite/schema.hpp"

namespace counterpoise {
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
