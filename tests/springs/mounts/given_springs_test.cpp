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

TEST_CASE("a given spring that no mounts make light enough is proved to have none") {
  Random random(2);
  Files files = lid(random, 2, 1);
  files["study.json"] = with(files.at("study.json"), R"("objectives")",
                             R"("constraints": [{"name": "ease", "expression": "hinge.max",
"max": 0.5}], "objectives")");
  const StoredMounts mounts = proved(study_of(files), fresh("heavy_lid.db"));
  CHECK(mounts.ended == MountEnd::proved);
  CHECK_FALSE(mounts.best);
  CHECK_FALSE(mounts.bound);
}

TEST_CASE("mounts of a given spring are proved with few simplices") {
  Random random(2);
  const StoredMounts mounts = proved(study_of(lid(random, 3, 1, "1e-3")), fresh("lid.db"));
  REQUIRE(mounts.ended == MountEnd::proved);
  CHECK(*mounts.best > 1.0);
  CHECK(mounts.parts.front().simplices < 3200);
}
