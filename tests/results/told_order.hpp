#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "results/rows/tie_order.hpp"

namespace counterpoise::testing {

/// A design and its objectives, as TieOrder::offer() takes them.
struct OrderedDesign {
  std::int64_t id;
  std::vector<double> values;
};

inline bool settled(const OrderedDesign& design) {
  return std::none_of(design.values.begin(), design.values.end(),
                      [](double value) { return std::isnan(value); });
}

/// The rule of TieOrder as it is told, group by group, without sorting anything; `objective`: the
/// first one that counts.
inline std::vector<std::int64_t> told(std::vector<OrderedDesign> left,
                                      const std::vector<TieTolerance>& ties,
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
    std::vector<OrderedDesign> group, others;
    for (const OrderedDesign& design : left) {
      const bool ties_with_best =
          settled(design) && design.values[objective] <= least + ties[objective].relative * size;
      (ties_with_best ? group : others).push_back(design);
    }
    for (const std::int64_t id : told(group, ties, objective + 1)) ids.push_back(id);
    left = others;
  }
  return ids;
}

}  // namespace counterpoise::testing
