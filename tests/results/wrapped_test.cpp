#include "results/text/wrapped.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <random>
#include <sstream>
#include <vector>

using namespace counterpoise;

namespace {

std::vector<std::string> lines_of(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

std::vector<std::string> words_of(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

}  // namespace

TEST_CASE("lines are broken between words, and only a longer word makes a longer line") {
  std::mt19937 random(5);
  for (int i = 0; i < 300; ++i) {
    std::string text(random() % 5, ' ');
    for (unsigned w = 0, count = random() % 30; w < count; ++w)
      text += std::string(1 + random() % 14, 'a') + std::string(1 + random() % 2, ' ');
    const std::size_t width = 12 + random() % 60;
    const std::string found = wrapped(text, width);
    CHECK(words_of(found) == words_of(text));
    for (const std::string& line : lines_of(found))
      CHECK((letters(line) <= width || words_of(line).size() == 1));
    CHECK(wrapped(text, 0) == text);
  }
}

TEST_CASE("what follows a break stands below the text of its line") {
  CHECK(wrapped("one two three", 8) == "one two\n  three");
  CHECK(wrapped("  one two three", 9) == "  one two\n    three");
  CHECK(wrapped("  --top INT    rows of each motion\n  --json  as JSON\n", 30) ==
        "  --top INT    rows of each\n               motion\n  --json  as JSON\n");
}

TEST_CASE("a number and its unit stand on one line") {
  for (const std::string number : {"5.3 N*m", "1.05 / s", "54.0 %,", "t=26.5 s", "< 0.1 %",
                                   "(gap 2e-11 N*m/rad^2)", "4 m/s.", "7 1/s", "0.2 kg*m^2;"})
    for (std::size_t width = 1; width < 40; ++width) {
      CAPTURE(number, width);
      const std::string text = "the lift has " + number + " in each of 3 motions";
      const std::string found = wrapped(text, width);
      CHECK(words_of(found) == words_of(text));
      const std::string together = number.starts_with("(gap ") ? number.substr(5) : number;
      CHECK(found.find(together) != std::string::npos);
    }
  CHECK(wrapped("of 476 feasible cases", 8) == "of 476\n  feasible\n  cases");
  CHECK(wrapped("a, b and 12 m", 9) == "a, b and\n  12 m");
}

TEST_CASE("letters are counted, not bytes and not what colours them") {
  CHECK(letters("f\xC3\xBCr") == 3);
  CHECK(letters("\x1b[1mbest\x1b[0m") == 4);
  CHECK(wrapped("\x1b[32m12 % less\x1b[0m than", 14) == "\x1b[32m12 % less\x1b[0m than");
  CHECK(cut("f\xC3\xBCr alle", 3) == "f\xC3\xBCr");
  CHECK(cut("ab", 3) == "ab");
}
