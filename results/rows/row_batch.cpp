#include "results/rows/row_batch.hpp"

#include <algorithm>
#include <stdexcept>

namespace counterpoise {
namespace {

std::size_t count_texts(const StoreLayout& layout) {
  return static_cast<std::size_t>(
      std::count_if(layout.variables.begin(), layout.variables.end(),
                    [](const Column& column) { return column.type == ColumnType::text; }));
}

}  // namespace

RowBatch::RowBatch(const StoreLayout& layout)
    : metric_count_(layout.metrics.size()),
      objective_count_(layout.objectives.size()),
      text_count_(count_texts(layout)),
      number_count_(layout.variables.size() - text_count_ + metric_count_ + objective_count_) {
  for (const Column& column : layout.variables) variables_.push_back(column.type);
}

RowBatch::Cells RowBatch::add(std::int64_t id, Status status, std::string_view reason) {
  reasons_ += reason;
  reason_ends_.push_back(reasons_.size());
  failure_of_.push_back(-1);
  ids_.push_back(id);
  statuses_.push_back(status);
  const std::size_t count = status == Status::feasible ? number_count_ : variable_numbers();
  numbers_.resize(numbers_.size() + count);
  number_ends_.push_back(numbers_.size());
  texts_.resize(ids_.size() * text_count_);
  return {std::span(numbers_).last(count), std::span(texts_).last(text_count_)};
}

void RowBatch::add(const CaseRow& row) {
  const auto require = [&row](bool holds, const char* what) {
    if (!holds) throw std::logic_error("case " + std::to_string(row.id) + ": " + what);
  };
  require(row.variables.size() == variables_.size(), "wrong number of variables");
  const bool feasible = row.status == Status::feasible;
  require(row.metrics.size() == (feasible ? metric_count_ : 0), "wrong number of metrics");
  require(row.objectives.size() == (feasible ? objective_count_ : 0), "wrong number of objectives");
  for (std::size_t i = 0; i < variables_.size(); ++i) {
    const Value& value = row.variables[i];
    const bool fits = variables_[i] == ColumnType::text ? std::holds_alternative<std::string>(value)
                      : variables_[i] == ColumnType::real
                          ? std::holds_alternative<double>(value)
                          : std::holds_alternative<std::int64_t>(value);
    require(fits, "a variable of another type");
  }

  const Cells cells = add(row.id, row.status, row.reason);
  auto number = cells.numbers.begin();
  auto text = cells.texts.begin();
  for (const Value& value : row.variables) {
    if (const auto* words = std::get_if<std::string>(&value))
      *text++ = copied_.emplace_back(*words);
    else if (const auto* real = std::get_if<double>(&value))
      *number++ = *real;
    else
      *number++ = static_cast<double>(std::get<std::int64_t>(value));
  }
  number = std::copy(row.metrics.begin(), row.metrics.end(), number);
  std::copy(row.objectives.begin(), row.objectives.end(), number);
}

void RowBatch::set_failure(FailureRow failure) {
  failure.id = ids_.back();
  failure_of_.back() = static_cast<std::int32_t>(failures_.size());
  failures_.push_back(failure);
}

void RowBatch::reserve(std::size_t rows) {
  ids_.reserve(rows);
  statuses_.reserve(rows);
  numbers_.reserve(rows * number_count_);
  number_ends_.reserve(rows);
  texts_.reserve(rows * text_count_);
  reason_ends_.reserve(rows);
  failure_of_.reserve(rows);
}

void RowBatch::clear() {
  ids_.clear();
  statuses_.clear();
  numbers_.clear();
  number_ends_.clear();
  texts_.clear();
  reasons_.clear();
  reason_ends_.clear();
  failures_.clear();
  failure_of_.clear();
  copied_.clear();
}

CaseRow RowBatch::row(std::size_t r) const {
  CaseRow row;
  row.id = id(r);
  row.status = status(r);
  row.reason = reason(r);
  auto number = numbers(r).begin();
  auto text = texts(r).begin();
  for (ColumnType type : variables_) {
    if (type == ColumnType::text)
      row.variables.emplace_back(std::string(*text++));
    else if (type == ColumnType::real)
      row.variables.emplace_back(*number++);
    else
      row.variables.emplace_back(static_cast<std::int64_t>(*number++));
  }
  if (row.status != Status::feasible) return row;
  const auto metrics_end = number + static_cast<std::ptrdiff_t>(metric_count_);
  row.metrics.assign(number, metrics_end);
  row.objectives.assign(metrics_end, metrics_end + static_cast<std::ptrdiff_t>(objective_count_));
  return row;
}

std::size_t RowBatch::bytes_of_row(const StoreLayout& layout) {
  const RowBatch batch(layout);
  return sizeof(std::int64_t) + sizeof(Status) + batch.number_count_ * sizeof(double) +
         batch.text_count_ * sizeof(std::string_view);
}

}  // namespace counterpoise
