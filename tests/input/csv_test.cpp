#include "input/text/csv.hpp"

#include <catch2/catch.hpp>

using namespace counterpoise;

TEST_CASE("a table has numbers in SI and texts") {
  const CsvTable table = parse_csv(
      "part, rate [N/mm],free_length [mm],note\r\n"
      "A1,1.5,105.5,\"long, \"\"soft\"\"\"\r\n"
      "\r\n"
      "A2,+2,36,\r\n",
      "springs.csv");
  REQUIRE(table.row_count() == 2);
  CHECK(table.names() == std::vector<std::string>{"part", "rate", "free_length", "note"});
  CHECK(table.lines == std::vector<int>{2, 4});
  CHECK(numbers_of(*table.find("rate")) == std::vector<double>{1500.0, 2000.0});
  CHECK(numbers_of(*table.find("free_length")) == std::vector<double>{0.1055, 0.036});
  CHECK(table.find("part")->text);
  CHECK(table.find("part")->texts == std::vector<std::string>{"A1", "A2"});
  CHECK(table.find("note")->texts[0] == "long, \"soft\"");
  CHECK(table.find("rat") == nullptr);
  CHECK_THROWS_WITH(numbers_of(*table.find("part")),
                    "springs.csv:2:1: the column \"part\" has text here, expected a number");
}

TEST_CASE("wrong tables are refused at their place") {
  struct Wrong {
    std::string text;
    std::string expected;
  };
  const std::vector<Wrong> table = {
      {"", "t.csv:1:1: the table is empty, expected a header"},
      {"a,b,a\n", "t.csv:1:5: duplicate column \"a\""},
      {"a,,b\n", "t.csv:1:3: the column has no name"},
      {"a,b [furlong]\n", "t.csv:1:3: found the unit \"furlong\", expected one of N, kN, lbf, N/m"},
      {"a,b [mm\n", "t.csv:1:3: found \"b [mm\", expected `name [unit]`"},
      {"a;b [mm];c\n1;2;3\n",
       "t.csv:1:1: found the one column \"a;b [mm];c\"; columns are separated by commas, and \";\" "
       "stands here"},
      {"a;b\n1,5;2\n", "t.csv:1:1: found the one column \"a;b\"; columns are separated by commas"},
      {"a\tb [mm]\n1\t2\n",
       "t.csv:1:1: found the one column \"a\tb [mm]\"; columns are separated by commas, and a tab "
       "stands here"},
      {"a,b [mm];c\n",
       "t.csv:1:3: found \"b [mm];c\", expected `name [unit]`; columns are separated by commas"},
      {"a,b [mm];c [m]\n",
       "t.csv:1:3: found the unit \"mm];c [m\", expected one of N, kN, lbf, N/m"},
      {"a,b,c\n1;2;3\n",
       "t.csv:2:1: the row has 1 fields, the header 3; columns are separated by commas, and \";\""},
      {"a,b\n1,2\n3\n", "t.csv:3:1: the row has 1 fields, the header 2"},
      {"a,b\n1,2,3\n", "t.csv:2:5: the row has 3 fields, the header 2"},
      {"a,b [m]\n1,x\n", "t.csv:2:3: found \"x\", expected a number of the column \"b\""},
      {"a,b [m]\n1,nan\n", "t.csv:2:3: found \"nan\", expected a number"},
      {"a,b\n1,1e999\n", "t.csv:2:3: found \"1e999\", expected a finite number"},
      {"a,b\n1,\"x\n", "t.csv:2:3: the quoted field does not end"},
      {"a,b\n1,\"x\"y\n", "t.csv:2:6: found text after a closing quote, expected a comma"},
  };
  for (const Wrong& wrong : table) {
    CAPTURE(wrong.text);
    try {
      parse_csv(wrong.text, "t.csv");
      FAIL_CHECK("was accepted");
    } catch (const InputError& error) {
      CHECK_THAT(error.what(), Catch::StartsWith(wrong.expected));
    }
  }
}

TEST_CASE("every cell of a table knows where it stands") {
  const CsvTable table = parse_csv("part,\"rate;k\"\n\n  a, 1\n\"b\nc\",  22\n", "t.csv");
  REQUIRE(table.row_count() == 2);
  struct Place {
    std::size_t column, row;
    int line, character;
  };
  for (const Place& place : {Place{0, 0, 3, 3}, {1, 0, 3, 6}, {0, 1, 4, 1}, {1, 1, 5, 6}}) {
    CAPTURE(place.column, place.row);
    const Location where = table.cell(place.column, place.row);
    CHECK(where.file == "t.csv");
    CHECK(where.line == place.line);
    CHECK(where.column == place.character);
  }
}

TEST_CASE("an apostrophe in front of what a spreadsheet would run is no part of a field") {
  const CsvTable table =
      parse_csv("part,rate\n'=1+1,1\n''-x,2\n\"'\t,a\",3\n'plain,4\n'',5\n", "t.csv");
  CHECK(table.columns[0].texts == std::vector<std::string>{"=1+1", "'-x", "\t,a", "'plain", "''"});
  CHECK(parse_csv("rate\n'-5\n", "t.csv").columns[0].numbers == std::vector<double>{-5.0});
}
