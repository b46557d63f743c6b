#include <catch2/catch.hpp>

#include "tests/springs/mounts/grid_oracle.hpp"
#include "tests/springs/mounts/lid.hpp"
#include "tests/support/trials.hpp"

using namespace counterpoise;
using namespace counterpoise::test;

TEST_CASE("no mounts of a grid are below what is proved of given springs") {
  Random random(12);
  const auto path = fresh("lids.db");
  Ends ends;
  const int count = trials(30);
  for (int i = 0; i < count; ++i) {
    const Files files = lid(random, 1 + i % 3, 1 + random.below(3));
    CAPTURE(i, files.at("study.json"), files.at("model.json"), files.at("gas.csv"));
    compare_with_grid(study_of(files), path, ends);
  }
  CHECK(4 * ends.proved >= 3 * count);
  CHECK(2 * ends.none <= count);
}

TEST_CASE("mounts of a given spring are proved with few simplices") {
  // the loads that corners have alone take 4104
  Random random(2);
  const StoredMounts mounts = proved(study_of(lid(random, 3, 1, "1e-3")), fresh("lid.db"));
  REQUIRE(mounts.ended == MountEnd::proved);
  CHECK(*mounts.best > 1.0);
  CHECK(mounts.parts.front().simplices < 3200);
}
