#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <vector>

#include "results/rows/layout.hpp"
#include "results/rows/row_batch.hpp"
#include "results/rows/rows.hpp"
#include "results/rows/totals.hpp"
#include "results/sqlite/placement.hpp"

namespace counterpoise {

class StoreConnection;

/// The writer of a results file, for one process and one thread at a time. Others may read the file
/// at any moment.
///
/// If the process is killed at any moment, the file holds every batch whose append returned and
/// nothing of the others. A rollback journal (not a write-ahead log) keeps the results in one file,
/// which can be moved and copied when nobody writes. A batch costs a few disk synchronisations, so
/// it should hold a tenth of a second of work or more.
///
/// A file size limit must give an error, not a signal: the program ignores SIGXFSZ.
///
/// If the study table has the keys of a KeepRule, the file keeps the cases that the rule says and
/// the Totals of all that are appended. Batches then take effect all together, and entries and
/// certificates after them.
class Store {
 public:
  /// Makes a file with all its tables, which nobody sees before it has them; a merge that was
  /// interrupted goes on with the rows that it stored. A missing or empty
  /// output is always created; results are replaced only with `replace`, by publish(); a file that
  /// is not a results file is never replaced. Throws StoreError (unusable), also for a clash of
  /// columns or a full disk; then nothing has changed.
  static Store create(const std::filesystem::path& path, const Birth& birth, Existing existing,
                      Making making = Making::run);

  /// Opens results to continue them; if there are results that are to replace others, opens these.
  /// Throws StoreError (unusable).
  static Store open(const std::filesystem::path& path);
  /// Whether there is something to open: false if the file is missing, empty or was never
  /// completely created. Throws StoreError (unusable) if it is anything other than results, or
  /// locked.
  static bool can_open(const std::filesystem::path& path);

  Store(Store&&) noexcept;
  Store& operator=(Store&&) = delete;
  ~Store();

  /// The file that is written: the output, or a file beside it (see Placement).
  const std::filesystem::path& path() const;
  bool is_in_place() const;
  const StoreLayout& layout() const;
  std::vector<StudyEntry> study() const;

  /// Stores the rows of some batches in the order of their ids, certificates (one of an id stored
  /// before is replaced) and keys of the study table. Either everything is stored or nothing.
  /// Throws StoreError (write_failed), after which the store can be used again; std::logic_error,
  /// with nothing written, for an id of a row below 1 or stored before, or a number that is not
  /// finite. Negative zero is stored as zero. Appending rows whose ids follow all stored ones is
  /// fastest.
  void append(std::span<const RowBatch> batches, std::span<const StudyEntry> entries = {},
              std::span<const CertificateRow> certificates = {});
  void append(const RowBatch& batch) { append({&batch, 1}); }
  /// The same for rows that another file kept, whose totals add_totals() adds; the same as append()
  /// where all cases are kept.
  void append_kept(const RowBatch& batch);
  /// Adds what another file of the study says about its cases, where both keep some only.
  void add_totals(const Totals& totals, const IdSet& evaluated);
  /// Stores the rows in pieces of at most `piece` rows, each completely or not at all: if it is
  /// interrupted, the lower ids are stored.
  void append_in_pieces(std::span<const RowBatch> batches, std::size_t piece);

  /// Throws StoreError (unusable) where a file that was finished is not as it was then, as its
  /// checksum says. Reads the whole file, if it has one.
  void check() const;

  /// Removes a key of the study table.
  void forget(const std::string& key);

  /// finish() marks the study as complete, reopen() as incomplete; finished() says which. A file of
  /// a whole study that keeps some cases only is made as small as it can be. finish() stores the
  /// checksum of all that the file holds, which counts until the next change; sum_up() does that
  /// where a part of a study is as whole as it will be.
  void finish();
  void reopen();
  bool finished() const;
  void sum_up();

  /// Closes the file and, if it was written beside the output, renames it to the output. The file
  /// it replaces stays until then. Throws StoreError (write_failed).
  void publish() &&;

  /// The ids of the cases that are done: those stored, or where only some are kept, those that were
  /// evaluated. Reads the whole file once.
  IdSet done_ids() const;
  /// The number of these ids, the least and the largest.
  struct Ids {
    std::int64_t count = 0, first = 0, last = 0;
  };
  Ids ids() const;

 private:
  explicit Store(std::unique_ptr<StoreConnection> connection);
  std::unique_ptr<StoreConnection> connection_;
};

}  // namespace counterpoise
