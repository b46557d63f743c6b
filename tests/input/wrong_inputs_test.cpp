#include <catch2/catch.hpp>

#include "input/reading/read.hpp"
#include "tests/support/reading.hpp"

using namespace counterpoise;
using namespace counterpoise::test;

namespace {

/// One mistake: `was` in a good file becomes `is`.
struct Mistake {
  std::string was;
  std::string is;
  std::string expected;  // how the message begins, behind the name of the file
};

std::string with(std::string text, const Mistake& mistake) {
  const auto at = text.find(mistake.was);
  REQUIRE(at != std::string::npos);
  return text.replace(at, mistake.was.size(), mistake.is);
}

template <class Read>
void check(const std::string& good, const std::string& file, const Mistake& mistake, Read read) {
  CAPTURE(mistake.was, mistake.is);
  const std::string text = with(good, mistake);
  try {
    read(text);
    FAIL_CHECK("was accepted");
  } catch (const InputError& error) {
    CHECK_THAT(error.what(), Catch::StartsWith(file + ":" + mistake.expected));
  }
}

const std::string model_text = R"({"format": "counterpoise-model/1",
"parameters": {"a": 0.3,
"b": {"value": "2*a", "unit": "m", "min": 0.1},
"c": "b/2"},
"world": {"points": {"w": [0, 0, 1]}},
"bodies": [
{"name": "one", "parent": "world", "joint": {"type": "revolute", "axis": "z"}, "points": {"p": [1, 0, 0]}},
{"name": "two", "parent": "one", "joint": {"type": "prismatic", "axis": [0, 0, 1]}, "mass": 1, "inertia": [1, 1, 1, 0, 0, 0]},
{"name": "three", "parent": "two", "joint": {"type": "fixed", "rotation": {"rpy": [0, 0, "a"]}}, "points": {"p": [0, 0, 0]}}],
"loops": [{"name": "l", "connect": ["one.p", "three.p"]}],
"couplings": [{"name": "g", "joint": "one", "ratio": 2, "of": "two"}],
"springs": [{"name": "s", "connect": ["world.w", "one.p"], "rate": 10, "free_length": "a"}],
"actuators": [{"name": "m", "joint": "one"},
{"name": "n", "connect": ["world.w", "three.p"], "max_load": 100}]})";

const std::string motion_text = R"({"format": "counterpoise-motion/1",
"duration": 2, "step": 0.1, "inertia": true,
"coordinates": {
"m": {"type": "hold", "value": 1},
"two": {"type": "point-to-point", "to": 1, "end_time": 1},
"n": {"type": "spline", "times": [0, 1, 2], "values": [0, 1, 0]}}})";

}  // namespace

TEST_CASE("a wrong model is refused at its place, with what was expected") {
  CHECK_NOTHROW(model_of(model_text));
  const std::vector<Mistake> table = {
      {"counterpoise-model/1", "counterpoise-model/2",
       "1:12: /format: found \"counterpoise-model/2\", expected \"counterpoise-model/1\""},
      {"\"format\": \"counterpoise-model/1\",", "",
       "1:1: the key \"format\" of a model is missing"},
      {"\"springs\":", "\"sprigns\":",
       "12:1: /sprigns: found \"sprigns\", expected a key of a model; did you mean \"springs\"?"},
      {"\"springs\":", "\"friction\": [], \"springs\":",
       "12:1: /friction: found \"friction\", expected a key of a model"},
      {"\"a\": 0.3", "\"a\": true",
       "2:21: /parameters/a: found true, expected a number or an expression"},
      {"\"a\": 0.3", "\"a\": null", "2:21: /parameters/a: found null, expected a number"},
      {"\"a\": 0.3", "\"a\": 0.3, \"a\": 1", "2:26: /parameters/a: duplicate key \"a\""},
      {"\"a\": 0.3", "\"a\": 1e999", "2:21: /parameters: number overflow parsing '1e999'"},
      {"\"a\": 0.3", "\"a\": NaN", "2:21: /parameters: syntax error"},
      {"\"a\": 0.3", "\"a\": \"1/0\"",
       "2:21: /parameters/a: the expression \"1/0\" gives inf, expected a finite number"},
      {"\"a\": 0.3", "\"a\": \"c\"",
       "2:21: /parameters/a: the parameter depends on itself: a -> c -> b -> a"},
      {"\"a\": 0.3", "\"a\": 0.01",
       "3:16: /parameters/b/value: parameter b = 0.02 is below its min 0.1"},
      {"\"a\": 0.3", "\"2a\": 1, \"a\": 0.3",
       "2:16: /parameters/2a: found \"2a\", expected a name of letters"},
      {"\"a\": 0.3", "\"a\": 0.3, \"sin\": 1", "2:26: /parameters/sin: found \"sin\""},
      {"\"2*a\"", "\"2*aa\"",
       "3:16: /parameters/b/value: in the expression \"2*aa\" at character 3: found \"aa\", "
       "expected a parameter; did you mean \"a\"?"},
      {"\"2*a\"", "\"2*\"", "3:16: /parameters/b/value: in the expression \"2*\" at character 3"},
      {"\"unit\": \"m\"", "\"unit\": \"furlong\"",
       "3:31: /parameters/b/unit: found \"furlong\", expected one of N, kN, lbf, N/m, N/mm"},
      {"\"unit\": \"m\"", "\"unit\": \"Mm\"",
       "3:31: /parameters/b/unit: found \"Mm\", expected one of"},
      {"\"min\": 0.1", "\"minimum\": 0.1", "3:36: /parameters/b/minimum: found \"minimum\""},
      {"\"w\": [0, 0, 1]", "\"w\": [0, 0]",
       "5:27: /world/points/w: found an array of 2, expected a point [x, y, z]"},
      {"\"w\": [0, 0, 1]", "\"w-1\": [0, 0, 1]", "5:22: /world/points/w-1: found \"w-1\""},
      {"\"name\": \"two\"", "\"name\": \"one\"", "8:10: /bodies/1/name: duplicate body \"one\""},
      {"\"name\": \"two\"", "\"name\": \"world\"",
       "8:10: /bodies/1/name: found \"world\", expected another name"},
      {"\"name\": \"two\"", "\"name\": \"t wo\"", "8:10: /bodies/1/name: found \"t wo\""},
      {"\"name\": \"two\", ", "", "8:1: /bodies/1: the key \"name\" of a body is missing"},
      {"\"parent\": \"one\"", "\"parent\": \"onne\"",
       "8:27: /bodies/1/parent: found \"onne\", expected a body or \"world\"; did you mean "
       "\"one\"?"},
      {"\"parent\": \"one\"", "\"parent\": \"three\"",
       "9:29: /bodies/2/parent: the body is its own ancestor: three -> two -> three"},
      {"\"type\": \"prismatic\"", "\"type\": \"prisma\"",
       "8:52: /bodies/1/joint/type: found \"prisma\", expected one of fixed, revolute, prismatic"},
      {", \"axis\": \"z\"", "", "7:45: /bodies/0/joint: the key \"axis\" of a joint is missing"},
      {"\"axis\": \"z\"", "\"axis\": \"w\"",
       "7:74: /bodies/0/joint/axis: found \"w\", expected an axis"},
      {"\"axis\": [0, 0, 1]", "\"axis\": [0, 0, 0]",
       "8:73: /bodies/1/joint/axis: body two: its joint axis has no direction"},
      {"{\"rpy\": [0, 0, \"a\"]}", "{\"rpy\": [0, 0, 1], \"zxz\": [0, 0, 0]}",
       "9:75: /bodies/2/joint/rotation: found an object, expected one of zxz, rpy, quaternion"},
      {"{\"rpy\": [0, 0, \"a\"]}", "{\"quaternion\": [0, 0, 0, 0]}",
       "9:75: /bodies/2/joint/rotation: body three: its quaternion has no direction"},
      {"\"mass\": 1", "\"mass\": -1", "8:93: /bodies/1/mass: body two: its mass is negative"},
      {"\"mass\": 1", "\"mass\": \"-a\"", "8:93: /bodies/1/mass: body two: its mass is negative"},
      {"\"mass\": 1", "\"mas\": 1",
       "8:85: /bodies/1/mas: found \"mas\", expected a key of a body; did you mean \"mass\"?"},
      {"[1, 1, 1, 0, 0, 0]", "[1, 1, -1, 0, 0, 0]",
       "8:107: /bodies/1/inertia: body two: its inertia is not positive semidefinite"},
      {"[1, 1, 1, 0, 0, 0]", "[1, 1, 3, 0, 0, 0]",
       "8:107: /bodies/1/inertia: body two: its principal moments of inertia break the triangle"},
      {"[1, 1, 1, 0, 0, 0]", "[1, 1, 1]",
       "8:107: /bodies/1/inertia: found an array of 3, expected six numbers"},
      {"\"connect\": [\"one.p\"", "\"connect\": [\"one.pp\"",
       "10:37: /loops/0/connect/0: found \"one.pp\", expected a point, \"body.point\"; did you "
       "mean \"one.p\"?"},
      {"[\"one.p\", \"three.p\"]", "[\"one.p\", \"one.p\"]",
       "10:46: /loops/0/connect/1: found \"one.p\", expected another point than the first"},
      {"[\"one.p\", \"three.p\"]", "[\"one.p\"]",
       "10:36: /loops/0/connect: found an array of 1, expected two points"},
      {"\"name\": \"l\"", "\"name\": \"l\", \"keep\": \"paralel\"",
       "10:33: /loops/0/keep: found \"paralel\", expected one of parallel, perpendicular, weld; "
       "did "
       "you mean \"parallel\"?"},
      {"\"name\": \"l\"", "\"name\": \"l\", \"keep\": \"parallel\"",
       "10:11: /loops/0: the loop \"l\" keeps its axes but has none, expected axes"},
      {"\"name\": \"l\"", "\"name\": \"l\", \"keep\": \"weld\", \"axes\": [\"x\", \"x\"]",
       "10:49: /loops/0/axes: found an array of 2, expected no axes where keep is \"weld\""},
      {"\"name\": \"l\"", "\"name\": \"l\", \"axes\": [\"x\", \"x\"]",
       "10:33: /loops/0/axes: found an array of 2, expected keep \"parallel\" or"},
      {"\"name\": \"l\"", "\"name\": \"l\", \"keep\": \"parallel\", \"axes\": [\"x\", [0, 0, 0]]",
       "10:53: /loops/0/axes: loop l: an axis has no direction"},
      {"\"name\": \"l\"", "\"name\": \"l\", \"rotation\": {\"rpy\": [0, 0, 1]}",
       "10:37: /loops/0/rotation: found an object, expected a rotation only where keep"},
      {"\"of\": \"two\"", "\"of\": [\"two\", \"one\"]",
       "11:71: /couplings/0/of/1: found \"one\", expected another joint"},
      {"\"of\": \"two\"", "\"of\": [\"two\"]",
       "11:54: /couplings/0/ratio: found 2, expected 1 ratios, as many as joints"},
      {"\"of\": \"two\"", "\"of\": \"three\"",
       "11:63: /couplings/0/of: the joint of \"three\" is fixed, expected one that moves"},
      {"\"ratio\": 2", "\"ratio\": 0", "11:54: /couplings/0/ratio: coupling g: a ratio is zero"},
      {"\"rate\": 10", "\"rate\": -10", "12:68: /springs/0/rate: spring s: its rate is negative"},
      {"\"rate\": 10", "\"rate\": \"a-1\"", "12:68: /springs/0/rate: spring s: its rate is"},
      {"\"free_length\": \"a\"", "\"free_length\": -0.1",
       "12:87: /springs/0/free_length: spring s: its free length is negative"},
      {"\"rate\": 10, \"free_length\": \"a\"", "\"type\": \"gas\", \"rate\": 10",
       "12:75: /springs/0/rate: found \"rate\" without \"free_length\" in a gas spring"},
      {"\"rate\": 10", "\"type\": \"torsion\", \"rate\": 10",
       "12:27: /springs/0/connect: found \"connect\", expected a key of a torsion spring"},
      {"\"name\": \"n\"", "\"name\": \"m\"", "14:10: /actuators/1/name: duplicate actuator \"m\""},
      {"\"joint\": \"one\"}", "\"joint\": \"one\", \"connect\": [\"world.w\", \"one.p\"]}",
       "13:15: /actuators/0: the actuator \"m\" has both, expected one of joint and connect"},
      {"\"m\", \"joint\": \"one\"}", "\"m\"}",
       "13:15: /actuators/0: the actuator \"m\" has neither"},
      {"\"max_load\": 100", "\"rotor_inertia\": 1",
       "14:67: /actuators/1/rotor_inertia: \"rotor_inertia\" belongs to a motor, expected its "
       "ratio "
       "beside it"},
      {"\"max_load\": 100", "\"tube\": {\"mas\": 1}",
       "14:59: /actuators/1/tube/mas: found \"mas\", expected a key of a tube; did you mean "
       "\"mass\"?"},
      {"\"max_load\": 100", "\"rod\": {\"mass\": -1}",
       "14:57: /actuators/1/rod: actuator n: the rod: its mass is negative"},
      {"\"joint\": \"one\"}", "\"joint\": \"one\", \"tube\": {\"mass\": 1}}",
       "13:53: /actuators/0/tube: found a tube of an actuator on a joint, expected connect"},
      {"\"max_load\": 100", "\"max_load\": {}",
       "14:62: /actuators/1/max_load: found an object, expected a number or an expression"},
      {"100}]}", "100}]", "14:67: syntax error while parsing object - unexpected end of input"},
  };
  for (const Mistake& mistake : table) check(model_text, "model.json", mistake, model_of);
}

TEST_CASE("a wrong motion is refused at its place, with what was expected") {
  const Model model = model_of(model_text);
  const auto read = [&](const std::string& text) {
    read_motion("motion.json", model,
                texts({{"motion.json", text},
                       {"table.csv", "t [s],x [rad]\n0,0\n1,1\n"},
                       {"back.csv", "t [s],x [rad],note\n0,0,a\n2,1,b\n1,1,c\n"}}));
  };
  CHECK_NOTHROW(read(motion_text));
  const std::string hold = R"({"type": "hold", "value": 1})";
  const std::vector<Mistake> table = {
      {"\"duration\": 2", "\"duration\": 0", "2:13: /duration: found 0, expected more than 0 s"},
      {"\"duration\": 2", "\"duration\": \"a\"",
       "2:13: /duration: in the expression \"a\" at character 1: found \"a\", expected a number "
       "(duration and step cannot depend on parameters)"},
      {"\"step\": 0.1", "\"step\": 0.3", "2:24: /step: duration 2 s has 6.66"},
      {"\"step\": 0.1", "\"step\": 1e-7", "2:24: /step: duration 2 s has 20000000 steps of 1e-07"},
      {"\"step\": 0.1", "\"step\": 4", "2:24: /step: duration 2 s has 0.5 steps"},
      {"true", "1", "2:40: /inertia: found 1, expected true or false"},
      {"\"m\":", "\"mm\":",
       "4:1: /coordinates/mm: found \"mm\", expected an actuator or a joint; did you mean \"m\"?"},
      {"\"m\":", "\"three\":", "4:1: /coordinates/three: the joint of \"three\" is fixed"},
      {"\"two\":", "\"one\":",
       "5:1: /coordinates/one: \"one\" is the joint of another coordinate given here"},
      {"\"hold\"", "\"old\"",
       "4:15: /coordinates/m/type: found \"old\", expected one of hold, bang-bang, sine, "
       "point-to-point, spline, table, moves; did you mean \"hold\"?"},
      {"\"type\": \"hold\", ", "", "4:6: /coordinates/m: the key \"type\" of a profile is missing"},
      {hold, "3", "4:6: /coordinates/m: found 3, expected an object: a profile"},
      {"\"value\"", "\"vale\"",
       "4:23: /coordinates/m/vale: found \"vale\", expected a key of a "
       "hold profile; did you mean \"value\"?"},
      {hold, R"({"type": "sine", "amplitude": 1})",
       "4:6: /coordinates/m: the period is zero or not given"},
      {"\"end_time\": 1", "\"end_time\": 0",
       "5:8: /coordinates/two: end_time 0 is not after start_time 0"},
      {"\"end_time\": 1", "\"ramp\": 0.2", "5:44: /coordinates/two/ramp: only a trapezoid"},
      {"\"end_time\": 1", "\"profile\": \"trapezoid\", \"ramp\": 0.6",
       "5:8: /coordinates/two: ramp is 0.6, expected more than 0 and at most 0.5"},
      {"[0, 1, 2]", "[0, 1, 1.5]",
       "6:6: /coordinates/n: the times cover 0 to 1.5 s, expected 0 to 2 s"},
      {"[0, 1, 2]", "[0, 2, 1]", "6:6: /coordinates/n: the times do not increase: 1 follows 2"},
      {"[0, 1, 2]", "[0, 2]",
       "6:52: /coordinates/n/values: found an array of 3, expected as many values as times: 2"},
      {hold, R"({"type": "table", "file": "none.csv", "time": "t", "column": "x"})",
       "4:32: /coordinates/m/file: none.csv: cannot be opened"},
      {hold, R"({"type": "table", "file": "table.csv", "time": "t", "column": "xx"})",
       "4:68: /coordinates/m/column: found \"xx\", expected a column of table.csv; did you mean "
       "\"x\"?"},
      {hold, R"({"type": "table", "file": "table.csv", "time": "t", "column": "x"})",
       "4:6: /coordinates/m: the times cover 0 to 1 s, expected 0 to 2 s"},
      {hold, R"({"type": "table", "file": "back.csv", "time": "t", "column": "x"})",
       "4:6: /coordinates/m: the times do not increase: 1 follows 2"},
  };
  for (const Mistake& mistake : table) check(motion_text, "motion.json", mistake, read);

  CHECK_THROWS_WITH(read(with(motion_text, {hold, R"({"type": "table", "file": "back.csv",
      "time": "t", "column": "note"})",
                                            ""})),
                    "back.csv:2:5: the column \"note\" has text here, expected a number");
}

TEST_CASE("a missing file is named") {
  CHECK_THROWS_WITH(read_model("no/such/model.json", read_text_file),
                    "no/such/model.json: cannot be opened: No such file or directory");
  CHECK_THROWS_WITH(read_model(COUNTERPOISE_TEST_DIR, read_text_file),
                    Catch::EndsWith("is a folder, expected a file"));
}

TEST_CASE("a motion is checked without a model as far as that goes") {
  const auto read = [](const std::string& text) {
    check_motion("motion.json", texts({{"motion.json", text}}));
  };
  CHECK_NOTHROW(read(motion_text));
  CHECK_NOTHROW(read(with(motion_text, {"\"value\": 1", "\"value\": \"2*anything\"", ""})));
  const std::vector<Mistake> table = {
      {"\"value\": 1", "\"value\": \"2*\"", "4:32: /coordinates/m/value: in the expression"},
      {"[0, 1, 2]", "[0, 2, 1]", "6:6: /coordinates/n: the times do not increase"},
  };
  for (const Mistake& mistake : table) check(motion_text, "motion.json", mistake, read);
}
