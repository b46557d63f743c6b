#include "springs/mounts/stored_mounts.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "input/text/json_document.hpp"
#include "input/text/stored_json.hpp"
#include "results/text/cells.hpp"

namespace counterpoise {
namespace {

constexpr std::int64_t most_level = 1'000'000'000;

Json number_or_null(const std::optional<double>& number) {
  return number ? Json(*number) : Json();
}

std::vector<double> numbers_in(const JsonValue& object, std::string_view key) {
  std::vector<double> numbers;
  for (const JsonValue& item : array_in(object, key)) {
    if (item.kind != JsonValue::Kind::number)
      throw InputError(item.location(), "found no number, expected one");
    numbers.push_back(item.number);
  }
  return numbers;
}

constexpr std::array end_words = {"proved",   "max_simplices", "max_memory",
                                  "smallest", "other_limit",   "interrupted"};

MountEnd end_in(const JsonValue& json) {
  const std::string word = text_in(json, "ended");
  const auto found = std::find(end_words.begin(), end_words.end(), word);
  if (found == end_words.end())
    throw InputError(member_of(json, "ended").location(),
                     fmt::format("found no known end of a proof, expected one of {}",
                                 fmt::join(end_words, ", ")));
  return static_cast<MountEnd>(found - end_words.begin());
}

}  // namespace

const char* word_for(MountEnd end) {
  return end_words[static_cast<std::size_t>(end)];
}

std::string mounts_text(const StoredMounts& mounts) {
  Json list = Json::array();
  for (const StoredMounts::Part& part : mounts.parts) {
    Json loosest = Json::array();
    for (const StoredMounts::Part::Range& range : part.loosest)
      loosest.push_back({{"variable", range.variable}, {"low", range.low}, {"high", range.high}});
    list.push_back({{"part", part.index},
                    {"levels", part.levels},
                    {"loosest", loosest},
                    {"best", number_or_null(part.best)},
                    {"bound", number_or_null(part.bound)},
                    {"best_at", part.best_at},
                    {"best_x", part.best_x},
                    {"simplices", part.simplices},
                    {"leaves", part.leaves},
                    {"by_limits", part.by_limits},
                    {"by_bound", part.by_bound},
                    {"bytes", part.bytes},
                    {"hash", part.hash},
                    {"data", part.data}});
  }
  Json json = {{"best", number_or_null(mounts.best)},
               {"bound", number_or_null(mounts.bound)},
               {"case", mounts.best_case},
               {"cases", mounts.cases},
               {"gap", mounts.gap},
               {"stored_best", number_or_null(mounts.stored_best)},
               {"searches", mounts.searches},
               {"ended", word_for(mounts.ended)}};
  if (mounts.adds_up) json["adds_up"] = true;
  json["parts"] = list;
  return json_text(json);
}

StoredMounts read_mounts(const std::string& text) {
  const JsonValue json = parse_json(text, mounts_key);
  StoredMounts mounts;
  mounts.best = number_or_null_in(json, "best");
  mounts.bound = number_or_null_in(json, "bound");
  mounts.best_case = count_in(json, "case");
  mounts.cases = count_in(json, "cases");
  mounts.gap = number_in(json, "gap");
  mounts.stored_best = number_or_null_in(json, "stored_best");
  mounts.searches = count_in(json, "searches");
  mounts.ended = end_in(json);
  const JsonValue* const adds_up = json.find("adds_up");
  mounts.adds_up = adds_up != nullptr && boolean_of(*adds_up, "true or false");
  for (const JsonValue& part : array_in(json, "parts")) {
    StoredMounts::Part& own = mounts.parts.emplace_back();
    own.index = count_in(part, "part");
    for (const JsonValue& level : array_in(part, "levels"))
      own.levels.push_back(integer_of(level, "a level", 0, most_level));
    for (const JsonValue& range : array_in(part, "loosest"))
      own.loosest.push_back(
          {text_in(range, "variable"), number_in(range, "low"), number_in(range, "high")});
    own.best = number_or_null_in(part, "best");
    own.bound = number_or_null_in(part, "bound");
    own.best_at = numbers_in(part, "best_at");
    own.best_x = numbers_in(part, "best_x");
    own.simplices = count_in(part, "simplices");
    own.leaves = count_in(part, "leaves");
    own.by_limits = number_in(part, "by_limits");
    own.by_bound = number_in(part, "by_bound");
    own.bytes = count_in(part, "bytes");
    own.hash = text_in(part, "hash");
    own.data = text_in(part, "data");
  }
  return mounts;
}

}  // namespace counterpoise
