#pragma once

#include <array>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "results/keeping/column_totals.hpp"
#include "results/rows/row_batch.hpp"

namespace counterpoise {

/// What a reason says up to its numbers.
std::string kind_of_reason(std::string_view reason);

/// What all cases of a study come to, stored or not. Does not depend on the order in which cases or
/// parts of the study are added.
struct Totals {
  explicit Totals(const StoreLayout& layout)
      : columns(layout.metrics.size() + layout.objectives.size()) {}

  /// Cost: some tens of nanoseconds for each metric and objective of a feasible case.
  void add(const RowBatch& batch, std::size_t row);
  void add(const Totals& other);

  [[nodiscard]] std::int64_t count(Status status) const {
    return statuses[static_cast<std::size_t>(status)];
  }
  [[nodiscard]] std::int64_t cases() const { return statuses[0] + statuses[1] + statuses[2]; }

  std::array<std::int64_t, 3> statuses{};  // cases of each Status
  std::vector<ColumnTotals> columns;       // metrics, then objectives, over the feasible cases
  std::map<std::pair<std::int64_t, std::int64_t>, std::int64_t> failures;  // by kind and `of`
  std::map<std::string, std::int64_t> in_words;  // failures told in words only, by kind_of_reason()
};

}  // namespace counterpoise
