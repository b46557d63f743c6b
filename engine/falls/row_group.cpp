#include "engine/falls/row_group.hpp"

#include <algorithm>

namespace counterpoise {
namespace {

std::span<const double> span_of(const double* first, Eigen::Index size) {
  return {first, static_cast<std::size_t>(size)};
}

}  // namespace

void RowGroup::part(std::vector<Eigen::Index> dependent_columns) {
  std::sort(dependent_columns.begin(), dependent_columns.end());
  independent.clear();
  std::set_difference(unknown.begin(), unknown.end(), dependent_columns.begin(),
                      dependent_columns.end(), std::back_inserter(independent));
  const auto count = static_cast<Eigen::Index>(dependent_columns.size());
  values.resize(count);
  follow.setZero(count, static_cast<Eigen::Index>(independent.size()));
  if (is_large() && count > 0 && !(sparse && dependent_columns == dependent)) {
    pattern = pattern_of(dependent_columns);
    sparse.emplace(pattern, static_cast<int>(count));
  }
  dependent = std::move(dependent_columns);
}

void RowGroup::copy_columns(const std::vector<Eigen::Index>& which, Eigen::MatrixXd& to) const {
  to.resize(count(), static_cast<Eigen::Index>(which.size()));
  for (std::size_t i = 0; i < which.size(); ++i)
    to.col(static_cast<Eigen::Index>(i)) = rows.col(which[i]);
}

SparseDecomposition::Pattern RowGroup::pattern_of(const std::vector<Eigen::Index>& which) const {
  std::vector<int> place(joints.size(), -1);
  for (std::size_t i = 0; i < which.size(); ++i)
    place[static_cast<std::size_t>(which[i])] = static_cast<int>(i);
  SparseDecomposition::Pattern found(columns_of_rows.size());
  for (std::size_t row = 0; row < found.size(); ++row)
    for (const Eigen::Index column : columns_of_rows[row])
      if (const int at = place[static_cast<std::size_t>(column)]; at >= 0) found[row].push_back(at);
  return found;
}

void RowGroup::read_entries(const SparseDecomposition::Pattern& of,
                            const std::vector<Eigen::Index>& which) {
  entries.clear();
  for (std::size_t row = 0; row < of.size(); ++row)
    for (const int column : of[row])
      entries.push_back(
          rows(static_cast<Eigen::Index>(row), which[static_cast<std::size_t>(column)]));
}

void RowGroup::decompose() {
  if (sparse) {
    read_entries(pattern, dependent);
    sparse->compute(entries);
  } else {
    copy_columns(dependent, columns);
    factor.compute(columns);
  }
}

double RowGroup::least_pivot() const {
  return sparse ? sparse->least_pivot() : factor.least_pivot();
}

void RowGroup::solve(Eigen::Ref<Eigen::MatrixXd> right_sides, Eigen::Ref<Eigen::MatrixXd> x) {
  if (!sparse) return factor.solve(right_sides, x);
  for (Eigen::Index j = 0; j < right_sides.cols(); ++j)
    sparse->solve(span_of(right_sides.col(j).data(), right_sides.rows()),
                  {x.col(j).data(), static_cast<std::size_t>(x.rows())});
}

void RowGroup::solve_transposed(const Eigen::VectorXd& on_dependent, Eigen::VectorXd& of_rows) {
  if (!sparse) return factor.solve_transposed(on_dependent, of_rows);
  sparse->solve_transposed(span_of(on_dependent.data(), on_dependent.size()),
                           {of_rows.data(), static_cast<std::size_t>(of_rows.size())});
}

}  // namespace counterpoise
