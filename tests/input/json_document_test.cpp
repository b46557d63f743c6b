#include "input/text/json_document.hpp"

#include <catch2/catch.hpp>

using namespace counterpoise;

TEST_CASE("every value and key knows line, column and pointer") {
  const JsonValue root = parse_json(
      "{\n  \"a\": [1, -2.5e1,\n    \"x\\\"y\"],\n  \"b/~\" : {\"c\":true,\"d\":null}\n}\n", "f");
  REQUIRE(root.items.size() == 2);
  CHECK(root.line == 1);
  CHECK(root.column == 1);
  const JsonValue& a = root.items[0];
  CHECK(a.key == "a");
  CHECK(a.key_line == 2);
  CHECK(a.key_column == 3);
  CHECK(a.column == 8);
  REQUIRE(a.items.size() == 3);
  CHECK(a.items[1].number == -25.0);
  CHECK(a.items[1].column == 12);
  CHECK(a.items[1].pointer == "/a/1");
  CHECK(a.items[2].text == "x\"y");
  CHECK(a.items[2].line == 3);
  CHECK(a.items[2].column == 5);
  const JsonValue& d = root.items[1].items[1];
  CHECK(d.kind == JsonValue::Kind::null);
  CHECK(d.pointer == "/b~1~0/d");
  CHECK(d.line == 4);
  CHECK(d.column == 25);
  CHECK(&root.at_or_above("/a/2") == &a.items[2]);
  CHECK(&root.at_or_above("/a/7") == &a);
}

TEST_CASE("columns count characters, and a byte order mark counts nothing") {
  const JsonValue root = parse_json("\xEF\xBB\xBF[\"\xC3\xA4\xE2\x82\xAC\", 1]", "f");
  CHECK(root.column == 1);
  CHECK(root.items[1].column == 8);
}

TEST_CASE("wrong JSON is refused at its place") {
  struct Wrong {
    std::string text;
    std::string expected;
  };
  std::string deep(101, '[');
  const std::vector<Wrong> table = {
      {"", "f:1:1: syntax error while parsing value - unexpected end of input"},
      {"{\"a\": 1,\n \"b\": }", "f:2:7: syntax error while parsing value - unexpected '}'"},
      {"{\"a\": 1\n \"b\": 2}", "f:2:2: syntax error while parsing object - unexpected string"},
      {"{\"a\": 1,}", "f:1:9: syntax error while parsing object key - unexpected '}'"},
      {"[1, 2", "f:1:6: syntax error while parsing array - unexpected end of input"},
      {"[1] x", "f:1:5: syntax error while parsing value - invalid literal"},
      {"[NaN]", "f:1:2: syntax error while parsing value - invalid literal"},
      {"[1e999]", "f:1:2: number overflow parsing '1e999'"},
      {"[-1e999]", "f:1:2: number overflow parsing '-1e999'"},
      {"{\"a\": {\"b\": 1,\n\"b\": 2}}", "f:2:1: /a/b: duplicate key \"b\", first given in line 1"},
      {"{\"a\\nb\": 1, \"a\\nb\": 2}", "f:1:13: /a\nb: duplicate key \"a\nb\""},
      {"[\"\xFF\"]", "invalid string: ill-formed UTF-8 byte"},
      {"\xFF\xFE[", "f:1:1: found UTF-16 text, expected UTF-8"},
      {"// text\n1", "f:1:1: syntax error"},
      {deep, "f:1:101: "},
  };
  for (const Wrong& wrong : table) {
    CAPTURE(wrong.text);
    try {
      parse_json(wrong.text, "f");
      FAIL_CHECK("was accepted");
    } catch (const InputError& error) {
      CHECK_THAT(error.what(), Catch::Contains(wrong.expected));
    }
  }
}

TEST_CASE("the nearest name is close or none") {
  const std::vector<std::string> names = {"rate", "free_length", "initial_tension", "k"};
  CHECK(nearest_name("ratee", names) == "rate");
  CHECK(nearest_name("Rate", names) == "rate");
  CHECK(nearest_name("FREE_LENGTH", names) == "free_length");
  CHECK(nearest_name("freelength", names) == "free_length");
  CHECK(nearest_name("inital_tension", names) == "initial_tension");
  CHECK(nearest_name("mass", names).empty());
  CHECK(nearest_name("x", names).empty());
}
