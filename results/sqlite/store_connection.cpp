#include "results/sqlite/store_connection.hpp"

#include <sqlite3.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

#include "results/rows/rows.hpp"
#include "results/sqlite/checksum.hpp"
#include "results/sqlite/digest_tables.hpp"
#include "results/sqlite/schema.hpp"
#include "results/sqlite/selection_tables.hpp"

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
    const bool unsettled =
        batch.status(row) == Status::feasible && batch.reason(row) == unsettled_reason;
    const auto open = numbers.last(unsettled ? objectives : 0);
    require(unsettled && finite(numbers.first(numbers.size() - objectives)) &&
                std::none_of(open.begin(), open.end(), [](double o) { return std::isinf(o); }),
            "a number is not finite");
  }
}

DigestMaker maker_of(Database& database, const StoreLayout& layout) {
  return {layout,
          read_study(database),
          read_variables(database, layout),
          read_baselines(database, layout),
          {}};
}

}  // namespace

StoreConnection::StoreConnection(Placement placed)
    : placement(std::move(placed)),
      database(placement.place(), Database::Access::write, prompt_ms) {
  settle();
  prepare();
  load_selection();
  begin_summary();
  placement.note_use();
}

/// Fails at once while another program has the database locked.
void StoreConnection::settle() {
  database.execute("PRAGMA journal_mode = DELETE");
  database.execute("PRAGMA synchronous = NORMAL");
  // KiB: a batch of usual rows does not spill before its end, and the next takes its place
  database.execute("PRAGMA cache_size = -8192");
  const Transaction probe(database);
}

void StoreConnection::prepare() {
  layout = read_layout(database);
  // these refuse what is damaged before a write
  static_cast<void>(read_variables(database, layout));
  static_cast<void>(read_baselines(database, layout));
  rows_.emplace(database, layout);
  try {
    insert_.emplace(database,
                    std::string("INSERT INTO cases SELECT * FROM ") + RowSource::table_name);
    if (has_failures(database))
      fail_.emplace(database,
                    std::string("INSERT INTO failures SELECT * FROM ") + RowSource::failures_name);
  } catch (...) {
    rows_->rethrow();
    throw;
  }
  set_.emplace(database,
               "INSERT INTO study VALUES(?1, ?2) "
               "ON CONFLICT(key) DO UPDATE SET value = ?2");
  remove_.emplace_back(database, "DELETE FROM cases WHERE id = ?");
  if (fail_) remove_.emplace_back(database, "DELETE FROM failures WHERE id = ?");
  database.set_patience(patient_ms);
}

void StoreConnection::load_selection() {
  try {
    const Birth birth{layout,
                      read_study(database),
                      read_variables(database, layout),
                      read_baselines(database, layout),
                      {}};
    const std::optional<KeepRule> rule = keep_rule_of(birth.study);
    if (!rule) return;
    selection.emplace(*rule, birth, read_totals(database, layout), read_evaluated(database));
  } catch (const std::invalid_argument& error) {
    database.refuse_contents(error.what());
  }
  restore_rows();
}

void StoreConnection::restore_rows() try {
  std::int64_t sampled = 0;
  RowBatch batch(layout);
  std::vector<std::int64_t> ids;
  CaseReader cases(database, layout);
  for (CaseRow row; cases.next(row);) {
    batch.clear();
    batch.add(row);
    selection->take_kept(batch, 0);
    ids.push_back(row.id);
    sampled += selection->kept().sampled(row.id) ? 1 : 0;
  }
  selection->kept().settle();
  for (const std::int64_t id : ids)
    if (!selection->holds(id))
      database.refuse_contents("case " + std::to_string(id) + " is not one to be kept");
  Statement sample(database, "SELECT count(*) FROM sample");
  sample.step();
  if (sample.integer(0) != sampled) database.refuse_contents("cases are missing in table sample");
} catch (const std::invalid_argument& error) {
  database.refuse_contents(error.what());
}

/// A file of an earlier version has no table of them before there is one to be stored.
void StoreConnection::prepare_certificates() {
  create_certificates(database);
  certify_.emplace(database, "INSERT OR REPLACE INTO certificates VALUES(?, ?, ?, ?)");
}

std::size_t StoreConnection::list(std::span<const RowBatch> batches) {
  for (const RowBatch& batch : batches) check_rows(batch, layout.objectives.size());
  return rows_->list(batches);
}

void StoreConnection::write(std::size_t first, std::size_t count,
                            std::span<const StudyEntry> entries,
                            std::span<const CertificateRow> certificates) try {
  Transaction batch(database);
  drop_sum(database);
  write_rows(first, count);
  for (const StudyEntry& entry : entries) set(entry);
  for (const CertificateRow& row : certificates) certify(row);
  batch.commit();
  note_written();
} catch (const StoreError& error) {
  throw StoreError(StoreError::Kind::write_failed, error.what());
}

/// What went wrong while SQLite read the rows is thrown as it was.
void StoreConnection::write_rows(std::size_t first, std::size_t count) {
  rows_->show(first, count);
  try {
    insert_->run();
    if (fail_) fail_->run();
  } catch (...) {
    rows_->rethrow();
    throw;
  }
}

/// Sets a key of the study table, in a transaction.
void StoreConnection::set(const StudyEntry& entry) {
  const std::string_view key = entry.key, value = entry.value;
  set_->bind(1, key);
  set_->bind(2, value);
  set_->run();
}

void StoreConnection::forget(const std::string& key) try {
  Transaction all(database);
  drop_sum(database);
  Statement remove(database, "DELETE FROM study WHERE key = ?");
  remove.bind(1, std::string_view(key));
  remove.run();
  all.commit();
} catch (const StoreError& error) {
  throw StoreError(StoreError::Kind::write_failed, error.what());
}

/// Stores a certificate, or replaces that of its id, in a transaction.
void StoreConnection::certify(const CertificateRow& row) {
  if (!certify_) prepare_certificates();
  certify_->bind(1, row.id);
  certify_->bind(2, row.bound);
  certify_->bind(3, row.gap);
  certify_->bind(4, std::string_view(row.text));
  certify_->run();
}

/// Removes a case and its failure, in a transaction.
void StoreConnection::remove_case(std::int64_t id) {
  for (Statement& remove : remove_) {
    remove.bind(1, id);
    remove.run();
  }
}

void StoreConnection::select(std::span<const RowBatch> batches, const std::function<void()>& change,
                             std::span<const StudyEntry> entries) try {
  for (const RowBatch& batch : batches) check_rows(batch, layout.objectives.size());
  change();
  selection->kept().settle();
  RowBatch entering(layout);
  for (const RowBatch& batch : batches)
    for (std::size_t row = 0; row < batch.size(); ++row) {
      if (!selection->kept().contains(batch.id(row))) continue;
      entering.add(batch.row(row));
      if (const FailureRow* failure = batch.failure(row)) entering.set_failure(*failure);
    }
  const std::size_t count = rows_->list({&entering, 1});
  Transaction all(database);
  drop_sum(database);
  for (const std::int64_t id : selection->kept().take_dropped()) remove_case(id);
  write_rows(0, count);
  for (const StudyEntry& entry : entries) set(entry);
  Statement sample(database, "INSERT INTO sample VALUES(?)");
  for (std::size_t row = 0; row < entering.size(); ++row) {
    if (!selection->kept().sampled(entering.id(row))) continue;
    sample.bind(1, entering.id(row));
    sample.run();
  }
  write_selection(database, layout, selection->totals(), selection->evaluated());
  all.commit();
} catch (const StoreError& error) {
  load_selection();
  throw StoreError(StoreError::Kind::write_failed, error.what());
} catch (const std::invalid_argument& error) {
  database.refuse_contents(error.what());
} catch (...) {
  load_selection();
  throw;
}

void StoreConnection::begin_summary() {
  others_writes_ = others_writes();
  const auto is_empty = [this](const char* table) {
    Statement any(database, std::string("SELECT 1 FROM ") + table + " LIMIT 1");
    return !any.step();
  };
  if (!selection && is_empty("cases") && (!fail_ || is_empty("failures")))
    summary_.emplace(Summary{maker_of(database, layout)});
}

/// The rows are stored already, so that this must not fail: without it they are read at the end.
void StoreConnection::note_written() noexcept try {
  if (!summary_) return;
  rows_->each_shown(
      [this](const RowBatch& batch, std::size_t row) { summary_->digest.take(batch, row); });
  rows_->sum(summary_->cases, summary_->failures);
} catch (...) {
  summary_.reset();
}

/// A number that changes when another connection has written the file.
std::int64_t StoreConnection::others_writes() {
  Statement version(database, "PRAGMA data_version");
  version.step();
  return version.integer(0);
}

/// Whether the summary has all rows of the file.
bool StoreConnection::summary_is_whole() {
  return summary_ && others_writes() == others_writes_;
}

std::optional<Digest> StoreConnection::digest_of_all() {
  if (summary_is_whole()) return summary_->digest.digest();
  DigestMaker maker = maker_of(database, layout);
  CaseReader cases(database, layout);
  RowBatch batch(layout);
  for (CaseRow row; cases.next(row);) {
    batch.clear();
    batch.add(row);
    maker.take(batch, 0);
  }
  return maker.digest();
}

void StoreConnection::conclude() {
  const StudyEntry entry{finished_key, "1"};
  try {
    Transaction end(database);
    set(entry);
    const std::optional<Digest> digest = selection ? std::nullopt : digest_of_all();
    if (digest) write_digest(database, *digest);
    if (summary_is_whole())
      store_sum(database, std::array{summary_->cases, summary_->failures});
    else
      store_sum(database);
    end.commit();
  } catch (const StoreError&) {
    // what is too much for the disk, or damaged, is not needed: without it all cases are read
    write(0, 0, {&entry, 1}, {});
  }
}

void StoreConnection::sum_up() try {
  Transaction all(database);
  store_sum(database);
  all.commit();
} catch (const StoreError& error) {
  throw StoreError(StoreError::Kind::write_failed, error.what());
}

void StoreConnection::shrink() {
  // a front that says its size was thinned out before a run was killed: some of the designs that
  // left it may be kept for other reasons, and would count as its own again
  const bool thinned = value_of(read_study(database), front_size_key).has_value();
  if (const std::size_t front = selection->kept().largest_front();
      front > most_of_front && !thinned) {
    const StudyEntry size{front_size_key, std::to_string(front)};
    select({}, [&] { selection->kept().thin_fronts(); }, {&size, 1});
  }
  try {
    database.execute("VACUUM");
  } catch (const StoreError&) {
    return;  // there is no room for a second copy; the file is whole, but larger than it had to be
  }
}

namespace {

/// SQLite's own parts come first, as it asks.
struct VirtualTable {
  sqlite3_vtab base;
  const RowSource::Table* table;
};
struct VirtualCursor {
  sqlite3_vtab_cursor base;
  std::size_t index;
  RowSource::Row row;
};

VirtualCursor& cursor_of(sqlite3_vtab_cursor* base) {
  return *reinterpret_cast<VirtualCursor*>(base);
}
const RowSource::Table& table_of(sqlite3_vtab* base) {
  return *reinterpret_cast<VirtualTable*>(base)->table;
}
const RowSource::Table& table_of(sqlite3_vtab_cursor* base) {
  return table_of(base->pVtab);
}

/// Moves a cursor to the first row that its table has from this one on.
void move_to(VirtualCursor& cursor, std::size_t index) {
  const RowSource::Table& table = table_of(&cursor.base);
  cursor.index = table.from(index);
  if (cursor.index < table.source->end()) cursor.row = table.source->row(cursor.index);
}

/// Takes a cell for SQLite, as CellBytes does for a sum.
struct CellResult {
  sqlite3_context* context;

  void add_null() {}  // it is NULL already
  void add(std::int64_t number) { sqlite3_result_int64(context, number); }
  void add(double number) { sqlite3_result_double(context, number + 0.0); }  // a NaN is NULL
  void add(std::string_view text) {
    // a text without an address would be NULL
    sqlite3_result_text64(context, text.data() == nullptr ? "" : text.data(), text.size(),
                          SQLITE_STATIC, SQLITE_UTF8);
  }
};

/// The functions that SQLite calls. An exception must not pass through SQLite's frames, so it ends
/// here as an error code, and the source keeps it.
template <class Work>
int guarded(RowSource& source, const Work& work) noexcept {
  try {
    return work();
  } catch (...) {
    source.keep_exception();
    return SQLITE_ERROR;
  }
}

int connect(sqlite3* database, void* of, int, const char* const*, sqlite3_vtab** out, char**) {
  const auto* rows = static_cast<const RowSource::Table*>(of);
  return guarded(*rows->source, [&] {
    auto table = std::make_unique<VirtualTable>(VirtualTable{{}, rows});
    const int code = sqlite3_declare_vtab(database, rows->declaration().c_str());
    if (code == SQLITE_OK) *out = &table.release()->base;
    return code;
  });
}
int disconnect(sqlite3_vtab* table) {
  delete reinterpret_cast<VirtualTable*>(table);
  return SQLITE_OK;
}
int best_index(sqlite3_vtab*, sqlite3_index_info*) {
  return SQLITE_OK;
}
int open(sqlite3_vtab* table, sqlite3_vtab_cursor** out) {
  return guarded(*table_of(table).source, [&] {
    *out = &(new VirtualCursor{})->base;
    return SQLITE_OK;
  });
}
int close(sqlite3_vtab_cursor* cursor) {
  delete &cursor_of(cursor);
  return SQLITE_OK;
}
int filter(sqlite3_vtab_cursor* cursor, int, const char*, int, sqlite3_value**) {
  move_to(cursor_of(cursor), table_of(cursor).source->begin());
  return SQLITE_OK;
}
int next(sqlite3_vtab_cursor* cursor) {
  move_to(cursor_of(cursor), cursor_of(cursor).index + 1);
  return SQLITE_OK;
}
int at_end(sqlite3_vtab_cursor* cursor) {
  return cursor_of(cursor).index >= table_of(cursor).source->end() ? 1 : 0;
}
int column(sqlite3_vtab_cursor* cursor, sqlite3_context* context, int number) {
  const RowSource::Table& table = table_of(cursor);
  return guarded(*table.source, [&] {
    CellResult cell{context};
    table.give(cursor_of(cursor).row, static_cast<std::size_t>(number), cell);
    return SQLITE_OK;
  });
}
int row_id(sqlite3_vtab_cursor* cursor, sqlite3_int64* id) {
  *id = cursor_of(cursor).row.id;
  return SQLITE_OK;
}

sqlite3_module module_of_rows() {
  sqlite3_module module{};  // without xCreate: there is one table, named as the module
  module.xConnect = connect;
  module.xBestIndex = best_index;
  module.xDisconnect = disconnect;
  module.xOpen = open;
  module.xClose = close;
  module.xFilter = filter;
  module.xNext = next;
  module.xEof = at_end;
  module.xColumn = column;
  module.xRowid = row_id;
  return module;
}

}  // namespace

RowSource::RowSource(Database& database, const StoreLayout& layout)
    : cells_{{Kind::id}, {Kind::status}, {Kind::reason}},
      results_(layout.metrics.size() + layout.objectives.size()) {
  std::size_t texts = 0, numbers = 0;
  for (const Column& variable : layout.variables) {
    if (variable.type == ColumnType::text)
      cells_.push_back({Kind::text, texts++});
    else
      cells_.push_back(
          {variable.type == ColumnType::real ? Kind::variable : Kind::integer, numbers++});
  }
  for (std::size_t i = 0; i < results_; ++i) cells_.push_back({Kind::result, numbers++});

  static const sqlite3_module module = module_of_rows();
  for (const auto& [name, table] :
       {std::pair{table_name, &cases_}, std::pair{failures_name, &failures_}}) {
    const int code = sqlite3_create_module(database.handle(), name, &module, table);
    if (code != SQLITE_OK) database.raise(code);
  }
}

void RowSource::rethrow() {
  if (exception_) std::rethrow_exception(std::exchange(exception_, nullptr));
}

std::size_t RowSource::list(std::span<const RowBatch> batches) {
  places_.clear();
  for (const RowBatch& batch : batches)
    for (std::size_t row = 0; row < batch.size(); ++row)
      places_.push_back({batch.id(row), &batch, row});
  const auto by_id = [](const Place& a, const Place& b) { return a.id < b.id; };
  if (!std::is_sorted(places_.begin(), places_.end(), by_id))
    std::sort(places_.begin(), places_.end(), by_id);
  return places_.size();
}

void RowSource::show(std::size_t first, std::size_t count) {
  begin_ = first;
  end_ = std::min(first + count, places_.size());
}

RowSource::Row RowSource::row(std::size_t index) const {
  const auto& [id, batch, row] = places_[index];
  return {id,
          batch->status(row),
          batch->reason(row),
          batch->numbers(row),
          batch->texts(row),
          batch->failure(row)};
}

template <class To>
void RowSource::give_case(const Row& row, std::size_t column, To& to) const {
  const Cell cell = cells_[column];
  switch (cell.kind) {
    case Kind::id:
      return to.add(row.id);
    case Kind::status:
      return to.add(std::string_view(to_text(row.status)));
    case Kind::reason:
      return to.add(row.reason);
    case Kind::text:
      return to.add(row.texts[cell.index]);
    case Kind::integer:
      return to.add(static_cast<std::int64_t>(row.numbers[cell.index]));
    case Kind::result:
      if (row.status != Status::feasible) return to.add_null();
      [[fallthrough]];
    case Kind::variable:
      return to.add(row.numbers[cell.index]);
  }
}

std::size_t RowSource::Table::from(std::size_t row) const {
  while (failures && row < source->end_ && source->failure(row) == nullptr) ++row;
  return row;
}

template <class To>
void RowSource::Table::give(const Row& row, std::size_t column, To& to) const {
  if (!failures) return source->give_case(row, column, to);
  const FailureRow& failure = *row.failure;
  const std::array whole = {failure.id, failure.kind, failure.of, failure.motion};
  if (column < whole.size()) return to.add(whole[column]);
  const double number = std::array{failure.t, failure.value, failure.bound}[column - whole.size()];
  to.add(std::isfinite(number) ? number : std::nan(""));
}

std::size_t RowSource::Table::columns() const {
  constexpr std::size_t columns_of_failures = 7;
  return failures ? columns_of_failures : source->cells_.size();
}

void RowSource::sum(RowSummer& cases, RowSummer& failures) const {
  for (std::size_t index = begin_; index < end_; ++index) {
    const Row cells = row(index);
    const std::size_t others = cells_.size() - results_;
    for (std::size_t column = 0; column < others; ++column)
      cases_.give(cells, column, cases.cells());
    if (cells.status == Status::feasible)
      cases.cells().add(cells.numbers.last(results_));
    else
      cases.cells().add_nulls(results_);
    cases.end_row();
    if (cells.failure == nullptr) continue;
    for (std::size_t column = 0; column < failures_.columns(); ++column)
      failures_.give(cells, column, failures.cells());
    failures.end_row();
  }
}

std::string RowSource::Table::declaration() const {
  std::string sql = "CREATE TABLE rows(c0";
  for (std::size_t i = 1; i < columns(); ++i) sql += ",c" + std::to_string(i);
  return sql + ")";
}

}  // namespace counterpoise
