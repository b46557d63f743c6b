#pragma once

#include <optional>

#include "studies/exact/problem/problem_writer.hpp"

namespace counterpoise {

/// The gain of springs made to order over the best ones from stock.
struct StockPrice {
  /// The optimum with one variable's springs made to order (see CustomSpring) and the others as
  /// chosen; one per StockGroup. It has no value where a variable sets several laws at once.
  std::vector<std::optional<double>> one;
  std::optional<double> all;  // with all of them made to order
};

/// `best`: the combination chosen at the geometry of `written`. A spring made to order is never
/// worse than the row it stands for.
StockPrice price_of_stock(const WrittenProblem& written, const Combination& best,
                          const Interruption& interrupted = {});

}  // namespace counterpoise
