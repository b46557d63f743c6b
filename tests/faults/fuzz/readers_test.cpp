// Readers return or refuse, whatever they are given: the examples, their beginnings and changes of
// them.
#include "tests/faults/fuzz/readers.hpp"

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <vector>

#include "tests/faults/fuzz/mutation.hpp"
#include "tests/support/trials.hpp"

using namespace counterpoise::test;

namespace {

namespace fs = std::filesystem;

const fs::path source = COUNTERPOISE_SOURCE_DIR;

std::string bytes_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// The examples' files that are short.
std::vector<std::string> examples() {
  constexpr std::uintmax_t longest = 20'000;  // bytes
  std::vector<std::string> texts;
  for (const fs::directory_entry& file : fs::recursive_directory_iterator(source / "examples")) {
    const fs::path kind = file.path().extension();
    if ((kind == ".json" || kind == ".csv" || kind == ".urdf") && file.file_size() <= longest)
      texts.push_back(bytes_of(file.path()));
  }
  std::sort(texts.begin(), texts.end());
  return texts;
}

}  // namespace

TEST_CASE("every reader reads or refuses the examples, their beginnings and changes of them") {
  prepare_readers(COUNTERPOISE_TEST_DIR);
  const std::vector<std::string> texts = examples();
  REQUIRE(texts.size() > 20);
  std::mt19937_64 random(1);
  for (const std::span<const Reader> group : {text_readers(), results_readers()})
    for (const Reader& reader : group) {
      INFO(reader.name);
      for (const std::string& text : texts) REQUIRE_NOTHROW(reader.read(text));
      for (int trial = 0; trial < trials(500); ++trial) {
        std::string text = texts[random() % texts.size()];
        if (trial % 2 == 0) text = with_changed_part(text, random());
        if (trial % 5 == 0) text.resize(random() % (text.size() + 1));
        for (std::uint64_t changes = random() % 4; changes > 0 && !text.empty(); --changes)
          text[random() % text.size()] = static_cast<char>(random());
        CAPTURE(trial, text);
        REQUIRE_NOTHROW(reader.read(text));
      }
    }
}
