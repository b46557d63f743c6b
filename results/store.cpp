#include "results/store.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <optional>
#include <stdexcept>
#include <string>

#include "results/sqlite/row_source.hpp"
#include "results/sqlite/schema.hpp"
#include "results/sqlite/writer_lock.hpp"

namespace counterpoise {
namespace {

namespace fs = std::filesystem;

constexpr int prompt_ms = 500;     // for another's lock when opening
constexpr int patient_ms = 60000;  // for a reader in the middle of its query
constexpr const char* finished_key = "finished";

StoreError unusable(const fs::path& path, const std::string& why) {
  return {StoreError::Kind::unusable, path.string() + ": " + why};
}

bool is_database(const fs::path& path) {
  constexpr std::string_view magic = "SQLite format 3";
  std::array<char, magic.size()> head{};
  std::ifstream(path, std::ios::binary).read(head.data(), head.size());
  return std::string_view(head.data(), head.size()) == magic;
}

bool is_absent_or_empty(const fs::path& path) {
  std::error_code error;
  if (fs::is_directory(path, error)) throw unusable(path, "is a folder");
  if (fs::is_other(path, error))
    throw unusable(path, "is a device, a pipe or a socket; results need an ordinary file");
  const auto size = fs::file_size(path, error);
  return error || size == 0;
}

void remove_with_journals(const fs::path& path) {
  std::error_code ignored;
  // The journal first: beside a new file it would be taken for that file's own.
  for (const char* suffix : {"-journal", "-wal", "-shm", ""}) {
    fs::remove(path.string() + suffix, ignored);
  }
}

// Throws if any process is writing to the file, also one that is not ours.
void require_unlocked(const fs::path& path) {
  const WriterLock lock(path);
  if (!is_database(path)) return;
  Database database(path, Database::Access::write, prompt_ms);
  database.execute("BEGIN EXCLUSIVE");
  database.execute("ROLLBACK");
}

void check_rows(const RowBatch& batch) {
  for (std::size_t row = 0; row < batch.size(); ++row) {
    const auto require = [&](bool holds, const char* what) {
      if (!holds) throw std::logic_error("case " + std::to_string(batch.id(row)) + ": " + what);
    };
    require(batch.id(row) >= 1, "ids start at 1");
    double sum = 0.0;  // of zeros, unless a number is not finite
    for (const double number : batch.numbers(row)) sum += number * 0.0;
    require(sum == 0.0, "a number is not finite");
  }
}

}  // namespace

// The lock is declared first, so that it outlives the connection.
struct Store::Connection {
  explicit Connection(const fs::path& file)
      : path(file), lock(file), database(file, Database::Access::write, prompt_ms) {}

  // Fails at once while another program has the database locked.
  void settle() {
    database.execute("PRAGMA page_size = 16384");  // of a file to be born; fewer, longer writes
    database.execute("PRAGMA journal_mode = DELETE");
    database.execute("PRAGMA synchronous = NORMAL");
    database.execute("PRAGMA cache_size = -65536");  // KiB: a batch does not spill before its end
    const Transaction probe(database);
  }

  void prepare() {
    layout = read_layout(database);
    rows.emplace(database, layout);
    insert.emplace(database,
                   std::string("INSERT INTO cases SELECT * FROM ") + RowSource::table_name);
    set.emplace(database,
                "INSERT INTO study VALUES(?1, ?2) "
                "ON CONFLICT(key) DO UPDATE SET value = ?2");
    database.execute(
        "CREATE TABLE IF NOT EXISTS certificates(id INTEGER PRIMARY KEY, bound REAL, gap REAL, "
        "certificate TEXT)");
    certify.emplace(database, "INSERT OR REPLACE INTO certificates VALUES(?, ?, ?, ?)");
    database.set_patience(patient_ms);
  }

  std::size_t list(std::span<const RowBatch> batches) {
    for (const RowBatch& batch : batches) check_rows(batch);
    return rows->list(batches);
  }

  // One transaction: `count` of the listed rows from `first` on, the entries and the certificates.
  void write(std::size_t first, std::size_t count, std::span<const StudyEntry> entries,
             std::span<const CertificateRow> certificates) try {
    Transaction batch(database);
    rows->show(first, count);
    insert->run();
    for (const StudyEntry& entry : entries) {
      set->bind(1, std::string_view(entry.key));
      set->bind(2, std::string_view(entry.value));
      set->run();
    }
    for (const CertificateRow& row : certificates) {
      certify->bind(1, row.id);
      certify->bind(2, row.bound);
      certify->bind(3, row.gap);
      certify->bind(4, std::string_view(row.text));
      certify->run();
    }
    batch.commit();
  } catch (const StoreError& error) {
    throw StoreError(StoreError::Kind::write_failed, error.what());
  }

  fs::path path;
  WriterLock lock;
  Database database;
  StoreLayout layout;
  std::optional<RowSource> rows;
  std::optional<Statement> insert;
  std::optional<Statement> set;
  std::optional<Statement> certify;
};

bool holds_results(const fs::path& path) {
  if (is_absent_or_empty(path)) return false;
  if (!is_database(path)) throw unusable(path, "is not a results file (not an SQLite database)");
  Database database(path, Database::Access::read, prompt_ms);
  return !has_no_tables(database, path.string());
}

Store Store::create(const fs::path& path, const Birth& birth, Existing existing) {
  check_layout(birth.layout);
  if (!is_absent_or_empty(path)) {
    if (existing == Existing::replace) {
      require_unlocked(path);
      remove_with_journals(path);
    } else if (holds_results(path)) {
      throw unusable(path,
                     "exists already and is not overwritten: continue it with --resume, or "
                     "replace it with --force");
    }
  }
  bool created = false;
  try {
    auto connection = std::make_unique<Connection>(path);
    created = connection->lock.created();
    connection->settle();
    Transaction birth_of_all(connection->database);
    if (!has_no_tables(connection->database, path.string())) {
      throw unusable(path, "database is locked by another process");  // born since we looked
    }
    create_tables(connection->database, birth);
    birth_of_all.commit();
    connection->prepare();
    return Store(std::move(connection));
  } catch (const StoreError& error) {
    if (created) remove_with_journals(path);
    throw StoreError(StoreError::Kind::unusable, error.what());
  }
}

Store Store::open(const fs::path& path) {
  if (!holds_results(path)) throw unusable(path, "holds no results");
  auto connection = std::make_unique<Connection>(path);
  connection->settle();
  connection->prepare();
  return Store(std::move(connection));
}

Store::Store(std::unique_ptr<Connection> connection) : connection_(std::move(connection)) {}
Store::Store(Store&&) noexcept = default;
Store::~Store() = default;

const StoreLayout& Store::layout() const {
  return connection_->layout;
}

std::vector<StudyEntry> Store::study() const {
  return read_study(connection_->database);
}

void Store::append(std::span<const RowBatch> batches, std::span<const StudyEntry> entries,
                   std::span<const CertificateRow> certificates) {
  for (const CertificateRow& row : certificates)
    if (!std::isfinite(row.bound) || !std::isfinite(row.gap))
      throw std::logic_error("a certificate whose numbers are not finite");
  const std::size_t count = connection_->list(batches);
  connection_->write(0, count, entries, certificates);
}

void Store::append_in_pieces(std::span<const RowBatch> batches, std::size_t piece) {
  const std::size_t count = connection_->list(batches);
  for (std::size_t first = 0; first < count; first += piece)
    connection_->write(first, piece, {}, {});
}

void Store::finish() {
  const StudyEntry entry{finished_key, "1"};
  append(std::span<const RowBatch>{}, {&entry, 1});
}

bool Store::finished() const {
  const std::vector<StudyEntry> entries = study();
  return std::find(entries.begin(), entries.end(), StudyEntry{finished_key, "1"}) != entries.end();
}

IdSet Store::done_ids() const {
  IdSet ids;
  Statement rows(connection_->database, "SELECT id FROM cases");
  while (rows.step()) ids.insert(rows.integer(0));
  return ids;
}

}  // namespace counterpoise
