#include "results/results_file.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "results/sqlite/schema.hpp"
#include "results/store.hpp"

namespace counterpoise {
namespace {

constexpr int patience_ms = 10000;  // for the writer to finish a batch

Database open_results(const std::filesystem::path& path) {
  if (!std::filesystem::exists(path)) {
    throw StoreError(StoreError::Kind::unusable, path.string() + ": there is no such file");
  }
  if (!holds_results(path)) {
    throw StoreError(StoreError::Kind::unusable, path.string() + ": holds no results yet");
  }
  return {path, Database::Access::read, patience_ms};
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

}  // namespace

struct ResultsFile::Connection {
  explicit Connection(const std::filesystem::path& file)
      : path(file),
        database(open_results(file)),
        layout(read_layout(database)),
        study(read_study(database)),
        variables(read_variables(database, layout)),
        baselines(read_baselines(database, layout)) {
    require_columns(Statement(database, "SELECT * FROM cases"), "cases", case_columns(layout));
    if (layout.objectives.empty()) database.refuse_contents("table columns has no objective");
  }

  std::filesystem::path path;
  Database database;
  StoreLayout layout;
  std::vector<StudyEntry> study;
  std::vector<VariableRow> variables;
  std::vector<BaselineRow> baselines;
};

struct ResultsFile::Cursor::State {
  const StoreLayout& layout;
  Statement rows;
  std::int64_t last = 0;  // id
};

ResultsFile::ResultsFile(const std::filesystem::path& path)
    : connection_(std::make_unique<Connection>(path)) {}
ResultsFile::ResultsFile(ResultsFile&&) noexcept = default;
ResultsFile::~ResultsFile() = default;

const std::filesystem::path& ResultsFile::path() const {
  return connection_->path;
}
const StoreLayout& ResultsFile::layout() const {
  return connection_->layout;
}
const std::vector<StudyEntry>& ResultsFile::study() const {
  return connection_->study;
}
const std::vector<VariableRow>& ResultsFile::variables() const {
  return connection_->variables;
}
const std::vector<BaselineRow>& ResultsFile::baselines() const {
  return connection_->baselines;
}

std::optional<std::string> ResultsFile::value(const std::string& key) const {
  for (const StudyEntry& entry : connection_->study) {
    if (entry.key == key) return entry.value;
  }
  return std::nullopt;
}

const BaselineRow* ResultsFile::baseline(const std::string& name, const std::string& motion) const {
  for (const BaselineRow& row : connection_->baselines) {
    if (row.name == name && row.motion == motion) return &row;
  }
  return nullptr;
}

std::optional<CaseRow> ResultsFile::find(std::int64_t id) const {
  Statement rows(connection_->database, "SELECT * FROM cases WHERE id = ?");
  rows.bind(1, id);
  Cursor cursor(
      std::make_unique<Cursor::State>(Cursor::State{connection_->layout, std::move(rows)}));
  CaseRow row;
  if (!cursor.next(row)) return std::nullopt;
  return row;
}

namespace {

/// Searches note how each of their starts ended under keys of this kind.
constexpr std::string_view search_prefix = "search.";

std::optional<std::int64_t> whole_number(const std::optional<std::string>& text) {
  std::int64_t number = 0;
  if (!text) return std::nullopt;
  const char* const end = text->data() + text->size();
  const auto [stop, error] = std::from_chars(text->data(), end, number);
  if (error != std::errc{} || stop != end) return std::nullopt;
  return number;
}

}  // namespace

std::vector<CertificateRow> ResultsFile::certificates() const {
  return read_certificates(connection_->database, std::nullopt);
}

std::optional<CertificateRow> ResultsFile::certificate(std::int64_t id) const {
  const std::vector<CertificateRow> found = read_certificates(connection_->database, id);
  if (found.empty()) return std::nullopt;
  return found.front();
}

std::vector<FailureRow> ResultsFile::failures() const {
  std::vector<FailureRow> found;
  FailureCursor cursor = failure_cursor();
  for (FailureRow row; cursor.next(row);) found.push_back(row);
  return found;
}

std::vector<FailureNameRow> ResultsFile::failure_names() const {
  return read_failure_names(connection_->database);
}

std::int64_t ResultsFile::count() const {
  Statement rows(connection_->database, "SELECT count(*) FROM cases");
  rows.step();
  return rows.integer(0);
}

std::int64_t ResultsFile::count(Status status) const {
  Statement rows(connection_->database, "SELECT count(*) FROM cases WHERE status = ?");
  rows.bind(1, std::string_view(to_text(status)));
  rows.step();
  return rows.integer(0);
}

std::optional<std::pair<std::int64_t, std::int64_t>> ResultsFile::ids() const {
  Statement range(connection_->database, "SELECT min(id), max(id) FROM cases");
  range.step();
  if (range.is_null(0)) return std::nullopt;
  return std::pair(range.integer(0), range.integer(1));
}

Extent ResultsFile::extent() const {
  Extent extent;
  extent.done = count();
  extent.of = whole_number(value(case_count_key));
  if (extent.of && *extent.of < 0)
    connection_->database.refuse_contents("key cases of table study is " + *value(case_count_key));
  extent.finished = value(finished_key) == "1";
  extent.shard = value(shard_key).value_or("");
  const bool searched = std::any_of(study().begin(), study().end(), [](const StudyEntry& entry) {
    return entry.key.starts_with(search_prefix);
  });
  // A search may converge before it has used all its evaluations.
  if (searched && extent.finished && extent.shard.empty()) extent.of = extent.done;
  return extent;
}

void ResultsFile::copy_to(const std::filesystem::path& path) const {
  connection_->database.copy_to(path);
}

ResultsFile::Cursor ResultsFile::cases() const {
  return Cursor(std::make_unique<Cursor::State>(Cursor::State{
      connection_->layout, Statement(connection_->database, "SELECT * FROM cases ORDER BY id")}));
}

ResultsFile::Cursor ResultsFile::feasible_cases() const {
  return Cursor(std::make_unique<Cursor::State>(
      Cursor::State{connection_->layout,
                    Statement(connection_->database,
                              "SELECT * FROM cases WHERE status = 'feasible' ORDER BY id")}));
}

ResultsFile::Cursor::Cursor(std::unique_ptr<State> state) : state_(std::move(state)) {}
ResultsFile::Cursor::Cursor(Cursor&&) noexcept = default;
ResultsFile::Cursor::~Cursor() = default;

bool ResultsFile::Cursor::next(CaseRow& row) {
  Statement& rows = state_->rows;
  if (!rows.step()) return false;
  row.id = rows.integer(0);
  const auto require = [&](bool holds, const char* what) {
    if (!holds) rows.database().refuse_contents("case " + std::to_string(row.id) + ": " + what);
  };
  require(row.id >= 1, "ids start at 1");
  require(row.id > state_->last, "its id stands there twice, or out of order");
  state_->last = row.id;
  const std::optional<Status> status = to_status(rows.text(1));
  require(status.has_value(), "its status is none of feasible, infeasible and failed");
  row.status = *status;
  row.reason = rows.text(2);
  int column = 3;
  row.variables.clear();
  for (const Column& variable : state_->layout.variables) {
    row.variables.push_back(rows.value(column++));
    require(fits(row.variables.back(), variable.type),
            "a variable's value is of another kind, or no finite number");
  }
  const bool feasible = row.status == Status::feasible;
  bool fit = read_numbers(rows, column, state_->layout.metrics.size(), feasible, row.metrics);
  column += static_cast<int>(state_->layout.metrics.size());
  fit &= read_numbers(rows, column, state_->layout.objectives.size(), feasible, row.objectives,
                      row.reason == unsettled_reason);
  require(fit, "it is feasible, and a metric or objective is no finite number");
  return true;
}

struct ResultsFile::FailureCursor::State {
  FailureReader reader;
};

ResultsFile::FailureCursor ResultsFile::failure_cursor() const {
  return FailureCursor(std::make_unique<FailureCursor::State>(
      FailureCursor::State{FailureReader(connection_->database)}));
}

ResultsFile::FailureCursor::FailureCursor(std::unique_ptr<State> state)
    : state_(std::move(state)) {}
ResultsFile::FailureCursor::FailureCursor(FailureCursor&&) noexcept = default;
ResultsFile::FailureCursor::~FailureCursor() = default;

bool ResultsFile::FailureCursor::next(FailureRow& row) {
  return state_->reader.next(row);
}

}  // namespace counterpoise
