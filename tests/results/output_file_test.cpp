#include "results/sqlite/output_file.hpp"

#include <sys/stat.h>

#include <catch2/catch.hpp>
#include <filesystem>

#include "tests/results/results_study.hpp"

using namespace counterpoise;
using namespace counterpoise::testing;
namespace fs = std::filesystem;

namespace {

std::ptrdiff_t entries(const std::string& folder) {
  return std::distance(fs::directory_iterator(folder), fs::directory_iterator());
}

}  // namespace

TEST_CASE("a file is replaced at once and keeps its permissions") {
  const std::string folder = fresh_folder("output_replace");
  const std::string path = folder + "out.csv";
  write_file(path, "old");
  fs::permissions(path, fs::perms::owner_read | fs::perms::owner_write);
  OutputFile file(path);
  file.write(std::string(200000, 'n'));
  CHECK(text_of(path) == "old");
  file.commit();
  CHECK(text_of(path) == std::string(200000, 'n'));
  CHECK(fs::status(path).permissions() == (fs::perms::owner_read | fs::perms::owner_write));
  CHECK(entries(folder) == 1);
}

TEST_CASE("a file that is not committed leaves nothing") {
  const std::string folder = fresh_folder("output_dropped");
  OutputFile(folder + "out.csv").write("half");
  CHECK(entries(folder) == 0);
}

TEST_CASE("a file that somebody is writing is written by nobody else until then") {
  const std::string folder = fresh_folder("output_twice"), path = folder + "out.csv";
  {
    OutputFile first(path);
    first.write("first");
    CHECK(store_error_of([&] { write_file(path, "second"); }).message ==
          "another process is writing " + path);
    first.commit();
  }
  CHECK(text_of(path) == "first");
  write_file(path, "second");
  CHECK(text_of(path) == "second");
  CHECK(entries(folder) == 1);
}

TEST_CASE("a link is followed and a device is written to, not replaced") {
  const std::string folder = fresh_folder("output_link");
  write_file(folder + "target.csv", "old");
  fs::create_symlink("target.csv", folder + "link.csv");
  write_file(folder + "link.csv", "new");
  CHECK(fs::is_symlink(folder + "link.csv"));
  CHECK(text_of(folder + "target.csv") == "new");
  write_file("/dev/null", "gone");
  CHECK(fs::is_character_file("/dev/null"));
}

TEST_CASE("a file that cannot be created is unusable") {
  const std::string folder = fresh_folder("output_nowhere");
  for (const std::string& path : {folder + "no/such.csv", folder}) {
    const Thrown error = store_error_of([&] { write_file(path, "text"); });
    CHECK(error.thrown);
    CHECK(error.kind == StoreError::Kind::unusable);
  }
}
