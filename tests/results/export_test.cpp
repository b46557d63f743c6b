#include "results/export.hpp"

#include <catch2/catch.hpp>

#include "tests/results/results_study.hpp"

using namespace counterpoise;
using namespace counterpoise::testing;

TEST_CASE("an export has a line per case, by id, as the table has it") {
  const std::string folder = fresh_folder("export_all");
  const std::vector<CaseRow> rows{{2,
                                   Status::infeasible,
                                   "too short, by far",
                                   {std::string("reach"), 0.25, std::string("b"), std::int64_t{2}},
                                   {},
                                   {}},
                                  {1,
                                   Status::feasible,
                                   "",
                                   {std::string("squat"), 0.1, std::string("a"), std::int64_t{1}},
                                   {1.5, 1e-7},
                                   {1.0, 2.0, 3.0}}};
  append(Store::create(folder + "a.db", example_birth(), Existing::refuse), rows);
  export_cases(ResultsFile(folder + "a.db"), folder + "a.csv");
  CHECK(text_of(folder + "a.csv") ==
        "id,status,reason,motion,radius,spring,spring.row,lift.max,lift.mean,peak,average,power\n"
        "1,feasible,,squat,0.1,a,1,1.5,1e-07,1,2,3\n"
        "2,infeasible,\"too short, by far\",reach,0.25,b,2,,,,,\n");
}
