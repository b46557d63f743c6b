#include "results/results_file.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <stdexcept>

#include "results/sqlite/checksum.hpp"
#include "results/sqlite/digest_tables.hpp"
#include "results/sqlite/schema.hpp"
#include "results/sqlite/selection_tables.hpp"
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
    try {
      keep_rule = keep_rule_of(study);
    } catch (const std::invalid_argument& error) {
      database.refuse_contents(error.what());
    }
  }

  std::filesystem::path path;
  Database database;
  StoreLayout layout;
  std::vector<StudyEntry> study;
  std::vector<VariableRow> variables;
  std::vector<BaselineRow> baselines;
  std::optional<KeepRule> keep_rule;
  std::optional<CaseReader> finder{};  // finds single cases; made for the first of them
  std::function<void()> between_rows{};
};

struct ResultsFile::Cursor::State {
  State(CaseReader cases, const std::function<void()>& call)
      : reader(std::move(cases)), between_rows(call) {}

  CaseReader reader;
  const std::function<void()>& between_rows;
  std::uint32_t read = 0;
};

ResultsFile::ResultsFile(const std::filesystem::path& path)
    : connection_(std::make_unique<Connection>(path)) {}
ResultsFile::ResultsFile(ResultsFile&&) noexcept = default;
ResultsFile::~ResultsFile() = default;

void ResultsFile::between_rows(std::function<void()> call) {
  connection_->between_rows = std::move(call);
}

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
  std::optional<CaseReader>& finder = connection_->finder;
  if (!finder) finder.emplace(CaseReader::finder(connection_->database, connection_->layout));
  return finder->find(id);
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

const std::optional<KeepRule>& ResultsFile::keep_rule() const {
  return connection_->keep_rule;
}

Totals ResultsFile::totals() const {
  return read_totals(connection_->database, connection_->layout);
}

IdSet ResultsFile::evaluated() const {
  return read_evaluated(connection_->database);
}

struct ResultsFile::Moment::State {
  Transaction reading;
};

ResultsFile::Moment::Moment(const ResultsFile& results)
    : state_(new State{Transaction(results.connection_->database, Database::Access::read)}) {}
ResultsFile::Moment::~Moment() = default;

ResultsFile::Check ResultsFile::check() const {
  Database& database = connection_->database;
  const Transaction moment(database, Database::Access::read);
  const std::optional<RowSum> stored = stored_sum(database);
  if (!stored) return {};
  return {true, stored->rows, fault_of_sum(database)};
}

std::optional<Digest> ResultsFile::digest() const {
  return read_digest(connection_->database);
}

std::int64_t ResultsFile::count() const {
  if (!keep_rule()) return kept_count();
  Statement rows(connection_->database, "SELECT total(count) FROM status_counts");
  rows.step();
  return rows.integer(0);
}

std::int64_t ResultsFile::count(Status status) const {
  if (const std::optional<Digest> known = digest())
    return known->statuses[static_cast<std::size_t>(status)];
  Statement rows(connection_->database,
                 keep_rule() ? "SELECT total(count) FROM status_counts WHERE status = ?"
                             : "SELECT count(*) FROM cases WHERE status = ?");
  rows.bind(1, std::string_view(to_text(status)));
  rows.step();
  return rows.integer(0);
}

std::int64_t ResultsFile::kept_count() const {
  if (const std::optional<Digest> known = digest()) return known->cases();
  Statement rows(connection_->database, "SELECT count(*) FROM cases");
  rows.step();
  return rows.integer(0);
}

std::optional<std::pair<std::int64_t, std::int64_t>> ResultsFile::ids() const {
  Statement range(connection_->database,
                  "SELECT (SELECT min(id) FROM cases), (SELECT max(id) FROM cases)");
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
  if (keep_rule()) static_cast<void>(totals());  // refuses a file whose tables disagree
  extent.finished = value(finished_key) == "1";
  extent.shard = value(shard_key).value_or("");
  const bool searched = std::any_of(study().begin(), study().end(), [](const StudyEntry& entry) {
    return entry.key.starts_with(search_prefix);
  });
  // A search may converge before it has used all its evaluations.
  if (searched && extent.finished && extent.shard.empty()) extent.of = extent.done;
  return extent;
}

ResultsFile::Cursor ResultsFile::cases(std::int64_t after) const {
  return Cursor(std::make_unique<Cursor::State>(
      CaseReader(connection_->database, connection_->layout, after), connection_->between_rows));
}

ResultsFile::Cursor ResultsFile::feasible_cases() const {
  return Cursor(std::make_unique<Cursor::State>(
      CaseReader::feasible(connection_->database, connection_->layout), connection_->between_rows));
}

ResultsFile::Cursor ResultsFile::feasible_objectives(std::optional<std::size_t> motion) const {
  return Cursor(std::make_unique<Cursor::State>(
      CaseReader::objectives(connection_->database, connection_->layout, motion),
      connection_->between_rows));
}

ResultsFile::Cursor ResultsFile::points() const {
  return Cursor(std::make_unique<Cursor::State>(
      CaseReader::points(connection_->database, connection_->layout), connection_->between_rows));
}

ResultsFile::Cursor ResultsFile::outcomes() const {
  return Cursor(std::make_unique<Cursor::State>(
      CaseReader::outcomes(connection_->database, connection_->layout), connection_->between_rows));
}

ResultsFile::Cursor::Cursor(std::unique_ptr<State> state) : state_(std::move(state)) {}
ResultsFile::Cursor::Cursor(Cursor&&) noexcept = default;
ResultsFile::Cursor::~Cursor() = default;

bool ResultsFile::Cursor::next(CaseRow& row) {
  constexpr std::uint32_t often = 1024;  // rows, which take a few milliseconds
  if (++state_->read % often == 0 && state_->between_rows) state_->between_rows();
  return state_->reader.next(row);
}

struct ResultsFile::FailureCursor::State {
  FailureReader reader;
};

ResultsFile::FailureCursor ResultsFile::failure_cursor(std::int64_t after) const {
  return FailureCursor(std::make_unique<FailureCursor::State>(
      FailureCursor::State{FailureReader(connection_->database, after)}));
}

ResultsFile::FailureCursor::FailureCursor(std::unique_ptr<State> state)
    : state_(std::move(state)) {}
ResultsFile::FailureCursor::FailureCursor(FailureCursor&&) noexcept = default;
ResultsFile::FailureCursor::~FailureCursor() = default;

bool ResultsFile::FailureCursor::next(FailureRow& row) {
  return state_->reader.next(row);
}

}  // namespace counterpoise
