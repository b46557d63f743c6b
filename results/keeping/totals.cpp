#include "results/keeping/totals.hpp"

#include <algorithm>

namespace counterpoise {

std::string kind_of_reason(std::string_view reason) {
  return std::string(
      reason.substr(0, std::min(reason.find(" ("), reason.find_first_of("0123456789"))));
}

void Totals::add(const RowBatch& batch, std::size_t row) {
  ++statuses[static_cast<std::size_t>(batch.status(row))];
  if (const FailureRow* failure = batch.failure(row)) {
    if (failure->kind == told_in_words)
      ++in_words[kind_of_reason(batch.reason(row))];
    else
      ++failures[{failure->kind, failure->of}];
  }
  if (batch.status(row) != Status::feasible) return;
  const std::span<const double> numbers = batch.numbers(row).last(columns.size());
  for (std::size_t i = 0; i < columns.size(); ++i) columns[i].add(numbers[i], batch.id(row));
}

void Totals::add(const Totals& other) {
  for (std::size_t i = 0; i < statuses.size(); ++i) statuses[i] += other.statuses[i];
  for (std::size_t i = 0; i < columns.size(); ++i) columns[i].add(other.columns[i]);
  for (const auto& [key, count] : other.failures) failures[key] += count;
  for (const auto& [words, count] : other.in_words) in_words[words] += count;
}

}  // namespace counterpoise
