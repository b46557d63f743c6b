// One of the readers, COUNTERPOISE_READER, under libFuzzer. It writes into COUNTERPOISE_FUZZ_FOLDER
// what it needs, and robots and a certificate to begin with.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "tests/faults/fuzz/mutation.hpp"
#include "tests/faults/fuzz/readers.hpp"

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most);

namespace {

const counterpoise::test::Reader* reader = nullptr;

std::string text_of(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

/// The size of a text, or of what libFuzzer makes of `data` where the text is too long.
std::size_t put(const std::string& text, std::uint8_t* data, std::size_t size, std::size_t most) {
  if (text.size() > most || text.empty()) return LLVMFuzzerMutate(data, size, most);
  std::copy(text.begin(), text.end(), data);
  return text.size();
}

}  // namespace

extern "C" int LLVMFuzzerInitialize(int* /*argc*/, char*** /*argv*/) {
  const char* const name = std::getenv("COUNTERPOISE_READER");
  const char* const folder = std::getenv("COUNTERPOISE_FUZZ_FOLDER");
  if (name != nullptr) reader = counterpoise::test::find_reader(name);
  if (reader == nullptr || folder == nullptr) {
    std::fputs("COUNTERPOISE_READER and COUNTERPOISE_FUZZ_FOLDER have to be set\n", stderr);
    std::exit(2);
  }
  counterpoise::test::prepare_readers(folder);
  counterpoise::test::write_robots(folder);
  return 0;
}

/// Half of the changes are libFuzzer's own; for results, which are not text, all are.
extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t most, unsigned seed) {
  if (reader->name == "results" || seed % 2 == 0) return LLVMFuzzerMutate(data, size, most);
  return put(counterpoise::test::with_changed_part(text_of(data, size), seed), data, size, most);
}

extern "C" std::size_t LLVMFuzzerCustomCrossOver(const std::uint8_t* a, std::size_t a_size,
                                                 const std::uint8_t* b, std::size_t b_size,
                                                 std::uint8_t* out, std::size_t most,
                                                 unsigned seed) {
  const std::string text =
      reader->name == "results"
          ? text_of(a, a_size) + text_of(b, b_size).substr(b_size > 0 ? 1 : 0)
          : counterpoise::test::with_part_of(text_of(a, a_size), text_of(b, b_size), seed);
  const std::size_t size = std::min(text.size(), most);
  std::copy_n(text.begin(), size, out);
  return size;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  reader->read({reinterpret_cast<const char*>(data), size});
  return 0;
}
