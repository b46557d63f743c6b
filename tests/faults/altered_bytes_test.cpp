// Every byte of results files is changed: readers notice, or say what they said before.
#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "results/ranking.hpp"
#include "results/results_file.hpp"
#include "results/rows/rows.hpp"
#include "tests/faults/small_studies.hpp"
#include "tests/support/trials.hpp"

using namespace counterpoise;
using namespace counterpoise::test;

namespace {

namespace fs = std::filesystem;

std::string bytes_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

enum class Outcome { refused, found, same, unnoticed };

Outcome look(const fs::path& path, const std::string& whole) {
  try {
    // what a command reads
    const bool same = everything_in(path) == whole;
    const ResultsFile results(path);
    static_cast<void>(results.extent());
    static_cast<void>(rank(results, {}));
    // what `verify` does
    if (!results.check().fault.empty()) return Outcome::found;
    return same ? Outcome::same : Outcome::unnoticed;
  } catch (const StoreError& error) {
    return std::string(error.what()).empty() ? Outcome::unnoticed : Outcome::refused;
  }
}

/// Changes bytes of results one by one: those that are not zero, and some of the zeros, which are
/// mostly room that nothing is in.
void change_bytes(const SmallStudy& small, std::size_t step) {
  const fs::path folder = fs::path(COUNTERPOISE_TEST_DIR) / small.name;
  fs::remove_all(folder);
  fs::create_directories(folder);
  run_small(small.study, folder / "right.db");
  const std::string whole = everything_in(folder / "right.db"),
                    right = bytes_of(folder / "right.db");
  const fs::path changed = folder / "changed.db";
  std::array<long, 4> outcomes{};
  constexpr std::size_t step_of_zeros = 97;
  std::size_t zeros = 0, others = 0;
  for (std::size_t at = 0; at < right.size(); ++at) {
    if (right[at] == '\0' ? ++zeros % (step_of_zeros * step) != 0 : ++others % step != 0) continue;
    for (const int bit : {1 << at % 8, 0xff}) {
      std::string bytes = right;
      bytes[at] = static_cast<char>(bytes[at] ^ bit);
      for (const char* suffix : {"-journal", "-wal", "-shm"}) fs::remove(changed.string() + suffix);
      std::ofstream(changed, std::ios::binary) << bytes;
      CAPTURE(small.name, at, bit);
      const Outcome outcome = look(changed, whole);
      CHECK(outcome != Outcome::unnoticed);
      ++outcomes.at(static_cast<std::size_t>(outcome));
    }
  }
  fmt::print(
      "{:9}: {} changed bytes refused by readers, {} found by the checksum alone, {} without "
      "effect\n",
      small.name, outcomes[0], outcomes[1], outcomes[2]);
  CHECK(outcomes[0] > 0);
  CHECK(outcomes[1] > 0);
}

}  // namespace

TEST_CASE("a changed byte is refused, found by a checksum, or changes nothing") {
  const std::size_t step = all_trials() ? 1 : 305;
  for (const SmallStudy& small : small_studies()) change_bytes(small, step);
}
