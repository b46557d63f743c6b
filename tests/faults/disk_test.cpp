// The n-th thing that SQLite asks of the disk goes wrong, for every n of a small run or merge.

#include <fmt/format.h>
#include <sqlite3.h>

#include <array>
#include <catch2/catch.hpp>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "results/merge.hpp"
#include "results/results_file.hpp"
#include "results/rows/rows.hpp"
#include "studies/run.hpp"
#include "tests/faults/small_studies.hpp"
#include "tests/support/trials.hpp"

namespace counterpoise::test {

/// What SQLite asks of a disk.
enum class DiskWork { open, read, write, sync, truncate, remove, lock };
inline constexpr int kinds_of_disk_work = 7;
const char* to_text(DiskWork work);

/// What goes wrong at the n-th work of a kind.
enum class DiskFault {
  once,     // it fails; later work succeeds
  lasting,  // it and all later work of the kind fails
  full,     // it and all later work of the kind fails, because there is no room
  torn,     // half of a write arrives; then nothing works any more
  power,    // nothing works any more, and what was written since a file was synchronised has
            // arrived, half arrived or not arrived
};
inline constexpr int kinds_of_disk_fault = 5;
const char* to_text(DiskFault fault);

/// From now on SQLite uses, in this process, a disk that can be made to fail: its own functions for
/// files with faults before them. Synchronising takes no time there, and nobody waits for a lock.
void use_faulty_disk();

/// The n-th work of this kind from now on will go wrong so.
void break_disk(DiskWork work, DiskFault fault, long at);

/// No more faults. After a power failure the files are as the disk has them, so no connection to
/// any may be open. Returns whether the fault has come.
bool mend_disk();

}  // namespace counterpoise::test

using namespace counterpoise;
using namespace counterpoise::test;

namespace {

namespace fs = std::filesystem;

fs::path empty_folder(const std::string& name) {
  const fs::path folder = fs::path(COUNTERPOISE_TEST_DIR) / name;
  fs::remove_all(folder);
  fs::create_directories(folder);
  return folder;
}

/// Work that is done while the disk fails, and again when it is mended.
struct Disturbed {
  std::function<void()> work, again;
  std::function<void()> check_failed;  // what there is after a failure
  std::function<void()> check_whole;   // and at the end
  std::function<void()> clear;         // before the work
};

/// Does the work with the n-th work of a kind failing, for every n until the fault does not come
/// any more; for one in 59, unless all are asked for.
/// Returns how many faults came.
long try_all(DiskWork kind, DiskFault fault, const Disturbed& disturbed) {
  const long step = all_trials() ? 1 : 59;
  long faults = 0;
  for (long at = 1;; at += step) {
    CAPTURE(to_text(kind), to_text(fault), at);
    disturbed.clear();
    break_disk(kind, fault, at);
    std::string message;
    bool failed = false;
    try {
      disturbed.work();
    } catch (const StoreError& error) {
      failed = true;
      message = error.what();
    }
    const bool came = mend_disk();
    if (failed) {
      CHECK_FALSE(message.empty());
      disturbed.check_failed();
      disturbed.again();
    }
    disturbed.check_whole();
    if (!came) {
      CHECK_FALSE(failed);
      return faults;
    }
    ++faults;
  }
}

void try_all_kinds(const std::string& name, const Disturbed& disturbed) {
  long all = 0;
  for (int kind = 0; kind < kinds_of_disk_work; ++kind)
    for (int fault = 0; fault < kinds_of_disk_fault; ++fault) {
      const auto work = static_cast<DiskWork>(kind);
      const auto how = static_cast<DiskFault>(fault);
      // room is needed to open, write and synchronise alone
      if (how == DiskFault::full && work != DiskWork::open && work != DiskWork::write &&
          work != DiskWork::sync)
        continue;
      const long faults = try_all(work, how, disturbed);
      fmt::print("{:9} {:8} {:7}: {:4} faults\n", name, to_text(work), to_text(how), faults);
      all += faults;
    }
  fmt::print("{:9} all             : {:4} faults\n", name, all);
  CHECK(all > 10);
}

void require_sound(const fs::path& results) {
  if (holds_results(results)) CHECK(ResultsFile(results).check().fault.empty());
}

}  // namespace

TEST_CASE("whatever the disk does to a run, resuming it gives the results of an undisturbed one") {
  use_faulty_disk();
  for (const SmallStudy& small : small_studies()) {
    const fs::path folder = empty_folder("run_" + small.name), output = folder / "results.db";
    run_small(small.study, folder / "whole.db");
    const std::string whole = everything_in(folder / "whole.db");
    Disturbed run;
    run.work = [&] { run_small(small.study, output); };
    run.again = [&] { run_small(small.study, output, {.resume = true}); };
    run.check_failed = [&] { require_sound(output); };
    run.check_whole = [&] {
      REQUIRE(everything_in(output) == whole);
      require_sound(output);
    };
    run.clear = [&] {
      for (const char* suffix : {"", "-journal"}) fs::remove(output.string() + suffix);
    };
    try_all_kinds(small.name, run);
  }
}

TEST_CASE("whatever the disk does to a merge, its output is whole or not there") {
  use_faulty_disk();
  const fs::path folder = empty_folder("merge"), output = folder / "all.db";
  const std::vector<SmallStudy> studies = small_studies();
  const Study& study = studies.front().study;
  const std::vector<fs::path> parts = {folder / "1.db", folder / "2.db"};
  for (int shard = 1; shard <= 2; ++shard) {
    RunOptions options;
    options.output = parts[static_cast<std::size_t>(shard) - 1];
    options.threads = 1;
    options.shard = {shard, 2};
    run_study(study, options);
  }
  const auto merge_to = [&](const fs::path& to, Existing existing) {
    merge(parts, to, existing, false, Wanted::whole);
  };
  merge_to(folder / "whole.db", Existing::refuse);
  const std::string whole = everything_in(folder / "whole.db");
  for (const bool replaced : {false, true}) {
    CAPTURE(replaced);
    Disturbed merging;
    merging.work = [&] { merge_to(output, Existing::replace); };
    merging.again = merging.work;
    merging.check_failed = [&] {
      if (replaced || fs::exists(output)) REQUIRE(everything_in(output) == whole);
    };
    merging.check_whole = [&] {
      REQUIRE(everything_in(output) == whole);
      require_sound(output);
      for (const fs::path& part : parts) require_sound(part);
      CHECK_FALSE(fs::exists(output.string() + ".merging"));
    };
    merging.clear = [&] {
      if (!replaced)
        for (const char* suffix : {"", "-journal"}) fs::remove(output.string() + suffix);
    };
    try_all_kinds(replaced ? "merged on" : "merge", merging);
  }
}

TEST_CASE("whatever the disk does to a reader, it refuses or reads what is there") {
  use_faulty_disk();
  for (const SmallStudy& small : small_studies()) {
    const fs::path results = empty_folder("read_" + small.name) / "results.db";
    run_small(small.study, results);
    const std::string whole = everything_in(results);
    std::string read;
    Disturbed reading;
    reading.work = [&] { read = everything_in(results); };
    reading.again = reading.work;
    reading.check_failed = [] {};
    reading.check_whole = [&] { REQUIRE(read == whole); };
    reading.clear = [&] { read.clear(); };
    for (const DiskWork work : {DiskWork::open, DiskWork::read, DiskWork::lock})
      for (const DiskFault fault : {DiskFault::once, DiskFault::lasting}) {
        const long faults = try_all(work, fault, reading);
        CHECK(faults > 0);
        fmt::print("{:9} {:8} {:7}: {:4} faults\n", small.name + " read", to_text(work),
                   to_text(fault), faults);
      }
  }
}

namespace counterpoise::test {
namespace {

/// What a write has replaced, so that it can be taken back.
struct Replaced {
  sqlite3_int64 offset = 0, size_before = 0;  // of the file
  std::string bytes, written;
};

struct Breakdown {
  DiskWork work = DiskWork::open;
  DiskFault fault = DiskFault::once;
  long at = 0;
};

std::mutex mutex;  // of all below
std::optional<Breakdown> planned;
long seen = 0;
bool struck = false, dead = false;
std::map<std::string, std::vector<Replaced>> not_synced;  // by path
sqlite3_vfs* below = nullptr;

/// SQLite gives so many bytes for a file, and the system's file behind them.
struct File {
  sqlite3_file base;
  sqlite3_file* real;
  std::string* path;
};

File& file_of(sqlite3_file* file) {
  return *reinterpret_cast<File*>(file);
}

/// The verdict on work of a kind: SQLITE_OK, or how it fails. `torn` is set where half of it is to
/// be done first.
int verdict(DiskWork work, int error, bool* torn = nullptr) {
  if (dead) return error;
  if (!planned || planned->work != work) return SQLITE_OK;
  ++seen;
  if (seen < planned->at) return SQLITE_OK;
  const bool now = seen == planned->at;
  struck = true;
  switch (planned->fault) {
    case DiskFault::once:
      return now ? error : SQLITE_OK;
    case DiskFault::lasting:
      return error;
    case DiskFault::full:
      return SQLITE_FULL;
    case DiskFault::torn:
      if (torn != nullptr) *torn = true;
      dead = true;
      return error;
    case DiskFault::power:
      dead = true;
      return error;
  }
  return SQLITE_OK;
}

int close(sqlite3_file* file) {
  File& of = file_of(file);
  if (of.real->pMethods != nullptr) of.real->pMethods->xClose(of.real);
  delete of.path;
  return SQLITE_OK;
}

int read(sqlite3_file* file, void* to, int count, sqlite3_int64 offset) {
  const std::lock_guard lock(mutex);
  if (const int code = verdict(DiskWork::read, SQLITE_IOERR_READ)) return code;
  return file_of(file).real->pMethods->xRead(file_of(file).real, to, count, offset);
}

void remember(File& of, int count, sqlite3_int64 offset, const void* from) {
  Replaced replaced{offset,
                    0,
                    std::string(static_cast<std::size_t>(count), '\0'),
                    {static_cast<const char*>(from), static_cast<std::size_t>(count)}};
  of.real->pMethods->xFileSize(of.real, &replaced.size_before);
  of.real->pMethods->xRead(of.real, replaced.bytes.data(), count, offset);  // zeros behind the end
  not_synced[*of.path].push_back(std::move(replaced));
}

int write(sqlite3_file* file, const void* from, int count, sqlite3_int64 offset) {
  const std::lock_guard lock(mutex);
  File& of = file_of(file);
  bool torn = false;
  const int code = verdict(DiskWork::write, SQLITE_IOERR_WRITE, &torn);
  if (code != SQLITE_OK && !torn) return code;
  if (torn) count /= 2;
  if (planned && planned->fault == DiskFault::power) remember(of, count, offset, from);
  const int done = of.real->pMethods->xWrite(of.real, from, count, offset);
  return code == SQLITE_OK ? done : code;
}

int truncate(sqlite3_file* file, sqlite3_int64 size) {
  const std::lock_guard lock(mutex);
  if (const int code = verdict(DiskWork::truncate, SQLITE_IOERR_TRUNCATE)) return code;
  return file_of(file).real->pMethods->xTruncate(file_of(file).real, size);
}

int sync(sqlite3_file* file, int /*flags*/) {
  const std::lock_guard lock(mutex);
  if (const int code = verdict(DiskWork::sync, SQLITE_IOERR_FSYNC)) return code;
  not_synced.erase(*file_of(file).path);
  return SQLITE_OK;
}

int file_size(sqlite3_file* file, sqlite3_int64* size) {
  return file_of(file).real->pMethods->xFileSize(file_of(file).real, size);
}

int lock(sqlite3_file* file, int kind) {
  const std::lock_guard guard(mutex);
  if (const int code = verdict(DiskWork::lock, SQLITE_BUSY)) return code;
  return file_of(file).real->pMethods->xLock(file_of(file).real, kind);
}

int unlock(sqlite3_file* file, int kind) {
  return file_of(file).real->pMethods->xUnlock(file_of(file).real, kind);
}

int is_reserved(sqlite3_file* file, int* out) {
  return file_of(file).real->pMethods->xCheckReservedLock(file_of(file).real, out);
}

int control(sqlite3_file* file, int operation, void* argument) {
  return file_of(file).real->pMethods->xFileControl(file_of(file).real, operation, argument);
}

int sector_size(sqlite3_file* file) {
  return file_of(file).real->pMethods->xSectorSize(file_of(file).real);
}

int characteristics(sqlite3_file* file) {
  return file_of(file).real->pMethods->xDeviceCharacteristics(file_of(file).real);
}

const sqlite3_io_methods& methods() {
  static const sqlite3_io_methods all = [] {
    sqlite3_io_methods made{};
    made.iVersion = 1;  // no shared memory, no mapped pages: all goes through these functions
    made.xClose = close;
    made.xRead = read;
    made.xWrite = write;
    made.xTruncate = truncate;
    made.xSync = sync;
    made.xFileSize = file_size;
    made.xLock = lock;
    made.xUnlock = unlock;
    made.xCheckReservedLock = is_reserved;
    made.xFileControl = control;
    made.xSectorSize = sector_size;
    made.xDeviceCharacteristics = characteristics;
    return made;
  }();
  return all;
}

int open(sqlite3_vfs* /*vfs*/, const char* name, sqlite3_file* file, int flags, int* out_flags) {
  const std::lock_guard lock(mutex);
  File& of = file_of(file);
  of.base.pMethods = nullptr;
  if (const int code = verdict(DiskWork::open, SQLITE_CANTOPEN)) return code;
  of.real = reinterpret_cast<sqlite3_file*>(&of + 1);
  const int code = below->xOpen(below, name, of.real, flags, out_flags);
  if (code != SQLITE_OK) return code;
  of.path = new std::string(name == nullptr ? "" : name);
  of.base.pMethods = &methods();
  return SQLITE_OK;
}

int remove(sqlite3_vfs* /*vfs*/, const char* name, int /*sync*/) {
  const std::lock_guard lock(mutex);
  if (const int code = verdict(DiskWork::remove, SQLITE_IOERR_DELETE)) return code;
  not_synced.erase(name);
  return below->xDelete(below, name, 0);
}

int no_sleep(sqlite3_vfs* /*vfs*/, int microseconds) {
  return microseconds;
}

/// What the disk kept of a file's writes: of some all, of some half, of some nothing. Which is
/// which follows from the place of the write and the number of the fault.
void lose(const std::string& path, const std::vector<Replaced>& writes) {
  if (!std::filesystem::exists(path)) return;
  std::fstream file(path, std::ios::binary | std::ios::in | std::ios::out);
  sqlite3_int64 size = static_cast<sqlite3_int64>(std::filesystem::file_size(path));
  for (std::size_t i = writes.size(); i-- > 0;) {
    const std::size_t fate = (i * 7 + static_cast<std::size_t>(planned->at) * 5) % 3;
    if (fate == 0) continue;
    const std::size_t kept = fate == 1 ? writes[i].written.size() / 2 : 0;
    file.seekp(writes[i].offset + static_cast<sqlite3_int64>(kept));
    file << writes[i].bytes.substr(kept);
    if (i + 1 == writes.size() && kept == 0) size = writes[i].size_before;
  }
  file.close();
  if (size < static_cast<sqlite3_int64>(std::filesystem::file_size(path)))
    std::filesystem::resize_file(path, static_cast<std::uintmax_t>(size));
}

}  // namespace

const char* to_text(DiskWork work) {
  constexpr std::array<const char*, kinds_of_disk_work> words = {
      "open", "read", "write", "sync", "truncate", "remove", "lock"};
  return words.at(static_cast<std::size_t>(work));
}

const char* to_text(DiskFault fault) {
  constexpr std::array<const char*, kinds_of_disk_fault> words = {"once", "lasting", "full", "torn",
                                                                  "power"};
  return words.at(static_cast<std::size_t>(fault));
}

void use_faulty_disk() {
  static sqlite3_vfs disk = [] {
    below = sqlite3_vfs_find(nullptr);
    sqlite3_vfs made = *below;  // what is not replaced calls the system's with its own structure
    made.zName = "faulty disk";
    made.pNext = nullptr;
    made.szOsFile = below->szOsFile + static_cast<int>(sizeof(File));
    made.xOpen = open;
    made.xDelete = remove;
    made.xSleep = no_sleep;
    return made;
  }();
  sqlite3_vfs_register(&disk, 1);
}

void break_disk(DiskWork work, DiskFault fault, long at) {
  const std::lock_guard lock(mutex);
  planned = {work, fault, at};
  seen = 0;
  struck = dead = false;
  not_synced.clear();
}

bool mend_disk() {
  const std::lock_guard lock(mutex);
  if (struck && planned->fault == DiskFault::power)
    for (const auto& [path, writes] : not_synced) lose(path, writes);
  planned.reset();
  dead = false;
  return struck;
}

}  // namespace counterpoise::test
