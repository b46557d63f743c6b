#include "cli/arguments.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <charconv>
#include <filesystem>
#include <limits>

#include "cases/case_rows.hpp"
#include "cli/output/host.hpp"
#include "input/expressions/expression.hpp"
#include "input/reading/read.hpp"
#include "results/rows/rows.hpp"

namespace counterpoise {

RowFilter parse_row_filter(const std::string& condition, const StoreLayout& layout,
                           const std::function<std::string(const std::string&)>& unit_of) {
  Scope scope("a column of the results");
  scope.add("case");
  for (const Column& column : layout.variables)
    scope.add(column.name, column.type == ColumnType::text, unit_of(column.name));
  for (const std::string& name : layout.metrics) scope.add(name, false, unit_of(name));
  for (const std::string& name : layout.objectives) scope.add(name, false, unit_of(name));
  const Expression expression =
      Expression::parse(condition, scope, {.file = "--where"}, ExpressionKind::condition);
  return [scope, expression, names = scope.names().size()](const CaseRow& row) {
    std::vector<double> values = {static_cast<double>(row.id)};
    for (const Value& value : row.variables) {
      if (const auto* text = std::get_if<std::string>(&value))
        values.push_back(scope.number_of(*text));
      else if (const auto* whole = std::get_if<std::int64_t>(&value))
        values.push_back(static_cast<double>(*whole));
      else if (const auto* number = std::get_if<double>(&value))
        values.push_back(*number);
      else
        values.push_back(std::numeric_limits<double>::quiet_NaN());
    }
    values.insert(values.end(), row.metrics.begin(), row.metrics.end());
    values.insert(values.end(), row.objectives.begin(), row.objectives.end());
    values.resize(names, std::numeric_limits<double>::quiet_NaN());  // of cases that have none
    const double truth = expression.evaluate(values.data());
    return truth != 0.0 && truth == truth;
  };
}

ResultsFile opened(const std::string& path) {
  ResultsFile results(path);
  if (host() != nullptr)
    results.between_rows([interrupted = asked_by_host()] { interrupted.poll(); });
  return results;
}

CaseRow case_of(const ResultsFile& results, const std::string& name) {
  std::int64_t id = 0;
  if (name == "best") {
    RankOptions first;
    first.top = 1;
    for (const Ranking& ranking : rank(results, first))
      if (id == 0) id = best_case(ranking);
    if (id == 0)
      throw StoreError(StoreError::Kind::unusable,
                       results.path().string() + ": no case is feasible, so none is best");
  } else {
    const char* const end = name.data() + name.size();
    const auto [stop, error] = std::from_chars(name.data(), end, id);
    if (error != std::errc() || stop != end)
      throw InputError({.file = "case"}, "found " + in_quotes(name) + ", expected an id or best");
  }
  std::optional<CaseRow> row = any_case(results, id);
  if (!row)
    throw StoreError(StoreError::Kind::unusable, results.path().string() + ": has no case " + name);
  return std::move(*row);
}

int motion_of(const Study& study, const std::string& name) {
  if (name.empty()) return -1;
  std::vector<std::string> names;
  for (std::size_t m = 0; m < study.motions.size(); ++m) {
    if (study.motions[m].name == name) return static_cast<int>(m);
    names.push_back(study.motions[m].name);
  }
  throw InputError({.file = "--motion " + name},
                   fmt::format("expected a motion of the study: {}{}", fmt::join(names, ", "),
                               did_you_mean(name, names)));
}

std::vector<ParameterSetting> with_settings(std::vector<ParameterSetting> before,
                                            const std::vector<std::string>& set,
                                            const Model& model) {
  for (const std::string& text : set) {
    const ParameterSetting setting = read_setting(text, {.file = "--set " + text}, model);
    std::erase_if(before, [&](const ParameterSetting& earlier) {
      return earlier.parameter == setting.parameter;
    });
    before.push_back(setting);
  }
  return before;
}

void require_other_output(const std::string& output, const std::vector<std::string>& inputs) {
  if (output.empty()) return;
  std::error_code ignored;
  for (const std::string& input : inputs)
    if (std::filesystem::equivalent(output, input, ignored))
      throw InputError({.file = output}, "is read by this command; name another output");
}

}  // namespace counterpoise
