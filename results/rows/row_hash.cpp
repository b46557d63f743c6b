#include "results/rows/row_hash.hpp"

#include <xxhash.h>

#include <limits>

namespace counterpoise {
namespace {

void add_bytes(std::string& to, const void* value, std::size_t size) {
  to.append(static_cast<const char*>(value), size);
}

void begin_case(RowHash& hash, std::int64_t id, Status status, std::string_view reason) {
  hash.whole(id);
  hash.whole(static_cast<std::int64_t>(status));
  hash.text(reason);
}

std::uint64_t hash_of_ranked(RowHash& hash, std::int64_t id, std::string_view reason,
                             std::string_view motion, std::span<const double> objectives) {
  hash.whole(id);
  hash.text(reason);
  hash.text(motion);
  hash.numbers(objectives);
  return hash.take();
}

}  // namespace

void RowHash::text(std::string_view value) {
  const std::size_t size = value.size();
  words_ += 't';
  add_bytes(words_, &size, sizeof size);
  words_ += value;
}

void RowHash::whole(std::int64_t value) {
  words_ += 'w';
  add_bytes(words_, &value, sizeof value);
}

void RowHash::null() {
  words_ += 'n';
}

void RowHash::numbers(std::span<const double> values) {
  const std::size_t before = numbers_.size();
  numbers_.resize(before + values.size());
  double* out = numbers_.data() + before;
  for (const double value : values)
    *out++ = value == value ? value + 0.0 : std::numeric_limits<double>::quiet_NaN();
}

std::uint64_t RowHash::take() {
  const std::uint64_t words = XXH3_64bits(words_.data(), words_.size());
  const std::uint64_t all =
      XXH3_64bits_withSeed(numbers_.data(), numbers_.size() * sizeof(double), words);
  drop();
  return all;
}

void RowHash::drop() {
  words_.clear();
  numbers_.clear();
}

std::uint64_t hash_of_case(RowHash& hash, const RowBatch& batch, std::size_t row) {
  begin_case(hash, batch.id(row), batch.status(row), batch.reason(row));
  for (const std::string_view text : batch.texts(row)) hash.text(text);
  hash.numbers(batch.numbers(row));
  return hash.take();
}

std::uint64_t hash_of_ranked(RowHash& hash, const RowBatch& batch, std::size_t row,
                             std::size_t objectives, std::optional<std::size_t> motion) {
  return hash_of_ranked(hash, batch.id(row), batch.reason(row),
                        motion ? batch.texts(row)[*motion] : std::string_view(),
                        batch.numbers(row).last(objectives));
}

std::uint64_t hash_of_ranked(RowHash& hash, const CaseRow& row, std::optional<std::size_t> motion) {
  const auto* name = motion ? std::get_if<std::string>(&row.variables[*motion]) : nullptr;
  return hash_of_ranked(hash, row.id, row.reason, name ? *name : std::string_view(),
                        row.objectives);
}

std::uint64_t hash_of_case(RowHash& hash, const CaseRow& row) {
  begin_case(hash, row.id, row.status, row.reason);
  for (const Value& value : row.variables) {
    if (const auto* text = std::get_if<std::string>(&value))
      hash.text(*text);
    else if (const auto* whole = std::get_if<std::int64_t>(&value))
      hash.number(static_cast<double>(*whole));
    else
      hash.number(std::get<double>(value));
  }
  hash.numbers(row.metrics);
  hash.numbers(row.objectives);
  return hash.take();
}

}  // namespace counterpoise
