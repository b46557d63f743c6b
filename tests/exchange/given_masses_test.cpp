// Tables of masses, and the mistakes in them.
#include <catch2/catch.hpp>

#include "exchange/shapes/given_masses.hpp"

using namespace counterpoise;

namespace {

std::map<std::string, GivenMass> masses_of(const std::string& text) {
  return read_masses("masses.csv", [&](const auto&) { return text; });
}

void check_refused(const std::string& text, const std::string& words) {
  CAPTURE(text);
  try {
    masses_of(text);
    FAIL("was read");
  } catch (const InputError& error) {
    std::string said = error.what();
    for (const std::string& other : error.others()) said += "\n" + other;
    CHECK_THAT(said, Catch::Contains(words));
  }
}

}  // namespace

TEST_CASE("masses, centres and inertias are read with the units of their headings") {
  const auto given = masses_of(
      "link,mass [g],com_x [mm],com_y [mm],com_z [mm],ixx,iyy,izz,ixy,ixz,iyz [kg*mm^2]\n"
      "upper_arm,1500,1,-2,300,0.25,0.2,0.1,0.01,0.02,30000\n"
      "\"fore arm\",500,0,0,0,0,0,0,0,0,0\n");
  REQUIRE(given.size() == 2);
  const GivenMass& arm = given.at("upper_arm");
  CHECK(arm.mass == 1.5);
  CHECK(*arm.com == Vec3d(0.001, -0.002, 0.3));
  Mat3d inertia;
  inertia << 0.25, 0.01, 0.02, 0.01, 0.2, 0.03, 0.02, 0.03, 0.1;
  CHECK(arm.inertia->isApprox(inertia, 1e-15));
  CHECK(arm.where.line == 2);
  CHECK(given.at("fore arm").mass == 0.5);
}

TEST_CASE("a table may have masses alone, of links that are called by numbers too") {
  const auto given = masses_of("mass,link\n2,1\n3,2\n");
  CHECK(given.at("1").mass == 2.0);
  CHECK_FALSE(given.at("2").com);
  CHECK_FALSE(given.at("2").inertia);
}

TEST_CASE("mistakes in a table of masses are reported at their places") {
  check_refused("link\na\n", "masses.csv:1:1: found no column \"mass\"");
  check_refused("mass\n1\n", "found no column \"link\"");
  check_refused("link,mas\na,1\n", "masses.csv:1:6: found the column \"mas\"");
  check_refused("link,mas\na,1\n", "did you mean \"mass\"?");
  check_refused("link,mass [mm]\na,1\n", "masses.csv:1:6: found \"mm\"");
  check_refused("link,mass,com_x\na,1,0\n", "found no column \"com_y\" beside \"com_x\"");
  check_refused("link,mass,com_x,com_y,com_z [kg]\na,1,0,0,0\n", "found \"kg\"");
  check_refused("link,mass\na,heavy\n", "masses.csv:2:3: the column \"mass\" has text here");
  check_refused("link,mass\na,-1\n", "masses.csv:2:3: found numbers of the link \"a\"");
  check_refused("link,mass\na,1\nb,2\na,3\n",
                "masses.csv:4:1: found the link \"a\" a second time, expected each once; the first "
                "is in line 2");
  check_refused("link,mass,ixx,iyy,izz,ixy,ixz,iyz\na,1,1,1,3,0,0,0\n", "triangle inequality");
  check_refused("link,mass\na,-1\nb,-2\n", "masses.csv:3:3: ");
}
