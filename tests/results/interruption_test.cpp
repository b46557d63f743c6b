#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <csignal>

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>

#include "tests/results/results_study.hpp"
#include "tests/support/interposed/disturbance.hpp"
#include "tests/support/trials.hpp"

using namespace counterpoise;
using namespace counterpoise::testing;

namespace {

// Row `id` is the same in every process.
CaseRow known_row(std::int64_t id) {
  std::mt19937_64 random(static_cast<std::uint64_t>(id));
  return random_rows(random, id, 1).front();
}

// Continues the file by batches and writes the last finished id to the pipe after each.
void write_batches(const std::string& path, int pipe, std::int64_t batch_size) {
  Store store = holds_results(path) ? Store::open(path)
                                    : Store::create(path, example_birth(), Existing::refuse);
  auto next = static_cast<std::int64_t>(store.done_ids().size()) + 1;
  while (true) {
    std::vector<CaseRow> batch;
    for (std::int64_t i = 0; i < batch_size; ++i) batch.push_back(known_row(next++));
    append(store, batch);
    const std::int64_t last = batch.back().id;
    if (write(pipe, &last, sizeof last) != sizeof last) return;
  }
}

}  // namespace

TEST_CASE("killed at any write, the file has every finished batch and nothing of another") {
  const std::string path = fresh_folder("interruption_kill") + "a.db";
  constexpr std::int64_t batch_size = 50;
  std::mt19937_64 random(7);
  std::int64_t stored_before = 0;
  for (int round = 0; round < (test::all_trials() ? 40 : 20); ++round) {
    const char* action = random() % 2 == 0 ? "kill" : "tear";
    const std::array operations = {"write a.db", "write a.db-journal", "sync a.db*",
                                   "remove a.db-journal"};
    const std::size_t operation = random() % operations.size();
    const std::string moment =
        std::string(action) + ' ' + std::to_string(1 + random() % 20) + ' ' + operations[operation];
    CAPTURE(round, moment);
    std::array<int, 2> ends{};
    REQUIRE(pipe(ends.data()) == 0);
    const pid_t child = fork();
    if (child == 0) {
      close(ends[0]);
      test::disturb(moment.c_str());
      write_batches(path, ends[1], batch_size);
      _exit(0);
    }
    close(ends[1]);
    std::int64_t reported = stored_before;
    for (std::int64_t id = 0; read(ends[0], &id, sizeof id) == sizeof id;) reported = id;
    close(ends[0]);
    int status = 0;
    waitpid(child, &status, 0);
    REQUIRE(WIFSIGNALED(status));

    if (!holds_results(path)) {
      REQUIRE(reported == 0);
      continue;
    }
    const std::vector<CaseRow> rows = all_rows(path);
    const auto count = static_cast<std::int64_t>(rows.size());
    CHECK(count % batch_size == 0);
    CHECK(count >= reported);
    CHECK(count >= stored_before);
    CHECK(std::all_of(rows.begin(), rows.end(),
                      [](const CaseRow& row) { return row == known_row(row.id); }));
    stored_before = count;
  }
  CHECK(stored_before > 0);
}

TEST_CASE("at a file size limit the write fails, what was finished stays, and it can go on") {
  const std::string path = fresh_folder("interruption_limit") + "a.db";
  constexpr int failed_cleanly = 3;
  const int code = in_child([&] {
    std::signal(SIGXFSZ, SIG_IGN);
    Store store = Store::create(path, example_birth(), Existing::refuse);
    const rlimit limit{200000, RLIM_INFINITY};
    setrlimit(RLIMIT_FSIZE, &limit);
    for (std::int64_t next = 1; next < 100000;) {
      std::vector<CaseRow> batch;
      for (int i = 0; i < 100; ++i) batch.push_back(known_row(next++));
      const Thrown error = store_error_of([&] { append(store, batch); });
      if (!error.thrown) continue;
      const bool intact = static_cast<std::int64_t>(store.done_ids().size()) == batch[0].id - 1;
      const rlimit more{RLIM_INFINITY, RLIM_INFINITY};
      setrlimit(RLIMIT_FSIZE, &more);
      append(store, batch);  // the same store goes on when there is space again
      return error.kind == StoreError::Kind::write_failed && intact ? failed_cleanly : 1;
    }
    return 2;
  });
  CHECK(code == failed_cleanly);

  Store store = Store::open(path);
  const auto count = static_cast<std::int64_t>(store.done_ids().size());
  CHECK(count > 0);
  CHECK(count % 100 == 0);
  const CaseRow next = known_row(count + 1);
  append(store, {&next, 1});
  for (const CaseRow& row : all_rows(path)) REQUIRE(row == known_row(row.id));
}

TEST_CASE("a file size limit at birth leaves no file") {
  const std::string path = fresh_folder("interruption_birth") + "a.db";
  const int code = in_child([&] {
    std::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{8192, 8192};
    setrlimit(RLIMIT_FSIZE, &limit);
    const Thrown error =
        store_error_of([&] { Store::create(path, example_birth(), Existing::refuse); });
    return error.thrown && error.kind == StoreError::Kind::unusable ? 0 : 1;
  });
  CHECK(code == 0);
  CHECK(access(path.c_str(), F_OK) != 0);
}
