#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "studies/reading/study_reading.hpp"

namespace counterpoise {
namespace {

constexpr std::int64_t most_best = 1'000'000, most_sampled = 10'000'000;

/// A discrete variable that is named to keep the best of each of its levels.
int discrete_variable(const JsonValue& item, const Study& study) {
  const std::string& name = string_of(item, "a variable");
  std::vector<std::string> names;
  for (const Variable& variable : study.variables) names.push_back(variable.name);
  const auto at = std::find(names.begin(), names.end(), name);
  if (at == names.end()) refuse_name(item, name, "a variable of the study", names);
  const auto index = static_cast<std::size_t>(at - names.begin());
  if (!study.variables[index].discrete())
    throw InputError(item.location(),
                     fmt::format("variable {} is a continuous range, which has no levels to keep "
                                 "the best of; give it a \"count\"",
                                 name));
  return static_cast<int>(index);
}

}  // namespace

void read_keep(const JsonValue* value, Study& study) {
  if (value == nullptr) return;
  constexpr std::string_view expected = "\"all\", or an object that says which cases to keep";
  if (value->kind == JsonValue::Kind::string) {
    if (string_of(*value, expected) != "all") refuse(*value, std::string(expected));
    return;
  }
  const ObjectReader object(*value, std::string(expected),
                            {"best", "front", "sample", "seed", "per"});
  if (study.search() != nullptr)
    throw InputError(value->location(),
                     "goes with a sampling; a search keeps all its cases, which it needs to go on");
  Keep& keep = study.keep.emplace();
  if (const JsonValue* best = object.find("best"))
    keep.best = integer_of(*best, "how many of the best cases", 0, most_best);
  if (const JsonValue* front = object.find("front"))
    keep.front = boolean_of(*front, "whether to keep the front");
  if (const JsonValue* sample = object.find("sample"))
    keep.sample = integer_of(*sample, "how many cases of all", 0, most_sampled);
  if (const JsonValue* seed = object.find("seed"))
    keep.seed = static_cast<std::uint64_t>(integer_of(*seed, "a seed", 0, largest_seed));
  if (const JsonValue* per = object.find("per"))
    for (const JsonValue& item : array_of(*per, "an array of variables")) {
      const int variable = discrete_variable(item, study);
      if (std::find(keep.per.begin(), keep.per.end(), variable) != keep.per.end())
        throw InputError(item.location(), "is listed twice");
      keep.per.push_back(variable);
    }
}

}  // namespace counterpoise
