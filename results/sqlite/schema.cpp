#include "results/sqlite/schema.hpp"

#include <sqlite3.h>
#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <new>
#include <vector>

#include "results/rows/keep_rule.hpp"
#include "results/rows/rows.hpp"
#include "results/sqlite/checksum.hpp"
#include "results/sqlite/selection_tables.hpp"

namespace counterpoise {
namespace {

constexpr const char* format_name = "counterpoise-results/1";

const char* sql_type(ColumnType type) {
  switch (type) {
    case ColumnType::real:
      return "REAL";
    case ColumnType::integer:
      return "INTEGER";
    case ColumnType::text:
      break;
  }
  return "TEXT";
}

std::string number_columns(const StoreLayout& layout) {
  std::string sql;
  for (const auto* names : {&layout.metrics, &layout.objectives}) {
    for (const std::string& name : *names) sql += ", " + identifier(name) + " REAL";
  }
  return sql;
}

// What every column of cases is, so that whoever reads the file need not guess.
void write_columns(Database& database, const StoreLayout& layout) {
  database.execute("CREATE TABLE columns(name TEXT, role TEXT, type TEXT)");
  Statement insert(database, "INSERT INTO columns VALUES(?, ?, ?)");
  const auto add = [&](const std::string& name, std::string_view role, ColumnType type) {
    insert.bind(1, std::string_view(name));
    insert.bind(2, role);
    insert.bind(3, std::string_view(sql_type(type)));
    insert.run();
  };
  for (const Column& column : layout.variables) add(column.name, "variable", column.type);
  for (const std::string& name : layout.metrics) add(name, "metric", ColumnType::real);
  for (const std::string& name : layout.objectives) add(name, "objective", ColumnType::real);
}

void write_baselines(Database& database, const Birth& birth) {
  const StoreLayout& layout = birth.layout;
  database.execute("CREATE TABLE baselines(name TEXT, motion TEXT, status TEXT, reason TEXT" +
                   number_columns(layout) + ")");
  const std::size_t count = 4 + layout.metrics.size() + layout.objectives.size();
  Statement insert(database, "INSERT INTO baselines VALUES(" + parameters(count) + ")");
  for (const BaselineRow& row : birth.baselines) {
    insert.bind(1, std::string_view(row.name));
    insert.bind(2, std::string_view(row.motion));
    insert.bind(3, std::string_view(to_text(row.status)));
    insert.bind(4, std::string_view(row.reason));
    const int next = bind_numbers(insert, 5, row.metrics, layout.metrics.size());
    bind_numbers(insert, next, row.objectives, layout.objectives.size());
    insert.run();
  }
}

void write_failure_names(Database& database, const std::vector<FailureNameRow>& names) {
  database.execute(
      "CREATE TABLE failures(id INTEGER PRIMARY KEY, kind INTEGER, of INTEGER, motion INTEGER, "
      "t REAL, value REAL, bound REAL)");
  database.execute(
      "CREATE TABLE failure_names(kind INTEGER, of INTEGER, element TEXT, what TEXT, unit TEXT)");
  Statement insert(database, "INSERT INTO failure_names VALUES(?, ?, ?, ?, ?)");
  for (const FailureNameRow& row : names) {
    insert.bind(1, row.kind);
    insert.bind(2, row.of);
    insert.bind(3, std::string_view(row.element));
    insert.bind(4, std::string_view(row.what));
    insert.bind(5, std::string_view(row.unit));
    insert.run();
  }
}

void create_tables(Database& database, const Birth& birth) {
  database.execute("CREATE TABLE study(key TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID");
  Statement study(database, "INSERT INTO study VALUES(?, ?)");
  const auto add = [&study](std::string_view key, std::string_view value) {
    study.bind(1, key);
    study.bind(2, value);
    study.run();
  };
  add(format_key, format_name);
  for (const StudyEntry& entry : birth.study) add(entry.key, entry.value);

  database.execute("CREATE TABLE variables(name TEXT, kind TEXT, definition TEXT)");
  Statement variable(database, "INSERT INTO variables VALUES(?, ?, ?)");
  for (const VariableRow& row : birth.variables) {
    variable.bind(1, std::string_view(row.name));
    variable.bind(2, std::string_view(row.kind));
    variable.bind(3, std::string_view(row.definition));
    variable.run();
  }

  std::string cases = "CREATE TABLE cases(id INTEGER PRIMARY KEY, status TEXT, reason TEXT";
  for (const Column& column : birth.layout.variables) {
    cases += ", " + identifier(column.name) + ' ' + sql_type(column.type);
  }
  database.execute(cases + number_columns(birth.layout) + ")");
  write_columns(database, birth.layout);
  write_baselines(database, birth);
  create_certificates(database);
  write_failure_names(database, birth.failure_names);
  if (keep_rule_of(birth.study)) {
    create_selection_tables(database);
    write_selection(database, birth.layout, Totals(birth.layout), {});
  }
}

/// Throws StoreError (unusable) for one of failures and failure_names without the other.
void require_both_of_failures(Database& database) {
  const bool failures = has_table(database, "failures");
  if (failures != has_table(database, "failure_names"))
    database.refuse_contents(std::string("the table ") + (failures ? "failure_names" : "failures") +
                             " is missing");
}

}  // namespace

void lay_out_cache() {
  constexpr std::size_t large = 2u << 20, size = 4 * large;
  int beside_page = 0;
  if (sqlite3_config(SQLITE_CONFIG_PCACHE_HDRSZ, &beside_page) != SQLITE_OK) return;
  const int page = bytes_of_page + beside_page;
  void* const room =
      mmap(nullptr, size + large, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (room == MAP_FAILED) return;
  const std::size_t over = reinterpret_cast<std::uintptr_t>(room) % large;
  std::byte* const begin = static_cast<std::byte*>(room) + (over == 0 ? 0 : large - over);
  madvise(begin, size, MADV_HUGEPAGE);
  sqlite3_config(SQLITE_CONFIG_PAGECACHE, begin, page, static_cast<int>(size) / page);
}

bool has_failures(Database& database) {
  return has_table(database, "failures");
}

void create_certificates(Database& database) {
  database.execute(
      "CREATE TABLE IF NOT EXISTS certificates(id INTEGER PRIMARY KEY, bound REAL, gap REAL, "
      "certificate TEXT)");
}

std::string image_of(const Birth& birth) {
  Database memory(":memory:", Database::Access::write, 0);
  memory.execute("PRAGMA page_size = " + std::to_string(bytes_of_page));
  create_tables(memory, birth);
  sqlite3_int64 size = 0;
  const std::unique_ptr<unsigned char, decltype(&sqlite3_free)> image(
      sqlite3_serialize(memory.handle(), "main", &size, 0), sqlite3_free);
  if (!image) throw std::bad_alloc();
  return {reinterpret_cast<const char*>(image.get()), static_cast<std::size_t>(size)};
}

bool has_no_tables(Database& database, const std::string& path) {
  Statement tables(database,
                   "SELECT count(*), count(CASE WHEN name IN ('study', 'columns', "
                   "'variables', 'baselines', 'cases') THEN 1 END) FROM sqlite_master");
  tables.step();
  if (tables.integer(0) == 0) return true;
  const StoreError foreign(StoreError::Kind::unusable,
                           path + ": is a database, but not a results file of counterpoise");
  if (tables.integer(1) != 5) throw foreign;
  require_plain_tables(database);
  require_both_of_failures(database);
  Statement format(database, "SELECT value FROM study WHERE key = ?");
  format.bind(1, std::string_view(format_key));
  if (!format.step()) throw foreign;
  if (format.text(0) != format_name) {
    throw StoreError(StoreError::Kind::unusable, path + ": has format \"" + format.text(0) +
                                                     "\"; expected \"" + format_name + '"');
  }
  return false;
}

const char* to_text(Status status) {
  switch (status) {
    case Status::feasible:
      return "feasible";
    case Status::infeasible:
      return "infeasible";
    case Status::failed:
      break;
  }
  return "failed";
}

std::optional<Status> to_status(std::string_view text) {
  for (const Status status : {Status::feasible, Status::infeasible, Status::failed})
    if (text == to_text(status)) return status;
  return std::nullopt;
}

void require_columns(const Statement& rows, const char* table,
                     const std::vector<std::string>& columns) {
  if (rows.names() != columns)
    rows.database().refuse_contents(std::string("the table ") + table +
                                    " has not the columns that the table columns lists");
}

int bind_numbers(Statement& statement, int parameter, const std::vector<double>& numbers,
                 std::size_t count) {
  for (std::size_t i = 0; i < count; ++i, ++parameter) {
    if (numbers.empty()) {
      statement.bind_null(parameter);
    } else {
      statement.bind(parameter, numbers[i]);
    }
  }
  return parameter;
}

bool read_numbers(const Statement& statement, int column, std::size_t count, bool feasible,
                  std::vector<double>& numbers, bool null_allowed) {
  numbers.clear();
  if (!feasible) return true;
  const int end = column + static_cast<int>(count);
  for (; column < end; ++column) {
    const std::optional<double> number = statement.number(column);
    if (!number && !(null_allowed && statement.is_null(column))) return false;
    numbers.push_back(number.value_or(std::numeric_limits<double>::quiet_NaN()));
  }
  return true;
}

std::string parameters(std::size_t count) {
  std::string sql;
  for (std::size_t i = 0; i < count; ++i) sql += i == 0 ? "?" : ",?";
  return sql;
}

namespace {

constexpr std::array known_tables = {
    "study",      "columns",  "variables",      "baselines", "cases",   "certificates",
    "failures",   "sample",   "failure_names",  "evaluated", "totals",  "status_counts",
    "histograms", "checksum", "failure_counts", "digest",    "leading",
    "checksums",  // of earlier versions
};

bool is_word_part(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

/// Words, quoted names as "\"", and single characters.
std::vector<std::string> tokens_of(std::string_view sql) {
  std::vector<std::string> tokens;
  for (std::size_t at = 0; at < sql.size();) {
    if (std::isspace(static_cast<unsigned char>(sql[at])) != 0) {
      ++at;
    } else if (sql[at] == '"') {
      // a quote in a name stands there twice, and is two names here
      at = sql.find('"', at + 1);
      if (at == std::string_view::npos) break;
      ++at;
      if (tokens.empty() || tokens.back() != "\"") tokens.emplace_back("\"");
    } else if (is_word_part(sql[at])) {
      std::size_t end = at;
      while (end < sql.size() && is_word_part(sql[end])) ++end;
      tokens.emplace_back(sql.substr(at, end - at));
      at = end;
    } else {
      tokens.emplace_back(1, sql[at++]);
    }
  }
  return tokens;
}

/// Walks along the tokens of a CREATE TABLE.
class Walk {
 public:
  explicit Walk(std::string_view sql) : tokens_(tokens_of(sql)) {}

  bool is(std::string_view word) {
    if (at_ == tokens_.size() || tokens_[at_] != word) return false;
    ++at_;
    return true;
  }
  bool are(std::initializer_list<std::string_view> words) {
    return std::all_of(words.begin(), words.end(), [this](auto word) { return is(word); });
  }
  bool name() {
    if (at_ == tokens_.size() || !(tokens_[at_] == "\"" || is_word_part(tokens_[at_].front())))
      return false;
    ++at_;
    return true;
  }
  bool type() { return is("TEXT") || is("REAL") || is("INTEGER"); }
  [[nodiscard]] bool at_end() const { return at_ == tokens_.size(); }
  /// Where the walk stands, for a message.
  [[nodiscard]] std::string here() const { return at_end() ? "the end" : tokens_[at_]; }

  bool column() {
    if (is("PRIMARY")) return are({"KEY", "("}) && name() && (!is(",") || name()) && is(")");
    return name() && type() && (!is("PRIMARY") || is("KEY"));
  }
  bool table() {
    if (!are({"CREATE", "TABLE"}) || !name() || !is("(")) return false;
    do {
      if (!column()) return false;
    } while (is(","));
    return is(")") && (!is("WITHOUT") || is("ROWID")) && at_end();
  }

 private:
  std::vector<std::string> tokens_;
  std::size_t at_ = 0;
};

}  // namespace

std::string not_plain(std::string_view sql) {
  Walk walk(sql);
  return walk.table() ? "" : walk.here();
}

namespace {

[[noreturn]] void refuse(const Database& database, const std::string& what) {
  throw StoreError(StoreError::Kind::unusable,
                   database.path().string() + ": is damaged: " + what +
                       "; drop it, take an undamaged copy, or name another output");
}

}  // namespace

void require_plain_tables(Database& database) {
  Statement schema(database, "SELECT type, name, tbl_name, sql FROM sqlite_master");
  while (schema.step()) {
    // names must be texts: SQLite also finds tables by other values, our queries do not
    if (!schema.is_text(0) || !schema.is_text(1) || !schema.is_text(2))
      refuse(database,
             "its list of tables has a name that is not a text, of \"" + schema.text(1) + "\"");
    const std::string type = schema.text(0), name = schema.text(1), table = schema.text(2);
    const std::string sql = schema.text(3);
    const auto known = [](const std::string& one) {
      return std::find(known_tables.begin(), known_tables.end(), one) != known_tables.end();
    };
    // SQLite's own index of a primary key
    if (type == "index" && sql.empty() && name.starts_with("sqlite_autoindex_") && known(table))
      continue;
    if (sql.starts_with("CREATE VIRTUAL"))
      refuse(database,
             "it has a virtual table \"" + name + "\", where results have plain tables alone");
    if (type != "table" || !known(name))
      refuse(database, "it has a" + std::string(type == "index" ? "n " : " ") + type + " \"" +
                           name + "\", where results have plain tables alone");
    if (const std::string odd = not_plain(sql); !odd.empty())
      refuse(database,
             "table " + name + " is not made of plain columns alone: found " + odd + " in " + sql);
  }
}

}  // namespace counterpoise
