#include "results/sqlite/placement.hpp"

#include <catch2/catch.hpp>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <new>

#include "results/merge.hpp"
#include "results/sqlite/output_file.hpp"
#include "tests/results/results_study.hpp"
#include "tests/support/interposed/disturbance.hpp"
#include "tests/support/trials.hpp"

using namespace counterpoise;
using namespace counterpoise::testing;
using counterpoise::test::disturb;
namespace fs = std::filesystem;

namespace {

std::vector<CaseRow> rows_from(std::int64_t first) {
  std::mt19937_64 random(11);
  return random_rows(random, first, 20);
}

/// Results with rows from 1, finished.
void make_old(const std::string& path) {
  Store old = Store::create(path, example_birth(), Existing::refuse);
  append(old, rows_from(1));
  old.finish();
}

std::size_t count_of_files(const std::string& folder) {
  return static_cast<std::size_t>(
      std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

}  // namespace

TEST_CASE("new results grow beside the old ones, and are found there to be continued") {
  const std::string folder = fresh_folder("placement_run"), path = folder + "a.db";
  make_old(path);
  append(Store::create(path, example_birth(), Existing::replace), rows_from(101));
  CHECK(all_rows(path) == rows_from(1));
  CHECK(all_rows(path + ".partial") == rows_from(101));
  Store store = Store::open(path);
  CHECK(!store.is_in_place());
  append(store, rows_from(201));
  store.finish();
  std::move(store).publish();
  CHECK(all_rows(path).size() == 40);
  CHECK(count_of_files(folder) == 1);
  CHECK(Store::open(path).is_in_place());
}

TEST_CASE("what a run left beside is cleared away, another's file of that name stays") {
  const std::string folder = fresh_folder("placement_foreign"), path = folder + "a.db";
  make_old(path);
  append(Store::create(path, example_birth(), Existing::replace), rows_from(101));
  append(Store::create(path, example_birth(), Existing::replace), rows_from(201));
  CHECK(all_rows(path + ".partial") == rows_from(201));

  fs::remove(path + ".partial");
  fs::copy_file(path, path + ".partial");  // results, but not born under that name
  const std::string before = text_of(path + ".partial");
  const Thrown error =
      store_error_of([&] { Store::create(path, example_birth(), Existing::replace); });
  CHECK_THAT(error.message, Catch::Contains("in the way"));
  CHECK(text_of(path + ".partial") == before);
  CHECK(Store::open(path).is_in_place());
  CHECK(all_rows(path) == rows_from(1));
}

TEST_CASE("without results to replace an interrupted run beside is not passed over") {
  const std::string path = fresh_folder("placement_orphan") + "a.db";
  make_old(path);
  append(Store::create(path, example_birth(), Existing::replace), rows_from(101));
  fs::remove(path);
  const auto create = [&](Existing existing) {
    return store_error_of([&] { Store::create(path, example_birth(), existing); });
  };
  CHECK_THAT(create(Existing::refuse).message,
             Catch::Contains("a.db.partial") && Catch::Contains("--resume"));
  CHECK(Store::can_open(path));
  CHECK(!create(Existing::replace).thrown);
  CHECK(!fs::exists(path + ".partial"));
}

TEST_CASE("what another program makes while results grow beside it is not replaced") {
  const std::string folder = fresh_folder("placement_meanwhile"), path = folder + "a.db";
  Store store = Store::create(path, example_birth(), Existing::replace, Making::merge);
  append(store, rows_from(1));
  store.finish();
  std::ofstream(path) << "made meanwhile";
  CHECK_THROWS_WITH(std::move(store).publish(),
                    Catch::Contains("was made by another program meanwhile") &&
                        Catch::Contains("; the new results are in "));
  std::string kept;
  std::getline(std::ifstream(path) >> std::ws, kept);
  CHECK(kept == "made meanwhile");
  CHECK(count_of_files(folder) == 2);
}

TEST_CASE("what is no results file is never replaced") {
  const std::string folder = fresh_folder("placement_no_results");
  std::ofstream(folder + "diary.db") << "dear diary";
  CHECK(store_error_of([&] {
          Store::create(folder + "diary.db", example_birth(), Existing::replace);
        }).thrown);
  CHECK(text_of(folder + "diary.db") == "dear diary");
  const Thrown device =
      store_error_of([&] { Store::create("/dev/null", example_birth(), Existing::replace); });
  CHECK_THAT(device.message, Catch::Contains("ordinary file"));
  CHECK(count_of_files(folder) == 1);
}

TEST_CASE("a path that SQLite cannot open leaves no file") {
  const std::string folder = fresh_folder("placement_long");
  const std::string deep = folder + std::string(200, 'a') + '/' + std::string(200, 'b') + '/';
  fs::create_directories(deep);
  const Thrown error = store_error_of([&] {
    Store::create(deep + std::string(200, 'c') + ".db", example_birth(), Existing::refuse);
  });
  CHECK(error.kind == StoreError::Kind::unusable);
  CHECK(fs::is_empty(deep));
}

TEST_CASE("killed at any write, removal or renaming, a merge keeps the old output") {
  const std::string folder = fresh_folder("placement_merge"), all = folder + "all.db";
  Store::create(folder + "part.db", example_birth(), Existing::refuse);
  append(Store::open(folder + "part.db"), rows_from(301));
  make_old(all);
  std::ofstream(all + ".merging") << "mine";
  int kills = 0;
  for (const std::string operation : {"write", "sync", "remove", "rename"}) {
    const bool is_often = operation == "write" || operation == "sync";
    for (int n = 1; n < 100; n += is_often && !test::all_trials() ? 3 : 1) {
      CAPTURE(operation, n);
      const int code = in_child([&] {
        disturb(("kill " + std::to_string(n) + ' ' + operation + " *").c_str());
        merge({folder + "part.db"}, all, Existing::replace, false);
        return 0;
      });
      CHECK(text_of(all + ".merging") == "mine");
      if (code == 0) break;
      REQUIRE(code == -SIGKILL);
      ++kills;
      CHECK(all_rows(all) == rows_from(1));
    }
    CHECK(all_rows(all) == rows_from(301));
    CHECK(count_of_files(folder) ==
          3);  // part, output, the foreign file: what was left over is gone
    fs::remove(all);
    make_old(all);
  }
  CHECK(kills > 10);
}

TEST_CASE("a table that is killed before it has its name leaves the old one, and can be written") {
  const std::string folder = fresh_folder("placement_table"), path = folder + "a.csv";
  const std::string text(200'000, 'x');
  for (const char* rules : {"kill 1 write", "tear 1 write", "kill 1 sync", "kill 1 rename"}) {
    CAPTURE(rules);
    write_file(path, "old");
    const int code = in_child([&] {
      disturb(rules);
      write_file(path, text);
      return 0;
    });
    CHECK(code == -SIGKILL);
    CHECK(text_of(path) == "old");
    write_file(path, "new");
    CHECK(text_of(path) == "new");
    CHECK(count_of_files(folder) == 1);
  }
}

TEST_CASE("without memory in the middle of an insertion the store goes on") {
  const std::string path = fresh_folder("placement_memory") + "a.db";
  const int code = in_child([&] {
    Store store = Store::create(path, example_birth(), Existing::refuse);
    RowBatch batch(store.layout());
    for (const CaseRow& row : rows_from(1)) batch.add(row);
    int failures = 0;
    for (int n = 1;; ++n) {
      disturb(("fail " + std::to_string(n) + " allocate").c_str());
      try {
        store.append(batch);
        disturb("");
        break;
      } catch (const std::bad_alloc&) {
        disturb("");
        ++failures;
      }
      if (store.ids().count != 0) return 2;
    }
    return failures > 1 && store.ids().count == 20 ? 0 : 1;
  });
  CHECK(code == 0);
  CHECK(all_rows(path) == rows_from(1));
}

TEST_CASE("without memory at its birth a store leaves no file and nothing open") {
  const std::string folder = fresh_folder("placement_birth");
  const int code = in_child([&] {
    const Birth birth = example_birth();
    const std::size_t open = count_of_files("/proc/self/fd");
    for (int n = 1;; ++n) {
      disturb(("fail " + std::to_string(n) + " allocate").c_str());
      try {
        const Store store = Store::create(folder + "a.db", birth, Existing::refuse);
        disturb("");
        return n > 50 ? 0 : 1;
      } catch (const std::bad_alloc&) {
        disturb("");
      }
      if (!fs::is_empty(folder)) return 2;
      if (count_of_files("/proc/self/fd") != open) return 3;
    }
  });
  CHECK(code == 0);
}
