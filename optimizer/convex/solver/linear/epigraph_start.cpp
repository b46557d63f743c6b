#include <algorithm>

#include "optimizer/convex/problem/infinity.hpp"
#include "optimizer/convex/solver/linear/epigraph_simplex.hpp"

namespace counterpoise {
namespace {

constexpr double first_reach = 64.0;  // of the box

}  // namespace

EpigraphSimplex::EpigraphSimplex(const LinearColumns& columns, const LinearRows& rows)
    : columns_(columns), rows_(rows) {
  int groups = 0;
  for (int j = 0; j < columns.count(); ++j) {
    const bool epigraph = columns.epigraph[at(j)];
    main_.push_back(epigraph ? -1 : size_++);
    group_.push_back(epigraph ? groups++ : -1);
    if (epigraph) continue;
    low_.push_back(columns.lower[at(j)]);
    high_.push_back(columns.upper[at(j)]);
    cost_.push_back(columns.cost[at(j)]);
  }
  const std::size_t count = at(size_);
  for (auto* numbers : {&sides_of_basis_, &y_, &duals_, &entering_, &rates_})
    numbers->assign(count, 0.0);
  for (auto* numbers : {&box_low_, &box_high_}) numbers->assign(count, 0.0);
  reach_.assign(count, first_reach);
  basis_.resize(count);
  lower_in_.assign(count, 0);
  upper_in_.assign(count, 0);
  lu_.resize(size_);
  for (int g = 0; g < groups; ++g) {
    key_.push_back(g);
    own_.push_back(g);
  }
  normals_.assign(at(groups) * count, 0.0);
  sides_.assign(at(groups), 0.0);
  grow();
  slot_.assign(at(groups), -1);
  first_weight_.assign(at(groups) + 1, 0);
  ties_.assign(at(groups), 0);
  for (auto* numbers : {&values_, &used_, &drifts_}) numbers->assign(at(groups), 0.0);
}

/// Copies the rows that are new.
void EpigraphSimplex::take_rows() {
  const int groups = static_cast<int>(key_.size());
  for (int row = static_cast<int>(sides_.size()) - groups; row < rows_.count(); ++row) {
    const std::size_t first = normals_.size();
    normals_.resize(first + at(size_), 0.0);
    if (sides_.size() == capacity_) grow();
    int own = -1;
    for (std::size_t e = rows_.begin(row); e < rows_.end(row); ++e) {
      const std::size_t column = at(rows_.columns[e]);
      if (main_[column] >= 0)
        normals_[first + at(main_[column])] = rows_.coefficients[e];
      else if (rows_.coefficients[e] > 0.0)
        own = group_[column];
      else
        weights_.push_back({group_[column], -rows_.coefficients[e]});
    }
    for (int j = 0; j < size_; ++j)
      by_column_[at(j) * capacity_ + sides_.size()] = normals_[first + at(j)];
    sides_.push_back(rows_.lower[at(row)]);
    own_.push_back(own);
    if (own < 0) plain_.push_back(static_cast<int>(sides_.size()) - 1);
    slot_.push_back(-1);
    first_weight_.push_back(static_cast<int>(weights_.size()));
  }
  cut_values_.resize(sides_.size());
}

/// Doubles the rows that a column of `by_column_` has room for.
void EpigraphSimplex::grow() {
  const std::size_t room = 2 * std::max<std::size_t>(128, sides_.size());
  std::vector<double> wider(room * at(size_), 0.0);
  for (std::size_t j = 0; j < at(size_); ++j)
    std::copy_n(by_column_.begin() + static_cast<std::ptrdiff_t>(j * capacity_), capacity_,
                wider.begin() + static_cast<std::ptrdiff_t>(j * room));
  by_column_ = std::move(wider);
  capacity_ = room;
}

void EpigraphSimplex::set_box(int j) {
  const bool boxed = cost_[at(j)] == 0.0 && low_[at(j)] <= 0.0 && high_[at(j)] >= 0.0;
  const double reach = boxed ? reach_[at(j)] : infinity;
  box_low_[at(j)] = std::max(low_[at(j)], -reach);
  box_high_[at(j)] = std::min(high_[at(j)], reach);
}

/// Begins with every column at the bound that is best for its cost, or at 0; the keys are the
/// largest own rows there.
void EpigraphSimplex::begin() {
  for (int j = 0; j < size_; ++j) {
    set_box(j);
    const double cost = cost_[at(j)];
    const bool fixed = low_[at(j)] == high_[at(j)];
    const Kind kind = fixed        ? Kind::fixed
                      : cost > 0.0 ? Kind::lower
                      : cost < 0.0 ? Kind::upper
                                   : Kind::pinned;
    enter(j, {kind, j});
    y_[at(j)] = kind == Kind::lower   ? low_[at(j)]
                : kind == Kind::upper ? high_[at(j)]
                                      : std::clamp(0.0, box_low_[at(j)], box_high_[at(j)]);
  }
  std::fill(used_.begin(), used_.end(), -1.0);
  find_values();
  begin_at_pieces();
  begun_ = true;
}

/// Replaces the bound of a column with a cost by the row that needs most of it here, and moves the
/// other columns to the sides of the box that are best for this row. Every multiplier is then at
/// least 0.
void EpigraphSimplex::begin_at_pieces() {
  for (int t = 0; t < size_; ++t) {
    if (!(cost_[at(t)] > 0.0) || basis_[at(t)].kind != Kind::lower) continue;
    int most = -1;
    double missing = 0.0;
    for (const int row : plain_) {
      if (!(normal(row)[t] > 0.0)) continue;
      const double value = shortfall(row);
      if (!(value / normal(row)[t] > missing)) continue;
      missing = value / normal(row)[t];
      most = row;
    }
    if (most < 0) continue;
    static_cast<void>(write_equation({Kind::row, most}, entering_.data()));
    leave(t);
    enter(t, {Kind::row, most});
    for (int j = 0; j < size_; ++j) {
      if (basis_[at(j)].kind != Kind::pinned || entering_[at(j)] == 0.0) continue;
      leave(j);
      enter(j, {entering_[at(j)] < 0.0 ? Kind::lower : Kind::upper, j});
    }
    return;
  }
}

}  // namespace counterpoise
