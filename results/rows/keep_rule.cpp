#include "results/rows/keep_rule.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <sstream>
#include <stdexcept>

#include "optimizer/sampling/random_bits.hpp"

namespace counterpoise {
namespace {

constexpr const char* best_key = "keep.best";
constexpr const char* front_key = "keep.front";
constexpr const char* sample_key = "keep.sample";
constexpr const char* seed_key = "keep.seed";
constexpr const char* per_key = "keep.per";

std::int64_t number_of(const std::vector<StudyEntry>& entries, const char* key) {
  const std::string text = value_of(entries, key).value_or("");
  std::int64_t number = -1;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || stop != end || number < 0)
    throw std::invalid_argument(fmt::format("key {} of table study is \"{}\"", key, text));
  return number;
}

}  // namespace

std::string KeepRule::in_words(std::int64_t front_size) const {
  std::string words;
  const auto add = [&](const std::string& more) { words += (words.empty() ? "" : ", ") + more; };
  if (best > 0) add(best == 1 ? "the best" : fmt::format("the best {}", best));
  if (best == 0 && !front) add("the best, and what ties with it");
  if (front_size > 0)
    add(fmt::format("a sample of {} of the {} that no other dominates", most_of_front, front_size));
  else if (front)
    add("those that no other dominates");
  for (const std::string& variable : per) add(fmt::format("the best for each {}", variable));
  if (sample > 0) add(fmt::format("a sample of {}", std::min(sample, cases)));
  return words;
}

std::vector<StudyEntry> entries_of(const KeepRule& rule) {
  return {{best_key, std::to_string(rule.best)},
          {front_key, rule.front ? "1" : "0"},
          {sample_key, std::to_string(rule.sample)},
          {seed_key, std::to_string(rule.seed)},
          {per_key, fmt::format("{}", fmt::join(rule.per, " "))}};
}

std::optional<KeepRule> keep_rule_of(const std::vector<StudyEntry>& entries) {
  if (!value_of(entries, best_key)) return std::nullopt;
  KeepRule rule;
  rule.best = number_of(entries, best_key);
  rule.front = number_of(entries, front_key) != 0;
  rule.sample = number_of(entries, sample_key);
  rule.seed = static_cast<std::uint64_t>(number_of(entries, seed_key));
  rule.cases = number_of(entries, case_count_key);
  std::istringstream names(value_of(entries, per_key).value_or(""));
  for (std::string name; names >> name;) rule.per.push_back(name);
  return rule;
}

IdSample::IdSample(std::int64_t cases, std::int64_t wanted, std::uint64_t seed)
    : cases_(static_cast<std::uint64_t>(cases)),
      wanted_(static_cast<std::uint64_t>(wanted)),
      seed_(seed),
      half_bits_(std::max(1U, (static_cast<unsigned>(std::bit_width(cases_)) + 1) / 2)) {}

/// A Feistel network permutes the numbers of an even count of bits; what leaves the range of ids
/// goes through it again until it is back.
std::uint64_t IdSample::place(std::int64_t id) const {
  constexpr std::uint64_t rounds = 6;
  const std::uint64_t mask = (std::uint64_t{1} << half_bits_) - 1;
  auto number = static_cast<std::uint64_t>(id - 1);
  if (number >= cases_) return number;
  do {
    std::uint64_t left = number >> half_bits_, right = number & mask;
    for (std::uint64_t round = 0; round < rounds; ++round) {
      const std::uint64_t next = left ^ (mixed_together(seed_, round, right) & mask);
      left = right;
      right = next;
    }
    number = left << half_bits_ | right;
  } while (number >= cases_);
  return number;
}

}  // namespace counterpoise
