#include "engine/math/sparse_decomposition.hpp"

#include <Eigen/OrderingMethods>
#include <Eigen/QR>
#include <Eigen/SparseCore>
#include <algorithm>
#include <cmath>
#include <utility>

#include "engine/math/reflections.hpp"

namespace counterpoise {
namespace {

std::size_t place(int index) {
  return static_cast<std::size_t>(index);
}

/// When each column is eliminated so that little fills in.
std::vector<int> turns_of(const SparseDecomposition::Pattern& rows, int columns) {
  std::vector<Eigen::Triplet<double, int>> entries;
  for (std::size_t r = 0; r < rows.size(); ++r)
    for (const int column : rows[r]) entries.emplace_back(static_cast<int>(r), column, 1.0);
  Eigen::SparseMatrix<double> matrix(static_cast<Eigen::Index>(rows.size()), columns);
  matrix.setFromTriplets(entries.begin(), entries.end());
  Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, int> order;
  Eigen::COLAMDOrdering<int>()(matrix, order);
  return {order.indices().data(), order.indices().data() + columns};
}

/// Some rows and their columns, in the order of elimination; those that wait come first.
struct RowBlock {
  std::vector<int> columns;
  Eigen::MatrixXd matrix;
};

RowBlock join(const std::vector<RowBlock>& blocks, const std::vector<int>& turn) {
  RowBlock joined;
  Eigen::Index rows = 0;
  for (const RowBlock& block : blocks) {
    rows += block.matrix.rows();
    joined.columns.insert(joined.columns.end(), block.columns.begin(), block.columns.end());
  }
  const auto sooner = [&](int a, int b) { return turn[place(a)] < turn[place(b)]; };
  std::sort(joined.columns.begin(), joined.columns.end(), sooner);
  joined.columns.erase(std::unique(joined.columns.begin(), joined.columns.end()),
                       joined.columns.end());
  joined.matrix.setZero(rows, static_cast<Eigen::Index>(joined.columns.size()));
  Eigen::Index row = 0;
  for (const RowBlock& block : blocks) {
    for (std::size_t j = 0; j < block.columns.size(); ++j) {
      const auto to =
          std::lower_bound(joined.columns.begin(), joined.columns.end(), block.columns[j], sooner) -
          joined.columns.begin();
      joined.matrix.block(row, to, block.matrix.rows(), 1) =
          block.matrix.col(static_cast<Eigen::Index>(j));
    }
    row += block.matrix.rows();
  }
  return joined;
}

/// Eliminates a column by its rows, the first of which it takes along.
void eliminate(Eigen::Index column, RowBlock& block) {
  Eigen::MatrixXd& matrix = block.matrix;
  const Eigen::Index rows = matrix.rows(), columns = matrix.cols();
  matrix.col(0).swap(matrix.col(column));
  const double share = make_reflection(matrix.data(), rows);
  reflect_all(matrix.data(), share, rows, matrix.data() + rows, rows, columns - 1);
  matrix.col(0).swap(matrix.col(column));
  Eigen::MatrixXd rest(rows - 1, columns - 1);
  rest << matrix.bottomLeftCorner(rows - 1, column),
      matrix.bottomRightCorner(rows - 1, columns - column - 1);
  matrix = std::move(rest);
  block.columns.erase(block.columns.begin() + column);
}

/// Makes a triangle of a block that has more rows than columns.
void shorten(RowBlock& block) {
  Eigen::MatrixXd& matrix = block.matrix;
  const Eigen::Index rows = matrix.rows(), columns = matrix.cols();
  if (rows <= columns) return;
  for (Eigen::Index k = 0; k < columns; ++k) {
    double* v = matrix.col(k).data() + k;
    const double share = make_reflection(v, rows - k);
    reflect_all(v, share, rows - k, v + rows, rows, columns - k - 1);
  }
  matrix = Eigen::MatrixXd(matrix.topRows(columns).triangularView<Eigen::Upper>());
}

}  // namespace

SparseDecomposition::SparseDecomposition(const Pattern& rows, int columns)
    : fronts_(place(columns)), sums_(place(columns)) {
  order_columns(rows, columns);
  place_fronts(rows);
}

/// Finds the order of elimination, and what belongs to each front.
void SparseDecomposition::order_columns(const Pattern& rows, int columns) {
  turns_ = turns_of(rows, columns);
  const std::vector<int>& turn = turns_;
  for (int c = 0; c < columns; ++c) fronts_[place(turn[place(c)])].columns.push_back(c);
  const auto sooner = [&](int a, int b) { return turn[place(a)] < turn[place(b)]; };
  for (std::size_t r = 0; r < rows.size(); ++r) {
    if (rows[r].empty()) continue;
    const int first = *std::min_element(rows[r].begin(), rows[r].end(), sooner);
    Front& front = fronts_[place(turn[place(first)])];
    front.own.push_back(static_cast<int>(r));
    front.columns.insert(front.columns.end(), rows[r].begin(), rows[r].end());
  }
  for (std::size_t f = 0; f < fronts_.size(); ++f) {
    Front& front = fronts_[f];
    front.rows = static_cast<int>(front.own.size());
    for (const int child : front.children) {
      const Front& from = fronts_[place(child)];
      front.rows += from.reflections - 1;
      front.columns.insert(front.columns.end(), from.columns.begin() + 1, from.columns.end());
    }
    std::sort(front.columns.begin(), front.columns.end(), sooner);
    front.columns.erase(std::unique(front.columns.begin(), front.columns.end()),
                        front.columns.end());
    front.rows = std::max(front.rows, 1);  // of zeros, where the pattern has no full rank
    front.reflections = std::min(front.rows, static_cast<int>(front.columns.size()));
    if (front.reflections > 1)
      fronts_[place(turn[place(front.columns[1])])].children.push_back(static_cast<int>(f));
  }
}

/// Lays out the memory of the fronts.
void SparseDecomposition::place_fronts(const Pattern& rows) {
  std::vector<std::size_t> first;  // of each row's entries
  std::size_t count = 0;
  for (const std::vector<int>& row : rows) {
    first.push_back(count);
    count += row.size();
  }
  std::size_t matrix = 0, slots = 0, shares = 0;
  std::vector<int> local(fronts_.size());  // of each column in the present front
  for (Front& front : fronts_) {
    front.matrix = matrix;
    front.slot = slots;
    front.shares = shares;
    front.columns_of_children = place_of_child_column_.size();
    front.entries = source_.size();
    matrix += place(front.rows) * front.columns.size();
    slots += place(front.rows);
    shares += place(front.reflections);
    for (std::size_t j = 0; j < front.columns.size(); ++j)
      local[place(front.columns[j])] = static_cast<int>(j);
    for (std::size_t i = 0; i < front.own.size(); ++i) {
      const std::vector<int>& row = rows[place(front.own[i])];
      for (std::size_t e = 0; e < row.size(); ++e) {
        source_.push_back(first[place(front.own[i])] + e);
        target_.push_back(front.matrix + place(local[place(row[e])]) * place(front.rows) + i);
      }
    }
    for (const int child : front.children) {
      const std::vector<int>& columns = fronts_[place(child)].columns;
      for (std::size_t j = 1; j < columns.size(); ++j)
        place_of_child_column_.push_back(local[place(columns[j])]);
    }
  }
  matrices_.resize(matrix);
  slots_.resize(slots);
  shares_.resize(shares);
}

void SparseDecomposition::assemble(const Front& front, std::span<const double> entries) {
  const std::size_t next = &front == &fronts_.back() ? source_.size() : (&front + 1)->entries;
  for (std::size_t e = front.entries; e < next; ++e) matrices_[target_[e]] += entries[source_[e]];
  int row = static_cast<int>(front.own.size());
  const int* places = place_of_child_column_.data() + front.columns_of_children;
  for (const int child : front.children) {
    const Front& from = fronts_[place(child)];
    for (int j = 1; j < static_cast<int>(from.columns.size()); ++j) {
      const double* left = column(from, j) + 1;
      double* to = column(front, *places++) + row;
      std::copy_n(left, std::min(j, from.reflections - 1), to);
    }
    row += from.reflections - 1;
  }
}

void SparseDecomposition::compute(std::span<const double> entries) {
  std::fill(matrices_.begin(), matrices_.end(), 0.0);
  for (const Front& front : fronts_) {
    assemble(front, entries);
    const int columns = static_cast<int>(front.columns.size());
    for (int k = 0; k < front.reflections; ++k) {
      double* v = column(front, k) + k;
      double& share = shares_[front.shares + place(k)];
      share = make_reflection(v, front.rows - k);
      reflect_all(v, share, front.rows - k, v + front.rows, front.rows, columns - k - 1);
    }
  }
}

double SparseDecomposition::least_pivot() const {
  double least = HUGE_VAL;
  for (const Front& front : fronts_) {
    const double pivot = std::abs(*column(front, 0));
    if (!(pivot >= least)) least = pivot;
    if (std::isnan(pivot)) break;
  }
  return least;
}

void SparseDecomposition::solve(std::span<const double> right, std::span<double> x) {
  for (const Front& front : fronts_) {
    double* part = slots_.data() + front.slot;
    double* next = part;
    for (const int row : front.own) *next++ = right[place(row)];
    for (const int child : front.children) {
      const Front& from = fronts_[place(child)];
      next = std::copy_n(slots_.data() + from.slot + 1, from.reflections - 1, next);
    }
    for (int k = 0; k < front.reflections; ++k)
      reflect_all(column(front, k) + k, shares_[front.shares + place(k)], front.rows - k, part + k,
                  front.rows, 1);
  }
  for (std::size_t f = fronts_.size(); f-- > 0;) {
    const Front& front = fronts_[f];
    double rest = slots_[front.slot];
    for (int j = 1; j < static_cast<int>(front.columns.size()); ++j)
      rest -= *column(front, j) * x[place(front.columns[place(j)])];
    x[place(front.columns[0])] = rest / *column(front, 0);
  }
}

void SparseDecomposition::solve_transposed(std::span<const double> right, std::span<double> x) {
  std::copy(right.begin(), right.end(), sums_.begin());
  std::fill(slots_.begin(), slots_.end(), 0.0);
  for (const Front& front : fronts_) {
    const double pivot = sums_[place(front.columns[0])] / *column(front, 0);
    slots_[front.slot] = pivot;
    for (int j = 1; j < static_cast<int>(front.columns.size()); ++j)
      sums_[place(front.columns[place(j)])] -= *column(front, j) * pivot;
  }
  std::fill(x.begin(), x.end(), 0.0);
  for (std::size_t f = fronts_.size(); f-- > 0;) {
    const Front& front = fronts_[f];
    double* part = slots_.data() + front.slot;
    for (int k = front.reflections; k-- > 0;)
      reflect_all(column(front, k) + k, shares_[front.shares + place(k)], front.rows - k, part + k,
                  front.rows, 1);
    const double* next = part;
    for (const int row : front.own) x[place(row)] = *next++;
    for (const int child : front.children) {
      const Front& from = fronts_[place(child)];
      std::copy_n(next, from.reflections - 1, slots_.data() + from.slot + 1);
      next += from.reflections - 1;
    }
  }
}

double SparseDecomposition::leverage(std::span<const int> columns,
                                     std::span<const double> entries) {
  std::fill(sums_.begin(), sums_.end(), 0.0);
  int first = static_cast<int>(fronts_.size());
  for (std::size_t e = 0; e < columns.size(); ++e) {
    sums_[place(columns[e])] = entries[e];
    first = std::min(first, turns_[place(columns[e])]);
  }
  double square = 0.0;
  for (std::size_t f = place(first); f < fronts_.size(); ++f) {
    const Front& front = fronts_[f];
    const double sum = sums_[place(front.columns[0])];
    if (sum == 0.0) continue;
    const double pivot = sum / *column(front, 0);
    square += pivot * pivot;
    for (int j = 1; j < static_cast<int>(front.columns.size()); ++j)
      sums_[place(front.columns[place(j)])] -= *column(front, j) * pivot;
  }
  return square;
}

SpanningColumns spanning_columns(const SparseDecomposition::Pattern& rows, int columns,
                                 std::span<const double> entries) {
  // less is left of a column that waits: as shares of its length, and of the longest one
  constexpr double of_own = 0.1, of_longest = 1e-4;
  const std::vector<int> turn = turns_of(rows, columns);
  std::vector<std::vector<RowBlock>> blocks(place(columns) + 1);  // by turn; then without one
  std::vector<double> squares(place(columns), 0.0);
  std::size_t next = 0;
  for (const std::vector<int>& row : rows) {
    if (row.empty()) continue;
    RowBlock block{row, Eigen::MatrixXd(1, static_cast<Eigen::Index>(row.size()))};
    int first = columns;
    for (std::size_t j = 0; j < row.size(); ++j) {
      const double entry = entries[next++];
      block.matrix(0, static_cast<Eigen::Index>(j)) = entry;
      squares[place(row[j])] += entry * entry;
      first = std::min(first, turn[place(row[j])]);
    }
    blocks[place(first)].push_back(join({block}, turn));
  }
  const double longest = std::sqrt(*std::max_element(squares.begin(), squares.end()));
  std::vector<std::pair<double, int>> found;
  for (int k = 0; k < columns; ++k) {
    if (blocks[place(k)].empty()) continue;
    RowBlock front = join(blocks[place(k)], turn);
    blocks[place(k)].clear();
    const auto at = std::find_if(front.columns.begin(), front.columns.end(),
                                 [&](int column) { return turn[place(column)] == k; });
    const auto column = static_cast<Eigen::Index>(at - front.columns.begin());
    const double left = front.matrix.col(column).norm();
    if (left > of_own * std::sqrt(squares[place(*at)]) && left > of_longest * longest) {
      found.emplace_back(left, *at);
      eliminate(column, front);
    }
    shorten(front);
    if (front.matrix.rows() == 0) continue;
    const auto behind = std::find_if(front.columns.begin(), front.columns.end(),
                                     [&](int other) { return turn[place(other)] > k; });
    blocks[behind == front.columns.end() ? place(columns) : place(turn[place(*behind)])].push_back(
        std::move(front));
  }
  const RowBlock last = join(blocks.back(), turn);
  if (last.matrix.size() > 0) {
    const Eigen::ColPivHouseholderQR<Eigen::MatrixXd> factor(last.matrix);
    for (Eigen::Index i = 0; i < factor.nonzeroPivots(); ++i)
      found.emplace_back(std::abs(factor.matrixQR()(i, i)),
                         last.columns[place(factor.colsPermutation().indices()(i))]);
  }
  std::sort(found.begin(), found.end(),
            [](const auto& a, const auto& b) { return a.first > b.first; });
  SpanningColumns spanning;
  for (const auto& [pivot, column] : found) {
    spanning.pivots.push_back(pivot);
    spanning.columns.push_back(column);
  }
  return spanning;
}

}  // namespace counterpoise
