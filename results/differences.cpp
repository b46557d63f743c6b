#include "results/differences.hpp"

#include <algorithm>
#include <set>

namespace counterpoise {
namespace {

/// What program made the rows, by keys of the study table.
constexpr std::array<std::string_view, 6> program_keys = {
    "tool_version", "commit", "compiler", "flags", "instruction_set", "vector_width"};

bool is_of_program(std::string_view key) {
  return std::find(program_keys.begin(), program_keys.end(), key) != program_keys.end();
}

constexpr std::string_view hash_of_input = ".hash";

/// Another key of the input that a hash belongs to: motion.2.path for motion.2.hash.
std::string beside_hash(const std::string& key, std::string_view other) {
  return key.substr(0, key.size() - hash_of_input.size()) + std::string(other);
}

/// What differs, in words: `the text of the study "study.json"` for the key study.hash.
std::string named(const Difference& difference) {
  if (!difference.key.ends_with(hash_of_input)) return difference.key;
  const std::string role = difference.key.substr(0, difference.key.find('.'));
  return "the text of the " + role + (difference.path.empty() ? "" : " \"" + difference.path + '"');
}

/// For hashes of different kinds: both kinds; else empty.
std::string kinds_in_words(const std::string& first, const std::string& second) {
  const std::string_view one = kind_of_hash(first), other = kind_of_hash(second);
  if (one.empty() || other.empty() || one == other) return "";
  return " (" + std::string(one) + " and " + std::string(other) + " cannot be compared)";
}

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
    if (key.ends_with(hash_of_input)) {
      const std::string path = beside_hash(key, ".path");
      difference.path = value_of(b, path).value_or(value_of(a, path).value_or(""));
    }
    if (difference.first != difference.second) found.push_back(std::move(difference));
  }
  return found;
}

std::string in_words(std::span<const Difference> differences) {
  std::string words;
  bool of_program = false;
  for (const Difference& difference : differences) {
    const auto& [key, first, second, path] = difference;
    words += (words.empty() ? "" : ", ") + named(difference);
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

}  // namespace counterpoise
