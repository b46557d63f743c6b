#include <unistd.h>

#include <cstdlib>
#include <stdexcept>
#include <string>

#include "cli/variants/chosen.hpp"

namespace counterpoise {
namespace {

constexpr int exit_error = 1, exit_bad_input = 2;  // as of all commands

/// Prints a message without the library that all others are printed by, which is not loaded.
/// Nothing can be done where that fails.
int refused(const std::string& message, int exit_code) {
  const std::string line = message + '\n';
  [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, line.data(), line.size());
  return exit_code;
}

}  // namespace
}  // namespace counterpoise

int main(int argc, char** argv) {
  using namespace counterpoise;
  int (*run)(int, char**) = nullptr;
  try {
    const VariantFunction found =
        load_variant(COUNTERPOISE_VARIANTS_FOLDER, "libcounterpoise.so", "counterpoise_main");
    run = reinterpret_cast<int (*)(int, char**)>(found.address);
    // Processes that this one starts, and batch scripts that it writes, use the same variant.
    ::setenv("COUNTERPOISE_ISA", found.variant.c_str(), 1);
  } catch (const std::invalid_argument& error) {
    return refused(error.what(), exit_bad_input);
  } catch (const std::exception& error) {
    return refused(error.what(), exit_error);
  }
  return run(argc, argv);
}
