#include <fmt/format.h>

#include <filesystem>
#include <fstream>

#include "tests/exchange/random_mjcf.hpp"
#include "tests/exchange/random_urdf.hpp"
#include "tests/faults/fuzz/readers.hpp"

namespace counterpoise::test {

void write_robots(const std::string& folder) {
  constexpr std::uint64_t seed = 1;
  constexpr int of_each_kind = 8;
  Random random(seed);
  int written = 0;
  const auto write = [&](const std::string& text) {
    std::ofstream(std::filesystem::path(folder) / fmt::format("seed{}.xml", written++)) << text;
  };
  for (int robot = 0; robot < of_each_kind; ++robot) {
    write(random_urdf(random, robot % 2 == 0).text);
    write(random_mjcf(random, MjcfJoints::simple));
    write(random_mjcf(random, MjcfJoints::any));
    write(random_closed_mjcf(random).text);
  }
}

}  // namespace counterpoise::test
