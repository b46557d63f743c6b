#include "cli/commands/home_copy.hpp"

#include <array>
#include <fstream>
#include <string_view>
#include <utility>

#include "cli/output/streams.hpp"
#include "input/text/input_error.hpp"
#include "results/differences.hpp"
#include "results/results_file.hpp"
#include "results/rows/rows.hpp"
#include "results/sqlite/output_file.hpp"
#include "results/sqlite/placement.hpp"

namespace counterpoise {
namespace {

namespace fs = std::filesystem;

/// The file beside results that a copy goes through.
fs::path snapshot_of(const fs::path& results) {
  return results.string() + ".copying";
}

/// -1 if there is no file.
std::int64_t cases_in(const fs::path& file) {
  std::error_code ignored;
  return fs::exists(file, ignored) ? ResultsFile(file).count() : -1;
}

/// Copies bytes, so that no database is opened on a file system that may lack locks.
void copy_bytes(const fs::path& from, const fs::path& to) {
  std::ifstream input(from, std::ios::binary);
  OutputFile output(to);
  std::array<char, 1 << 16> block{};
  while (input.read(block.data(), block.size()) || input.gcount() > 0)
    output.write({block.data(), static_cast<std::size_t>(input.gcount())});
  if (input.bad())
    throw StoreError(StoreError::Kind::write_failed, from.string() + ": cannot be read");
  output.commit();
}

}  // namespace

HomeCopy::HomeCopy(fs::path results, fs::path home, double seconds,
                   const std::vector<StudyEntry>& made_from, bool resume)
    : results_(std::move(results)), home_(std::move(home)), every_(seconds) {
  std::error_code ignored;
  for (const fs::path& taken : {results_, snapshot_of(results_)})
    if (fs::weakly_canonical(home_, ignored) == fs::weakly_canonical(taken, ignored))
      throw InputError({.file = home_.string()},
                       "is a file that the run itself writes; name another for the copy");
  if (!fs::exists(fs::symlink_status(home_, ignored))) {
    const OutputFile can_be_written(home_);
    return;
  }
  if (const std::string why = unlike_run(ResultsFile(home_).study(), made_from); !why.empty())
    throw InputError({.file = home_.string()}, "is no copy of this run: it " + why);
  if (!resume)
    throw InputError({.file = home_.string()},
                     "exists already and is not overwritten; --resume begins from it");
}

void HomeCopy::bring_back() const {
  if (cases_in(home_) > cases_in(results_)) copy_bytes(home_, results_);
}

void HomeCopy::update() const {
  const fs::path snapshot = snapshot_of(results_);
  ResultsFile(place_of_run(results_)).copy_to(snapshot);
  copy_bytes(snapshot, home_);
  std::error_code ignored;
  fs::remove(snapshot, ignored);
}

void HomeCopy::keep_up() {
  const auto now = std::chrono::steady_clock::now();
  if (now - last_ < every_) return;
  last_ = now;
  try {
    update();
  } catch (const StoreError& error) {
    print_message(error.what());
  }
}

}  // namespace counterpoise
