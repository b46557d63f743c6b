#include "results/store.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <stdexcept>
#include <string>

#include "results/differences.hpp"
#include "results/sqlite/checksum.hpp"
#include "results/sqlite/schema.hpp"
#include "results/sqlite/store_connection.hpp"

namespace counterpoise {

namespace {

/// All rows of some batches.
void each_row(std::span<const RowBatch> batches,
              const std::function<void(const RowBatch&, std::size_t)>& take) {
  for (const RowBatch& batch : batches)
    for (std::size_t row = 0; row < batch.size(); ++row) take(batch, row);
}

}  // namespace

Store Store::create(const std::filesystem::path& path, const Birth& birth, Existing existing,
                    Making making) {
  check_layout(birth.layout);
  try {
    return Store(
        std::make_unique<StoreConnection>(Placement::fresh(path, birth, existing, making)));
  } catch (const StoreError& error) {
    throw StoreError(StoreError::Kind::unusable, error.what());
  }
}

Store Store::open(const std::filesystem::path& path) {
  return Store(std::make_unique<StoreConnection>(Placement::continued(path)));
}

bool Store::can_open(const std::filesystem::path& path) {
  return Placement::can_continue(path);
}

Store::Store(std::unique_ptr<StoreConnection> connection) : connection_(std::move(connection)) {}
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
  if (connection_->selection && !batches.empty()) append_in_pieces(batches, 1);
  const std::size_t count = connection_->selection ? 0 : connection_->list(batches);
  connection_->write(0, count, entries, certificates);
}

void Store::append_in_pieces(std::span<const RowBatch> batches, std::size_t piece) {
  if (connection_->selection) {
    connection_->select(batches, [&] {
      each_row(batches, [&](const RowBatch& batch, std::size_t row) {
        connection_->selection->take(batch, row);
      });
    });
    return;
  }
  const std::size_t count = connection_->list(batches);
  for (std::size_t first = 0; first < count; first += piece)
    connection_->write(first, piece, {}, {});
}

void Store::append_kept(const RowBatch& batch) {
  if (!connection_->selection) return append(batch);
  const std::span<const RowBatch> rows(&batch, 1);
  connection_->select(rows, [&] {
    each_row(rows, [&](const RowBatch& all, std::size_t row) {
      connection_->selection->take_kept(all, row);
    });
  });
}

void Store::add_totals(const Totals& totals, const IdSet& evaluated) {
  connection_->select({}, [&] { connection_->selection->take_totals(totals, evaluated); });
}

void Store::check() const {
  Database& database = connection_->database;
  const Transaction moment(database, Database::Access::read);
  if (const std::string fault = fault_of_sum(database); !fault.empty())
    database.refuse_contents(fault);
}

void Store::sum_up() {
  connection_->sum_up();
}

void Store::forget(const std::string& key) {
  connection_->forget(key);
}

void Store::finish() {
  const std::vector<StudyEntry> entries = study();
  const bool whole = !value_of(entries, shard_key) && !value_of(entries, shards_key);
  if (connection_->selection && whole) connection_->shrink();
  connection_->conclude();
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
  if (connection_->selection) return connection_->selection->evaluated();
  IdSet ids;
  Statement rows(connection_->database, "SELECT id FROM cases");
  while (rows.step()) ids.insert(rows.integer(0));
  return ids;
}

Store::Ids Store::ids() const {
  if (connection_->selection) {
    const IdSet& ids = connection_->selection->evaluated();
    if (ids.size() == 0) return {};
    return {ids.size(), ids.ranges().begin()->first, ids.ranges().rbegin()->second};
  }
  Statement rows(connection_->database, "SELECT count(*), min(id), max(id) FROM cases");
  rows.step();
  return {rows.integer(0), rows.integer(1), rows.integer(2)};
}

}  // namespace counterpoise
