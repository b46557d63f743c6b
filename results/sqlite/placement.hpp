#pragma once

#include <filesystem>
#include <optional>
#include <utility>

#include "results/rows/layout.hpp"
#include "results/sqlite/writer_lock.hpp"

namespace counterpoise {

/// Whether there is something to resume: false if the file is missing, empty or was never
/// completely created. Throws StoreError (unusable) if it is anything other than results, or
/// locked.
bool holds_results(const std::filesystem::path& path);

enum class Existing { refuse, replace };

/// What a store creates when its output does not exist yet.
enum class Making {
  run,    // the output at once, so that it can be read and continued
  merge,  // a file beside the output, which does not exist before it is complete
};

/// The place where the results of an output are written, and the lock that nobody else writes
/// there.
///
/// New results grow beside those they are to replace, which stay until then. A run writes
/// `<output>.partial`, where it is found again to be continued; a merge writes `<output>.merging`,
/// possibly with a number added. Such a file states in its study table the name under which it was
/// created: a leftover file that does so is deleted, any other file is left alone. A merge of the
/// same files (the key `joined` of the study table) goes on with it instead.
class Placement {
 public:
  /// Makes a file with all tables, or finds that of an interrupted merge of the same files. Throws
  /// StoreError (unusable) as Store::create does.
  static Placement fresh(const std::filesystem::path& output, const Birth& birth, Existing existing,
                         Making making);
  /// Finds the results to continue. Throws StoreError (unusable) if there are none.
  static Placement continued(const std::filesystem::path& output);
  /// Whether there are results to continue.
  static bool can_continue(const std::filesystem::path& output);

  /// The file that is written.
  [[nodiscard]] const std::filesystem::path& place() const { return place_; }
  [[nodiscard]] bool is_in_place() const { return place_ == output_; }
  /// Renames the file to the output, if it has another name; no connection to it may be open.
  /// Throws StoreError (write_failed).
  void publish();

  Placement(Placement&& other) noexcept;
  Placement& operator=(Placement&&) = delete;
  /// Removes the file that fresh() made if it could not be used after all, and the file of a merge
  /// that was not put in its place.
  ~Placement();
  /// Notes that the file has been opened and can be used.
  void note_use() { to_be_removed_ = to_be_removed_ && only_whole_; }

 private:
  Placement(std::filesystem::path output, std::filesystem::path place)
      : output_(std::move(output)), place_(std::move(place)) {}

  std::filesystem::path output_, place_;
  std::optional<WriterLock> own_,
      replaced_;  // locks of the file, and of the output if that is another file
  bool to_be_removed_ = false, only_whole_ = false;
};

}  // namespace counterpoise
