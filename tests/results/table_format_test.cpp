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

TEST_CASE("aligned text names the columns that do not fit, and has no line for their names alone") {
  const Table table{{"id", "a", "b", "long_name.reduction"},
                    {{Value(1.0), Value(2.0), Value(3.0), Value(0.5)}}};
  CHECK(to_aligned_text(table, 12) ==
        "id  a  b\n"
        " 1  2  3\n"
        "not shown: long_name.reduction\n");
}
