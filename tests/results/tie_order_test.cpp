#include "results/rows/tie_order.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <random>

#include "results/rows/order_window.hpp"
#include "tests/results/told_order.hpp"

using namespace counterpoise;
using namespace counterpoise::testing;

namespace {

using Design = OrderedDesign;

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

TEST_CASE("a window of the order has the places of the rule, and says where it cannot tell") {
  std::mt19937_64 random(20261130);
  int cut = 0, open = 0, untold = 0;
  for (int trial = 0; trial < 300; ++trial) {
    const std::size_t objectives = 1 + static_cast<std::size_t>(trial) % 3;
    std::vector<TieTolerance> ties(objectives);
    ties.front().relative = trial % 5 == 0 ? 0.0 : trial % 5 == 1 ? 0.02 : 1e-6;
    std::vector<Design> designs =
        random_designs(random, 1 + static_cast<std::size_t>(trial) % 90, objectives);
    std::uniform_real_distribution<double> spread(0.9, 1.1);
    for (Design& design : designs)
      if (trial % 2 == 0) design.values[0] *= spread(random);
    for (std::size_t i = 0; trial % 4 == 1 && i < designs.size(); i += 3)
      for (std::size_t k = 1; k < objectives; ++k)
        designs[i].values[k] = std::numeric_limits<double>::quiet_NaN();
    const std::vector<std::int64_t> expected = told(designs, ties, 0);
    CAPTURE(trial);
    for (std::size_t own = 0; own <= designs.size(); own += 7) {
      const bool beginning = own == designs.size();
      const double around =
          beginning ? -std::numeric_limits<double>::infinity() : designs[own].values.front();
      const std::size_t room = 1 + static_cast<std::size_t>(trial) % 11;
      OrderWindow window(ties, around, room);
      for (const Design& design : designs) window.offer(design.id, design.values);
      const auto part = window.part();
      if (!part) {
        ++untold;
        continue;
      }
      const auto before = static_cast<std::size_t>(part->before);
      REQUIRE(before + part->ids.size() <= expected.size());
      const auto first = expected.begin() + part->before;
      CHECK(std::equal(part->ids.begin(), part->ids.end(), first));
      CHECK(part->to_end == (before + part->ids.size() == expected.size()));
      if (beginning) CHECK(before == 0);
      const bool held = std::find(part->ids.begin(), part->ids.end(),
                                  beginning ? 0 : designs[own].id) != part->ids.end();
      if (part->to_end && !beginning) CHECK(held);
      cut += held && before > 0 ? 1 : 0;
      open += part->to_end ? 0 : 1;
    }
  }
  CHECK(cut > 100);
  CHECK(open > 100);
  CHECK(untold > 10);
}
