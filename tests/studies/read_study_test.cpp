#include <algorithm>
#include <catch2/catch.hpp>

#include "tests/studies/arm_study.hpp"

using namespace counterpoise;
using namespace counterpoise::test;

namespace {

/// One mistake: `was` in a good study becomes `is`, in which @ marks the place the error has to
/// name. Without a mark the message begins with the place.
struct Mistake {
  std::string was;
  std::string is;
  std::string expected;
};

const std::string good = R"({"format": "counterpoise-study/1", "name": "arm",
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

std::string position(const std::string& text, std::size_t at) {
  const std::string before = text.substr(0, at);
  const auto lines = std::count(before.begin(), before.end(), '\n');
  return std::to_string(lines + 1) + ":" + std::to_string(at - (before.rfind('\n') + 1) + 1);
}

void check(const Mistake& mistake) {
  CAPTURE(mistake.was, mistake.is);
  Files files = arm_files("");
  files["designs.csv"] = "rate,mount,height\n100,0.1,0.5\n";
  files["empty.csv"] = "rate,free_length\n";
  files["broken.json"] = R"({"format": "counterpoise-model/1", "bodies": 3})";
  std::string text = with(good, mistake.was, mistake.is);
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

const std::string sobol = R"({"method": "sobol", "count": 8, "seed": 1})";
const std::string sampling_key = R"("sampling": )" + sobol;
const std::string rate_variable = R"("rate": {"values": [100, 200]})";
const std::string first_objective =
    R"({"name": "peak", "minimize": "max", "of": ["shoulder", "elbow"]})";
const std::string room = R"("lift.max_length", "max": 0.9)";

}  // namespace

TEST_CASE("the study the mistakes are made in is right") {
  CHECK_NOTHROW(study_of(arm_files(good)));
}

TEST_CASE("a wrong head, model or motion of a study is refused at its place") {
  const std::vector<Mistake> table = {
      {"counterpoise-study/1", "counterpoise-study/2", "study.json:1:12: /format: found"},
      {R"("model": "model.json",)", "", "study.json:1:1: the key \"model\" of a study is missing"},
      {R"("store":)", R"(@"stores":)",
       "/stores: found \"stores\", expected a key of a study; did you mean \"store\"?"},
      {R"("store":)", R"(@"model": "model.json", "store":)", "/model: duplicate key \"model\""},
      {R"("name": "arm")", R"("name": @3)", "/name: found 3, expected a text"},
      {R"("model.json")", R"(@"modell.json")", "/model: file modell.json cannot be opened"},
      {R"("model.json")", "@[]", "/model: found an array of 0, expected the file of a model"},
      {R"("model.json")", R"("broken.json")", "broken.json:1:47: /bodies: found 3, expected"},
      {R"("swing": "swing.json")", R"("swing": @"swings.json")",
       "/motions/swing: file swings.json cannot be opened"},
      {R"("swing": "swing.json")", R"("swing": @12)", "/motions/swing: found 12, expected"},
      {R"("swing": "swing.json")", R"(@"sw ing": "swing.json")",
       "/motions/sw ing: found \"sw ing\", expected a name"},
      {R"("weight": 2)", R"("weight": @0)", "/motions/fold/weight: found 0, expected a weight"},
      {R"("weight": 2)", R"("weight": @"load")",
       "/motions/fold/weight: in the expression \"load\" at character 1: found \"load\""},
      {R"("weight": 2)", R"(@"weigth": 2)",
       "/motions/fold/weigth: found \"weigth\", expected a key of a motion; did you mean "
       "\"weight\"?"},
      {R"("parameters": {"load": 1})", R"("parameters": {@"lod": 1})",
       "/motions/fold/parameters/lod: found \"lod\", expected a parameter of the model; did you "
       "mean \"load\"?"},
      {R"("parameters": {"load": 1})", R"("parameters": {"load": @0.1})",
       "/motions/fold/parameters/load: found 0.1 for load, expected at least its min 0.5"},
      {R"("parameters": {"load": 1})", R"("parameters": {"load": @6})",
       "/motions/fold/parameters/load: found 6 for load, expected at most its max 5"},
  };
  for (const Mistake& mistake : table) check(mistake);
  check({R"("swing": "swing.json",
"fold": {"file": "fold.json", "weight": 2, "parameters": {"load": 1}}},)",
         "@},", "/motions: found an object, expected at least one motion"});
}

TEST_CASE("a wrong variable is refused at its place") {
  const std::string counted = R"({"range": [0.1, 0.3], "count": 3})";
  const std::vector<Mistake> table = {
      {rate_variable, R"(@"rates": {"values": [100, 200]})",
       "/variables/rates: found \"rates\", expected a parameter of the model; did you mean "
       "\"rate\"?"},
      {rate_variable, R"(@"pi": {"values": [1], "sets": "rate"})",
       "/variables/pi: found \"pi\", expected a name"},
      {rate_variable, R"("rate": @{})", "/variables/rate: found an object, expected one of"},
      {rate_variable, R"("rate": @{"values": [1], "range": [1, 2]})",
       "/variables/rate: found an object, expected one of"},
      {rate_variable, R"("rate": @7)", "/variables/rate: found 7, expected an object: a variable"},
      {"[100, 200]", "@[]", "/variables/rate/values: found an array of 0, expected at least one"},
      {"[100, 200]", R"([100, @true])", "/variables/rate/values/1: found true, expected a number"},
      {"[100, 200]", R"([100, @"rate"])",
       "/variables/rate/values/1: in the expression \"rate\" at character 1: found \"rate\""},
      {"[100, 200]}", R"([1, 2], @"count": 2})", "/variables/rate/count: \"count\" goes with"},
      {"[100, 200]}", R"([1, 2], @"where": "1 < 2"})", "/variables/rate/where: \"where\" goes"},
      {"[100, 200]}", R"([1, 2], "sets": @"raet"})",
       "/variables/rate/sets: found \"raet\", expected a parameter of the model; did you mean"},
      {"[100, 200]}", R"([1, 2], "sets": ["rate", @"raet"]})",
       "/variables/rate/sets/1: found \"raet\", expected a parameter of the model"},
      {"[100, 200]}", R"([1, 2], "sets": @[]})",
       "/variables/rate/sets: found an array of 0, expected at least one parameter"},
      {"[100, 200]}", R"([1, 2], "sets": {"rate": @"2*rat"}})",
       "/variables/rate/sets/rate: in the expression \"2*rat\" at character 3: found \"rat\""},
      {"[100, 200]}", R"([1, 0], "sets": {"rate": @"1/rate"}})",
       "/variables/rate/sets/rate: gives inf for rate, expected a finite number"},
      {rate_variable, R"("load": {"values": [1, 9]})",
       "study.json:6:1: /variables/load: found 9 for load, expected at most its max 5"},
      {rate_variable, R"("load": {"range": [0.1, 1]})",
       "study.json:6:1: /variables/load: found 0.1 for load, expected at least its min 0.5"},
      {R"("height": {"range": [0.4, 0.6]})", R"(@"height": {"values": [1], "sets": "rate"})",
       "/variables/height: sets parameter rate, which variable rate sets already"},
      {R"("height": {"range": [0.4, 0.6]})",
       R"(@"height": {"values": [1], "sets": ["height", "height"]})",
       "/variables/height: sets parameter height, which variable height sets already"},
      {"[0.4, 0.6]", "@[0.6, 0.4]",
       "/variables/height/range: found [0.6, 0.4], expected the lower end first"},
      {"[0.4, 0.6]", "@[0.4, 0.4]", "/variables/height/range: found [0.4, 0.4], expected"},
      {"[0.4, 0.6]", "@[0.4]", "/variables/height/range: found an array of 1, expected [lowest"},
      {counted, R"({"range": [0.1, 0.3], "count": @0})",
       "/variables/mount/count: found 0, expected a number of levels"},
      {counted, R"({"range": [0.1, 0.3], "count": @2.5})",
       "/variables/mount/count: found 2.5, expected a number of levels"},
      {counted, R"({"range": [0.1, 0.3], @"cuont": 3})",
       "/variables/mount/cuont: found \"cuont\", expected a key of a variable; did you mean"},
      {R"(["swing", "fold"])", R"(["swing", @"flod"])",
       "/variables/path/motion/1: found \"flod\", expected a motion of the study; did you mean"},
      {R"(["swing", "fold"])", R"(["swing", @"swing"])",
       "/variables/path/motion/1: motion swing is listed twice"},
      {R"(["swing", "fold"])", "@[]", "/variables/path/motion: found an array of 0, expected"},
      {R"(["swing", "fold"]})", R"(["swing"], @"sets": "load"})",
       "/variables/path/sets: a variable that selects the motion sets no parameter"},
      {R"(["swing", "fold"]})", R"(["swing"]}, @"other": {"motion": ["fold"]})",
       "/variables/other: a second variable that selects the motion"},
      {rate_variable, R"(@"status": {"values": [1], "sets": "rate"})",
       "/variables/status: the name \"status\" is taken by another column"},
  };
  for (const Mistake& mistake : table) check(mistake);
}

TEST_CASE("a wrong catalogue is refused at its place") {
  const std::string where = R"("rate < 3000 && maker != 'hard'")";
  const std::vector<Mistake> table = {
      {R"("springs.csv")", R"(@"spring.csv")",
       "/variables/spring/catalogue: file spring.csv cannot be opened"},
      {R"("springs.csv")", R"(@"empty.csv")", "/variables/spring/catalogue: the catalogue has no"},
      {where, R"(@"rate > 5000")",
       "/variables/spring/where: none of the catalogue's 4 rows meets the condition"},
      {where, R"(@"ratee > 5000")",
       "/variables/spring/where: in the expression \"ratee > 5000\" at character 1: found "
       "\"ratee\", expected a column of springs.csv; did you mean \"rate\"?"},
      {where, R"(@"maker < 3")", "/variables/spring/where: in the expression"},
      {where, R"(@"rate == 'soft'")", "/variables/spring/where: in the expression"},
      {R"("free_length", )", R"(@"free_lenght", )",
       "/variables/spring/sets/free: in the expression \"free_lenght\" at character 1: found "
       "\"free_lenght\", expected a column of springs.csv; did you mean \"free_length\"?"},
      {R"("free_length", )", R"(@"maker", )", "/variables/spring/sets/free: in the expression"},
      {R"("tension":)", R"(@"tensoin":)",
       "/variables/spring/sets/tensoin: found \"tensoin\", expected a parameter of the model"},
      {R"("tension":)", R"("load":)",
       "study.json:9:77: /variables/spring/sets/load: found 0 for load, expected at least"},
      {R"("sets": {"free": "free_length", "tension": "initial"},)", "",
       "study.json:9:11: /variables/spring: the key \"sets\" of a variable is missing"},
  };
  for (const Mistake& mistake : table) check(mistake);
}

TEST_CASE("a wrong sampling or search is refused at its place") {
  const auto instead = [](const std::string& is, const std::string& expected) {
    return Mistake{sampling_key, is, expected};
  };
  const std::vector<Mistake> table = {
      {sampling_key + ",", "", "study.json:1:1: expected \"sampling\" or \"search\""},
      instead(sampling_key + R"(, "search": @{"method": "nlopt", "algorithm": "LN_SBPLX"})",
              "/search: a study has \"sampling\" or \"search\", not both"),
      {sobol, R"({"method": @"sobbol", "count": 8})",
       "/sampling/method: found \"sobbol\", expected one of grid, sobol, latin-hypercube, random, "
       "list; did you mean \"sobol\"?"},
      {sobol, R"(@{"method": "sobol"})", "/sampling: the key \"count\" of a sampling is missing"},
      {sobol, R"({"method": "sobol", "count": @0})", "/sampling/count: found 0, expected a number"},
      {sobol, R"({"method": "random", "count": 9, "seed": @-1})", "/sampling/seed: found -1"},
      {sobol, R"({"method": "random", "count": 9, "seed": @1.5})", "/sampling/seed: found 1.5"},
      {sobol, R"({"method": "random", "count": 9, @"sede": 1})",
       "/sampling/sede: found \"sede\", expected a key of a sampling; did you mean \"seed\"?"},
      {sobol, R"({"method": "random", "count": 9, @"file": "designs.csv"})",
       "/sampling/file: \"file\" does not go with method \"random\""},
      {sobol, R"({"method": @"grid"})",
       "/sampling/method: a grid needs levels, but variable height is a continuous range"},
      {sobol, R"({"method": "grid", @"count": 9})",
       "/sampling/count: \"count\" does not go with method \"grid\""},
      {sobol, R"(@{"method": "sobol", "count": 9, "max_cases": 8})",
       "/sampling: 9 cases exceed max_cases 8"},
      {sobol, R"(@{"method": "sobol", "count": 200000000})",
       "/sampling: 200000000 cases exceed max_cases 100000000"},
      {sobol, R"({"method": "list", "file": @"design.csv"})",
       "/sampling/file: file design.csv cannot be opened"},
      {sobol, R"(@{"method": "list"})", "/sampling: the key \"file\" of a sampling is missing"},
      {sobol, R"({"method": "list", "file": "designs.csv"})",
       "designs.csv:1: no column for variable spring"},
      {sobol, R"({"method": "list", "file": "springs.csv"})",
       "springs.csv:1: found column \"maker\", expected a variable"},
      instead(R"("search": {"method": "nlopt", "algorithm": "LN_SBPLX"})",
              "study.json:6:1: /variables/rate: a search needs continuous variables"),
      instead(R"("search": {"method": @"exact-springs"})",
              "/search/method: method \"exact-springs\" is not supported yet"),
      instead(R"("search": {"method": @"nlop", "algorithm": "LN_SBPLX"})",
              "/search/method: found \"nlop\", expected one of nlopt; did you mean"),
      instead(R"("search": @{"method": "nlopt"})",
              "/search: the key \"algorithm\" of a search is missing"),
      instead(R"("search": {"method": "nlopt", "algorithm": @[]})", "/search/algorithm: found an"),
      instead(R"("search": {"method": "nlopt", "algorithm": "LN_SBPLX", "starts": @0})",
              "/search/starts: found 0, expected a number of starts"),
      instead(R"("search": {"method": "nlopt", "algorithm": "LN_SBPLX", "max_evaluations": @0})",
              "/search/max_evaluations: found 0, expected a number of evaluations"),
      instead(R"("search": {"method": "nlopt", "algorithm": "LN_SBPLX", @"count": 3})",
              "/search/count: found \"count\", expected a key of a search"),
  };
  for (const Mistake& mistake : table) check(mistake);
}

TEST_CASE("a cell of a list of designs that is no choice is refused at its place") {
  const std::string study = arm_study(
      R"("variables": {"rate": {"values": [1, 2]}, "mount": {"range": [0, 1]},
"spring": {"catalogue": "springs.csv", "sets": {"free": "free_length"}}},
"sampling": {"method": "list", "file": "designs.csv"}, )" +
      one_objective);
  const std::vector<std::pair<std::string, std::string>> table = {
      {"rate,mount,spring\n1,0,soft\n3,0,firm\n",
       "designs.csv:3: found 3, which is no value of variable rate"},
      {"rate,mount,spring\n1,1.5,soft\n", "designs.csv:2: found 1.5 for mount, expected 0 to 1"},
      {"rate,mount,spring\n1,1,sotf\n",
       "designs.csv:2: found \"sotf\", expected a choice of variable spring; did you mean "
       "\"soft\"?"},
      {"rate,mount,spring\none,1,soft\n", "designs.csv:2:1: the column \"rate\" has text here"},
      {"rate,mount,spring\n", "study.json:4:40: /sampling/file: the list has no designs"},
  };
  for (const auto& [designs, expected] : table) {
    Files files = arm_files(study);
    files["designs.csv"] = designs;
    CHECK_THROWS_WITH(study_of(files), Catch::StartsWith(expected));
  }
}

TEST_CASE("wrong objectives, constraints, baselines and metrics are refused at their place") {
  const std::vector<Mistake> table = {
      {first_objective, R"(@{"minimize": "max", "of": ["elbow"]})",
       "/objectives/0: the key \"name\" of an objective is missing"},
      {first_objective, R"({"name": @"p k", "minimize": "max", "of": ["elbow"]})",
       "/objectives/0/name: found \"p k\", expected a name"},
      {first_objective, R"({"name": "peak", "minimize": @"min", "of": ["elbow"]})",
       "/objectives/0/minimize: found \"min\", expected one of max, mean, rms, energy, peak_power"},
      {first_objective, R"(@{"name": "peak", "minimize": "max"})",
       "/objectives/0: the key \"of\" of an objective is missing"},
      {first_objective, R"({"name": "peak", "minimize": "max", "of": @[]})",
       "/objectives/0/of: found an array of 0, expected at least one actuator"},
      {first_objective, R"({"name": "peak", "minimize": "max", "of": [@"elbo"]})",
       "/objectives/0/of/0: found \"elbo\", expected an actuator; did you mean \"elbow\"?"},
      {first_objective, R"({"name": "peak", "minimize": "max", "of": ["elbow", @"elbow"]})",
       "/objectives/0/of/1: actuator elbow is listed twice"},
      {first_objective, R"({"name": "peak", @"minimize": "max", "expression": "elbow.max"})",
       "/objectives/0/minimize: \"minimize\" does not go with \"expression\""},
      {first_objective, R"({"name": "peak", "expression": @"elbow.maxx"})",
       "/objectives/0/expression: in the expression \"elbow.maxx\" at character 1: found "
       "\"elbow.maxx\", expected a parameter or a metric such as actuator.max; did you mean "
       "\"elbow.max\"?"},
      {first_objective, R"({"name": "peak", "expression": @"elbow.max < 3"})",
       "/objectives/0/expression: in the expression"},
      {first_objective, R"({"name": "peak", "expression": @"(elbow.max"})",
       "/objectives/0/expression: in the expression \"(elbow.max\" at character 11"},
      {first_objective, R"({"name": "peak", "expression": @"without_springs.lift.max_length"})",
       "/objectives/0/expression: in the expression"},
      {first_objective, R"({"name": "peak", "expression": @"mount + path"})",
       "/objectives/0/expression: in the expression \"mount + path\" at character 9"},
      {room, R"("lift.max_length")",
       "study.json:16:17: /constraints/0: found an object, expected \"min\", \"max\" or both"},
      {room, R"("lift.max_length", "max": 1, "min": 2)",
       "study.json:16:17: /constraints/0: found an object, expected min not above max"},
      {room, R"("lift.max_length", "max": @"big")", "/constraints/0/max: in the expression"},
      {room, R"(@"lift.max_lenght", "max": 1)",
       "/constraints/0/expression: in the expression \"lift.max_lenght\" at character 1"},
      {room, R"("rate", "max": 1}, @{"name": "room", "expression": "load", "max": 1)",
       "/constraints/1: a second constraint \"room\""},
      {room, R"("rate", @"maximum": 1)",
       "/constraints/0/maximum: found \"maximum\", expected a key of a constraint"},
      {R"({"rate": 150})", R"({@"rrate": 150})",
       "/baseline/rrate: found \"rrate\", expected a parameter of the model; did you mean"},
      {R"({"rate": 150})", R"({"load": @0})", "/baseline/load: found 0 for load, expected at least"},
      {R"({"rate": 150})", "@[]", "/baseline: found an array of 0, expected an object"},
      {R"("shoulder.max"])", R"(@"shoulder.maxx"])",
       "/store/1: found \"shoulder.maxx\", expected a metric such as actuator.max; did you mean"},
      {R"(["lift.max_length", "shoulder.max"])", R"(@"alll")",
       "/store: found \"alll\", expected one of all; did you mean \"all\"?"},
  };
  for (const Mistake& mistake : table) check(mistake);
  check({R"("name": "gain")", R"("name": "peak")",
         "study.json:15:31: /objectives/1/expression: the name \"peak\" is taken"});
  check({R"("name": "gain")", R"("name": "rate")",
         "study.json:15:31: /objectives/1/expression: the name \"rate\" is taken"});
}
