#include "cli/text/sensitivity/tornado_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cases/study_units.hpp"
#include "cli/text/sensitivity/sensitivity_text.hpp"
#include "results/text/printable.hpp"

namespace counterpoise {
namespace {

constexpr std::size_t line_width = 100;
constexpr std::size_t shortest_bar = 16, longest_bar = 36;

std::string place_text(const Variable& variable, double coordinate) {
  const Value value = value_at(variable, coordinate);
  if (const auto* label = std::get_if<std::string>(&value)) return printable(*label);
  return fmt::format("{:.4g}", std::get<double>(value));
}

/// A row's texts, before their widths are known.
struct Row {
  std::string name, low_at, centre_at, high_at, low, high;
  const TornadoBar* bar;
};

Row row_of(const Study& study, const SensitivityPlan& plan, const TornadoBar& bar) {
  const StudyFactor& factor = plan.factors[bar.factor];
  const Variable& variable = study.variables[factor.variable];
  const bool catalogue = variable.kind == VariableKind::catalogue;
  const auto place = [&](const TornadoEnd& end) {
    return end.known || !catalogue ? place_text(variable, end.at) : "-";
  };
  const auto value = [](const TornadoEnd& end) {
    return end.known ? fmt::format("{:.4g}", end.value) : "-";
  };
  return {factor.unit.empty() ? variable.name : fmt::format("{} [{}]", variable.name, factor.unit),
          place(bar.low),
          place_text(variable, factor.centre),
          place(bar.high),
          value(bar.low),
          value(bar.high),
          &bar};
}

/// The values that all bars of an objective span.
struct BarRange {
  double low, high;

  [[nodiscard]] std::size_t column(double value, std::size_t width) const {
    if (!(high > low)) return 0;
    return static_cast<std::size_t>(
        std::lround((value - low) / (high - low) * static_cast<double>(width - 1)));
  }
};

BarRange range_of(const ObjectiveSensitivity& of) {
  BarRange range{of.centre.value, of.centre.value};
  for (const TornadoBar& bar : of.tornado)
    for (const TornadoEnd& end : {bar.low, bar.high})
      if (end.known) {
        range.low = std::min(range.low, end.value);
        range.high = std::max(range.high, end.value);
      }
  return range;
}

/// From the centre to both ends; where both lie on one side, the nearer one is drawn over.
std::string bar_text(const TornadoBar& bar, const BarRange& range, double centre,
                     std::size_t width) {
  std::string text(width, ' ');
  const std::size_t middle = range.column(centre, width);
  const auto draw = [&](const TornadoEnd& end, char mark) {
    if (!end.known) return;
    const std::size_t at = range.column(end.value, width);
    for (std::size_t i = std::min(at, middle); i <= std::max(at, middle); ++i) text[i] = mark;
  };
  const bool low_is_nearer =
      bar.low.known && std::abs(bar.low.value - centre) < std::abs(bar.high.value - centre);
  if (low_is_nearer) draw(bar.high, '+');
  draw(bar.low, '-');
  if (!low_is_nearer) draw(bar.high, '+');
  text[middle] = '|';
  return text.substr(0, text.find_last_not_of(' ') + 1);
}

}  // namespace

std::string tornado_text(const Study& study, const SensitivityPlan& plan,
                         const ObjectiveSensitivity& of) {
  if (!of.centre.known) return "no tornado: its centre cannot be computed\n";
  std::vector<Row> rows = {{"variable", "low end", "centre", "high end", "at low", "at high", {}}};
  for (const TornadoBar& bar : of.tornado) rows.push_back(row_of(study, plan, bar));
  const auto width_of = [&](std::string Row::*part) {
    std::size_t width = 0;
    for (const Row& row : rows) width = std::max(width, (row.*part).size());
    return width;
  };
  const std::size_t name = width_of(&Row::name), low_at = width_of(&Row::low_at),
                    centre_at = width_of(&Row::centre_at), high_at = width_of(&Row::high_at),
                    low = width_of(&Row::low), high = width_of(&Row::high);
  const std::size_t used = name + low_at + centre_at + high_at + low + high + 7;
  const std::size_t bar =
      std::clamp(used < line_width ? line_width - used : std::size_t{0}, shortest_bar, longest_bar);
  const BarRange range = range_of(of);
  const std::string unit = unit_of(study, study.objectives[of.objective]);
  std::string text = fmt::format(
      "one variable at a time, the others at their centres, where {} is {:.6g}{}{} (|):\n"
      "- to the low end, + to the high end\n",
      study.objectives[of.objective].name, of.centre.value, unit.empty() ? "" : " ", unit);
  for (const Row& row : rows) {
    text +=
        fmt::format("{:<{}} {:>{}} {:>{}} {:>{}} {:>{}} {:>{}}", row.name, name, row.low_at, low_at,
                    row.centre_at, centre_at, row.high_at, high_at, row.low, low, row.high, high);
    if (row.bar != nullptr) text += "  " + bar_text(*row.bar, range, of.centre.value, bar);
    text += '\n';
  }
  return text;
}

}  // namespace counterpoise
