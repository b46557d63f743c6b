#include "input/text/units.hpp"

#include <catch2/catch.hpp>
#include <map>
#include <string>

using namespace counterpoise;

namespace {

Unit unit(const std::string& name) {
  return find_unit(name).value();
}

// the SI unit of each, and what one of it is in SI
const std::map<std::string, std::pair<std::string, double>> meanings = {
    {"N", {"N", 1.0}},
    {"kN", {"N", 1000.0}},
    {"N/m", {"N/m", 1.0}},
    {"N/mm", {"N/m", 1000.0}},
    {"N/cm", {"N/m", 100.0}},
    {"lbf", {"N", 4.4482216152605}},
    {"lbf/in", {"N/m", 4.4482216152605 / 0.0254}},
    {"in", {"m", 0.0254}},
    {"ft", {"m", 0.3048}},
    {"lb", {"kg", 0.45359237}},
    {"lb*in^2", {"kg*m^2", 0.45359237 * 0.0254 * 0.0254}},
    {"lbf*in", {"N*m", 4.4482216152605 * 0.0254}},
    {"lbf*ft", {"N*m", 4.4482216152605 * 0.3048}},
    {"N*m/rad", {"N*m/rad", 1.0}},
    {"N*m/deg", {"N*m/rad", 180.0 / 3.14159265358979323846}},
    {"N*mm/rad", {"N*m/rad", 1e-3}},
    {"N*mm/deg", {"N*m/rad", 0.18 / 3.14159265358979323846}},
    {"lbf*in/rad", {"N*m/rad", 4.4482216152605 * 0.0254}},
    {"lbf*in/deg", {"N*m/rad", 4.4482216152605 * 0.0254 * 180.0 / 3.14159265358979323846}},
    {"Pa", {"Pa", 1.0}},
    {"MPa", {"Pa", 1e6}},
    {"psi", {"Pa", 4.4482216152605 / (0.0254 * 0.0254)}},
    {"m", {"m", 1.0}},
    {"mm", {"m", 1e-3}},
    {"cm", {"m", 1e-2}},
    {"kg", {"kg", 1.0}},
    {"g", {"kg", 1e-3}},
    {"kg*m^2", {"kg*m^2", 1.0}},
    {"kg*mm^2", {"kg*m^2", 1e-6}},
    {"rad", {"rad", 1.0}},
    {"deg", {"rad", 0.017453292519943295}},
    {"s", {"s", 1.0}},
    {"ms", {"s", 1e-3}},
    {"N*m", {"N*m", 1.0}},
    {"N*mm", {"N*m", 1e-3}},
    {"J", {"J", 1.0}},
    {"W", {"W", 1.0}},
    {"m/s", {"m/s", 1.0}},
    {"mm/s", {"m/s", 1e-3}},
    {"rad/s", {"rad/s", 1.0}},
    {"deg/s", {"rad/s", 3.14159265358979323846 / 180.0}},
    {"N*s", {"N*s", 1.0}},
    {"N*m*s", {"N*m*s", 1.0}},
    {"N*s/m", {"N*s/m", 1.0}},
    {"N*m*s/rad", {"N*m*s/rad", 1.0}},
    {"N*m*s/deg", {"N*m*s/rad", 180.0 / 3.14159265358979323846}},
    {"kg*cm^2", {"kg*m^2", 1e-4}},
    {"g*cm^2", {"kg*m^2", 1e-7}},
    {"arcmin", {"rad", 3.14159265358979323846 / 10800.0}},
    {"mN*m", {"N*m", 1e-3}},
    {"rpm", {"rad/s", 3.14159265358979323846 / 30.0}},
    {"rad/m", {"rad/m", 1.0}},
    {"turn/m", {"rad/m", 2.0 * 3.14159265358979323846}},
    {"turn/mm", {"rad/m", 2000.0 * 3.14159265358979323846}},
    {"N*m/A", {"N*m/A", 1.0}},
    {"mN*m/A", {"N*m/A", 1e-3}},
    {"ohm", {"ohm", 1.0}},
    {"1", {"", 1.0}},
};

}  // namespace

TEST_CASE("every unit is a multiple of the SI unit of its quantity") {
  REQUIRE(known_units.size() == meanings.size());
  for (const Unit& known : known_units) {
    CAPTURE(known.name);
    const auto& [si, size] = meanings.at(std::string(known.name));
    CHECK(si_unit(known) == si);
    CHECK(known.to_si(1.0) == Approx(size).epsilon(4e-16));
    CHECK(known.si() == (size == 1.0));
  }
}

TEST_CASE("a conversion rounds once") {
  CHECK(unit("mm").to_si(105.5) == 0.1055);
  CHECK(unit("mm").to_si(3.0) == 0.003);
  CHECK(unit("N/mm").to_si(0.815) == 815.0);
  CHECK(unit("kg*mm^2").to_si(7.0) == 7e-6);
  CHECK(unit("in").to_si(3.5) == 0.0889);
  CHECK(unit("ft").to_si(10.0) == 3.048);
  CHECK(unit("lb").to_si(1.0) == 0.45359237);
  CHECK(unit("lbf").to_si(1.0) == 4.4482216152605);
  CHECK(unit("lbf*ft").to_si(1.0) == 1.3558179483314004);
  CHECK(unit("psi").to_si(1.0) == 6894.757293168362);
  CHECK(unit("lbf/in").to_si(1.0) == 175.1268352464764);
  CHECK(unit("deg").to_si(180.0) == 3.14159265358979323846);
  CHECK(unit("deg").to_si(-90.0) == -3.14159265358979323846 / 2.0);
}

TEST_CASE("units of one quantity go with each other") {
  for (const auto& [a, of_a] : meanings)
    for (const auto& [b, of_b] : meanings) {
      CAPTURE(a, b);
      CHECK(fits(unit(a), unit(b)) == (b == "1" || of_a.first == of_b.first));
    }
  CHECK_NOTHROW(require_fit(unit("cm"), unit("mm"), "post", {}));
  CHECK_THROWS_WITH(require_fit(unit("kN"), unit("cm"), "post", {"study.json", 3, 4, "/unit"}),
                    "study.json:3:4: /unit: found \"kN\", expected a unit that goes with cm, the "
                    "unit of post: m, mm, cm, in, ft");
  CHECK_THAT(unknown_unit("Mm"),
             Catch::StartsWith("found the unit \"Mm\", expected one of N, kN, lbf, N/m, N/mm") &&
                 Catch::EndsWith("mN*m/A, ohm, 1; did you mean \"mm\"?"));
  // "deg" is an angle
  for (const char* name : {"degC", "\u00b0C", "kelvin"})
    CHECK_THAT(unknown_unit(name),
               Catch::EndsWith("1; a temperature is a plain number, whose scale "
                               "the model's expressions choose"));
  CHECK(unknown_leading_unit("\u00b0C]") ==
        "unknown unit \"\u00b0C\"; a temperature is a plain "
        "number, whose scale the model's expressions choose");
}
