#include "results/store.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <stdexcept>
#include <string>

#include "results/sqlite/row_source.hpp"
#include "results/sqlite/schema.hpp"

namespace counterpoise {
namespace {

void check_rows(const RowBatch& batch, std::size_t objectives) {
  for (std::size_t row = 0; row < batch.size(); ++row) {
    const auto require = [&](bool holds, const char* what) {
      if (!holds) throw std::logic_error("case " + std::to_string(batch.id(row)) + ": " + what);
    };
    require(batch.id(row) >= 1, "ids start at 1");
    const auto finite = [](std::span<const double> numbers) {
      double sum = 0.0;  // of zeros, unless a number is not finite
      for (const double number : numbers) sum += number * 0.0;
      return sum == 0.0;
    };
    const std::span<const double> numbers = batch.numbers(row);
    if (finite(numbers)) continue;
    const auto open = numbers.last(objectives);
    require(batch.reason(row) == unsettled_reason &&
                finite(numbers.first(numbers.size() - objectives)) &&
                std::none_of(open.begin(), open.end(), [](double o) { return std::isinf(o); }),
            "a number is not finite");
  }
}

}  // namespace

// The placement, with its lock, is declared first, so that it outlives the connection.
struct Store::Connection {
  explicit Connection(Placement placed)
      : placement(std::move(placed)),
        database(placement.place(), Database::Access::write, prompt_ms) {
    settle();
    prepare();
    placement.note_use();
  }

  // Fails at once while another program has the database locked.
  void settle() {
    database.execute("PRAGMA journal_mode = DELETE");
    database.execute("PRAGMA synchronous = NORMAL");
    database.execute("PRAGMA cache_size = -65536");  // KiB: a batch does not spill before its end
    const Transaction probe(database);
  }

  void prepare() {
    layout = read_layout(database);
    static_cast<void>(read_variables(database, layout));  // refuses what is damaged before a write
    static_cast<void>(read_baselines(database, layout));
    rows.emplace(database, layout);
    from_rows([&] {
      insert.emplace(database,
                     std::string("INSERT INTO cases SELECT * FROM ") + RowSource::table_name);
    });
    set.emplace(database,
                "INSERT INTO study VALUES(?1, ?2) "
                "ON CONFLICT(key) DO UPDATE SET value = ?2");
    if (has_failures(database))
      fail.emplace(database, "INSERT INTO failures VALUES(?, ?, ?, ?, ?, ?, ?)");
    database.set_patience(patient_ms);
  }

  // A file of an earlier version has no table of them before there is one to be stored.
  void prepare_certificates() {
    create_certificates(database);
    certify.emplace(database, "INSERT OR REPLACE INTO certificates VALUES(?, ?, ?, ?)");
  }

  void write_failures() {
    for (std::size_t row = rows->begin(); row < rows->end(); ++row) {
      const FailureRow* failure = rows->failure(row);
      if (failure == nullptr) continue;
      fail->bind(1, failure->id);
      fail->bind(2, failure->kind);
      fail->bind(3, failure->of);
      fail->bind(4, failure->motion);
      int parameter = 5;
      for (const double number : {failure->t, failure->value, failure->bound}) {
        if (std::isfinite(number))
          fail->bind(parameter++, number);
        else
          fail->bind_null(parameter++);
      }
      fail->run();
    }
  }

  // Does what reads from the rows; what went wrong while SQLite read them is thrown as it was.
  template <class Work>
  void from_rows(const Work& work) try {
    work();
  } catch (...) {
    rows->rethrow();
    throw;
  }

  std::size_t list(std::span<const RowBatch> batches) {
    for (const RowBatch& batch : batches) check_rows(batch, layout.objectives.size());
    return rows->list(batches);
  }

  // One transaction: `count` of the listed rows from `first` on, the entries and the certificates.
  void write(std::size_t first, std::size_t count, std::span<const StudyEntry> entries,
             std::span<const CertificateRow> certificates) try {
    Transaction batch(database);
    rows->show(first, count);
    from_rows([&] { insert->run(); });
    if (fail) write_failures();
    for (const StudyEntry& entry : entries) {
      set->bind(1, std::string_view(entry.key));
      set->bind(2, std::string_view(entry.value));
      set->run();
    }
    for (const CertificateRow& row : certificates) {
      if (!certify) prepare_certificates();
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

  Placement placement;
  Database database;
  StoreLayout layout;
  std::optional<RowSource> rows;
  std::optional<Statement> insert;
  std::optional<Statement> set;
  std::optional<Statement> certify;
  std::optional<Statement> fail;  // a file of an earlier version has no table for it
};

Store Store::create(const std::filesystem::path& path, const Birth& birth, Existing existing,
                    Making making) {
  check_layout(birth.layout);
  try {
    return Store(std::make_unique<Connection>(Placement::fresh(path, birth, existing, making)));
  } catch (const StoreError& error) {
    throw StoreError(StoreError::Kind::unusable, error.what());
  }
}

Store Store::open(const std::filesystem::path& path) {
  return Store(std::make_unique<Connection>(Placement::continued(path)));
}

bool Store::can_open(const std::filesystem::path& path) {
  return Placement::can_continue(path);
}

Store::Store(std::unique_ptr<Connection> connection) : connection_(std::move(connection)) {}
Store::Store(Store&&) noexcept = default;
Store::~Store() = default;

const std::filesystem::path& Store::path() const {
  return connection_->placement.place();
}

bool Store::is_in_place() const {
  return connection_->placement.is_in_place();
}

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

void Store::reopen() {
  const StudyEntry entry{finished_key, "0"};
  append(std::span<const RowBatch>{}, {&entry, 1});
}

void Store::publish() && {
  Placement placement = std::move(connection_->placement);
  connection_.reset();
  placement.publish();
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

Store::Ids Store::ids() const {
  Statement rows(connection_->database, "SELECT count(*), min(id), max(id) FROM cases");
  rows.step();
  return {rows.integer(0), rows.integer(1), rows.integer(2)};
}

}  // namespace counterpoise
