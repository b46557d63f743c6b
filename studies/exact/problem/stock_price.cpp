#include "studies/exact/problem/stock_price.hpp"

#include <algorithm>
#include <cmath>

#include "optimizer/convex/solve.hpp"

namespace counterpoise {
namespace {

/// Frees the springs of a group within the ranges of springs made to order.
void free_springs(const CustomSpring& custom, ConvexProblem& problem) {
  const int rate = custom.unknown, offset = custom.unknown + 1;
  const auto at = static_cast<std::size_t>(rate);
  double free_high = std::min(custom.free_length[1], custom.most_free);
  if (custom.coils_close) free_high = std::min(free_high, custom.shortest);
  const double free_low = std::min(std::max(custom.free_length[0], custom.least_free), free_high);
  problem.lower[at] = custom.rate[0];
  problem.upper[at] = custom.rate[1];
  // a free angle may be negative
  problem.lower[at + 1] =
      custom.initial_tension[0] - std::max(custom.rate[0] * free_high, custom.rate[1] * free_high);
  problem.upper[at + 1] =
      custom.initial_tension[1] - std::min(custom.rate[0] * free_low, custom.rate[1] * free_low);
  // offset = initial tension - rate * free length, for some of either
  problem.limits.push_back(
      {{0.0, {}, {{offset, -1.0}, {rate, -free_high}}}, -custom.initial_tension[0]});
  problem.limits.push_back(
      {{0.0, {}, {{offset, 1.0}, {rate, free_low}}}, custom.initial_tension[1]});
  for (const CustomSpring::Sense& sense : custom.senses)
    problem.limits.push_back(
        {{0.0, {}, {{offset, -sense.sign}, {rate, -sense.sign * sense.length}}}, 0.0});
  if (std::isinf(custom.max_load)) return;
  for (const double length : {custom.shortest, custom.longest})
    for (const double sign : {1.0, -1.0})
      problem.limits.push_back(
          {{0.0, {}, {{offset, sign}, {rate, sign * length}}}, custom.max_load});
}

}  // namespace

StockPrice price_of_stock(const WrittenProblem& written, const Combination& best,
                          const Interruption& interrupted) {
  const ConvexOptions options{.interruption = interrupted};
  ConvexProblem chosen = written.problem;
  for (const ChoiceGroup& group : written.stock.options)
    for (const int unknown : group.unknowns) {
      const auto at = static_cast<std::size_t>(unknown);
      chosen.lower[at] = chosen.upper[at] = best.x[at];
    }
  const auto optimum = [&](const ConvexProblem& problem) {
    const ConvexSolution solved = solve(problem, options);
    // rounding, or a catalogue row at the very end of what could be made
    return solved.x.empty() ? best.value : std::min(solved.value, best.value);
  };
  StockPrice price;
  ConvexProblem all_free = chosen;
  bool all = true;
  for (const StockGroup& group : written.stock.groups) {
    if (group.custom.unknown < 0) {
      price.one.emplace_back();
      all = false;
      continue;
    }
    ConvexProblem one_free = chosen;
    free_springs(group.custom, one_free);
    free_springs(group.custom, all_free);
    price.one.emplace_back(optimum(one_free));
  }
  if (all) price.all = optimum(all_free);
  return price;
}

}  // namespace counterpoise
