#pragma once

#include <algorithm>
#include <catch2/catch.hpp>

#include "tests/support/arm_study.hpp"

namespace counterpoise::test {

/// One mistake: `was` in a good study becomes `is`, in which @ marks the place the error has to
/// name. Without a mark the message begins with the place.
struct Mistake {
  std::string was;
  std::string is;
  std::string expected;
};

inline const std::string good_study = R"({"format": "counterpoise-study/1", "name": "arm",
"model": "model.json",
"motions": {"swing": "swing.json",
"fold": {"file": "fold.json", "weight": 2, "parameters": {"load": 1}}},
"variables": {
"rate": {"values": [100, 200]},
"mount": {"range": [0.1, 0.3], "count": 3},
"height": {"range": [0.4, 0.6]},
"spring": {"catalogue": "springs.csv", "sets": {"free": "free_length", "tension": "initial"},
 "where": "rate < 3000 && maker != 'hard'"},
"path": {"motion": ["swing", "fold"]}},
"sampling": {"method": "sobol", "count": 8, "seed": 1},
"objectives": [
{"name": "peak", "minimize": "max", "of": ["shoulder", "elbow"]},
{"name": "gain", "expression": "shoulder.mean / without_springs.shoulder.mean"}],
"constraints": [{"name": "room", "expression": "lift.max_length", "max": 0.9}],
"baseline": {"rate": 150},
"store": ["lift.max_length", "shoulder.max"]})";

inline std::string position(const std::string& text, std::size_t at) {
  const std::string before = text.substr(0, at);
  const auto lines = std::count(before.begin(), before.end(), '\n');
  return std::to_string(lines + 1) + ":" + std::to_string(at - (before.rfind('\n') + 1) + 1);
}

inline void check(const Mistake& mistake) {
  CAPTURE(mistake.was, mistake.is);
  Files files = arm_files("");
  files["designs.csv"] = "rate,mount,height\n100,0.1,0.5\n";
  files["empty.csv"] = "maker,rate,free_length\n";
  files["broken.json"] = R"({"format": "counterpoise-model/1", "bodies": 3})";
  std::string text = with(good_study, mistake.was, mistake.is);
  std::string expected = mistake.expected;
  const auto mark = text.find('@');
  if (mark != std::string::npos) {
    text.erase(mark, 1);
    expected = "study.json:" + position(text, mark) + ": " + expected;
  }
  files["study.json"] = text;
  try {
    study_of(files);
    FAIL_CHECK("was accepted");
  } catch (const InputError& error) {
    CHECK_THAT(error.what(), Catch::StartsWith(expected));
  }
}

}  // namespace counterpoise::test
