#include "results/text/table_format.hpp"

#include <catch2/catch.hpp>
#include <charconv>
#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>
#include <random>

#include "results/text/cells.hpp"

using namespace counterpoise;

TEST_CASE("the text of a number reads back exactly") {
  std::mt19937_64 random(11);
  for (int i = 0; i < 20000; ++i) {
    const std::uint64_t bits = random();
    double number = 0.0;
    std::memcpy(&number, &bits, sizeof number);
    if (!std::isfinite(number)) continue;
    const std::string text = shortest(number);
    double back = 0.0;
    std::from_chars(text.data(), text.data() + text.size(), back);
    CHECK(std::memcmp(&back, &number, sizeof number) == 0);
  }
  CHECK(shortest(0.1) == "0.1");
}

TEST_CASE("CSV quotes what would break a line apart and leaves null empty") {
  const Table table{{"a", "b,c"},
                    {{Value("x\"y"), Value{}}, {Value(std::int64_t{-3}), Value(0.5)}}};
  CHECK(to_csv(table) == "a,\"b,c\"\n\"x\"\"y\",\n-3,0.5\n");
}

TEST_CASE("JSON is an array of flat objects, text escaped, null for what has no number") {
  const Table table{{"a", "b"},
                    {{Value("x\"\\\n\x01"), Value{}}, {Value(std::int64_t{7}), Value(1e300)}}};
  CHECK(to_json(table) ==
        "[\n{\"a\":\"x\\\"\\\\\\n\\u0001\",\"b\":null},\n"
        "{\"a\":7,\"b\":1e+300}\n]\n");
  CHECK(to_json({{"a"}, {}}) == "[]\n");
  CHECK(json_text(json_of(table)) + "\n" == to_json(table));
}

TEST_CASE("numbers in JSON read back exactly, and what is not finite is null") {
  std::mt19937_64 random(12);
  std::vector<double> numbers = {0.1, -0.0, 5e-324, 1.7976931348623157e308};
  for (int i = 0; i < 20000; ++i) {
    const std::uint64_t bits = random();
    double number = 0.0;
    std::memcpy(&number, &bits, sizeof number);
    if (std::isfinite(number)) numbers.push_back(number);
  }
  const Json back = Json::parse(json_text(numbers));
  REQUIRE(back.size() == numbers.size());
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const double number = back[i].get<double>();
    CHECK(std::memcmp(&number, &numbers[i], sizeof number) == 0);
  }
  CHECK(json_text(std::vector<double>{NAN, INFINITY, -INFINITY}) == "[null,null,null]");
  CHECK(json_text(json_of(Value{NAN})) == "null");
}

TEST_CASE("elements of an array that hold more than numbers and texts have a line each") {
  const Json flat = {{"a", 1}, {"b", {1, 2}}};
  CHECK(json_text(flat) == "{\"a\":1,\"b\":[1,2]}");
  CHECK(json_text({{"rows", Json::array({flat, flat})}, {"z", Json::object()}}) ==
        "{\"rows\":[\n{\"a\":1,\"b\":[1,2]},\n{\"a\":1,\"b\":[1,2]}\n],\"z\":{}}");
}

TEST_CASE("aligned text lines columns up by letters and shows reductions in percent") {
  const Table table{{"name", "x.reduction"},
                    {{Value("f\xC3\xBCr"), Value(0.715)}, {Value("longer"), Value{}}}};
  CHECK(to_aligned_text(table) ==
        "name    x.reduction\n"
        "f\xC3\xBCr          71.5 %\n"
        "longer            -\n");
}

TEST_CASE("aligned text has no negative zero") {
  const Table table{{"x", "x.reduction"}, {{Value(-0.0), Value(-0.0)}}};
  CHECK(to_aligned_text(table) ==
        "x  x.reduction\n"
        "0        0.0 %\n");
}

TEST_CASE("of a table that does not fit, optional columns are left out and named") {
  const Table table{{"id", "a", "b", "goal"}, {{Value(1.0), Value(2.0), Value(3.0), Value(0.5)}}};
  TableFit fit{.width = 12, .keys = 1, .optional = {false, true, true, false}};
  CHECK(to_aligned_text(table, fit) ==
        "id  a  goal\n"
        " 1  2   0.5\n"
        "not shown: b\n");
  fit.width = 0;
  CHECK(to_aligned_text(table, fit) ==
        "id  a  b  goal\n"
        " 1  2  3   0.5\n");
}

TEST_CASE("what must be shown and does not fit is printed below, behind the keys again") {
  const Table table{{"id", "first_goal", "second_goal"}, {{Value(1.0), Value(2.0), Value(3.0)}}};
  CHECK(to_aligned_text(table, {.width = 16}) ==
        "id  first_goal\n"
        " 1           2\n"
        "\n"
        "id  second_goal\n"
        " 1            3\n");
}

TEST_CASE("long texts are broken before anything is left out") {
  const Table table{{"what", "n"}, {{Value("a spring that is far too long"), Value(2.0)}}};
  CHECK(to_aligned_text(table, {.width = 22}) ==
        "what              n\n"
        "a spring that is  2\n"
        "  far too long\n");
}

TEST_CASE("every column of a table is printed or named, in lines that fit") {
  std::mt19937 random(8);
  for (int i = 0; i < 200; ++i) {
    Table table;
    TableFit fit{.width = 40 + random() % 90, .keys = 1 + random() % 2};
    const unsigned columns = 3 + random() % 12;
    for (unsigned c = 0; c < columns; ++c) {
      table.columns.push_back("c" + std::to_string(c) + std::string(random() % 12, 'x'));
      fit.optional.push_back(random() % 2 == 0);
    }
    for (int row = 0; row < 3; ++row) {
      auto& cells = table.rows.emplace_back();
      for (unsigned c = 0; c < columns; ++c)
        cells.emplace_back(static_cast<double>(random() % 1000000) * 1e-3);
    }
    const std::string text = to_aligned_text(table, fit);
    for (const std::string& name : table.columns) CHECK(text.find(name) != std::string::npos);
    const std::string shown = text.substr(0, text.find("not shown: "));
    for (unsigned c = 0; c < columns; ++c)
      if (!fit.optional[c]) CHECK(shown.find(table.columns[c]) != std::string::npos);
    for (std::size_t begin = 0; begin < shown.size();) {
      const std::size_t end = shown.find('\n', begin);
      CHECK(end - begin <= fit.width);
      begin = end + 1;
    }
  }
}

TEST_CASE("what is rounding beside the rest of its column is 0") {
  Table table{{"a", "b"}, {{Value(3e-15), Value(5.0)}, {Value(-1.0), Value(2e-300)}}};
  clear_rounding(table, 0, 0);
  CHECK(std::get<double>(table.rows[0][0]) == 0.0);
  CHECK(std::get<double>(table.rows[1][1]) == 2e-300);
  clear_rounding(table, 0, 1);
  CHECK(std::get<double>(table.rows[1][1]) == 0.0);
  Table alone{{"a"}, {{Value(3e-15)}}};
  clear_rounding(alone, 0, 0);
  CHECK(std::get<double>(alone.rows[0][0]) == 3e-15);
  clear_rounding(alone, 0, 0, 1.0);
  CHECK(std::get<double>(alone.rows[0][0]) == 0.0);
  CHECK(without_rounding(2e-14, 1.0) == 0.0);
  CHECK(without_rounding(2e-12, 1.0) == 2e-12);
  CHECK(!std::signbit(without_rounding(-0.0, 0.0)));
}
