#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <vector>

#include "results/rows/id_set.hpp"
#include "results/rows/layout.hpp"
#include "results/rows/row_batch.hpp"
#include "results/rows/store_error.hpp"
#include "results/sqlite/placement.hpp"

namespace counterpoise {

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
  /// Makes a file with all its tables, that nobody sees before it has them. A missing or empty
  /// output is born in any case; results are replaced only on `replace`, by publish(), and what is
  /// no results file never. Throws StoreError (unusable), also for a clash of columns or a full
  /// disk; then nothing has changed.
  static Store create(const std::filesystem::path& path, const Birth& birth, Existing existing,
                      Making making = Making::run);

  /// Opens results to continue them: those that are to replace others, if there are such. Throws
  /// StoreError (unusable).
  static Store open(const std::filesystem::path& path);
  /// Whether there is something to open: false if the file is missing, empty or was never fully
  /// born. Throws StoreError (unusable) if it is anything else than results, or locked.
  static bool can_open(const std::filesystem::path& path);

  Store(Store&&) noexcept;
  Store& operator=(Store&&) = delete;
  ~Store();

  /// The file that is written: the output, or beside it (see Placement).
  const std::filesystem::path& path() const;
  bool is_in_place() const;
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

  /// Marks the study as complete or not, and whether it is marked.
  void finish();
  void reopen();
  bool finished() const;

  /// Closes the file and, where it was written beside the output, puts it in its place. What it
  /// replaces stays until then. Throws StoreError (write_failed).
  void publish() &&;

  /// Ids of the stored cases. Reads the whole file once.
  IdSet done_ids() const;
  /// The least and the largest, and how many there are.
  struct Ids {
    std::int64_t count = 0, first = 0, last = 0;
  };
  Ids ids() const;

 private:
  struct Connection;
  explicit Store(std::unique_ptr<Connection> connection);
  std::unique_ptr<Connection> connection_;
};

}  // namespace counterpoise
