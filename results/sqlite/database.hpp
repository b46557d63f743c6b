#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "results/rows/rows.hpp"

struct sqlite3;
struct sqlite3_stmt;

namespace counterpoise {

/// How long to wait [ms]: `prompt_ms` for another process's lock when opening, `patient_ms` for a
/// reader to end its query.
inline constexpr int prompt_ms = 500, patient_ms = 60000;

/// A connection. Every function throws StoreError: `write_failed` for a full disk or a file size
/// limit, `unusable` for the rest, with the path and the cause in plain words; and std::logic_error
/// for a key that already exists. Only one thread at a time may use it.
class Database {
 public:
  enum class Access { read, write };

  /// Opens an existing file. Its schema is not trusted: it can call no function that acts, and
  /// pages are checked for their bounds when they are read. Waits at most `patience_ms` for another
  /// process's lock, now and later.
  Database(const std::filesystem::path& path, Access access, int patience_ms);

  void execute(const std::string& sql);
  void set_patience(int milliseconds);

  [[noreturn]] void raise(int code) const;
  /// Throws StoreError (unusable), saying that the file holds something this program does not
  /// write.
  [[noreturn]] void refuse_contents(const std::string& what) const;

  const std::filesystem::path& path() const { return path_; }
  sqlite3* handle() const { return handle_.get(); }

 private:
  struct Close {
    void operator()(sqlite3* handle) const;
  };
  std::filesystem::path path_;
  std::unique_ptr<sqlite3, Close> handle_;
};

/// The cells of a row as bytes, each with its type, so that other values give other bytes.
class CellBytes {
 public:
  /// Starts a row, whose cells follow this prefix.
  void begin(std::string_view prefix) {
    size_ = 0;
    put(prefix);
  }
  void add_null() { add_nulls(1); }
  void add_nulls(std::size_t count) {
    std::memset(more(count), static_cast<char>(Type::null), count);
  }
  void add(std::int64_t number) { std::memcpy(put(Type::integer, 8), &number, 8); }
  void add(double number) { add(std::span(&number, 1)); }
  /// A cell for each number, as SQLite stores it: zeros have no sign, and a NaN is NULL.
  void add(std::span<const double> numbers);
  void add(std::string_view text) { put_sized(Type::text, text); }
  void add_blob(std::string_view bytes) { put_sized(Type::blob, bytes); }
  [[nodiscard]] std::string_view bytes() const { return {bytes_.data(), size_}; }

 private:
  enum class Type : char { integer = 1, real, text, blob, null };  // as SQLite numbers them

  /// Returns the place of the bytes that follow the type.
  char* put(Type type, std::size_t size) {
    char* const at = more(1 + size);
    *at = static_cast<char>(type);
    return at + 1;
  }
  void put_sized(Type type, std::string_view bytes) {
    const int size = static_cast<int>(bytes.size());
    std::memcpy(put(type, sizeof size), &size, sizeof size);
    put(bytes);
  }
  void put(std::string_view bytes) { bytes.copy(more(bytes.size()), bytes.size()); }
  char* more(std::size_t size) {
    if (bytes_.size() - size_ < size) enlarge(size);
    return bytes_.data() + std::exchange(size_, size_ + size);
  }
  void enlarge(std::size_t size) { bytes_.resize(2 * (size_ + size)); }

  std::vector<char> bytes_;
  std::size_t size_ = 0;
};

/// A prepared statement; parameters count from 1, columns from 0, as in SQLite.
class Statement {
 public:
  Statement(Database& database, const std::string& sql);

  void bind(int parameter, std::int64_t value);
  void bind(int parameter, double value);
  void bind(int parameter, std::string_view value);
  void bind_null(int parameter);

  /// True while there is a row.
  bool step();

  /// Steps to the end and resets the statement for its next use; parameters keep their values.
  void run();

  /// Ends a query before its last row, and releases the query's hold on the file.
  void reset();

  bool is_null(int column) const;
  /// The column's number, if it holds a finite one.
  std::optional<double> number(int column) const;
  bool is_number(int column) const { return number(column).has_value(); }
  bool is_text(int column) const;
  std::int64_t integer(int column) const;
  double real(int column) const;
  std::string text(int column) const;
  Value value(int column) const;
  void append_cell(int column, CellBytes& to) const;
  int column_count() const;
  /// The names of all columns of the query.
  std::vector<std::string> names() const;

  const Database& database() const { return *database_; }

 private:
  struct Finalize {
    void operator()(sqlite3_stmt* statement) const;
  };
  Database* database_;
  std::unique_ptr<sqlite3_stmt, Finalize> handle_;
};

/// A transaction that is rolled back unless committed.
class Transaction {
 public:
  /// With Access::read everything is read as of one moment, while other processes may write.
  explicit Transaction(Database& database, Database::Access access = Database::Access::write);
  ~Transaction();
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;

  void commit();

 private:
  Database& database_;
  bool open_ = true;
};

/// A name as an SQL identifier: quoted, so that `lift.max` is one.
std::string identifier(std::string_view name);

}  // namespace counterpoise
