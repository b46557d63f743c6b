#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "cases/clock.hpp"
#include "cases/study_units.hpp"
#include "cli/studio/request.hpp"
#include "cli/studio/what_if.hpp"

namespace counterpoise {
namespace {

constexpr double map_time = 0.025;         // [s] for an answer, which slider moves may wait for
constexpr std::size_t most_columns = 100;  // and rows
constexpr std::size_t most_cells = 1000;   // of a question

/// A variable along a side of a map.
struct MapSide {
  std::size_t variable = 0;
  std::vector<double> values;  // of the study's point at each column or row
  std::vector<double> shown;   // the same as numbers, where those are levels
};

std::size_t count_under(const Json& request, const char* key, std::size_t least, std::size_t most) {
  const auto found = request.find(key);
  if (found == request.end() || !found->is_number_unsigned() || found->get<std::size_t>() < least ||
      found->get<std::size_t>() > most)
    throw wrong_request(
        fmt::format("expected a whole number from {} to {} under \"{}\"", least, most, key));
  return found->get<std::size_t>();
}

/// The side of a map along a variable: from end to end of its range, or its levels.
MapSide map_side(const Study& study, const Json& request, const char* key, const char* count_key) {
  const auto name = request.find(key);
  if (name == request.end() || !name->is_string())
    throw wrong_request(fmt::format("expected the name of a variable under \"{}\"", key));
  const auto found = std::find_if(
      study.variables.begin(), study.variables.end(),
      [&](const Variable& one) { return one.name == name->get_ref<const std::string&>(); });
  if (found == study.variables.end() || !found->numeric())
    throw wrong_request(
        fmt::format("found {} under \"{}\", expected a variable of the study that is a number",
                    json_text(*name), key));
  const std::size_t count = count_under(request, count_key, 2, most_columns);
  MapSide side{.variable = static_cast<std::size_t>(found - study.variables.begin()),
               .values = {},
               .shown = {}};
  if (found->discrete()) {
    if (static_cast<std::int64_t>(count) != found->level_count())
      throw wrong_request(fmt::format("found {} under \"{}\", expected the {} levels of {}", count,
                                      count_key, found->level_count(), found->name));
    for (std::size_t level = 0; level < count; ++level)
      side.values.push_back(static_cast<double>(level));
    side.shown = found->values;
    return side;
  }
  const double width = found->high - found->low, last = static_cast<double>(count - 1);
  for (std::size_t i = 0; i + 1 < count; ++i)
    side.values.push_back(found->low + static_cast<double>(i) / last * width);
  side.values.push_back(found->high);
  side.shown = side.values;
  return side;
}

/// The cells that are asked for, by their numbers: row by row from the first.
std::vector<std::size_t> asked_cells(const Json& request, std::size_t count) {
  const auto cells = request.find("cells");
  if (cells == request.end() || !cells->is_array() || cells->empty() || cells->size() > most_cells)
    throw wrong_request(
        fmt::format("expected an array of 1 to {} numbers under \"cells\"", most_cells));
  std::vector<std::size_t> all;
  for (const Json& cell : *cells) {
    if (!cell.is_number_unsigned() || cell.get<std::size_t>() >= count)
      throw wrong_request(fmt::format("found {} under \"cells\", expected whole numbers below {}",
                                      json_text(cell), count));
    all.push_back(cell.get<std::size_t>());
  }
  return all;
}

}  // namespace

/// The objective of one design, or of the best springs there, or why there is none.
Json WhatIf::map_cell(const Asked& asked) {
  if (!asked.size) {
    cases_.evaluate(asked.point, of_cell_);
    if (of_cell_.status == CaseStatus::feasible) return {{"value", of_cell_.objectives.front()}};
    return {{"value", nullptr}, {"reason", of_cell_.reason}};
  }
  const SizedGeometry reached = sizer_->reach(asked.point);
  if (!reached.value || reached.outcome.status != CaseStatus::feasible)
    return {{"value", nullptr}, {"reason", reached.outcome.reason}};
  Json cell = {{"value", *reached.value}};
  if (reached.bound > -no_limit) cell["bound"] = reached.bound;
  return cell;
}

Json WhatIf::map(const Json& request) {
  Asked asked = this->asked(request);
  const MapSide across = map_side(study_, request, "across", "columns");
  const MapSide up = map_side(study_, request, "up", "rows");
  if (across.variable == up.variable)
    throw wrong_request("\"across\" and \"up\" are the same variable, expected two");
  for (const MapSide* side : {&across, &up})
    if (asked.size && is_sized(side->variable))
      throw wrong_request(fmt::format("{} is sized, expected a variable of the geometry",
                                      study_.variables[side->variable].name));
  const std::vector<std::size_t> cells =
      asked_cells(request, across.values.size() * up.values.size());
  if (!asked.same_parameters)
    return {{"refused",
             "the study says nothing of designs whose other parameters have other values than it "
             "gives them; put them back where they began"}};
  const Clock::time_point begin = Clock::now();
  const Objective& objective =
      study_.objectives[asked.size ? static_cast<std::size_t>(sizer_->objective()) : 0];
  Json answer = {{"objective", objective.name},
                 {"unit", unit_of(study_, objective)},
                 {"across", across.shown},
                 {"up", up.shown},
                 {"cells", Json::array()}};
  for (const std::size_t cell : cells) {
    asked.point[across.variable] = across.values[cell % across.values.size()];
    asked.point[up.variable] = up.values[cell / across.values.size()];
    answer["cells"].push_back(map_cell(asked));
    if (seconds_since(begin) > map_time) break;
  }
  return answer;
}

}  // namespace counterpoise
