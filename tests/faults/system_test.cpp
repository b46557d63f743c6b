// The n-th call of the system, or the n-th allocation, fails or kills a run, for every n.
#include <cxxabi.h>
#include <fmt/format.h>
#include <sqlite3.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <catch2/catch.hpp>
#include <csignal>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <new>
#include <typeinfo>

#include "results/results_file.hpp"
#include "results/rows/rows.hpp"
#include "tests/faults/small_studies.hpp"
#include "tests/support/interposed/disturbance.hpp"
#include "tests/support/trials.hpp"

using namespace counterpoise;
using namespace counterpoise::test;

namespace {

namespace fs = std::filesystem;

// how a child ends
constexpr int undisturbed = 0, absorbed = 3, refused = 4, without_memory = 5, other_error = 6;

/// As in the program (cli/memory.cpp): where want of memory cannot be caught, because
/// destroying JSON takes memory, the process ends.
[[noreturn]] void end() {
  const std::type_info* const thrown = abi::__cxa_current_exception_type();
  if (thrown != nullptr && *thrown == typeid(std::bad_alloc)) _exit(without_memory);
  std::abort();
}

/// Runs work in a child process under rules; the child's exit code, or minus its signal.
int in_child(const std::string& rules, const std::function<void()>& work) {
  const pid_t child = fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    std::set_terminate(end);
    disturb(rules.c_str());
    int code = other_error;
    try {
      work();
      code = was_disturbed() ? absorbed : undisturbed;
    } catch (const StoreError&) {
      code = refused;
    } catch (const std::bad_alloc&) {
      code = without_memory;
    } catch (const std::exception&) {
    }
    _exit(code);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
}

/// A study, the file that is disturbed, and what an undisturbed one says.
struct Run {
  explicit Run(SmallStudy small) : small(std::move(small)) {
    const fs::path folder = fs::path(COUNTERPOISE_TEST_DIR) / this->small.name;
    fs::remove_all(folder);
    fs::create_directories(folder);
    output = folder / "results.db";
    whole_path = folder / "whole.db";
    // in a child, as TBB's threads do not live on in children of this process
    REQUIRE(in_child("", [&] { run_small(this->small.study, whole_path); }) == undisturbed);
    whole = everything_in(whole_path);
  }
  void clear() const {
    for (const fs::directory_entry& file : fs::directory_iterator(output.parent_path()))
      if (file.path() != whole_path) fs::remove(file.path());
  }
  void work() const { run_small(small.study, output); }
  /// Goes on with what there is, and compares.
  void finish() const {
    REQUIRE(in_child("", [&] { run_small(small.study, output, {.resume = true}); }) == undisturbed);
    REQUIRE(everything_in(output) == whole);
    REQUIRE(ResultsFile(output).check().fault.empty());
  }

  SmallStudy small;
  fs::path output, whole_path;
  std::string whole;
};

/// Under "<action> n <operation>" for n = 1, 1 + step, ... until nothing is disturbed; returns how
/// many were.
long try_all(const Run& run, const std::string& action, const std::string& operation, long step,
             std::initializer_list<int> expected) {
  for (long at = 1, count = 0;; at += step, ++count) {
    const std::string rules = fmt::format("{} {} {}", action, at, operation);
    CAPTURE(run.small.name, rules);
    run.clear();
    const int code = in_child(rules, [&] { run.work(); });
    if (code == undisturbed) {
      REQUIRE(everything_in(run.output) == run.whole);
      fmt::print("{:9} {:8} {:8}: {:5} faults\n", run.small.name, operation, action, count);
      return count;
    }
    CAPTURE(code);
    REQUIRE(std::find(expected.begin(), expected.end(), code) != expected.end());
    run.finish();
  }
}

/// SQLite's own memory, where the n-th allocation fails, and later ones too if so asked.
namespace sqlite_memory {

std::atomic<long> count{0}, at{0};
std::atomic<bool> lasting{false};
sqlite3_mem_methods below;

bool refuses() {
  if (at == 0) return false;
  const long now = ++count;
  return lasting ? now >= at : now == at;
}
void* take(int size) {
  return refuses() ? nullptr : below.xMalloc(size);
}
void* resize(void* memory, int size) {
  return refuses() ? nullptr : below.xRealloc(memory, size);
}

/// Before SQLite is used.
void watch() {
  sqlite3_config(SQLITE_CONFIG_GETMALLOC, &below);
  sqlite3_mem_methods watched = below;
  watched.xMalloc = take;
  watched.xRealloc = resize;
  sqlite3_config(SQLITE_CONFIG_MALLOC, &watched);
}

void fail_at(long number, bool from_then_on) {
  count = 0;
  lasting = from_then_on;
  at = number;
}

}  // namespace sqlite_memory

const bool watched = (sqlite_memory::watch(), true);

}  // namespace

TEST_CASE("a run is killed at any call of the system, or the call fails: nothing is lost") {
  const long step = all_trials() ? 1 : 61;
  long combination = 0;
  for (SmallStudy& small : small_studies()) {
    const Run run(std::move(small));
    for (const std::string operation : {"write", "sync", "remove"})
      for (const std::string action : {"kill", "tear", "fail", "lapse", "full"}) {
        if (!is_tried(combination++, 11)) continue;  // each action, operation and study is
        const bool killed = action == "kill" || action == "tear";
        if (killed)
          try_all(run, action, operation, step, {-SIGKILL});
        else
          try_all(run, action, operation, step, {refused, absorbed});
      }
  }
}

TEST_CASE("memory runs out at any allocation of a run: it can be resumed") {
  const long step = all_trials() ? 7 : 797;
  long combination = 0;
  for (SmallStudy& small : small_studies()) {
    const Run run(std::move(small));
    for (const std::string action : {"fail", "lapse"})
      if (is_tried(combination++, 7))  // the first and the last
        CHECK(try_all(run, action, "allocate", step, {without_memory, refused, absorbed}) > 3);
  }
}

TEST_CASE("SQLite's memory runs out at any piece that it takes: a run can be resumed") {
  REQUIRE(watched);
  const long step = all_trials() ? 7 : 1597;
  long combination = 0;
  for (SmallStudy& small : small_studies()) {
    const Run run(std::move(small));
    for (const bool lasting : {false, true}) {
      if (!is_tried(combination++, 7)) continue;
      long at = 1, count = 0;
      for (int code = absorbed; code != undisturbed; at += step, ++count) {
        CAPTURE(run.small.name, lasting, at);
        run.clear();
        code = in_child("", [&] {
          sqlite_memory::fail_at(at, lasting);
          run.work();
          if (sqlite_memory::count >= at) throw StoreError(StoreError::Kind::unusable, "absorbed");
        });
        CAPTURE(code);
        REQUIRE((code == without_memory || code == refused || code == undisturbed));
        run.finish();
      }
      fmt::print("{:9} SQLite's memory {}: {:5} faults\n", run.small.name,
                 lasting ? "from then on" : "once        ", count - 1);
      CHECK(count > 3);
    }
  }
}
