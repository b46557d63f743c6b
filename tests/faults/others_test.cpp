// What other programs put into a results file, or hold it for.
#include <fcntl.h>
#include <sqlite3.h>
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <csignal>
#include <filesystem>
#include <functional>

#include "results/results_file.hpp"
#include "results/rows/rows.hpp"
#include "results/sqlite/database.hpp"
#include "results/sqlite/schema.hpp"
#include "results/store.hpp"
#include "tests/faults/small_studies.hpp"

using namespace counterpoise;
using namespace counterpoise::test;

namespace {

namespace fs = std::filesystem;

fs::path small_results() {
  fs::path path = fs::path(COUNTERPOISE_TEST_DIR) / "results.db";
  fs::remove(path);
  run_small(small_studies().front().study, path);
  return path;
}

}  // namespace

TEST_CASE("what no results file has in its schema is refused by its name, and never run") {
  for (const auto& [sql, words] : std::vector<std::pair<const char*, const char*>>{
           {"CREATE VIEW best AS SELECT * FROM cases", "a view \"best\""},
           {"CREATE TRIGGER lose AFTER INSERT ON cases BEGIN DELETE FROM cases; END",
            "a trigger \"lose\""},
           {"CREATE INDEX by_peak ON cases(peak)", "an index \"by_peak\""},
           {"CREATE INDEX odd ON cases(abs(peak)) WHERE peak > 1", "an index \"odd\""},
           {"CREATE TABLE notes(text TEXT)", "a table \"notes\""},
           {"ANALYZE", "a table \"sqlite_stat1\""},
           {"DROP TABLE failures; CREATE VIRTUAL TABLE failures USING fts5(kind)",
            "a virtual table \"failures\""},
           {"ALTER TABLE cases ADD COLUMN twice REAL AS (peak * 2)", "table cases is not made of"},
           {"ALTER TABLE cases ADD COLUMN more REAL DEFAULT 7", "found DEFAULT"},
           {"ALTER TABLE failures ADD COLUMN more REAL CHECK (more < 7)", "found CHECK"},
           {"ALTER TABLE failures ADD COLUMN more REAL NOT NULL DEFAULT 1", "found NOT"},
           {"ALTER TABLE failures ADD COLUMN more TEXT COLLATE NOCASE", "found COLLATE"},
           {"ALTER TABLE failures ADD COLUMN more INT", "found INT"},
           {"ALTER TABLE failures ADD COLUMN more INTEGER REFERENCES cases", "found REFERENCES"}}) {
    CAPTURE(sql);
    const fs::path path = small_results();
    Database(path, Database::Access::write, 0).execute(sql);
    for (const std::function<void()>& use : {std::function<void()>([&] { ResultsFile{path}; }),
                                             std::function<void()>([&] { Store::open(path); })}) {
      const std::string said = refusal_of(use);
      CHECK_THAT(said, Catch::Contains("is damaged: ") && Catch::Contains(words));
    }
  }
}

TEST_CASE("a table of results that is missing, or whose name is no text, is refused") {
  for (const auto& [sql, words] : std::vector<std::pair<const char*, const char*>>{
           {"DROP TABLE failures", "table failures is missing"},
           {"DROP TABLE failure_names", "table failure_names is missing"},
           {"PRAGMA writable_schema = ON; UPDATE sqlite_master SET name = CAST(name AS BLOB) WHERE "
            "name = 'failures'",
            "a name that is not a text, of \"failures\""},
           {"PRAGMA writable_schema = ON; UPDATE sqlite_master SET tbl_name = CAST(tbl_name AS "
            "BLOB) WHERE name = 'digest'",
            "a name that is not a text, of \"digest\""}}) {
    CAPTURE(sql);
    const fs::path path = small_results();
    {
      Database results(path, Database::Access::write, 0);
      sqlite3_db_config(results.handle(), SQLITE_DBCONFIG_DEFENSIVE, 0, nullptr);
      results.execute(sql);
    }
    for (const std::function<void()>& use : {std::function<void()>([&] { ResultsFile{path}; }),
                                             std::function<void()>([&] { Store::open(path); })})
      CHECK_THAT(refusal_of(use), Catch::Contains("is damaged: ") && Catch::Contains(words));
  }
}

TEST_CASE("the tables of results are plain, and other tables are not") {
  for (const char* sql :
       {"CREATE TABLE a(b TEXT)", "CREATE TABLE a(id INTEGER PRIMARY KEY, \"x, CHECK (y)\" REAL)",
        "CREATE TABLE \"a\"(name TEXT, low REAL, PRIMARY KEY(name, low)) WITHOUT ROWID",
        "CREATE TABLE a(\"one \"\"quoted\"\" name\" REAL)"})
    CHECK(not_plain(sql).empty());
  for (const char* sql :
       {"", "CREATE TABLE a", "CREATE TABLE a()", "CREATE TABLE a(b)", "CREATE TABLE a(b TEXT",
        "CREATE TABLE a(b TEXT) STRICT", "CREATE TABLE a(b TEXT UNIQUE)", "CREATE TABLE a(b TEXT,)",
        "CREATE TABLE a(b TEXT) /* more */", "CREATE TABLE a AS SELECT 1", "CREATE VIEW a(b TEXT)",
        "CREATE TEMP TABLE a(b TEXT)", "CREATE TABLE a(b TEXT, \"c REAL)"})
    CHECK_FALSE(not_plain(sql).empty());
}

TEST_CASE("a journal whose file is gone does not touch the next file of that name") {
  const fs::path path = small_results(), journal = path.string() + "-journal";
  const std::string whole = everything_in(path);
  {
    Database unfinished(path, Database::Access::write, 0);
    unfinished.execute("PRAGMA cache_size = 1; BEGIN IMMEDIATE");
    unfinished.execute("UPDATE cases SET reason = 'changed'; UPDATE study SET value = 'changed'");
    REQUIRE(fs::file_size(journal) > 1000);
    fs::copy_file(journal, path.string() + ".kept", fs::copy_options::overwrite_existing);
  }
  fs::remove(path);
  fs::rename(path.string() + ".kept", journal);
  run_small(small_studies().front().study, path);
  CHECK(everything_in(path) == whole);
  CHECK(ResultsFile(path).check().fault.empty());
  CHECK_FALSE(fs::exists(journal));
}

TEST_CASE("a lock is held until its holder ends, however it ends, and keeps out no reader") {
  const fs::path path = small_results();
  std::array<int, 2> ready{};
  REQUIRE(pipe(ready.data()) == 0);
  const pid_t child = fork();
  if (child == 0) {
    const Store store = Store::open(path);
    const char sign = 'x';
    if (write(ready[1], &sign, 1) != 1) _exit(1);
    while (true) pause();
  }
  char sign = 0;
  REQUIRE(read(ready[0], &sign, 1) == 1);
  CHECK(refusal_of([&] { Store::open(path); }) == "another process is writing " + path.string());
  // readers are not kept out
  CHECK(ResultsFile(path).check().fault.empty());
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  CHECK(refusal_of([&] { Store::open(path); }).empty());
}

TEST_CASE("a program that has one of SQLite's locks keeps out others until it ends") {
  const fs::path path = small_results();
  std::array<int, 2> ready{};
  REQUIRE(pipe(ready.data()) == 0);
  const pid_t child = fork();
  if (child == 0) {
    Database held(path, Database::Access::write, 0);
    held.execute("BEGIN EXCLUSIVE");
    const char sign = 'x';
    if (write(ready[1], &sign, 1) != 1) _exit(1);
    while (true) pause();
  }
  char sign = 0;
  REQUIRE(read(ready[0], &sign, 1) == 1);
  CHECK(refusal_of([&] { ResultsFile{path}; }) == "another process is writing " + path.string());
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  CHECK(refusal_of([&] { ResultsFile{path}; }).empty());
}
