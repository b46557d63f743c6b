#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

#include "results/sqlite/checksum.hpp"
#include "results/sqlite/schema.hpp"

namespace counterpoise {
namespace {

/// The columns of a variable of this kind; none if there is no such kind.
std::vector<Column> columns_of(const VariableRow& variable) {
  if (variable.kind == "values" || variable.kind == "range")
    return {{variable.name, ColumnType::real}};
  if (variable.kind == motion_kind) return {{variable.name, ColumnType::text}};
  if (variable.kind != "catalogue") return {};
  return {{variable.name, ColumnType::text}, {variable.name + ".row", ColumnType::integer}};
}

/// Whether a variable's value can stand in a column of this type.
bool fits(const Value& value, ColumnType type) {
  switch (type) {
    case ColumnType::real:
      return std::holds_alternative<double>(value) && std::isfinite(std::get<double>(value));
    case ColumnType::integer:
      return std::holds_alternative<std::int64_t>(value);
    case ColumnType::text:
      break;
  }
  return std::holds_alternative<std::string>(value);
}

constexpr const char* unfit = "a variable's value is of another kind, or no finite number";
constexpr const char* no_number = "it is feasible, and a metric or objective is no finite number";

}  // namespace

CaseReader::CaseReader(Database& database, const StoreLayout& layout, std::int64_t after)
    : CaseReader(database, layout, Part::whole, "SELECT * FROM cases WHERE id > ? ORDER BY id") {
  // ids below 1 are read too, so that next() refuses them
  rows_.bind(1, after == 0 ? std::numeric_limits<std::int64_t>::min() : after);
}

CaseReader CaseReader::feasible(Database& database, const StoreLayout& layout) {
  return {database, layout, Part::whole,
          "SELECT * FROM cases WHERE status = 'feasible' ORDER BY id"};
}

CaseReader CaseReader::points(Database& database, const StoreLayout& layout) {
  std::string query = "SELECT id, status";
  for (const Column& variable : layout.variables) query += ", " + identifier(variable.name);
  return {database, layout, Part::point, query + " FROM cases ORDER BY id"};
}

CaseReader CaseReader::outcomes(Database& database, const StoreLayout& layout) {
  return {database, layout, Part::outcome, "SELECT id, status FROM cases ORDER BY id"};
}

CaseReader CaseReader::objectives(Database& database, const StoreLayout& layout,
                                  std::optional<std::size_t> motion) {
  std::string query = "SELECT id, reason";
  for (const std::string& name : layout.objectives) query += ", " + identifier(name);
  if (motion) query += ", " + identifier(layout.variables[*motion].name);
  CaseReader reader(database, layout, Part::objectives,
                    query + " FROM cases WHERE status = 'feasible' ORDER BY id");
  reader.motion_ = motion;
  return reader;
}

CaseReader CaseReader::finder(Database& database, const StoreLayout& layout) {
  return {database, layout, Part::whole, "SELECT * FROM cases WHERE id = ?"};
}

std::optional<CaseRow> CaseReader::find(std::int64_t id) {
  rows_.reset();
  rows_.bind(1, id);
  last_ = 0;
  CaseRow row;
  const bool found = next(row);
  rows_.reset();
  if (!found) return std::nullopt;
  return row;
}

void CaseReader::require(bool holds, const char* what, std::int64_t id) const {
  if (!holds) rows_.database().refuse_contents("case " + std::to_string(id) + ": " + what);
}

bool CaseReader::next(CaseRow& row) {
  if (!rows_.step()) return false;
  row.id = rows_.integer(0);
  require(row.id >= 1, "ids start at 1", row.id);
  require(row.id > last_, "its id stands there twice, or out of order", row.id);
  last_ = row.id;
  if (part_ == Part::objectives) {
    read_objectives(row);
    return true;
  }
  const std::optional<Status> status = to_status(rows_.text(1));
  require(status.has_value(), "its status is none of feasible, infeasible and failed", row.id);
  row.status = *status;
  if (part_ == Part::outcome) return true;
  if (part_ == Part::point) {
    read_variables(row, 2);
    return true;
  }
  row.reason = rows_.text(2);
  read_cells(row);
  return true;
}

void CaseReader::read_variables(CaseRow& row, int column) const {
  row.variables.clear();
  for (const Column& variable : layout_->variables) {
    row.variables.push_back(rows_.value(column++));
    require(fits(row.variables.back(), variable.type), unfit, row.id);
  }
}

void CaseReader::read_cells(CaseRow& row) const {
  int column = 3 + static_cast<int>(layout_->variables.size());
  read_variables(row, 3);
  const bool feasible = row.status == Status::feasible;
  bool fit = read_numbers(rows_, column, layout_->metrics.size(), feasible, row.metrics);
  column += static_cast<int>(layout_->metrics.size());
  fit &= read_numbers(rows_, column, layout_->objectives.size(), feasible, row.objectives,
                      row.reason == unsettled_reason);
  require(fit, no_number, row.id);
}

void CaseReader::read_objectives(CaseRow& row) const {
  row.status = Status::feasible;
  const std::size_t count = layout_->objectives.size();
  const bool fit = read_numbers(rows_, 2, count, true, row.objectives, true);
  const bool settled = row.settled();  // then there is no reason
  row.reason = settled ? std::string() : rows_.text(1);
  require(fit && (settled || row.reason == unsettled_reason), no_number, row.id);
  row.variables.resize(layout_->variables.size());
  if (!motion_) return;
  Value& value = row.variables[*motion_];
  value = rows_.value(2 + static_cast<int>(count));
  require(fits(value, layout_->variables[*motion_].type), unfit, row.id);
}

std::vector<StudyEntry> read_study(Database& database) {
  std::vector<StudyEntry> study;
  Statement rows(database, "SELECT key, value FROM study WHERE key <> ? ORDER BY key");
  rows.bind(1, std::string_view(format_key));
  while (rows.step()) {
    if (!rows.is_text(0) || !rows.is_text(1))
      database.refuse_contents("key " + rows.text(0) + " of table study has no text");
    if (!study.empty() && study.back().key == rows.text(0))
      database.refuse_contents("key " + rows.text(0) + " of table study stands there twice");
    study.push_back({rows.text(0), rows.text(1)});
  }
  return study;
}

StoreLayout read_layout(Database& database) {
  StoreLayout layout;
  Statement rows(database, "SELECT name, role, type FROM columns ORDER BY rowid");
  while (rows.step()) {
    const std::string name = rows.text(0), role = rows.text(1), type = rows.text(2);
    const bool real = type == "REAL";
    if (role == "metric" && real)
      layout.metrics.push_back(name);
    else if (role == "objective" && real)
      layout.objectives.push_back(name);
    else if (role == "variable" && (real || type == "INTEGER" || type == "TEXT"))
      layout.variables.push_back({name, real                ? ColumnType::real
                                        : type == "INTEGER" ? ColumnType::integer
                                                            : ColumnType::text});
    else
      database.refuse_contents("table columns says of \"" + name + "\" that it is \"" + role +
                               "\" of type \"" + type + '"');
  }
  return layout;
}

std::vector<VariableRow> read_variables(Database& database, const StoreLayout& layout) {
  std::vector<VariableRow> variables;
  std::vector<Column> columns;
  Statement rows(database, "SELECT name, kind, definition FROM variables ORDER BY rowid");
  while (rows.step()) {
    variables.push_back({rows.text(0), rows.text(1), rows.text(2)});
    for (Column& column : columns_of(variables.back())) columns.push_back(std::move(column));
  }
  if (columns != layout.variables)
    database.refuse_contents("table variables has other variables than the table columns");
  return variables;
}

std::vector<BaselineRow> read_baselines(Database& database, const StoreLayout& layout) {
  std::vector<BaselineRow> baselines;
  Statement rows(database, "SELECT * FROM baselines ORDER BY rowid");
  std::vector<std::string> columns{"name", "motion", "status", "reason"};
  columns.insert(columns.end(), layout.metrics.begin(), layout.metrics.end());
  columns.insert(columns.end(), layout.objectives.begin(), layout.objectives.end());
  require_columns(rows, "baselines", columns);
  const int first_objective = 4 + static_cast<int>(layout.metrics.size());
  while (rows.step()) {
    BaselineRow row{rows.text(0), rows.text(1), Status::failed, rows.text(3), {}, {}};
    const std::optional<Status> status = to_status(rows.text(2));
    const bool feasible = status == Status::feasible;
    // a baseline may lack some numbers, such as the price of a drive where none suffices
    if (!status || !read_numbers(rows, 4, layout.metrics.size(), feasible, row.metrics, true) ||
        !read_numbers(rows, first_objective, layout.objectives.size(), feasible, row.objectives,
                      true))
      database.refuse_contents("the baseline \"" + row.name +
                               "\" has an unknown status, or a number that is not finite");
    row.status = *status;
    baselines.push_back(std::move(row));
  }
  return baselines;
}

std::vector<CertificateRow> read_certificates(Database& database, std::optional<std::int64_t> id) {
  if (!has_table(database, "certificates")) return {};  // a file of an earlier version
  const std::string all = "SELECT id, bound, gap, certificate FROM certificates";
  Statement rows(database, all + (id ? " WHERE id = ?" : " ORDER BY id"));
  if (id) rows.bind(1, *id);
  std::vector<CertificateRow> found;
  while (rows.step()) {
    if (!rows.is_number(1) || !rows.is_number(2) || !rows.is_text(3))
      database.refuse_contents("the certificate of case " + std::to_string(rows.integer(0)) +
                               " lacks its bound, its gap or its text");
    found.push_back({rows.integer(0), rows.real(1), rows.real(2), rows.text(3)});
  }
  return found;
}

FailureReader::FailureReader(Database& database, std::int64_t after) {
  if (!has_failures(database)) return;
  rows_.emplace(database,
                "SELECT id, kind, of, motion, t, value, bound FROM failures WHERE id > ? "
                "ORDER BY id");
  rows_->bind(1, after == 0 ? std::numeric_limits<std::int64_t>::min() : after);
}

bool FailureReader::next(FailureRow& row) {
  if (!rows_ || !rows_->step()) return false;
  const Statement& rows = *rows_;
  const auto number = [&](int column) {
    if (!rows.is_null(column) && !rows.is_number(column))
      rows.database().refuse_contents("the failure of case " + std::to_string(rows.integer(0)) +
                                      " has a value that is not a number");
    return rows.is_null(column) ? std::numeric_limits<double>::quiet_NaN() : rows.real(column);
  };
  for (int column = 0; column < 4; ++column)
    if (!std::holds_alternative<std::int64_t>(rows.value(column)))
      rows.database().refuse_contents("table failures has something else than a whole number");
  row = {rows.integer(0), rows.integer(1), rows.integer(2), rows.integer(3),
         number(4),       number(5),       number(6)};
  return true;
}

std::vector<FailureNameRow> read_failure_names(Database& database) {
  std::vector<FailureNameRow> names;
  if (!has_failures(database)) return names;
  Statement rows(database,
                 "SELECT kind, of, element, what, unit FROM failure_names ORDER BY rowid");
  while (rows.step())
    names.push_back({rows.integer(0), rows.integer(1), rows.text(2), rows.text(3), rows.text(4)});
  return names;
}

}  // namespace counterpoise
