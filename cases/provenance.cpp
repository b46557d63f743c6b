#include "cases/provenance.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <cstdint>
#include <ctime>
#include <map>

#include "cases/case_rows.hpp"
#include "engine/math/pack.hpp"
#include "input/reading/read.hpp"
#include "results/differences.hpp"
#include "results/rows/keep_rule.hpp"
#include "results/rows/rows.hpp"
#include "results/rows/tie_order.hpp"

namespace counterpoise {
namespace {

constexpr std::string_view known_kind = "xxh3", earlier_kind = "fnv1a64";

}  // namespace

std::string hash_of(std::string_view text) {
  const XXH128_hash_t hash = XXH3_128bits(text.data(), text.size());
  return fmt::format("{}:{:016x}{:016x}", known_kind, hash.high64, hash.low64);
}

namespace {

/// FNV-1a, 64 bits, which versions before XXH3 stored.
std::string earlier_hash_of(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return fmt::format("{}:{:016x}", earlier_kind, hash);
}

bool is_of_unknown_kind(const StudyEntry& hash) {
  const std::string_view kind = kind_of_hash(hash.value);
  return !kind.empty() && kind != known_kind && kind != earlier_kind;
}

bool is_hash_of(const std::string& hash, std::string_view text) {
  return hash == (kind_of_hash(hash) == earlier_kind ? earlier_hash_of(text) : hash_of(text));
}

KeepRule rule_of(const Study& study) {
  KeepRule rule{study.keep->best,  study.keep->front, study.keep->sample, study.keep->seed, {},
                study.case_count()};
  for (const int variable : study.keep->per) rule.per.push_back(study.variables[variable].name);
  return rule;
}

}  // namespace

static_assert(default_ties == TieTolerance{}.relative, "what a file without the key means");

std::vector<StudyEntry> provenance_of(const Study& study, const Shard& shard) {
  const BuildInfo build = build_info();
  std::vector<StudyEntry> entries = {
      {"name", study.name},
      {"tool_version", std::string(build.version)},
      {"commit", std::string(build.commit)},
      {"compiler", std::string(build.compiler)},
      {"flags", std::string(build.flags)},
      {"instruction_set", std::string(build.instruction_set)},
      {"vector_width", std::to_string(pack_width)},
      {"created", fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)))},
      {"cases", std::to_string(study.case_count())},
  };
  for (std::size_t i = 0; i < study.ties.size(); ++i)
    if (study.ties[i] != default_ties)
      entries.push_back({ties_key + study.objectives[i].name, fmt::format("{}", study.ties[i])});
  if (study.keep)
    for (StudyEntry& entry : entries_of(rule_of(study))) entries.push_back(std::move(entry));
  if (shard.count > 1) entries.push_back({"shard", fmt::format("{}/{}", shard.index, shard.count)});
  std::map<std::string, int> used;
  for (const SourceText& source : study.sources) {
    const int number = ++used[source.role];
    const std::string key = number == 1 ? source.role : fmt::format("{}.{}", source.role, number);
    entries.push_back({key + ".path", source.path});
    entries.push_back({key + ".text", source.text});
    entries.push_back({key + ".hash", hash_of(source.text)});
  }
  return entries;
}

std::filesystem::path stored_study_path(const std::vector<StudyEntry>& entries) {
  for (const StudyEntry& entry : entries)
    if (entry.key == "study.path") return entry.value;
  return {};
}

FileProvider stored_files(const std::vector<StudyEntry>& entries) {
  std::map<std::string, std::string> key_of_path, texts;
  for (const StudyEntry& entry : entries) {
    if (entry.key.ends_with(".path"))
      key_of_path[entry.value] = entry.key.substr(0, entry.key.size() - 5) + ".text";
    if (entry.key.ends_with(".text")) texts[entry.key] = entry.value;
  }
  return [key_of_path, texts](const std::filesystem::path& path) {
    const auto key = key_of_path.find(path.string());
    const auto text = key == key_of_path.end() ? texts.end() : texts.find(key->second);
    if (text == texts.end())
      throw InputError({.file = path.string()}, "is not among the files kept with the results");
    return text->second;
  };
}

void require_known_hashes(const std::filesystem::path& results,
                          const std::vector<StudyEntry>& entries) {
  std::string unknown;
  for (const StudyEntry& entry : entries)
    if (entry.key.ends_with(".hash") && is_of_unknown_kind(entry))
      unknown += fmt::format("{}{} ({})", unknown.empty() ? "" : ", ", entry.key,
                             kind_of_hash(entry.value));
  if (unknown.empty()) return;
  throw StoreError(
      StoreError::Kind::unusable,
      fmt::format(
          "{}: this program does not know this kind of hash: {}; whether the texts of the "
          "study were changed since they were stored cannot be told; read the file with the "
          "version that stored it, or make the results again with run --force",
          results.string(), unknown));
}

std::vector<std::string> changed_texts(const std::vector<StudyEntry>& entries) {
  constexpr std::string_view ending = ".text";
  std::vector<std::string> changed;
  for (const StudyEntry& text : entries) {
    if (!text.key.ends_with(ending)) continue;
    const std::string key = text.key.substr(0, text.key.size() - ending.size());
    const bool kept = std::any_of(entries.begin(), entries.end(), [&](const StudyEntry& hash) {
      return hash.key == key + ".hash" &&
             (is_of_unknown_kind(hash) || is_hash_of(hash.value, text.value));
    });
    if (!kept) changed.push_back(key);
  }
  return changed;
}

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
    const MetricName& metric = study.metrics[index];
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
