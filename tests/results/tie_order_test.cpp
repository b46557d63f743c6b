#include "results/rows/tie_order.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <random>

using namespace counterpoise;

namespace {

struct Design {
  std::int64_t id;
  std::vector<double> values;
};

bool settled(const Design& design) {
  return std::none_of(design.values.begin(), design.values.end(),
                      [](double value) { return std::isnan(value); });
}

/// The rule as it is told, group by group, without sorting anything.
std::vector<std::int64_t> told(std::vector<Design> left, const std::vector<TieTolerance>& ties,
                               std::size_t objective) {
  std::vector<std::int64_t> ids;
  while (!left.empty()) {
    if (objective == ties.size()) {
      std::size_t best = 0;
      for (std::size_t i = 1; i < left.size(); ++i)
        if (left[i].values < left[best].values ||
            (left[i].values == left[best].values && left[i].id < left[best].id))
          best = i;
      ids.push_back(left[best].id);
      left.erase(left.begin() + static_cast<std::ptrdiff_t>(best));
      continue;
    }
    std::size_t first = 0;
    for (std::size_t i = 1; i < left.size(); ++i)
      if (left[i].values[objective] < left[first].values[objective] ||
          (left[i].values[objective] == left[first].values[objective] &&
           left[i].id < left[first].id))
        first = i;
    if (!settled(left[first])) {
      ids.push_back(left[first].id);
      left.erase(left.begin() + static_cast<std::ptrdiff_t>(first));
      continue;
    }
    const double least = left[first].values[objective];
    const double size = std::max(std::abs(least), 1e-6 * std::abs(ties[objective].without_springs));
    std::vector<Design> group, others;
    for (const Design& design : left) {
      const bool ties_with_best =
          settled(design) && design.values[objective] <= least + ties[objective].relative * size;
      (ties_with_best ? group : others).push_back(design);
    }
    for (const std::int64_t id : told(group, ties, objective + 1)) ids.push_back(id);
    left = others;
  }
  return ids;
}

bool dominates(const Design& a, const Design& b) {
  if (!settled(a) || !settled(b)) return false;
  for (std::size_t k = 0; k < a.values.size(); ++k)
    if (a.values[k] > b.values[k]) return false;
  return a.values != b.values;
}

/// Values that are the same, tie, nearly tie or differ, of either sign.
std::vector<Design> random_designs(std::mt19937_64& random, std::size_t count,
                                   std::size_t objectives) {
  std::uniform_int_distribution<int> coarse(-2, 3), fine(0, 4);
  std::vector<Design> designs;
  for (std::size_t i = 0; i < count; ++i) {
    Design& design = designs.emplace_back();
    design.id = static_cast<std::int64_t>(i) + 1;
    for (std::size_t k = 0; k < objectives; ++k)
      design.values.push_back(coarse(random) * (1.0 + 4e-7 * fine(random)));
  }
  std::shuffle(designs.begin(), designs.end(), random);
  return designs;
}

}  // namespace

TEST_CASE("designs come in the order of the rule, and none before one that dominates it") {
  std::mt19937_64 random(20261122);
  int tied = 0, later = 0;
  for (int trial = 0; trial < 400; ++trial) {
    const std::size_t objectives = 1 + static_cast<std::size_t>(trial) % 3;
    std::vector<TieTolerance> ties(objectives);
    for (TieTolerance& tie : ties) {
      tie.relative = trial % 5 == 0 ? 0.0 : 1e-6;
      tie.without_springs = trial % 7 == 0 ? 1e6 : 0.0;
    }
    std::vector<Design> designs =
        random_designs(random, 1 + static_cast<std::size_t>(trial) % 60, objectives);
    for (std::size_t i = 0; trial % 4 == 1 && i < designs.size(); i += 3)
      for (std::size_t k = 1; k < objectives; ++k)
        designs[i].values[k] = std::numeric_limits<double>::quiet_NaN();
    const std::size_t top = static_cast<std::size_t>(trial) % 9;
    TieOrder all(ties, std::nullopt), first(ties, top);
    for (const Design& design : designs) {
      all.offer(design.id, design.values);
      first.offer(design.id, design.values);
    }
    const std::vector<std::int64_t> expected = told(designs, ties, 0);
    CAPTURE(trial);
    REQUIRE(all.best_first() == expected);
    const std::size_t wanted = std::min(top, expected.size());
    CHECK(first.best_first() ==
          std::vector<std::int64_t>(expected.begin(),
                                    expected.begin() + static_cast<std::ptrdiff_t>(wanted)));
    const auto design_of = [&](std::int64_t id) {
      return *std::find_if(designs.begin(), designs.end(),
                           [id](const Design& design) { return design.id == id; });
    };
    const Design best = design_of(expected.front());
    for (const Design& design : designs) CHECK(!dominates(design, best));
    for (std::size_t i = 0; i + 1 < expected.size(); ++i)
      CHECK(!dominates(design_of(expected[i + 1]), design_of(expected[i])));
    tied += all.decision().tied > 1 ? 1 : 0;
    later += all.decision().later ? 1 : 0;
  }
  CHECK(tied > 100);
  CHECK(later > 30);
}

TEST_CASE("the head of very many designs is that of all, and few are kept") {
  std::mt19937_64 random(5);
  const std::vector<TieTolerance> ties(2);
  const std::vector<Design> designs = random_designs(random, 60000, 2);
  std::uniform_real_distribution<double> spread(1.0, 2.0);
  TieOrder all(ties, std::nullopt), first(ties, 25);
  for (const Design& design : designs) {
    const std::vector<double> values = {design.values[0] * spread(random), design.values[1]};
    all.offer(design.id, values);
    first.offer(design.id, values);
  }
  std::vector<std::int64_t> head = all.best_first();
  head.resize(25);
  CHECK(first.best_first() == head);
}

TEST_CASE("what decided among designs that tie is told") {
  const std::vector<TieTolerance> ties(2);
  const auto decide = [&](const std::vector<std::vector<double>>& values) {
    TieOrder order(ties, std::nullopt);
    for (std::size_t i = 0; i < values.size(); ++i)
      order.offer(static_cast<std::int64_t>(i), values[i]);
    CHECK(order.best_first().size() == values.size());
    return order.decision();
  };
  CHECK(decide({{1.0, 2.0}, {2.0, 1.0}}).tied == 1);
  const TieOrder::Decision later = decide({{1.0, 2.0}, {1.0 + 5e-7, 1.0}, {3.0, 0.0}});
  CHECK(later.tied == 2);
  CHECK(later.later == std::size_t{1});
  const TieOrder::Decision compared = decide({{1.0, 2.0}, {1.0, 2.0 + 1e-7}});
  CHECK(compared.tied == 2);
  CHECK(!compared.later);
  CHECK(compared.compared);
  CHECK(!decide({{1.0, 2.0}, {1.0, 2.0}}).compared);
}
