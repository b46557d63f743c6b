// The n-th thing that SQLite asks of the disk goes wrong, for every n of a small run or merge.
#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <filesystem>

#include "results/merging/merge.hpp"
#include "results/results_file.hpp"
#include "results/rows/store_error.hpp"
#include "studies/run.hpp"
#include "tests/faults/disk/faulty_disk.hpp"
#include "tests/faults/small_studies.hpp"
#include "tests/support/trials.hpp"

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
  if (holds_results(results)) CHECK(ResultsFile(results).check().faults.empty());
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
