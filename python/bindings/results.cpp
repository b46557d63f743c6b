#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <limits>
#include <map>
#include <optional>

#include "cases/case_rows.hpp"
#include "cases/provenance.hpp"
#include "cli/arguments.hpp"
#include "cli/text/ranking_text.hpp"
#include "python/bindings/arrays.hpp"
#include "python/bindings/bindings.hpp"
#include "python/bindings/call.hpp"
#include "python/bindings/errors.hpp"
#include "results/results_file.hpp"
#include "studies/applied_model.hpp"

namespace py = pybind11;

namespace counterpoise::python {
namespace {

/// Texts of a column, each different one once: `codes` says which stands in a row, -1 for none.
class TextColumn {
 public:
  void add(const std::string& text) {
    const auto [at, fresh] = known_.try_emplace(text, static_cast<std::int32_t>(labels.size()));
    if (fresh) labels.push_back(text);
    codes.push_back(at->second);
  }
  void add_none() { codes.push_back(-1); }

  std::vector<std::int32_t> codes;
  std::vector<std::string> labels;

 private:
  std::map<std::string, std::int32_t> known_;
};

/// The rows of a results file as columns.
struct CaseTable {
  std::vector<std::int64_t> ids;
  TextColumn statuses, reasons;
  std::vector<std::pair<std::string, std::vector<double>>> numbers;
  std::vector<std::pair<std::string, std::vector<std::int64_t>>> wholes;
  std::vector<std::pair<std::string, TextColumn>> texts;
  std::vector<std::string> order;  // of all columns
};

const char* name_of(Status status) {
  if (status == Status::feasible) return "feasible";
  return status == Status::infeasible ? "infeasible" : "failed";
}

/// Where the cells of a row go.
class TableWriter {
 public:
  TableWriter(const StoreLayout& layout, CaseTable& table) : layout_(layout), table_(table) {
    for (const Column& column : layout.variables) {
      table.order.push_back(column.name);
      if (column.type == ColumnType::text)
        table.texts.emplace_back(column.name, TextColumn());
      else if (column.type == ColumnType::integer)
        table.wholes.emplace_back(column.name, std::vector<std::int64_t>());
      else
        table.numbers.emplace_back(column.name, std::vector<double>());
    }
    first_metric_ = table.numbers.size();
    for (const auto* names : {&layout.metrics, &layout.objectives})
      for (const std::string& name : *names) {
        table.order.push_back(name);
        table.numbers.emplace_back(name, std::vector<double>());
      }
  }

  void add(const CaseRow& row) {
    table_.ids.push_back(row.id);
    table_.statuses.add(name_of(row.status));
    if (row.reason.empty())
      table_.reasons.add_none();
    else
      table_.reasons.add(row.reason);
    std::size_t number = 0, whole = 0, text = 0;
    for (const Value& value : row.variables) {
      if (const auto* of_text = std::get_if<std::string>(&value))
        table_.texts[text++].second.add(*of_text);
      else if (const auto* of_whole = std::get_if<std::int64_t>(&value))
        table_.wholes[whole++].second.push_back(*of_whole);
      else
        table_.numbers[number++].second.push_back(std::get<double>(value));
    }
    std::size_t at = first_metric_;
    add_numbers(row.metrics, layout_.metrics.size(), at);
    add_numbers(row.objectives, layout_.objectives.size(), at);
  }

 private:
  void add_numbers(const std::vector<double>& numbers, std::size_t count, std::size_t& at) {
    for (std::size_t i = 0; i < count; ++i)
      table_.numbers[at++].second.push_back(
          i < numbers.size() ? numbers[i] : std::numeric_limits<double>::quiet_NaN());
  }

  const StoreLayout& layout_;
  CaseTable& table_;
  std::size_t first_metric_ = 0;
};

py::tuple text_arrays(TextColumn&& column) {
  return py::make_tuple(array_of(std::move(column.codes)), column.labels);
}

/// The cases of a results file that meet a condition, as a dict of arrays. A column of texts is a
/// pair of codes and of what they stand for.
py::dict cases(const std::string& path, const std::string& where, bool feasible_only) {
  Call call;
  const Interruption interrupted = call.interrupted();
  CaseTable table = call.run(Call::Workers::none, [&] {
    ResultsFile results(path);
    results.between_rows([&] { interrupted.poll(); });
    RowFilter filter;
    if (!where.empty()) {
      const ColumnUnits units = units_of(results, {"m", "rad"});
      filter = parse_row_filter(where, results.layout(),
                                [&](const std::string& column) { return units.of(column); });
    }
    CaseTable found;
    TableWriter writer(results.layout(), found);
    auto rows = feasible_only ? results.feasible_cases() : results.cases();
    for (CaseRow row; rows.next(row);)
      if (!filter || filter(row)) writer.add(row);
    return found;
  });
  py::dict columns, unordered;
  columns["id"] = array_of(std::move(table.ids));
  columns["status"] = text_arrays(std::move(table.statuses));
  columns["reason"] = text_arrays(std::move(table.reasons));
  for (auto& [name, values] : table.numbers) unordered[py::str(name)] = array_of(std::move(values));
  for (auto& [name, values] : table.wholes) unordered[py::str(name)] = array_of(std::move(values));
  for (auto& [name, values] : table.texts)
    unordered[py::str(name)] = text_arrays(std::move(values));
  for (const std::string& name : table.order) columns[py::str(name)] = unordered[py::str(name)];
  return columns;
}

py::list baselines_of(const ResultsFile& results) {
  py::list list;
  for (const BaselineRow& row : results.baselines())
    list.append(
        py::make_tuple(row.name, row.motion, name_of(row.status), row.reason, row.objectives));
  return list;
}

/// What a results file says of itself.
py::dict summary(const std::string& path) {
  const ResultsFile results(path);
  const Extent extent = results.extent();
  py::list variables, kinds, units;
  for (const VariableRow& variable : results.variables()) {
    variables.append(variable.name);
    kinds.append(variable.kind);
  }
  py::dict found;
  found["study"] = results.value("name").value_or("");
  found["variables"] = variables;
  found["kinds"] = kinds;
  found["metrics"] = results.layout().metrics;
  found["objectives"] = results.layout().objectives;
  found["cases"] = results.count();
  found["kept"] = results.kept_count();
  found["feasible"] = results.count(Status::feasible);
  found["infeasible"] = results.count(Status::infeasible);
  found["failed"] = results.count(Status::failed);
  found["done"] = extent.done;
  found["of"] = extent.of;
  found["finished"] = extent.finished;
  found["complete"] = extent.complete();
  found["shard"] = extent.shard;
  found["baselines"] = baselines_of(results);
  return found;
}

/// The texts of the study that results were made from: its path, and all of them by theirs.
py::tuple study_texts(const std::string& path) {
  const ResultsFile results(path);
  const std::string study = stored_study_path(results.study()).string();
  py::dict texts;
  for (const StudyEntry& entry : results.study()) {
    constexpr std::string_view ending = ".path";
    if (!entry.key.ends_with(ending)) continue;
    const std::string file = entry.key.substr(0, entry.key.size() - ending.size());
    if (const auto text = results.value(file + ".text")) texts[py::str(entry.value)] = *text;
  }
  return py::make_tuple(study, texts);
}

/// The model with the values of a case: text, folder of the study's model, changed parameters, id,
/// what is against the case, and parameters of single motions that are left out.
py::tuple apply(const std::string& path, const std::string& name, const std::string& motion) {
  Call call;
  struct Applied {
    AppliedModel model;
    std::string beside, reason;
    std::int64_t id = 0;
  };
  const Applied found = call.run(Call::Workers::none, [&] {
    const ResultsFile results(path);
    const Study study = stored_study(results);
    const CaseRow row = case_of(results, name);
    const int of_motion = motion_of(study, motion);
    Applied applied{applied_model(study, point_of(study, row), row.id, of_motion), {}, {}, row.id};
    for (const SourceText& source : study.sources)
      if (source.role == "model" && applied.beside.empty()) applied.beside = source.path;
    if (row.status != Status::feasible) applied.reason = row.reason;
    return applied;
  });
  return py::make_tuple(found.model.text, found.beside, found.model.changed, found.id, found.reason,
                        found.model.own_settings);
}

/// The point of a case, a number per variable of the study; and the case's id.
py::tuple point_of_case(const std::string& path, const std::string& name) {
  const ResultsFile results(path);
  const Study study = stored_study(results);
  const CaseRow row = case_of(results, name);
  return py::make_tuple(array_of(point_of(study, row)), row.id);
}

}  // namespace

void bind_results(py::module_& module) {
  module.def("cases", &cases, py::arg("path"), py::arg("where"), py::arg("feasible_only"));
  module.def("summary", &summary, py::arg("path"));
  module.def("study_texts", &study_texts, py::arg("path"));
  module.def("apply", &apply, py::arg("path"), py::arg("case"), py::arg("motion"));
  module.def("point_of_case", &point_of_case, py::arg("path"), py::arg("case"));
}

}  // namespace counterpoise::python
