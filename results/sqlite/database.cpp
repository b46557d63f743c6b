#include "results/sqlite/database.hpp"

#include <sqlite3.h>

#include <cmath>
#include <new>
#include <stdexcept>

#include "results/rows/rows.hpp"
#include "results/sqlite/writer_lock.hpp"

namespace counterpoise {

Database::Database(const std::filesystem::path& path, Access access, int patience_ms)
    : path_(path) {
  // Readers open for writing too: a journal left by a killed process has to be rolled back first.
  sqlite3* handle = nullptr;
  const int code =
      sqlite3_open_v2(path.c_str(), &handle, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, nullptr);
  handle_.reset(handle);
  if (code != SQLITE_OK) raise(code);
  sqlite3_extended_result_codes(handle, 1);
  sqlite3_db_config(handle, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  for (const int option :
       {SQLITE_DBCONFIG_TRUSTED_SCHEMA, SQLITE_DBCONFIG_ENABLE_TRIGGER, SQLITE_DBCONFIG_ENABLE_VIEW,
        SQLITE_DBCONFIG_DQS_DDL, SQLITE_DBCONFIG_DQS_DML})
    sqlite3_db_config(handle, option, 0, nullptr);
  set_patience(patience_ms);
  execute("PRAGMA cell_size_check = 1");
  if (access == Access::read) execute("PRAGMA query_only = 1");
}

void Database::Close::operator()(sqlite3* handle) const {
  sqlite3_close_v2(handle);
}

void Database::execute(const std::string& sql) {
  const int code = sqlite3_exec(handle(), sql.c_str(), nullptr, nullptr, nullptr);
  if (code != SQLITE_OK) raise(code);
}

void Database::set_patience(int milliseconds) {
  sqlite3_busy_timeout(handle(), milliseconds);
}

void Database::raise(int code) const {
  using Kind = StoreError::Kind;
  const std::string where = path_.string() + ": ";
  const std::string detail = handle_ ? sqlite3_errmsg(handle()) : sqlite3_errstr(code);
  switch (code & 0xff) {
    case SQLITE_FULL:
    case SQLITE_IOERR:
      if (code == SQLITE_IOERR_READ || code == SQLITE_IOERR_SHORT_READ)
        throw StoreError(Kind::write_failed,
                         where + "cannot be read: the device failed (" + detail + ")");
      throw StoreError(Kind::write_failed,
                       where +
                           "cannot be written: the disk is full, a file size limit was "
                           "reached, or the device failed (" +
                           detail + ")");
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      throw StoreError(Kind::unusable, locked_message(path_));
    case SQLITE_NOTADB:
      throw StoreError(Kind::unusable, where + "is not a results file (not an SQLite database)");
    case SQLITE_CORRUPT:
      throw StoreError(Kind::unusable, where + "is damaged (" + detail + ")");
    case SQLITE_CONSTRAINT:
      throw std::logic_error(where + "a row with this key is stored already (" + detail + ")");
    case SQLITE_NOMEM:
      throw std::bad_alloc();
    default:
      throw StoreError(Kind::unusable, where + "cannot be used (" + detail + ")");
  }
}

void Database::refuse_contents(const std::string& what) const {
  throw damaged(path_, what);
}

void CellBytes::add(std::span<const double> numbers) {
  constexpr std::size_t size_of_cell = 1 + sizeof(double);
  char* at = more(numbers.size() * size_of_cell);
  for (const double number : numbers) {
    if (std::isnan(number)) {
      *at++ = static_cast<char>(Type::null);
      continue;
    }
    const double stored = number + 0.0;
    *at = static_cast<char>(Type::real);
    std::memcpy(at + 1, &stored, sizeof stored);
    at += size_of_cell;
  }
  size_ = static_cast<std::size_t>(at - bytes_.data());
}

Statement::Statement(Database& database, const std::string& sql) : database_(&database) {
  sqlite3_stmt* handle = nullptr;
  const int code = sqlite3_prepare_v2(database.handle(), sql.c_str(), -1, &handle, nullptr);
  handle_.reset(handle);
  if (code != SQLITE_OK) database.raise(code);
}

void Statement::Finalize::operator()(sqlite3_stmt* statement) const {
  sqlite3_finalize(statement);
}

void Statement::bind(int parameter, std::int64_t value) {
  const int code = sqlite3_bind_int64(handle_.get(), parameter, value);
  if (code != SQLITE_OK) database_->raise(code);
}

void Statement::bind(int parameter, double value) {
  // SQLite keeps whole numbers as integers, which have no negative zero: it is zero everywhere.
  const int code = sqlite3_bind_double(handle_.get(), parameter, value + 0.0);
  if (code != SQLITE_OK) database_->raise(code);
}

void Statement::bind(int parameter, std::string_view value) {
  const int code = sqlite3_bind_text64(handle_.get(), parameter, value.data(), value.size(),
                                       SQLITE_TRANSIENT, SQLITE_UTF8);
  if (code != SQLITE_OK) database_->raise(code);
}

void Statement::bind_null(int parameter) {
  const int code = sqlite3_bind_null(handle_.get(), parameter);
  if (code != SQLITE_OK) database_->raise(code);
}

bool Statement::step() {
  const int code = sqlite3_step(handle_.get());
  if (code == SQLITE_ROW) return true;
  if (code == SQLITE_DONE) return false;
  sqlite3_reset(handle_.get());  // ready for the next use, which the error does not concern
  database_->raise(code);
}

void Statement::run() {
  while (step()) {
  }
  sqlite3_reset(handle_.get());
}

void Statement::reset() {
  sqlite3_reset(handle_.get());
}

bool Statement::is_null(int column) const {
  return sqlite3_column_type(handle_.get(), column) == SQLITE_NULL;
}

std::optional<double> Statement::number(int column) const {
  // One look-up of the column, which takes longer than both questions about it. SQLite lets a value
  // be asked so that belongs to a statement of one thread.
  sqlite3_value* const cell = sqlite3_column_value(handle_.get(), column);
  const int type = sqlite3_value_type(cell);
  if (type != SQLITE_INTEGER && type != SQLITE_FLOAT) return std::nullopt;
  const double found = sqlite3_value_double(cell);
  if (!std::isfinite(found)) return std::nullopt;
  return found;
}

bool Statement::is_text(int column) const {
  return sqlite3_column_type(handle_.get(), column) == SQLITE_TEXT;
}

std::int64_t Statement::integer(int column) const {
  return sqlite3_column_int64(handle_.get(), column);
}

double Statement::real(int column) const {
  return sqlite3_column_double(handle_.get(), column);
}

std::string Statement::text(int column) const {
  const unsigned char* text = sqlite3_column_text(handle_.get(), column);
  if (text == nullptr) return {};
  const auto size = static_cast<std::size_t>(sqlite3_column_bytes(handle_.get(), column));
  return {reinterpret_cast<const char*>(text), size};
}

Value Statement::value(int column) const {
  switch (sqlite3_column_type(handle_.get(), column)) {
    case SQLITE_NULL:
      return {};
    case SQLITE_INTEGER:
      return integer(column);
    case SQLITE_FLOAT:
      return real(column);
    default:
      return text(column);
  }
}

void Statement::append_cell(int column, CellBytes& to) const {
  sqlite3_value* const cell = sqlite3_column_value(handle_.get(), column);  // as number() does
  const auto bytes = [cell] {
    const auto* const first = static_cast<const char*>(sqlite3_value_blob(cell));
    return std::string_view(first, static_cast<std::size_t>(sqlite3_value_bytes(cell)));
  };
  switch (sqlite3_value_type(cell)) {
    case SQLITE_INTEGER:
      return to.add(std::int64_t{sqlite3_value_int64(cell)});
    case SQLITE_FLOAT:
      return to.add(sqlite3_value_double(cell));
    case SQLITE_TEXT:
      return to.add(bytes());
    case SQLITE_BLOB:
      return to.add_blob(bytes());
    default:
      return to.add_null();
  }
}

int Statement::column_count() const {
  return sqlite3_column_count(handle_.get());
}

std::vector<std::string> Statement::names() const {
  std::vector<std::string> names;
  for (int column = 0; column < column_count(); ++column)
    names.emplace_back(sqlite3_column_name(handle_.get(), column));
  return names;
}

Transaction::Transaction(Database& database, Database::Access access) : database_(database) {
  database_.execute(access == Database::Access::write ? "BEGIN IMMEDIATE" : "BEGIN");
}

Transaction::~Transaction() {
  // A failed write may have rolled back already; then this finds nothing to do.
  if (open_) sqlite3_exec(database_.handle(), "ROLLBACK", nullptr, nullptr, nullptr);
}

void Transaction::commit() {
  database_.execute("COMMIT");
  open_ = false;
}

std::string identifier(std::string_view name) {
  std::string quoted = "\"";
  for (const char c : name) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + '"';
}

}  // namespace counterpoise
