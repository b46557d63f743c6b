#include "cli/text/extent_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdlib>

#include "cli/output/answer.hpp"
#include "cli/output/streams.hpp"
#include "cli/text/text_style.hpp"
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

/// All values of a parameter, or their first and their last, in its unit; in SI without a model.
std::string values_text(const ParameterAxis& axis, const Model* model) {
  constexpr std::size_t few = 4;
  const Unit unit = model == nullptr ? Unit() : model->parameters[axis.parameter].unit;
  std::vector<std::string> values;
  for (const double value : axis.values)
    values.push_back(fmt::format("{:.6g}", unit.from_si(value)));
  const std::string text = values.size() <= few
                               ? fmt::format("{}", fmt::join(values, ", "))
                               : fmt::format("{} to {}", values.front(), values.back());
  return unit.name == "1" ? text : fmt::format("{} {}", text, unit.name);
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

std::string combinations_text(const ParametricMotion& motion, const Model* model) {
  std::string text;
  for (const ParameterAxis& axis : motion.axes)
    text += fmt::format("{} {} of {} ({})", text.empty() ? ", each with" : " times",
                        counted(axis.values.size(), "value"), axis.name, values_text(axis, model));
  return text;
}

std::string poses_text(const ParametricMotion& motion, const Model* model) {
  const auto samples = static_cast<std::int64_t>(motion.nominal.sample_count());
  const std::int64_t all = samples * static_cast<std::int64_t>(motion.combinations());
  std::string text;
  if (motion.nominal.poses)
    text = fmt::format("{} pose{} at rest in motion {}: {}", grouped(all), all == 1 ? "" : "s",
                       motion.nominal.name, printable(motion.poses));
  else if (!motion.axes.empty())
    text = fmt::format("motion {}", motion.nominal.name);
  return text + combinations_text(motion, model);
}

std::string poses_text(const Study& study, const char* indent) {
  std::string text;
  for (const LoadCase& load_case : study.motions) {
    if (load_case.combination > 0) continue;
    ParametricMotion motion = load_case.motion;
    motion.nominal.name = load_case.motion_name;
    const std::string line = poses_text(motion, study.model.get());
    if (!line.empty()) text += indent + line + '\n';
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
