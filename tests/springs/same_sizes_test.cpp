#include <catch2/catch.hpp>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <random>

#include "input/reading/read.hpp"
#include "input/text/json_document.hpp"
#include "springs/problem/exact_goals.hpp"
#include "springs/problem/spring_sizer.hpp"
#include "springs/proof/certificate_text.hpp"

using namespace counterpoise;

namespace {

/// CHARMIE's mounts, at which springs are sized for five objectives in turn.
struct Charmie {
  const Study study =
      read_study(std::filesystem::path(COUNTERPOISE_SOURCE_DIR) / "examples/charmie24/best.json",
                 read_text_file);
  const SpringRoles roles = find_spring_roles(study);
  const SizingGoal goal = ExactGoals(study).corner_goal(0);

  [[nodiscard]] SizingGoal first_only() const {
    SizingGoal first = goal;
    first.then.clear();
    return first;
  }
  [[nodiscard]] SpringSizer sizer() const {
    SpringSizer made(study, roles);
    made.set_baselines(std::make_shared<const Baselines>(made.evaluator().evaluate_baselines()));
    return made;
  }
  [[nodiscard]] std::vector<double> geometry(std::mt19937& random) const {
    std::vector<double> outer;
    for (const int v : roles.outer) {
      const Variable& variable = study.variables[v];
      const double share = static_cast<double>(random()) / 4294967296.0;
      outer.push_back(variable.low + share * (variable.high - variable.low));
    }
    return outer;
  }
};

/// The bits of all that is stored of a case, and its certificate.
std::string stored(const Charmie& charmie, const SpringSizer& sizer, const SizingGoal& goal,
                   const SizedCase& sized) {
  std::string bits = sized.outcome.reason;
  const auto add = [&](const std::vector<double>& numbers) {
    const std::size_t from = bits.size();
    bits.resize(from + numbers.size() * sizeof(double));
    if (!numbers.empty())
      std::memcpy(bits.data() + from, numbers.data(), numbers.size() * sizeof(double));
  };
  add(sized.point);
  add(sized.outcome.objectives);
  ConvexSolution solution = sized.solution;
  if (sized.solved) bits += certificate_text(charmie.study, sizer.written(), goal, solution);
  return bits;
}

}  // namespace

TEST_CASE("springs of a geometry are the same bits, whatever was sized before and in which steps") {
  const Charmie charmie;
  const SizingGoal first = charmie.first_only();
  REQUIRE(charmie.goal.then.size() == 4);
  std::mt19937 random(5);
  std::vector<std::vector<double>> geometries;
  for (int i = 0; i < 24; ++i) geometries.push_back(charmie.geometry(random));

  std::vector<std::string> cold, cold_first;
  for (const std::vector<double>& outer : geometries) {
    SizedCase sized;
    SpringSizer fresh = charmie.sizer();
    fresh.size(outer, charmie.goal, sized);
    cold.push_back(stored(charmie, fresh, charmie.goal, sized));
    SpringSizer another = charmie.sizer();
    another.size(outer, first, sized);
    cold_first.push_back(stored(charmie, another, first, sized));
  }
  SpringSizer warm = charmie.sizer();
  SizedCase sized;
  int settled = 0;
  for (int i = 0; i < 100; ++i) {
    const std::size_t g = random() % geometries.size();
    CAPTURE(i, g);
    warm.size(geometries[g], first, sized);
    CHECK(stored(charmie, warm, first, sized) == cold_first[g]);
    if (!sized.solved || random() % 2 == 0) continue;
    warm.settle(geometries[g], charmie.goal, sized);
    CHECK(stored(charmie, warm, charmie.goal, sized) == cold[g]);
    ++settled;
  }
  CHECK(settled > 20);
}

TEST_CASE("settling gives up nothing of the first objective and lessens the next") {
  const Charmie charmie;
  std::mt19937 random(6);
  SpringSizer sizer = charmie.sizer();
  int gained = 0;
  for (int i = 0; i < 60; ++i) {
    CAPTURE(i);
    const std::vector<double> outer = charmie.geometry(random);
    SizedCase sized;
    sizer.size(outer, charmie.first_only(), sized);
    if (!sized.solved) continue;
    const std::vector<double> before = sized.outcome.objectives;
    sizer.settle(outer, charmie.goal, sized);
    CHECK(sized.outcome.objectives[0] <= before[0] * (1.0 + 2e-10));
    CHECK(sized.outcome.objectives[1] <= before[1] * (1.0 + 1e-9));
    for (std::size_t o = 1; o < before.size(); ++o)
      if (sized.outcome.objectives[o] < (1.0 - 1e-6) * before[o]) ++gained;
  }
  CHECK(gained > 5);
}
