#include "results/keeping/selection.hpp"

#include <fmt/format.h>

#include <stdexcept>

namespace counterpoise {

bool Selection::restore(const RowBatch& batch, std::size_t row) {
  kept_.offer(batch, row);
  return kept_.contains(batch.id(row)) && evaluated_.contains(batch.id(row));
}

void Selection::take(const RowBatch& batch, std::size_t row) {
  const std::int64_t id = batch.id(row);
  if (evaluated_.contains(id)) throw std::logic_error(fmt::format("case {} stands there", id));
  evaluated_.insert(id);
  totals_.add(batch, row);
  kept_.offer(batch, row);
}

void Selection::take_totals(const Totals& totals, const IdSet& evaluated) {
  totals_.add(totals);
  for (const auto& [first, last] : evaluated.ranges()) evaluated_.insert(first, last);
}

}  // namespace counterpoise
