#include "tests/input/study_mistakes.hpp"

using namespace counterpoise;
using namespace counterpoise::test;

namespace {

const std::string rate_variable = R"("rate": {"values": [100, 200]})";

}  // namespace

TEST_CASE("the study the mistakes are made in is right") {
  CHECK_NOTHROW(study_of(arm_files(good_study)));
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
      {R"("model.json")", R"("broken.json")", "broken.json:1:46: /bodies: found 3, expected"},
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
  check({R"("motions": {"swing": "swing.json",
"fold": {"file": "fold.json", "weight": 2, "parameters": {"load": 1}}},)",
         "\"motions\": @{},", "/motions: found an object, expected at least one motion"});
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
      {"[0.4, 0.6]", "@[-1e308, 1e308]",
       "/variables/height/range: found [-1e+308, 1e+308], which is wider than the largest number"},
      {"[0.4, 0.6]", "@[0.4]", "/variables/height/range: found an array of 1, expected [lowest"},
      {counted, R"({"range": [0.1, 0.3], "count": @0})",
       "/variables/mount/count: found 0, expected a number of levels"},
      {counted, R"({"range": [0.1, 0.3], "count": @2.5})",
       "/variables/mount/count: found 2.5, expected a number of levels, a whole number from 1 to "
       "10000000"},
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
      {where, R"(@"rate > 5000")",
       "/variables/spring/where: none of the catalogue's 4 rows meets the condition"},
      {where, R"(@"ratee > 5000")",
       "/variables/spring/where: in the expression \"ratee > 5000\" at character 1: found "
       "\"ratee\", expected a column of springs.csv; did you mean \"rate\"?"},
      {where, R"("maker < 3")",
       "springs.csv:2:1: found \"soft\", expected a number of the column \"maker\" for "
       "\"maker < 3\" (study.json:"},
      {where, R"(@"rate == 'soft'")", "/variables/spring/where: in the expression"},
      {R"("free_length", )", R"(@"free_lenght", )",
       "/variables/spring/sets/free: in the expression \"free_lenght\" at character 1: found "
       "\"free_lenght\", expected a column of springs.csv; did you mean \"free_length\"?"},
      {R"("free_length", )", R"("maker", )",
       "springs.csv:2:1: found \"soft\", expected a number of the column \"maker\" for \"maker\" "
       "(study.json:"},
      {R"("tension":)", R"(@"tensoin":)",
       "/variables/spring/sets/tensoin: found \"tensoin\", expected a parameter of the model"},
      {R"("tension": "initial")", R"("load": "initial")",
       "springs.csv:2:13: column \"initial\" holds \"0\": found 0 for load, expected at least its "
       "min 0.5 (study.json:9:80: /variables/spring/sets/load)"},
      {R"("sets": {"free": "free_length", "tension": "initial"},)", "",
       "study.json:9:11: /variables/spring: the key \"sets\" of a variable is missing"},
  };
  for (const Mistake& mistake : table) check(mistake);
}

TEST_CASE("a catalogue without rows is refused where it is named") {
  Files files = arm_files(arm_study(R"("variables": {"spring": {
"catalogue": "springs.csv", "sets": {"rate": "rate"}}}, "sampling": {"method": "grid"}, )" +
                                    one_objective));
  files["springs.csv"] = "maker,rate\n";
  CHECK_THROWS_WITH(study_of(files),
                    "study.json:2:14: /variables/spring/catalogue: the catalogue has no rows");
}
