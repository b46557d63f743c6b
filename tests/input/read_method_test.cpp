#include "tests/input/study_mistakes.hpp"

using namespace counterpoise;
using namespace counterpoise::test;

namespace {

const std::string sobol = R"({"method": "sobol", "count": 8, "seed": 1})";
const std::string sampling_key = R"("sampling": )" + sobol;
const std::string first_objective =
    R"({"name": "peak", "minimize": "max", "of": ["shoulder", "elbow"]})";
const std::string room = R"("lift.max_length", "max": 0.9)";

}  // namespace

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
      instead(R"("search": {"method": "exact-springs", @"starts": 3})",
              "/search/starts: \"starts\" is for a search over geometry"),
      instead(R"("search": {"method": "exact-springs", "within_percent": @-1})",
              "/search/within_percent: found -1, expected a percentage from 0 to 1000"),
      instead(R"("search": {"method": "nlopt", "algorithm": "LN_SBPLX", @"max_cases": 3})",
              "/search/max_cases: \"max_cases\" goes with method \"exact-springs\" alone"),
      instead(R"("search": {"method": "nlopt", "algorithm": "LN_SBPLX",
                "settings": {"tolerance": @0}})",
              "/search/settings/tolerance: found 0, expected a part of the ranges above 0"),
      instead(R"("search": {"method": "nlopt", "algorithm": "LN_SBPLX",
                "settings": {@"popuation": 9}})",
              "/search/settings/popuation: found \"popuation\""),
      instead(R"("search": {"method": @"nlop", "algorithm": "LN_SBPLX"})",
              "/search/method: found \"nlop\", expected one of nlopt, exact-springs; did you mean"),
      instead(R"("search": @{"starts": 2})", "/search: the key \"method\" of a search is missing"),
      instead(R"("search": {"method": "nlopt", "algorithm": @[]})", "/search/algorithm: found an"),
      instead(
          R"("search": {"method": "nlopt", "algorithm": "LN_SBPLX", "starts": @0})",
          "/search/starts: found 0, expected a number of starts, a whole number from 1 to 100000"),
      instead(R"("search": {"method": "nlopt", "algorithm": "LN_SBPLX", "max_evaluations": @0})",
              "/search/max_evaluations: found 0, expected a number of evaluations, a whole number "
              "from 1 to "
              "100000000"),
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
      {"rate,mount,spring\n", "study.json:3:40: /sampling/file: the list has no designs"},
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
       "/objectives/0/expression: in the expression \"(elbow.max\" at character 1: this"},
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
      {R"({"rate": 150})", R"({"load": @0})",
       "/baseline/load: found 0 for load, expected at least"},
      {R"({"rate": 150})", "@[]", "/baseline: found an array of 0, expected an object"},
      {R"("shoulder.max"])", R"(@"shoulder.maxx"])",
       "/store/1: found \"shoulder.maxx\", expected a metric such as actuator.max; did you mean"},
      {R"(["lift.max_length", "shoulder.max"])", R"(@"alll")",
       "/store: found \"alll\", expected one of all; did you mean \"all\"?"},
  };
  for (const Mistake& mistake : table) check(mistake);
}

TEST_CASE("two columns of the results by one name are refused") {
  for (const std::string name : {"peak", "rate", "id", "reason"})
    CHECK_THROWS_WITH(
        study_of(arm_files(with(good_study, R"("name": "gain")", R"("name": ")" + name + "\""))),
        Catch::StartsWith("study.json:15:") &&
            Catch::Contains("the name \"" + name + "\" is taken by another column"));
}
