#pragma once

#include <string>
#include <vector>

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
