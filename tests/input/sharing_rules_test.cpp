#include <catch2/catch.hpp>

#include "input/reading/read.hpp"
#include "tests/support/reading.hpp"

using namespace counterpoise;
using namespace counterpoise::test;

namespace {

/// A door on two hinges, with these sharing rules.
std::string door(const std::string& rules, const std::string& hinge = "hinge") {
  return R"({"format": "counterpoise-model/1",
"world": {"points": {"post": [0, 0, 2]}},
"bodies": [{"name": "door", "parent": "world", "mass": 30, "com": [0.4, 0, 1],
"inertia": [10, 11, 1.6, 0, 0, 0],
"joint": {"type": "revolute", "axis": "z"}, "points": {"top": [0, 0, 2]}}],
"loops": [{"name": ")" +
         hinge + R"(", "connect": ["world.post", "door.top"], "keep": "parallel",
"axes": ["z", "z"]}],
"actuators": [{"name": "motor", "joint": "door"}],
"reactions": [
)" + rules +
         "]}";
}

/// What reading or examining the model says, without the name of the file.
std::string complaint(const std::string& rules, const std::string& hinge = "hinge") {
  try {
    examine_model(model_of(door(rules, hinge)));
  } catch (const InputError& error) {
    const std::string text = error.what();
    REQUIRE_THAT(text, Catch::StartsWith("model.json:"));
    return text.substr(std::string("model.json:").size());
  }
  return "";
}

struct WrongRules {
  std::string rules;     // from line 10 on
  std::string expected;  // how the message begins
};

}  // namespace

TEST_CASE("a wrong sharing rule is refused at its place, with what was expected") {
  const std::vector<WrongRules> table = {
      {R"({"equal": ["dor.fz", "hinge.fz"]})",
       "10:12: /reactions/0/equal/0: found \"dor.fz\", expected a component of a reaction, "
       "\"body.fx\" or \"loop.mz\"; did you mean \"door.fz\"?"},
      {R"({"equal": ["door.fz", "hing.fz"]})",
       "10:23: /reactions/0/equal/1: found \"hing.fz\", expected a component of a reaction, "
       "\"body.fx\" or \"loop.mz\"; did you mean \"hinge.fz\"?"},
      {R"({"none": ["door.fw"]})",
       "10:11: /reactions/0/none/0: found \"door.fw\", expected a component of a reaction, "
       "\"body.fx\" or \"loop.mz\"; did you mean \"door.fx\"?"},
      {R"({"none": ["door"]})", "10:11: /reactions/0/none/0: found \"door\", expected a component"},
      {R"({"none": ["world.fx"]})", "10:11: /reactions/0/none/0: found \"world.fx\", expected"},
      {R"({"none": ["motor.fx"]})", "10:11: /reactions/0/none/0: found \"motor.fx\", expected"},
      {R"({"none": [3]})", "10:11: /reactions/0/none/0: found 3, expected a component"},
      {R"({"none": "door.fx"})",
       "10:10: /reactions/0/none: found \"door.fx\", expected components of reactions"},
      {R"({"equal": ["door.fz", "hinge.fz"], "none": ["door.mx"]})",
       "10:1: /reactions/0: found an object, expected one of equal and none"},
      {R"({"note": "nothing"})",
       "10:1: /reactions/0: found an object, expected one of equal and none"},
      {R"({"equal": ["door.fz"]})",
       "10:11: /reactions/0/equal: found an array of 1, expected at least two components"},
      {R"({"none": []})",
       "10:10: /reactions/0/none: found an array of 0, expected at least one component"},
      {R"({"equl": ["door.fz", "hinge.fz"]})",
       "10:2: /reactions/0/equl: found \"equl\", expected a key of a sharing rule; did you mean "
       "\"equal\"?"},
      {R"({"none": ["door.mx"], "note": 1})", "10:31: /reactions/0/note: found 1, expected a note"},
      {"{\"none\": [\"door.mx\"]},\n[]", "11:1: /reactions/1: found an array of 0, expected"},
  };
  for (const WrongRules& mistake : table) {
    CAPTURE(mistake.rules);
    CHECK_THAT(complaint(mistake.rules), Catch::StartsWith(mistake.expected));
  }
}

TEST_CASE("rules that cannot hold together are refused by the rule that is one too many") {
  CHECK(complaint(R"({"equal": ["door.fz", "hinge.fz"], "note": "alike"})") == "");
  CHECK(complaint(R"({"none": ["door.fz"]})") == "");
  const std::string nobody =
      "{\"none\": [\"door.fz\"]},\n {\"none\": [\"door.mx\"]},\n"
      "  {\"none\": [\"hinge.fz\"]},\n{\"none\": [\"hinge.my\"]}";
  CHECK_THAT(complaint(nobody), Catch::StartsWith("12:3: /reactions/2: the rule cannot hold"));
}

TEST_CASE("a rule about a name that a body and a loop share is refused") {
  CHECK(complaint(R"({"none": ["hinge.fz"]})") == "");
  CHECK_THAT(complaint(R"({"none": ["door.fz"]})", "door"),
             Catch::StartsWith("10:11: /reactions/0/none/0: \"door\" is a body and a loop"));
}
