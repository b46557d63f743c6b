#include "results/text/printable.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "results/text/cells.hpp"
#include "results/text/table_format.hpp"

using namespace counterpoise;

namespace {

std::string utf8(std::uint32_t code) {
  const auto tail = [code](int shift) {
    return static_cast<char>(0x80U | ((code >> shift) & 0x3FU));
  };
  if (code < 0x80U) return {static_cast<char>(code)};
  if (code < 0x800U) return {static_cast<char>(0xC0U | code >> 6), tail(0)};
  if (code < 0x10000U) return {static_cast<char>(0xE0U | code >> 12), tail(6), tail(0)};
  return {static_cast<char>(0xF0U | code >> 18), tail(12), tail(6), tail(0)};
}

bool is_surrogate(std::uint32_t code) {
  return code >= 0xD800U && code <= 0xDFFFU;
}

}  // namespace

TEST_CASE("every character of Unicode is found, and no other bytes are one") {
  for (std::uint32_t code = 0; code <= 0x10FFFFU; ++code) {
    const std::string text = utf8(code) + "x";
    const Character found = first_character(text);
    if (is_surrogate(code)) {
      REQUIRE(!found.valid);
    } else {
      REQUIRE((found.valid && found.code == code && found.size == text.size() - 1));
    }
  }
  for (const char* bad : {"\x80", "\xC0\xAF", "\xC1\xBF", "\xE0\x80\x80", "\xE2\x82", "\xE2x\x82",
                          "\xF0\x8F\xBF\xBF", "\xF4\x90\x80\x80", "\xF8\x88\x80\x80\x80", "\xFF"}) {
    const Character found = first_character(bad);
    CHECK(!found.valid);
    CHECK(found.size == 1);
  }
}

TEST_CASE("what a terminal would act on is escaped, the rest stays") {
  CHECK(printable("\x1b[31m\x07\x7f") == "\\x1b[31m\\x07\\x7f");
  CHECK(printable("a\nb\tc\rd") == "a\\nb\\tc\\rd");
  CHECK(printable("\xC2\x9B"
                  "2J") == "\\u009b2J");                             // C1
  CHECK(printable("\xE2\x80\xAE\xE2\x81\xA6") == "\\u202e\\u2066");  // turn the direction
  CHECK(printable("\xD8\x9C\xE2\x80\xA8") == "\\u061c\\u2028");
  CHECK(printable("a\xFF\xC3") == "a\\xff\\xc3");
  const std::string shown = "Feder \xC3\x96se, \xE2\x82\xAC 3, \xF0\x9F\x94\xA7, \\x1b \"q\"";
  CHECK(printable(shown) == shown);
  const std::string once = printable("\x1b\n\xFF");
  CHECK(printable(once) == once);
  CHECK(printable_lines("a\x1b\nb\r\n") == "a\\x1b\nb\\r\n");
  CHECK(printable("") == "");
}

TEST_CASE("a table for a terminal keeps to its rows, whatever is in its cells") {
  const Table table{{"na\x1b[me", "x"}, {{Value("a\nb\x1b[2J"), Value(std::int64_t{1})}}};
  CHECK(to_aligned_text(table) ==
        "na\\x1b[me    x\n"
        "a\\nb\\x1b[2J  1\n");
}

TEST_CASE("JSON is ASCII without control characters") {
  const Value text("\x7f\xC2\x9B\xE2\x80\xAE\xFF\xC3\x96\x1b");
  const std::string escaped = "\"\\u007f\\u009b\\u202e\\ufffd\\u00d6\\u001b\"";
  CHECK(json_text(json_of(text)) == escaped);
  const Table table{{std::get<std::string>(text)}, {{text}}};
  CHECK(to_json(table) == "[\n{" + escaped + ":" + escaped + "}\n]\n");
  CHECK(json_text({{std::get<std::string>(text), json_of(table)}}) ==
        "{" + escaped + ":[\n{" + escaped + ":" + escaped + "}\n]}");
}

TEST_CASE(
    "no text of a CSV file begins as a formula, and taking one apostrophe away gives it back") {
  const auto cell = [](const Value& value) {
    std::string line;
    append_csv_row(line, std::vector<Value>{value});
    return line;
  };
  CHECK(cell("=1+1") == "'=1+1\n");
  CHECK(cell("+1") == "'+1\n");
  CHECK(cell("-1") == "'-1\n");
  CHECK(cell("@A1") == "'@A1\n");
  CHECK(cell("\tx") == "\"'\tx\"\n");
  CHECK(cell("\rx") == "\"'\rx\"\n");
  CHECK(cell("=a,\"b\"") == "\"'=a,\"\"b\"\"\"\n");
  CHECK(cell("'=1") == "''=1\n");
  CHECK(cell("''") == "''\n");
  CHECK(cell("'a") == "'a\n");
  CHECK(cell("a=b") == "a=b\n");
  CHECK(cell(" a") == "\" a\"\n");
  CHECK(cell(-1.5) == "-1.5\n");
  CHECK(cell(std::int64_t{-3}) == "-3\n");
}
