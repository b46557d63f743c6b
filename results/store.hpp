#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <vector>

#include "results/layout.hpp"
#include "results/rows/id_set.hpp"
#include "results/rows/row_batch.hpp"
#include "results/store_error.hpp"

namespace counterpoise {

/// Whether there is something to resume: false if the file is missing, empty or was never fully
/// born. Throws StoreError (unusable) if it is anything else than results, or locked.
bool holds_results(const std::filesystem::path& path);

enum class Existing { refuse, replace };

/// The writer of a results file; one process at a time, one thread at a time. Readers may look at
/// any moment.
///
/// Killed at any moment, the file holds every batch whose append returned and nothing of the
/// others. A rollback journal (not a write-ahead log) keeps that in one file, which can be moved
/// and copied when nobody writes; a batch costs a few disk synchronisations, so batches should be
/// worth a tenth of a second of work or more.
///
/// A file size limit must give an error, not a signal: the program ignores SIGXFSZ.
class Store {
 public:
  /// Makes the file with all its tables in one transaction: a file killed at birth is empty.
  /// A missing or empty file is born in any case; results and foreign files are replaced only on
  /// `replace`. Throws StoreError (unusable), also for a clash of columns or a full disk; then no
  /// new file is left.
  static Store create(const std::filesystem::path& path, const Birth& birth, Existing existing);

  /// Opens results to continue them. Throws StoreError (unusable).
  static Store open(const std::filesystem::path& path);

  Store(Store&&) noexcept;
  Store& operator=(Store&&) = delete;
  ~Store();

  const StoreLayout& layout() const;
  std::vector<StudyEntry> study() const;

  /// Stores the rows of some batches in the order of their ids, certificates (one of an id stored
  /// before is replaced) and keys of the study table, all or nothing. Throws StoreError
  /// (write_failed), after which the store can be used again; std::logic_error, with nothing
  /// written, for an id of a row below 1 or stored before, or a number that is not finite. Negative
  /// zero is stored as zero. Rows whose ids follow all stored ones are quickest.
  void append(std::span<const RowBatch> batches, std::span<const StudyEntry> entries = {},
              std::span<const CertificateRow> certificates = {});
  void append(const RowBatch& batch) { append({&batch, 1}); }
  /// The same in pieces of at most `piece` rows, each all or nothing: what is cut short leaves the
  /// lower ids.
  void append_in_pieces(std::span<const RowBatch> batches, std::size_t piece);

  /// Marks the study as complete, and whether it is.
  void finish();
  bool finished() const;

  /// Ids of the stored cases. Reads the whole file once.
  IdSet done_ids() const;

 private:
  struct Connection;
  explicit Store(std::unique_ptr<Connection> connection);
  std::unique_ptr<Connection> connection_;
};

}  // namespace counterpoise
