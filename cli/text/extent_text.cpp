#include "cli/text/extent_text.hpp"

#include <fmt/format.h>

#include <cstdlib>

#include "cli/output/answer.hpp"
#include "cli/output/streams.hpp"
#include "results/text/printable.hpp"

namespace counterpoise {
namespace {

/// With a comma before each three digits.
std::string grouped(std::int64_t number) {
  std::string text = std::to_string(number);
  const std::size_t first = number < 0 ? 1 : 0;
  for (std::size_t at = text.size(); at > first + 3;) text.insert(at -= 3, 1, ',');
  return text;
}

}  // namespace

std::string why_incomplete(const Extent& extent) {
  if (extent.complete()) return "";
  std::string text = grouped(extent.done);
  if (extent.of) text += " of " + grouped(*extent.of);
  text += " cases; ";
  if (!extent.shard.empty()) text += "shard " + extent.shard + (extent.finished ? "" : ", ");
  if (!extent.finished) return text + "not finished";
  return extent.shard.empty() ? text + "the others were deleted since the run finished" : text;
}

std::string what_is_kept(const ResultsFile& results) {
  const std::optional<KeepRule>& rule = results.keep_rule();
  if (!rule) return "";
  const std::int64_t front = std::atoll(results.value(front_size_key).value_or("0").c_str());
  return fmt::format("{} of {} cases are kept: {}", grouped(results.kept_count()),
                     grouped(results.count()), rule->in_words(front));
}

Json json_of(const Extent& extent) {
  return {{"done", extent.done}, {"of", or_null(extent.of)}};
}

std::string poses_text(const Study& study, const char* indent) {
  std::string text;
  for (const LoadCase& load_case : study.motions) {
    const int samples = load_case.motion.nominal.sample_count();
    if (load_case.motion.nominal.poses)
      text +=
          fmt::format("{}{} pose{} at rest in motion {}: {}\n", indent, grouped(samples),
                      samples == 1 ? "" : "s", load_case.name, printable(load_case.motion.poses));
  }
  return text;
}

Extent noted_extent(const ResultsFile& results) {
  const Extent extent = results.extent();
  if (!extent.complete())
    print_message(fmt::format("{}: {}", results.path().string(), why_incomplete(extent)));
  if (const std::string kept = what_is_kept(results); !kept.empty())
    print_message(fmt::format("{}: {}", results.path().string(), kept));
  return extent;
}

}  // namespace counterpoise
