#include "results/sqlite/placement.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <fstream>
#include <new>
#include <system_error>

#include "results/rows/rows.hpp"
#include "results/sqlite/output_file.hpp"
#include "results/sqlite/schema.hpp"

namespace counterpoise {
namespace {

namespace fs = std::filesystem;

StoreError unusable(const fs::path& path, const std::string& why) {
  return {StoreError::Kind::unusable, path.string() + ": " + why};
}

bool is_taken(const fs::path& path) {
  std::error_code ignored;
  return fs::exists(fs::symlink_status(path, ignored));
}

bool is_database(const fs::path& path) {
  constexpr std::string_view magic = "SQLite format 3";
  std::array<char, magic.size()> head{};
  std::ifstream file(path, std::ios::binary);
  if (!file) throw unusable(path, "cannot be read: " + std::generic_category().message(errno));
  file.read(head.data(), head.size());
  return std::string_view(head.data(), head.size()) == magic;
}

bool is_absent_or_empty(const fs::path& path) {
  std::error_code error;
  if (fs::is_directory(path, error)) throw unusable(path, "is a folder; results are a file");
  if (fs::is_other(path, error))
    throw unusable(path, "is a device, a pipe or a socket; results need an ordinary file");
  const auto size = fs::file_size(path, error);
  return error || size == 0;
}

/// The file that a symbolic link leads to.
fs::path resolved(const fs::path& path) {
  std::error_code error;
  if (!fs::is_symlink(path, error)) return path;
  fs::path target = fs::canonical(path, error);
  return error ? path : target;
}

fs::path with_suffix(const fs::path& path, const std::string& suffix) {
  return path.string() + suffix;
}

fs::path partial_of(const fs::path& output) {
  return with_suffix(output, ".partial");
}

/// Removes the journals of a file: beside another file that takes this name they would be taken for
/// that file's own.
void remove_journals(const fs::path& path) {
  std::error_code ignored;
  for (const char* suffix : {"-journal", "-wal", "-shm"})
    fs::remove(with_suffix(path, suffix), ignored);
}

void remove_with_journals(const fs::path& path) {
  remove_journals(path);
  std::error_code ignored;
  fs::remove(path, ignored);
}

/// Waits until no other program is writing to results, and rolls back what a killed one left
/// unfinished.
void settle(const fs::path& path, int patience_ms) {
  Database database(path, Database::Access::write, patience_ms);
  database.execute("BEGIN EXCLUSIVE");
  database.execute("ROLLBACK");
}

/// Locks results that are to be replaced. Throws if any process is writing to them, also one that
/// is not ours.
WriterLock locked(const fs::path& path) {
  WriterLock lock(path);
  settle(path, prompt_ms);
  return lock;
}

/// Whether these are results that were created beside an output with the name they have, and are
/// not in its place yet.
bool is_left_over(const fs::path& path) {
  try {
    if (is_absent_or_empty(path) || !is_database(path)) return false;
    Database database(path, Database::Access::read, prompt_ms);
    if (has_no_tables(database, path.string())) return false;
    const std::vector<StudyEntry> study = read_study(database);
    const StudyEntry born{birth_name_key, path.filename().string()};
    return std::find(study.begin(), study.end(), born) != study.end();
  } catch (const StoreError&) {
    return false;  // nothing of ours, then
  }
}

/// Whether a merge of the same files was interrupted here.
bool can_go_on(const fs::path& place, const Birth& birth) {
  if (!value_of(birth.study, joined_key) || !is_left_over(place)) return false;
  Database database(place, Database::Access::read, prompt_ms);
  const std::vector<StudyEntry> there = read_study(database);
  return read_layout(database) == birth.layout &&
         std::all_of(birth.study.begin(), birth.study.end(), [&](const StudyEntry& entry) {
           return value_of(there, entry.key) == entry.value;
         });
}

/// The first name for a merge's results that no other file has.
fs::path name_for_merge(const fs::path& output) {
  for (int number = 1;; ++number) {
    const std::string count = number == 1 ? "" : '-' + std::to_string(number);
    fs::path name = with_suffix(output, ".merging" + count);
    if (!is_taken(name) || is_left_over(name)) return name;
  }
}

/// Writes a file with all tables, that nobody sees before it has them, and locks it. Takes the
/// place of a file that is empty or left over.
WriterLock bear(const fs::path& place, Birth birth, bool beside) {
  if (beside) birth.study.push_back({birth_name_key, place.filename().string()});
  OutputFile file(place);
  std::optional<WriterLock> replaced;
  if (is_taken(place)) replaced.emplace(place);
  if (holds_results(place) && !is_left_over(place))  // born since we looked
    throw StoreError(StoreError::Kind::unusable, locked_message(place));
  file.write(image_of(birth));
  // of a file that is gone: SQLite would take them for this one's, and put old pages into it
  remove_journals(place);
  file.commit();
  return file.take_lock();
}

}  // namespace

bool holds_results(const fs::path& path) {
  if (is_absent_or_empty(path)) return false;
  if (!is_database(path)) throw unusable(path, "is not a results file (not an SQLite database)");
  Database database(path, Database::Access::read, prompt_ms);
  return !has_no_tables(database, path.string());
}

Placement Placement::fresh(const fs::path& output, const Birth& birth, Existing existing,
                           Making making) {
  const fs::path target = resolved(output), partial = partial_of(target);
  const bool there = holds_results(target);
  if (there && existing == Existing::refuse)
    throw unusable(output, making == Making::run
                               ? "exists already and is not overwritten: continue it with "
                                 "--resume, or replace it with --force"
                               : "exists already and is not overwritten; replace it with --force");
  std::optional<WriterLock> replaced;
  if (there) replaced.emplace(locked(target));
  fs::path place = target;
  if (making == Making::merge) {
    place = name_for_merge(target);
  } else if (is_left_over(partial)) {
    if (existing == Existing::refuse)
      throw unusable(partial,
                     "holds a run that was interrupted: continue it with --resume, or "
                     "start afresh with --force");
    if (there) {
      place = partial;
    } else {
      const WriterLock nobody_writes = locked(partial);
      remove_with_journals(partial);
    }
  } else if (there) {
    if (is_taken(partial))
      throw unusable(partial,
                     "is in the way of the new results, and nothing that a run left "
                     "there; move it away, or name another output");
    place = partial;
  }
  try {
    Placement made(target, place);
    if (replaced) made.replaced_.emplace(std::move(*replaced));
    made.only_whole_ = making == Making::merge;
    if (making == Making::merge && can_go_on(place, birth))
      made.own_.emplace(locked(place));
    else
      made.own_.emplace(bear(place, birth, place != target));
    made.to_be_removed_ = true;
    return made;
  } catch (const StoreError& error) {
    throw StoreError(StoreError::Kind::unusable, error.what());
  }
}

Placement Placement::continued(const fs::path& output) {
  const fs::path target = resolved(output), partial = partial_of(target);
  const bool beside = is_left_over(partial), there = holds_results(target);
  if (!beside && !there) throw unusable(output, "holds no results");
  Placement found(target, beside ? partial : target);
  found.own_.emplace(found.place_);
  if (beside && there) found.replaced_.emplace(locked(target));
  return found;
}

bool Placement::can_continue(const fs::path& output) {
  const fs::path target = resolved(output);
  return is_left_over(partial_of(target)) || holds_results(target);
}

void Placement::publish() {
  if (place_ == output_) return;
  to_be_removed_ = false;
  try {
    if (replaced_) {
      settle(output_, patient_ms);
      fs::permissions(place_, fs::status(output_).permissions());
    } else if (!is_absent_or_empty(output_)) {
      throw unusable(output_, "was made by another program meanwhile");
    }
    remove_journals(output_);
    fs::rename(place_, output_);
  } catch (const std::runtime_error& error) {
    throw StoreError(StoreError::Kind::write_failed,
                     std::string(error.what()) + "; the new results are in " + place_.string());
  }
  place_ = output_;
}

Placement::Placement(Placement&& other) noexcept
    : output_(std::move(other.output_)),
      place_(std::move(other.place_)),
      own_(std::move(other.own_)),
      replaced_(std::move(other.replaced_)),
      to_be_removed_(std::exchange(other.to_be_removed_, false)),
      only_whole_(other.only_whole_) {}

Placement::~Placement() {
  if (!to_be_removed_) return;
  try {
    remove_with_journals(place_);
  } catch (const std::bad_alloc&) {
    // for the journals' names; whoever next takes the name of the file removes them
    std::error_code ignored;
    fs::remove(place_, ignored);
  }
}

}  // namespace counterpoise
