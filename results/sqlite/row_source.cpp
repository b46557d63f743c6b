#include "results/sqlite/row_source.hpp"

#include <sqlite3.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <utility>

#include "results/sqlite/schema.hpp"

namespace counterpoise {
namespace {

/// SQLite's own parts come first, as it asks.
struct VirtualTable {
  sqlite3_vtab base;
  const RowSource::Table* table;
};
struct VirtualCursor {
  sqlite3_vtab_cursor base;
  std::size_t row;
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
    *out = &(new VirtualCursor{{}, 0})->base;
    return SQLITE_OK;
  });
}
int close(sqlite3_vtab_cursor* cursor) {
  delete &cursor_of(cursor);
  return SQLITE_OK;
}
int filter(sqlite3_vtab_cursor* cursor, int, const char*, int, sqlite3_value**) {
  const RowSource::Table& table = table_of(cursor);
  cursor_of(cursor).row = table.from(table.source->begin());
  return SQLITE_OK;
}
int next(sqlite3_vtab_cursor* cursor) {
  std::size_t& row = cursor_of(cursor).row;
  row = table_of(cursor).from(row + 1);
  return SQLITE_OK;
}
int at_end(sqlite3_vtab_cursor* cursor) {
  return cursor_of(cursor).row >= table_of(cursor).source->end() ? 1 : 0;
}
int column(sqlite3_vtab_cursor* cursor, sqlite3_context* context, int number) {
  const RowSource::Table& table = table_of(cursor);
  return guarded(*table.source, [&] {
    table.give(cursor_of(cursor).row, static_cast<std::size_t>(number), context);
    return SQLITE_OK;
  });
}
int row_id(sqlite3_vtab_cursor* cursor, sqlite3_int64* id) {
  *id = table_of(cursor).source->id(cursor_of(cursor).row);
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

void give_text(std::string_view text, sqlite3_context* context) {
  // a text without an address would be NULL
  sqlite3_result_text64(context, text.data() == nullptr ? "" : text.data(), text.size(),
                        SQLITE_STATIC, SQLITE_UTF8);
}

}  // namespace

RowSource::RowSource(Database& database, const StoreLayout& layout)
    : cells_{{Kind::id}, {Kind::status}, {Kind::reason}} {
  std::size_t texts = 0, numbers = 0;
  for (const Column& variable : layout.variables) {
    if (variable.type == ColumnType::text)
      cells_.push_back({Kind::text, texts++});
    else
      cells_.push_back(
          {variable.type == ColumnType::real ? Kind::variable : Kind::integer, numbers++});
  }
  for (std::size_t i = 0; i < layout.metrics.size() + layout.objectives.size(); ++i)
    cells_.push_back({Kind::result, numbers++});

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

void RowSource::give_case(std::size_t row, std::size_t column, sqlite3_context* context) const {
  const auto& [id, batch, place] = places_[row];
  const Cell cell = cells_[column];
  switch (cell.kind) {
    case Kind::id:
      sqlite3_result_int64(context, id);
      return;
    case Kind::status:
      give_text(to_text(batch->status(place)), context);
      return;
    case Kind::reason:
      give_text(batch->reason(place), context);
      return;
    case Kind::text:
      give_text(batch->texts(place)[cell.index], context);
      return;
    case Kind::integer:
      sqlite3_result_int64(context, static_cast<std::int64_t>(batch->numbers(place)[cell.index]));
      return;
    case Kind::result:
      if (batch->status(place) != Status::feasible) return;  // NULL
      [[fallthrough]];
    case Kind::variable:
      // SQLite keeps whole numbers as integers, which have no negative zero: it is zero everywhere
      sqlite3_result_double(context, batch->numbers(place)[cell.index] + 0.0);
      return;
  }
}

std::size_t RowSource::Table::from(std::size_t row) const {
  while (failures && row < source->end_ && source->failure(row) == nullptr) ++row;
  return row;
}

void RowSource::Table::give(std::size_t row, std::size_t column, sqlite3_context* context) const {
  if (!failures) return source->give_case(row, column, context);
  const FailureRow& failure = *source->failure(row);
  const std::array whole = {failure.id, failure.kind, failure.of, failure.motion};
  if (column < whole.size()) return sqlite3_result_int64(context, whole[column]);
  const double number = std::array{failure.t, failure.value, failure.bound}[column - whole.size()];
  if (std::isfinite(number)) sqlite3_result_double(context, number);  // else NULL
}

std::string RowSource::Table::declaration() const {
  constexpr std::size_t columns_of_failures = 7;
  const std::size_t columns = failures ? columns_of_failures : source->cells_.size();
  std::string sql = "CREATE TABLE rows(c0";
  for (std::size_t i = 1; i < columns; ++i) sql += ",c" + std::to_string(i);
  return sql + ")";
}

}  // namespace counterpoise
