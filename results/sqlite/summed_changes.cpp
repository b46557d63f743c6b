// The changes of single rows, with what they do to the checksums.
#include "results/rows/rows.hpp"
#include "results/sqlite/checksum_tables.hpp"
#include "results/sqlite/store_connection.hpp"

namespace counterpoise {
namespace {

std::uint64_t hash_of_entry(RowHash& hash, std::string_view key, std::string_view value) {
  hash.text(key);
  hash.text(value);
  return hash.take();
}

/// The hash of the row of a table that has this id or key, if there is one.
template <class Key>
std::optional<std::uint64_t> hash_before(Database& database, RowHash& hash, const char* query,
                                         const Key& key) {
  Statement before(database, query);
  before.bind(1, key);
  if (!before.step()) return std::nullopt;
  return hash_of_row(hash, before);
}

constexpr const char* entry_query = "SELECT key, value FROM study WHERE key = ?";

}  // namespace

/// Sets a key of the study table, in a transaction.
void StoreConnection::set(const StudyEntry& entry) {
  const std::string_view key = entry.key, value = entry.value;
  if (checksums_->kept()) {
    RowHash& hash = checksums_->hash();
    if (const auto before = hash_before(database, hash, entry_query, key))
      checksums_->remove("study", 0, *before);
    checksums_->add("study", 0, hash_of_entry(hash, key, value));
  }
  set_->bind(1, key);
  set_->bind(2, value);
  set_->run();
}

void StoreConnection::forget(const std::string& key) try {
  Transaction all(database);
  checksums_->drop();
  if (checksums_->kept())
    if (const auto before =
            hash_before(database, checksums_->hash(), entry_query, std::string_view(key)))
      checksums_->remove("study", 0, *before);
  Statement remove(database, "DELETE FROM study WHERE key = ?");
  remove.bind(1, std::string_view(key));
  remove.run();
  checksums_->store();
  all.commit();
} catch (const StoreError& error) {
  throw StoreError(StoreError::Kind::write_failed, error.what());
}

/// Stores a certificate, or replaces that of its id, in a transaction.
void StoreConnection::certify(const CertificateRow& row) {
  if (!certify_) prepare_certificates();
  if (checksums_->kept()) {
    RowHash& hash = checksums_->hash();
    const std::int64_t block = block_of(row.id);
    if (const auto before = hash_before(database, hash,
                                        "SELECT id, bound, gap, certificate FROM certificates "
                                        "WHERE id = ?",
                                        row.id))
      checksums_->remove("certificates", block, *before);
    hash.whole(row.id);
    hash.number(row.bound);
    hash.number(row.gap);
    hash.text(row.text);
    checksums_->add("certificates", block, hash.take());
  }
  certify_->bind(1, row.id);
  certify_->bind(2, row.bound);
  certify_->bind(3, row.gap);
  certify_->bind(4, std::string_view(row.text));
  certify_->run();
}

/// Removes a case and its failure, in a transaction.
void StoreConnection::remove_case(std::int64_t id) {
  if (checksums_->kept()) {
    RowHash& hash = checksums_->hash();
    if (const std::optional<CaseRow> row = removed_->find(id)) {
      const std::uint64_t whole = hash_of_case(hash, *row);
      checksums_->remove("cases", block_of(id), whole);
      if (row->status == Status::feasible && checksums_->kept_of_feasible()) {
        checksums_->remove(feasible_part, block_of(id), whole);
        checksums_->remove(ranked_part, block_of(id), hash_of_ranked(hash, *row, motion_column_));
      }
    }
    if (fail_)
      if (const auto before =
              hash_before(database, hash, "SELECT * FROM failures WHERE id = ?", id))
        checksums_->remove("failures", block_of(id), *before);
  }
  for (Statement& remove : remove_) {
    remove.bind(1, id);
    remove.run();
  }
}

}  // namespace counterpoise
