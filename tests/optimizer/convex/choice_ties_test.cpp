#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>
#include <thread>

#include "optimizer/convex/choice/choice_check.hpp"
#include "optimizer/convex/choice/choose.hpp"
#include "tests/optimizer/convex/problems.hpp"
#include "tests/support/trials.hpp"

using namespace counterpoise;
using namespace counterpoise::testing;

namespace {

/// The largest of some loads: each is c + sum of a x + b y over the groups it reads, of two numbers
/// each.
struct Loads {
  ChoiceProblem problem;

  Loads(std::mt19937& random, int groups, int options) {
    for (int g = 0; g < groups; ++g) {
      ChoiceGroup& group = problem.groups.emplace_back();
      for (int i = 0; i < 2; ++i) {
        group.unknowns.push_back(2 * g + i);
        problem.convex.lower.push_back(0.0);
        problem.convex.upper.push_back(0.0);
      }
      for (int o = 0; o < options; ++o)
        group.options.push_back({uniform(random, 0.0, 5.0), uniform(random, -4.0, 4.0)});
    }
  }

  void add(std::mt19937& random, const std::vector<int>& reads, double constant, double slope) {
    AffineSeries& series = problem.convex.series.emplace_back();
    constexpr int samples = 6;
    for (int k = 0; k < samples; ++k)
      series.constant.push_back(constant * uniform(random, 0.9, 1.1));
    for (const int g : reads)
      for (int i = 0; i < 2; ++i) {
        series.columns.push_back({2 * g + i, {}});
        for (int k = 0; k < samples; ++k)
          series.columns.back().coefficients.push_back(
              slope * (i == 0 ? uniform(random, -1.2, -0.8) : uniform(random, -0.3, 0.3)));
      }
    const int norm = static_cast<int>(problem.convex.norms.size());
    problem.convex.norms.push_back({NormKind::max, {{norm, {}}}});
    problem.convex.objective.push_back({0.0, {{norm, 1.0}}, {}});
  }

  /// By loops of its own.
  [[nodiscard]] double value(std::size_t load, const std::vector<int>& options) const {
    const AffineSeries& series = problem.convex.series[load];
    double largest = 0.0;
    for (std::size_t k = 0; k < series.constant.size(); ++k) {
      double sum = series.constant[k];
      for (const AffineSeries::Column& column : series.columns) {
        const auto g = static_cast<std::size_t>(column.variable / 2);
        sum += column.coefficients[k] * problem.groups[g].options[options[g]][column.variable % 2];
      }
      largest = std::max(largest, std::abs(sum));
    }
    return largest;
  }
  [[nodiscard]] double value(const std::vector<int>& options) const {
    double largest = 0.0;
    for (std::size_t load = 0; load < problem.convex.series.size(); ++load)
      largest = std::max(largest, value(load, options));
    return largest;
  }
};

/// Goes through all combinations of so many groups in the order of their options until `meet`
/// returns false.
template <class Meet>
void for_all(int groups, int options, const Meet& meet) {
  std::vector<int> at(static_cast<std::size_t>(groups), 0);
  while (meet(at)) {
    std::size_t g = at.size();
    while (g > 0 && ++at[g - 1] == options) at[--g] = 0;
    if (g == 0) return;
  }
}

/// What trying each combination finds.
struct Tried {
  double best = infinity;
  std::int64_t ties = 0;
  std::vector<int> first;

  explicit Tried(const Loads& loads) {
    const auto groups = static_cast<int>(loads.problem.groups.size());
    const auto each = static_cast<int>(loads.problem.groups.front().options.size());
    std::vector<double> values;
    for_all(groups, each, [&](const std::vector<int>& options) {
      values.push_back(loads.value(options));
      return true;
    });
    best = *std::min_element(values.begin(), values.end());
    std::size_t at = 0;
    for_all(groups, each, [&](const std::vector<int>& options) {
      if (values[at++] > best + 1e-9 * best) return true;
      if (ties++ == 0) first = options;
      return true;
    });
  }
};

/// A chain: load l reads group l and all behind it, and the last ones are the largest.
Loads chain(std::mt19937& random, int groups, int options) {
  Loads loads(random, groups, options);
  for (int load = 0; load < groups; ++load) {
    std::vector<int> reads;
    for (int g = load; g < groups; ++g) reads.push_back(g);
    loads.add(random, reads, load + 2 >= groups ? 8.0 : uniform(random, 1.0, 5.0),
              load + 2 >= groups ? 1.0 : 0.25);
  }
  return loads;
}

/// Claims the best value, one above, and one below. Counts ties until they are more than `enough`.
ChoiceCheck::Count check_of(const Loads& loads, const ChoiceSolution& solution, double best,
                            std::int64_t enough) {
  ChoiceCheck::Count at_best;
  for (const double claimed : {best, (1.0 + 1e-8) * best, (1.0 - 1e-8) * best}) {
    ChoiceCheck check(loads.problem.convex, loads.problem.groups, solution.relaxed.certificate,
                      claimed, claimed);
    const ChoiceCheck::Count checked = check.run({}, {}, claimed == best ? enough : 0);
    CHECK(checked.beaten == (claimed > best));
    CHECK(checked.combinations == solution.combinations);
    if (claimed == best) at_best = checked;
  }
  return at_best;
}

}  // namespace

TEST_CASE("ties that are too many to be listed are counted, and the first of them is found") {
  std::mt19937 random(31);
  std::int64_t longest = 0, listed = 0;
  for (int number = 0; number < test::trials(12); ++number) {
    const Loads loads = chain(random, 5, 12);
    const Tried tried(loads);
    const ChoiceSolution solution = choose(loads.problem);
    CAPTURE(number, tried.ties);
    REQUIRE_FALSE(solution.best.empty());
    CHECK(solution.best.front().value == Approx(tried.best).epsilon(1e-9));
    CHECK(solution.best.front().options == tried.first);
    CHECK(solution.near == tried.ties);
    CHECK(solution.left == 0);
    CHECK(solution.evaluated + solution.excluded == solution.combinations);
    CHECK(check_of(loads, solution, tried.best, tried.ties).near == tried.ties);
    longest = std::max(longest, tried.ties);
    listed += solution.truncated ? 0 : 1;
  }
  CHECK(longest > 20'000);
  CHECK(listed > 0);
}

TEST_CASE("of more ties than are looked at the first is found all the same") {
  std::mt19937 random(7);
  Loads loads(random, 8, 24);
  for (int g = 2; g < 6; g += 2) loads.problem.groups[g].options[0] = {60.0, 0.0};
  loads.add(random, {6, 7}, 8.0, 1.0);
  loads.add(random, {0, 1, 2, 3, 4, 5, 6}, 4.0, 0.2);
  double best = infinity;
  std::vector<int> first(8, 0);
  for (int a = 0; a < 24; ++a)
    for (int b = 0; b < 24; ++b) {
      const double value = loads.value(0, {0, 0, 0, 0, 0, 0, a, b});
      if (!(value < best)) continue;
      best = value;
      first[6] = a;
      first[7] = b;
    }
  for_all(6, 24, [&](const std::vector<int>& options) {
    std::copy(options.begin(), options.end(), first.begin());
    return loads.value(1, first) > best;
  });
  REQUIRE(std::any_of(first.begin(), first.begin() + 6, [](int option) { return option > 0; }));
  ChoiceOptions options;
  options.count = 5'000;
  const ChoiceSolution solution = choose(loads.problem, options);
  REQUIRE(solution.best.size() == 1);
  CHECK(solution.best.front().options == first);
  CHECK(solution.best.front().value == Approx(best).epsilon(1e-12));
  CHECK(solution.truncated);
  CHECK(solution.near > 5'000);
  CHECK(solution.left > 0);
  CHECK(solution.evaluated + solution.excluded + solution.left == solution.combinations);
  CHECK(check_of(loads, solution, best, 1000).near == 1001);

  options.within = 1e-6;
  options.keep = 50;
  const ChoiceSolution more = choose(loads.problem, options);
  REQUIRE(more.best.size() == 50);
  CHECK(more.best.front().options == first);
  CHECK(more.best.back().value == Approx(best).epsilon(1e-12));
  CHECK(more.left > 0);
}

TEST_CASE("a search on any threads, in any order, is the search on one") {
  std::mt19937 random(5);
  std::size_t most = 0;
  for (int number = 0; number < test::trials(6); ++number) {
    const Loads loads = chain(random, 6, 20);
    const ChoiceSolution expected = choose(loads.problem);
    ChoiceOptions options;
    options.each = [&](std::size_t count, const std::function<void(std::size_t)>& body) {
      most = std::max(most, count);
      const std::size_t threads = 3;
      std::vector<std::thread> running;
      for (std::size_t t = 0; t < threads; ++t)
        running.emplace_back([&, t] {
          for (std::size_t i = count; i-- > 0;)
            if (i % threads == t) body(i);
        });
      for (std::thread& thread : running) thread.join();
    };
    const ChoiceSolution found = choose(loads.problem, options);
    CAPTURE(number);
    REQUIRE(found.best.size() == expected.best.size());
    for (std::size_t i = 0; i < found.best.size(); ++i) {
      CHECK(found.best[i].options == expected.best[i].options);
      CHECK(found.best[i].value == expected.best[i].value);
    }
    CHECK(found.near == expected.near);
    CHECK(found.evaluated == expected.evaluated);
    CHECK(found.excluded == expected.excluded);
    CHECK(found.left == expected.left);
  }
  CHECK(most > 1);
}
