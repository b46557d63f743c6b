#include "schemas/schemas.hpp"

#include <catch2/catch.hpp>
#include <fstream>
#include <iterator>
#include <string>

TEST_CASE("the program carries the schema files byte for byte") {
  for (const std::string kind : {"model", "motion", "study", "scenario"}) {
    CAPTURE(kind);
    std::ifstream file(COUNTERPOISE_SOURCE_DIR "/schemas/" + kind + ".schema.json");
    const std::string expected{std::istreambuf_iterator<char>(file), {}};
    CHECK(expected.size() > 1000);
    CHECK(counterpoise::schema_text(kind) == expected);
  }
}

TEST_CASE("there is no schema for an unknown kind") {
  CHECK(counterpoise::schema_text("robot").empty());
}
