#pragma once

#include "tests/springs/mounts/mounted_arm.hpp"

namespace counterpoise::test {

/// A catalogue of springs, some too short or too weak for most mounts.
inline std::string random_rows(Random& random, int count) {
  std::string rows = "name,rate,free,tension,longest,strongest,price\n";
  for (int i = 0; i < count; ++i)
    rows += fmt::format("row_{},{:.1f},{:.4f},{:.2f},{:.4f},{:.1f},{:.1f}\n", i,
                        random.uniform(20.0, 900.0), random.uniform(0.02, 0.2),
                        random.uniform(0.0, 30.0), random.uniform(0.5, 1.1),
                        random.uniform(20.0, 200.0), random.uniform(1.0, 20.0));
  return rows;
}

/// How a random arm chooses its springs.
struct Stocked {
  bool both = false;  // also the spring between the links, from a catalogue of its own
  std::string mounts = R"("mount": {"range": [0.1, 0.4]})";
  std::string objective = mounted_arm::objectives().front();
  std::string rest = {};
};

/// An arm whose two springs above come from a catalogue, with limits of their own, and whose third
/// one is sized or comes from another catalogue.
inline Files stocked_arm(Random& random, const Stocked& asked) {
  Files files = mounted_arm::files(random, {});
  std::string& model = files.at("model.json");
  model = with(model, R"("rate": 300,)",
               R"("longest": 1, "strongest": 300, "price": 5, "price_2": 5, "rate": 300,)");
  for (const char* name : {"first", "second"})
    model = with(model, fmt::format(R"({{"name": "{}", "connect")", name),
                 fmt::format(R"({{"name": "{}", "acts": "{}", "max_length": "longest",
"max_load": "strongest", "connect")",
                             name, random.chance(0.5) ? "pull" : "both"));
  const std::string third = asked.both ? R"("low_spring": {"catalogue": "rows_2.csv",
"sets": {"rate_2": "rate", "free_2": "free", "price_2": "price"}})"
                                       : R"("rate_2": {"range": [0, 600]})";
  files["rows.csv"] = random_rows(random, 6);
  files["rows_2.csv"] = random_rows(random, 4);
  files["study.json"] = R"({"format": "counterpoise-study/1", "model": "model.json",
"motions": {"work": "work.json"}, "variables": {"high_spring": {"catalogue": "rows.csv",
"sets": {"rate": "rate", "free": "free", "tension": "tension", "longest": "longest",
"strongest": "strongest", "price": "price"}}, )" +
                        third + ", " + asked.mounts +
                        R"(}, "search": {"method": "exact-springs", "geometry": "prove",
"gap": 1e-4, "max_simplices": 20000}, "objectives": [)" +
                        asked.objective + "]" + asked.rest + "}";
  return files;
}

}  // namespace counterpoise::test
