#include "cli/cluster/home_copy.hpp"

#include <array>
#include <fstream>
#include <string_view>
#include <utility>

#include "cli/output/streams.hpp"
#include "results/files/atomic_file.hpp"
#include "results/results_file.hpp"
#include "results/rows/store_error.hpp"

namespace counterpoise {
namespace {

namespace fs = std::filesystem;

/// -1 if there is no file, or one that cannot be used.
std::int64_t cases_in(const fs::path& file) {
  std::error_code ignored;
  if (!fs::exists(file, ignored)) return -1;
  try {
    return ResultsFile(file).count();
  } catch (const StoreError& error) {
    print_message(error.what());
    return -1;
  }
}

/// Copies bytes, so that no database is opened on a file system that may lack locks.
void copy_bytes(const fs::path& from, const fs::path& to) {
  std::ifstream input(from, std::ios::binary);
  AtomicFile output(to);
  std::array<char, 1 << 16> block{};
  while (input.read(block.data(), block.size()) || input.gcount() > 0)
    output.write({block.data(), static_cast<std::size_t>(input.gcount())});
  if (input.bad())
    throw StoreError(StoreError::Kind::write_failed, from.string() + ": cannot be read");
  output.commit();
}

}  // namespace

HomeCopy::HomeCopy(fs::path results, fs::path home, double seconds)
    : results_(std::move(results)), home_(std::move(home)), every_(seconds) {}

void HomeCopy::bring_back() const {
  if (cases_in(home_) > cases_in(results_)) copy_bytes(home_, results_);
}

void HomeCopy::update() const {
  const fs::path snapshot = results_.string() + ".copy";
  ResultsFile(results_).copy_to(snapshot);
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
