#include "tests/faults/small_studies.hpp"

#include <fmt/format.h>

#include "results/rows/rows.hpp"
#include "studies/run.hpp"
#include "tests/support/arm_study.hpp"

namespace counterpoise::test {
namespace {

const std::string variables = R"("variables": {
"mount": {"range": [0.1, 0.4]}, "load": {"range": [1, 5]},
"spring": {"catalogue": "springs.csv", "sets": {"rate": "rate", "free": "free_length"}},
"path": {"motion": ["fold", "swing"]}})";

const std::string goals = R"("objectives": [
{"name": "peak", "minimize": "max", "of": ["shoulder", "elbow"]},
{"name": "root", "expression": "sqrt(mount - 0.15) * shoulder.mean / baseline.shoulder.mean"}],
"constraints": [{"name": "drawn", "expression": "lift.max_length", "max": 0.75}])";

Study study_with(const std::string& members) {
  return study_of(arm_files(arm_study(members, R"({"swing": "swing.json", "fold": "fold.json"})")));
}

std::string cell_text(const Value& value) {
  if (const auto* real = std::get_if<double>(&value)) return fmt::format("{:a}", *real);
  if (const auto* whole = std::get_if<std::int64_t>(&value)) return std::to_string(*whole);
  const auto* text = std::get_if<std::string>(&value);
  return text == nullptr ? "NULL" : '"' + *text + '"';
}

std::string numbers_text(const std::vector<double>& numbers) {
  std::string text;
  for (const double number : numbers) text += fmt::format(" {:a}", number);
  return text;
}

void add_cases(const ResultsFile& results, std::string& text) {
  auto cases = results.cases();
  for (CaseRow row; cases.next(row);) {
    text += fmt::format("case {} {} {}", row.id, static_cast<int>(row.status), row.reason);
    for (const Value& value : row.variables) text += ' ' + cell_text(value);
    text += numbers_text(row.metrics) + numbers_text(row.objectives) + '\n';
  }
  for (const FailureRow& row : results.failures())
    text += fmt::format("failure {} {} {} {} {:a} {:a} {:a}\n", row.id, row.kind, row.of,
                        row.motion, row.t, row.value, row.bound);
  for (const CertificateRow& row : results.certificates())
    text += fmt::format("certificate {} {:a} {:a} {}\n", row.id, row.bound, row.gap, row.text);
}

void add_totals(const ResultsFile& results, std::string& text) {
  const Totals totals = results.totals();
  for (const std::int64_t count : totals.statuses) text += fmt::format("cases {}\n", count);
  for (const ColumnTotals& column : totals.columns) {
    text += fmt::format("column {} {:a} {} {:a} {} {}\n", column.count, column.least,
                        column.least_id, column.most, column.most_id, column.sum.text());
    for (const Histogram::Bin& bin : column.histogram.bins())
      text += fmt::format("bin {:a} {:a} {}\n", bin.low, bin.high, bin.count);
  }
  for (const auto& [key, count] : totals.failures)
    text += fmt::format("failed {} {} {}\n", key.first, key.second, count);
  for (const auto& [words, count] : totals.in_words) text += fmt::format("{} {}\n", words, count);
  const IdSet evaluated = results.evaluated();
  for (const auto& [first, last] : evaluated.ranges())
    text += fmt::format("evaluated {} {}\n", first, last);
}

}  // namespace

std::vector<SmallStudy> small_studies() {
  std::vector<SmallStudy> studies;
  studies.push_back(
      {"sampled",
       study_with(variables + R"(, "sampling": {"method": "sobol", "count": 60, "seed": 3}, )" +
                  goals)});
  studies.push_back(
      {"keeping",
       study_with(variables + R"(, "sampling": {"method": "sobol", "count": 60, "seed": 3}, )" +
                  goals + R"(, "keep": {"best": 5, "front": true, "sample": 6})")});
  studies.push_back({"searched", study_with(R"("variables": {"mount": {"range": [0.1, 0.4]}},
"search": {"method": "nlopt", "algorithm": "LN_SBPLX", "starts": 3, "max_evaluations": 20, "seed": 2},
)" + one_objective)});
  studies.push_back(
      {"exact",
       study_with(
           R"("variables": {"rate": {"range": [0, 2000]}}, "search": {"method": "exact-springs"},
)" + one_objective)});
  return studies;
}

void run_small(const Study& study, const std::filesystem::path& output, Way way) {
  RunOptions options;
  options.output = output;
  options.threads = 1;
  options.window = 16;
  options.resume = way.resume;
  options.force = way.force;
  run_study(study, options);
}

std::string refusal_of(const std::function<void()>& work) {
  try {
    work();
  } catch (const StoreError& error) {
    return error.what();
  }
  return "";
}

std::string everything_in(const std::filesystem::path& path) {
  return everything_in(ResultsFile(path));
}

std::string everything_in(const ResultsFile& results) {
  std::string text;
  for (const StudyEntry& entry : results.study())
    if (entry.key != "created" && entry.key != "born_as")
      text += entry.key + ' ' + entry.value + '\n';
  for (const VariableRow& row : results.variables())
    text += row.name + ' ' + row.kind + ' ' + row.definition + '\n';
  for (const Column& column : results.layout().variables)
    text += fmt::format("{} {}\n", column.name, static_cast<int>(column.type));
  for (const auto* names : {&results.layout().metrics, &results.layout().objectives})
    for (const std::string& name : *names) text += name + '\n';
  for (const BaselineRow& row : results.baselines())
    text += fmt::format("{} {} {} {}{}{}\n", row.name, row.motion, static_cast<int>(row.status),
                        row.reason, numbers_text(row.metrics), numbers_text(row.objectives));
  for (const FailureNameRow& row : results.failure_names())
    text += fmt::format("{} {} {} {} {}\n", row.kind, row.of, row.element, row.what, row.unit);
  add_cases(results, text);
  if (results.keep_rule()) add_totals(results, text);
  return text;
}

}  // namespace counterpoise::test
