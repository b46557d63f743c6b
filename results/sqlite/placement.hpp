#pragma once

#include <filesystem>
#include <optional>
#include <utility>

#include "results/rows/layout.hpp"
#include "results/sqlite/writer_lock.hpp"

namespace counterpoise {

/// Whether there is something to resume: false if the file is missing, empty or was never fully
/// born. Throws StoreError (unusable) if it is anything else than results, or locked.
bool holds_results(const std::filesystem::path& path);

enum class Existing { refuse, replace };

/// What a store makes when its output is not there yet.
enum class Making {
  run,    // the output at once, so that it can be looked at and continued
  merge,  // a file beside the output: there is none before it is whole
};

/// Where the results of an output are written, and that nobody else writes there.
///
/// New results grow beside those they are to replace, which stay until then: a run's in
/// `<output>.partial`, where they are found again to be continued; a merge's in `<output>.merging`,
/// or with a number behind that. Such a file says in its study table under which name it was
/// born: one that says so and is left over is cleared away, any other file is left alone.
class Placement {
 public:
  /// Makes a file with all tables. Throws StoreError (unusable) as Store::create does.
  static Placement fresh(const std::filesystem::path& output, const Birth& birth, Existing existing,
                         Making making);
  /// Finds the results to continue. Throws StoreError (unusable) if there are none.
  static Placement continued(const std::filesystem::path& output);
  /// Whether there are results to continue.
  static bool can_continue(const std::filesystem::path& output);

  /// The file that is written.
  [[nodiscard]] const std::filesystem::path& place() const { return place_; }
  [[nodiscard]] bool is_in_place() const { return place_ == output_; }
  /// Renames it to the output, if it is another; no connection to it may be open. Throws StoreError
  /// (write_failed).
  void publish();

  Placement(Placement&& other) noexcept;
  Placement& operator=(Placement&&) = delete;
  /// Removes the file that fresh() made where it could not be used after all, and a merge's that is
  /// not in its place.
  ~Placement();
  /// The file has been opened and can be used.
  void note_use() { to_be_removed_ = to_be_removed_ && only_whole_; }

 private:
  Placement(std::filesystem::path output, std::filesystem::path place)
      : output_(std::move(output)), place_(std::move(place)) {}

  std::filesystem::path output_, place_;
  std::optional<WriterLock> own_, replaced_;  // of the file, and of the output if that is another
  bool to_be_removed_ = false, only_whole_ = false;
};

}  // namespace counterpoise
