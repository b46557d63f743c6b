// One of the readers, COUNTERPOISE_READER, under libFuzzer. It writes into COUNTERPOISE_FUZZ_FOLDER
// what it needs.
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "tests/faults/fuzz/readers.hpp"

namespace {

const counterpoise::test::Reader* reader = nullptr;

}  // namespace

extern "C" int LLVMFuzzerInitialize(int* /*argc*/, char*** /*argv*/) {
  const char* const name = std::getenv("COUNTERPOISE_READER");
  const char* const folder = std::getenv("COUNTERPOISE_FUZZ_FOLDER");
  if (name != nullptr) reader = counterpoise::test::find_reader(name);
  if (reader == nullptr || folder == nullptr) {
    std::fputs("COUNTERPOISE_READER and COUNTERPOISE_FUZZ_FOLDER have to be set\n", stderr);
    std::exit(2);
  }
  counterpoise::test::prepare_results(folder);
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  reader->read({reinterpret_cast<const char*>(data), size});
  return 0;
}
