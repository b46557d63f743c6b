#include "results/standing.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <limits>

#include "results/sqlite/database.hpp"
#include "tests/results/results_study.hpp"
#include "tests/results/told_order.hpp"

using namespace counterpoise;
using namespace counterpoise::testing;

namespace {

/// The cases of a motion in the order of the rule, told from the rows alone.
std::vector<std::int64_t> told_of_motion(const std::vector<CaseRow>& rows,
                                         const std::string& motion) {
  const double without_springs = motion == "squat" ? 8.0 : 16.0;  // as example_birth() says
  std::vector<OrderedDesign> designs;
  for (const CaseRow& row : rows)
    if (row.status == Status::feasible && std::get<std::string>(row.variables[0]) == motion)
      designs.push_back({row.id, row.objectives});
  const double later[] = {motion == "squat" ? 3.0 : 5.0, motion == "squat" ? 1.0 : 2.0};
  return told(designs, {{1e-6, without_springs}, {1e-6, later[0]}, {1e-6, later[1]}}, 0);
}

/// Rows whose objectives tie, nearly tie or differ.
std::vector<CaseRow> rows_with_ties(bool some_unsettled) {
  std::mt19937_64 random(45);
  std::vector<CaseRow> rows = random_rows(random, 1, 420);
  for (CaseRow& row : rows) {
    if (row.status != Status::feasible) continue;
    if (random() % 2 == 0) row.objectives[0] *= 1.0 + 4e-7 * static_cast<double>(random() % 5);
    if (random() % 3 == 0) row.objectives[0] += 1e-3 * static_cast<double>(random() % 99);
    if (!some_unsettled || random() % 9 != 0) continue;
    row.objectives[1] = row.objectives[2] = std::numeric_limits<double>::quiet_NaN();
    row.reason = unsettled_reason;
  }
  return rows;
}

}  // namespace

TEST_CASE("the place of a case, and the next that is wanted, are those of the whole order") {
  const std::string folder = fresh_folder("standing");
  enum class Kind { digested, read, unsettled };
  const Kind kind = GENERATE(Kind::digested, Kind::read, Kind::unsettled);
  const std::vector<CaseRow> rows = rows_with_ties(kind == Kind::unsettled);
  {
    Store store = Store::create(folder + "a.db", example_birth(), Existing::refuse);
    append(store, rows);
    store.finish();
  }
  const std::vector<std::int64_t> orders[] = {told_of_motion(rows, "squat"),
                                              told_of_motion(rows, "reach")};
  if (kind == Kind::read)
    Database(folder + "a.db", Database::Access::write, 0).execute("DROP TABLE digest");
  const ResultsFile results(folder + "a.db");
  REQUIRE(results.digest().has_value() == (kind == Kind::digested));
  int behind = 0, none = 0;
  for (const std::size_t room : {std::size_t{1}, std::size_t{7}, std::size_t{1} << 16})
    for (std::size_t i = 0; i < rows.size(); i += 3) {
      const CaseRow& row = rows[i];
      CAPTURE(static_cast<int>(kind), room, row.id);
      const auto wanted = [&](const CaseRow& other) {
        return other.settled() && other.variables[3] == row.variables[3];
      };
      const std::vector<std::int64_t>& order =
          orders[std::get<std::string>(row.variables[0]) == "squat" ? 0 : 1];
      const auto own =
          static_cast<std::size_t>(std::find(order.begin(), order.end(), row.id) - order.begin());
      const bool ranked = own < order.size();
      REQUIRE(ranked == (row.status == Status::feasible));
      const CasePlace place = place_of(results, row, wanted, room);
      CHECK(place.feasible == static_cast<std::int64_t>(order.size()));
      CHECK(place.rank == (ranked ? static_cast<std::int64_t>(own) + 1 : 0));
      std::size_t next = ranked ? own + 1 : 0;
      while (next < order.size() && !wanted(rows[static_cast<std::size_t>(order[next] - 1)]))
        ++next;
      REQUIRE(place.next.has_value() == (next < order.size()));
      ++(place.next ? behind : none);
      if (!place.next) continue;
      CHECK(place.next->row.id == order[next]);
      CHECK(place.next->rank == static_cast<std::int64_t>(next) + 1);
    }
  CHECK(behind > 100);
  CHECK(none > 5);
}
