#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "results/digest/digest.hpp"
#include "results/keeping/selection.hpp"
#include "results/sqlite/checksum_tables.hpp"
#include "results/sqlite/placement.hpp"
#include "results/sqlite/row_source.hpp"
#include "results/sqlite/schema.hpp"

namespace counterpoise {

/// What a Store holds open: the file in its place, and the statements that write rows into it.
class StoreConnection {
 public:
  explicit StoreConnection(Placement placed);

  Placement placement;  // declared first, so that its lock outlives the connection
  Database database;
  StoreLayout layout;
  std::optional<Selection> selection;  // if only some cases are kept

  /// Lists the rows of batches for write(); returns their number.
  std::size_t list(std::span<const RowBatch> batches);
  /// One transaction: `count` of the listed rows from `first` on, the entries and the certificates.
  void write(std::size_t first, std::size_t count, std::span<const StudyEntry> entries,
             std::span<const CertificateRow> certificates);
  /// Does what changes the selection, and then the same to the file in one transaction: of the rows
  /// of these batches those that are kept now are added, and rows that are not kept any more are
  /// removed. If that fails, the selection is as the file has it.
  void select(std::span<const RowBatch> batches, const std::function<void()>& change);
  /// Removes a key of the study table.
  void forget(const std::string& key);
  /// Removes what the whole study does not need, and the room that it took.
  void shrink();
  /// Marks the results as finished. If all cases are kept, their digest is stored too, for which
  /// the cases are read unless all were written by this object.
  void conclude();

 private:
  void settle();
  void prepare();
  void load_selection();
  void restore_rows();
  void prepare_certificates();
  void write_rows(std::size_t first, std::size_t count);
  void sum_up(const RowBatch& batch, std::size_t row);
  void set(const StudyEntry& entry);
  void certify(const CertificateRow& row);
  void remove_case(std::int64_t id);
  void begin_digest();
  void note_written() noexcept;
  std::optional<Digest> digest_of_all();
  std::int64_t others_writes();

  std::optional<Checksums> checksums_;
  std::optional<std::size_t> motion_column_, motion_text_;  // of a choice of one
  std::optional<RowSource> rows_;
  std::optional<Statement> insert_;
  std::optional<Statement> set_;
  std::optional<Statement> certify_;
  std::optional<Statement> fail_;      // a file of an earlier version has no table for it
  std::vector<Statement> remove_;      // by id, from each table that rows are in
  std::optional<CaseReader> removed_;  // finds cases before they are removed
  std::optional<DigestMaker> digest_;  // of the cases written, if these are all
  std::int64_t others_writes_ = 0;     // when there were no cases yet
};

}  // namespace counterpoise
