#include "optimizer/convex/epigraph_simplex.hpp"

#include <algorithm>
#include <cmath>

#include "optimizer/convex/problem.hpp"

namespace counterpoise {
namespace {

constexpr int in_order = 8;  // times as many steps as those to the row that is violated most
constexpr double reach_factor = 16.0;  // from one box to the next

}  // namespace

/// Writes the normal of an equation and returns its side.
template <class S>
S EpigraphSimplex<S>::write_equation(const Equation& equation, S* out) const {
  const int i = equation.index;
  if (equation.kind != Kind::row) {
    std::fill(out, out + size_, S(0));
    const bool upper = equation.kind == Kind::upper;
    out[i] = upper ? -1.0 : 1.0;
    if (equation.kind == Kind::pinned) return std::clamp(S(0), box_low_[at(i)], box_high_[at(i)]);
    return upper ? -box_high_[at(i)] : box_low_[at(i)];
  }
  std::copy(normal(i), normal(i) + size_, out);
  S side = sides_[at(i)];
  const auto add = [&](int key, S weight) {
    const S* other = normal(key);
    for (int j = 0; j < size_; ++j) out[j] += weight * other[j];
    side += weight * sides_[at(key)];
  };
  if (own_[at(i)] >= 0) add(key_[at(own_[at(i)])], -1.0);
  for (int w = first_weight_[at(i)]; w < first_weight_[at(i) + 1]; ++w)
    add(key_[at(weights_[at(w)].group)], weights_[at(w)].weight);
  return side;
}

template <class S>
void EpigraphSimplex<S>::enter(int slot, const Equation& equation) {
  basis_[at(slot)] = equation;
  const std::size_t i = at(equation.index);
  if (equation.kind == Kind::lower) lower_in_[i] = 1;
  if (equation.kind == Kind::upper) upper_in_[i] = 1;
  if (equation.kind == Kind::fixed) lower_in_[i] = upper_in_[i] = 1;
  if (equation.kind != Kind::row) return;
  slot_[i] = slot;
  if (own_[i] >= 0) ++ties_[at(own_[i])];
}

template <class S>
void EpigraphSimplex<S>::leave(int slot) {
  const Equation& equation = basis_[at(slot)];
  const std::size_t i = at(equation.index);
  if (equation.kind == Kind::lower) lower_in_[i] = 0;
  if (equation.kind == Kind::upper) upper_in_[i] = 0;
  if (equation.kind != Kind::row) return;
  slot_[i] = -1;
  if (own_[i] >= 0) --ties_[at(own_[i])];
}

template <class S>
bool EpigraphSimplex<S>::solve_basis() {
  for (int slot = 0; slot < size_; ++slot)
    sides_of_basis_[at(slot)] = write_equation(basis_[at(slot)], lu_.row(slot));
  if (!lu_.factor()) return false;
  y_ = sides_of_basis_;
  lu_.solve(y_);
  duals_ = cost_;
  lu_.solve_transposed(duals_);
  std::fill(used_.begin(), used_.end(), -1.0);
  for (int slot = 0; slot < size_; ++slot) {
    const Equation& equation = basis_[at(slot)];
    if (equation.kind != Kind::row) continue;
    const std::size_t row = at(equation.index);
    for (int w = first_weight_[row]; w < first_weight_[row + 1]; ++w) {
      S& used = used_[at(weights_[at(w)].group)];
      used = std::max(used, S(0)) + weights_[at(w)].weight * std::max(S(0), duals_[at(slot)]);
    }
  }
  return true;
}

template <class S>
void EpigraphSimplex<S>::refine_basis() {
  lu_.refine(sides_of_basis_, y_);
  lu_.refine_transposed(cost_, duals_);
  find_values();
}

/// Computes what every row lacks at y without groups, and the values of the groups. A group that no
/// equation of the basis contains gets its largest row as key, except where the order matters.
template <class S>
void EpigraphSimplex<S>::find_values() {
  const std::size_t count = sides_.size();
  S* const values = cut_values_.data();
  std::copy(sides_.begin(), sides_.end(), values);
  for (std::size_t j = 0; j < y_.size(); ++j) {
    const S* const slopes = by_column_.data() + j * capacity_;
    const S y = y_[j];
    for (std::size_t row = 0; row < count; ++row) values[row] -= slopes[row] * y;
  }
  for (std::size_t row = 0; row < count; ++row) {
    const int group = own_[row];
    if (in_order_ || group < 0 || used_[at(group)] >= 0.0 || ties_[at(group)] > 0) continue;
    if (values[row] > values[at(key_[at(group)])]) key_[at(group)] = static_cast<int>(row);
  }
  for (std::size_t g = 0; g < key_.size(); ++g) values_[g] = cut_values_[at(key_[g])];
}

/// The violation of a row that is not a cut, with its groups.
template <class S>
S EpigraphSimplex<S>::shortfall(int row) const {
  S value = cut_values_[at(row)];
  for (int w = first_weight_[at(row)]; w < first_weight_[at(row) + 1]; ++w)
    value += weights_[at(w)].weight * values_[at(weights_[at(w)].group)];
  return value;
}

/// The bound or row that is violated most at y, or the first one that is.
template <class S>
bool EpigraphSimplex<S>::find_entering(Equation& entering) const {
  S size = 1.0;
  for (const S y : y_) size = std::max(size, std::abs(y));
  S most = Tolerance::violated * size;
  const auto offer = [&](S violation, Kind kind, int index) {
    if (!(violation > most)) return;
    most = in_order_ ? infinity : violation;
    entering = {kind, index};
  };
  for (int j = 0; j < size_; ++j) {
    if (!lower_in_[at(j)]) offer(box_low_[at(j)] - y_[at(j)], Kind::lower, j);
    if (!upper_in_[at(j)]) offer(y_[at(j)] - box_high_[at(j)], Kind::upper, j);
  }
  for (const int row : plain_)
    if (slot_[at(row)] < 0) offer(shortfall(row), Kind::row, row);
  for (int row = 0; row < static_cast<int>(sides_.size()); ++row) {
    const int group = own_[at(row)];
    if (group < 0 || !(cut_values_[at(row)] - values_[at(group)] > most)) continue;
    if (slot_[at(row)] < 0) offer(cut_values_[at(row)] - values_[at(group)], Kind::row, row);
  }
  return most > Tolerance::violated * size;
}

/// The equation or key whose multiplier is the first to fall to 0 as that of the entering one
/// grows; of several the one that falls fastest, or the first one.
template <class S>
auto EpigraphSimplex<S>::find_leaving(const Equation& entering) -> Leaving {
  static_cast<void>(write_equation(entering, entering_.data()));
  rates_ = entering_;
  lu_.solve_transposed(rates_);
  find_drifts(entering);
  S fastest = 0.0;
  for (const S rate : rates_) fastest = std::max(fastest, std::abs(rate));
  const S least = Tolerance::least_rate * fastest;
  S first = infinity;
  for_each_falling(least, [&](Leaving, S multiplier, S rate) {
    first = std::min(first, (multiplier + Tolerance::same_ratio) / rate);
  });
  Leaving found;
  S most = -infinity;
  for_each_falling(least, [&](Leaving leaving, S multiplier, S rate) {
    const S merit = in_order_ ? -static_cast<S>(place_of(leaving)) : rate;
    if (multiplier / rate > first || !(merit > most)) return;
    most = merit;
    found = leaving;
  });
  return found;
}

/// The place of an equation or key in the order in which find_entering() looks.
template <class S>
int EpigraphSimplex<S>::place_of(const Leaving& leaving) const {
  const Equation known =
      leaving.group < 0 ? basis_[at(leaving.slot)] : Equation{Kind::row, key_[at(leaving.group)]};
  if (known.kind != Kind::row) return 2 * known.index + (known.kind == Kind::upper ? 1 : 0);
  const int rows = static_cast<int>(sides_.size());
  return 2 * size_ + known.index + (own_[at(known.index)] < 0 ? 0 : rows);
}

/// How the multipliers of keys change: what rows that contain them gain, less what ties gain.
template <class S>
void EpigraphSimplex<S>::find_drifts(const Equation& entering) {
  std::fill(drifts_.begin(), drifts_.end(), S(0));
  const auto add = [&](const Equation& equation, S gain) {
    if (equation.kind != Kind::row) return;
    const std::size_t row = at(equation.index);
    if (own_[row] >= 0) drifts_[at(own_[row])] -= gain;
    for (int w = first_weight_[row]; w < first_weight_[row + 1]; ++w)
      drifts_[at(weights_[at(w)].group)] += weights_[at(w)].weight * gain;
  };
  for (int slot = 0; slot < size_; ++slot) add(basis_[at(slot)], -rates_[at(slot)]);
  add(entering, 1.0);
  own_of_entering_ = entering.kind == Kind::row ? own_[at(entering.index)] : -1;
}

/// Calls `call` with each equation and key whose multiplier falls faster than `least`, its
/// multiplier and its rate.
template <class S>
template <class Call>
void EpigraphSimplex<S>::for_each_falling(S least, const Call& call) const {
  for (int slot = 0; slot < size_; ++slot) {
    const S rate = rates_[at(slot)];
    const Kind kind = basis_[at(slot)].kind;
    if (kind == Kind::pinned && std::abs(rate) > least)
      call({slot, -1}, 0.0, std::abs(rate));
    else if (kind != Kind::pinned && kind != Kind::fixed && rate > least)
      call({slot, -1}, std::max(S(0), duals_[at(slot)]), rate);
  }
  for (int group = 0; group < static_cast<int>(key_.size()); ++group)
    if ((ties_[at(group)] > 0 || group == own_of_entering_) && -drifts_[at(group)] > least)
      call({-1, group}, key_multiplier(group), -drifts_[at(group)]);
}

template <class S>
S EpigraphSimplex<S>::key_multiplier(int group) const {
  S rest = std::max(S(0), used_[at(group)]);
  if (ties_[at(group)] > 0)
    for (int slot = 0; slot < size_; ++slot)
      if (basis_[at(slot)].kind == Kind::row && own_[at(basis_[at(slot)].index)] == group)
        rest -= std::max(S(0), duals_[at(slot)]);
  return std::max(S(0), rest);
}

template <class S>
void EpigraphSimplex<S>::exchange(const Equation& entering, const Leaving& leaving) {
  if (leaving.group < 0) {
    leave(leaving.slot);
    enter(leaving.slot, entering);
    return;
  }
  int& key = key_[at(leaving.group)];
  if (own_of_entering_ == leaving.group) {
    key = entering.index;
    return;
  }
  for (int slot = 0; slot < size_; ++slot) {
    const Equation& equation = basis_[at(slot)];
    if (equation.kind != Kind::row || own_[at(equation.index)] != leaving.group) continue;
    key = equation.index;
    leave(slot);
    enter(slot, entering);
    return;
  }
}

/// How far the bound of an equation lies beyond the side of the box that stands for it.
template <class S>
S EpigraphSimplex<S>::room_behind(const Equation& equation) const {
  const std::size_t j = at(equation.index);
  if (equation.kind == Kind::lower) return std::min(box_low_[j] - low_[j], Tolerance::farthest);
  return equation.kind == Kind::upper ? std::min(high_[j] - box_high_[j], Tolerance::farthest)
                                      : 0.0;
}

template <class S>
void EpigraphSimplex<S>::move_out(const Equation& equation) {
  reach_[at(equation.index)] *= reach_factor;
  set_box(equation.index);
}

/// Moves out the sides of the box that hold the optimum back. Returns false where there is none.
template <class S>
bool EpigraphSimplex<S>::widen() {
  bool widened = false;
  for (int slot = 0; slot < size_; ++slot) {
    const S room = room_behind(basis_[at(slot)]);
    if (!(room > 0.0) || !(duals_[at(slot)] * room > Tolerance::held_back)) continue;
    move_out(basis_[at(slot)]);
    widened = true;
  }
  return widened;
}

/// Moves out the sides of the box that keep the entering equation from being met. Returns false
/// where there is none, so that nothing meets it.
template <class S>
bool EpigraphSimplex<S>::widen_for(const Equation& entering) {
  bool widened = room_behind(entering) > 0.0;
  if (widened) move_out(entering);
  for (int slot = 0; slot < size_; ++slot) {
    if (!(room_behind(basis_[at(slot)]) > 0.0) || !(rates_[at(slot)] < 0.0)) continue;
    move_out(basis_[at(slot)]);
    widened = true;
  }
  return widened;
}

template <class S>
LinearOutcome EpigraphSimplex<S>::solve() {
  take_rows();
  if (!begun_) begin();
  const int patience = 200 + 2 * static_cast<int>(sides_.size() + key_.size());
  for (int step = 0; step < (1 + in_order) * patience; ++step) {
    ++steps_;
    in_order_ = step >= patience;
    if (!solve_basis()) return LinearOutcome::failed;
    find_values();
    Equation entering;
    const bool met = !find_entering(entering);
    const Leaving leaving = met ? Leaving{} : find_leaving(entering);
    if (!met && (leaving.slot >= 0 || leaving.group >= 0)) {
      exchange(entering, leaving);
    } else if (!(met ? widen() : widen_for(entering))) {
      if (met) refine_basis();
      return met ? LinearOutcome::optimal : LinearOutcome::infeasible;
    }
    if (*std::max_element(reach_.begin(), reach_.end()) > Tolerance::farthest)
      return LinearOutcome::failed;
  }
  return LinearOutcome::failed;
}

template <class S>
double EpigraphSimplex<S>::objective() const {
  S sum = 0.0;
  for (std::size_t j = 0; j < cost_.size(); ++j) sum += cost_[j] * y_[j];
  return sum;
}

template <class S>
void EpigraphSimplex<S>::read(Eigen::VectorXd& x, Eigen::VectorXd& multipliers) const {
  x.resize(columns_.count());
  for (int j = 0; j < columns_.count(); ++j)
    x[j] = main_[at(j)] >= 0 ? y_[at(main_[at(j)])] : values_[at(group_[at(j)])];
  const int groups = static_cast<int>(key_.size());
  multipliers.setZero(rows_.count());
  for (int slot = 0; slot < size_; ++slot)
    if (basis_[at(slot)].kind == Kind::row && basis_[at(slot)].index >= groups)
      multipliers[basis_[at(slot)].index - groups] = std::max(S(0), duals_[at(slot)]);
  for (int group = 0; group < groups; ++group)
    if (key_[at(group)] >= groups) multipliers[key_[at(group)] - groups] = key_multiplier(group);
}

namespace {

constexpr double first_reach = 64.0;  // of the box

}  // namespace

template <class S>
EpigraphSimplex<S>::EpigraphSimplex(const LinearColumns& columns, const LinearRows& rows)
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
    numbers->assign(count, S(0));
  for (auto* numbers : {&box_low_, &box_high_}) numbers->assign(count, S(0));
  reach_.assign(count, first_reach);
  basis_.resize(count);
  lower_in_.assign(count, 0);
  upper_in_.assign(count, 0);
  lu_.resize(size_);
  for (int g = 0; g < groups; ++g) {
    key_.push_back(g);
    own_.push_back(g);
  }
  normals_.assign(at(groups) * count, S(0));
  sides_.assign(at(groups), S(0));
  grow();
  slot_.assign(at(groups), -1);
  first_weight_.assign(at(groups) + 1, 0);
  ties_.assign(at(groups), 0);
  for (auto* numbers : {&values_, &used_, &drifts_}) numbers->assign(at(groups), S(0));
}

/// Copies the rows that are new.
template <class S>
void EpigraphSimplex<S>::take_rows() {
  const int groups = static_cast<int>(key_.size());
  for (int row = static_cast<int>(sides_.size()) - groups; row < rows_.count(); ++row) {
    const std::size_t first = normals_.size();
    normals_.resize(first + at(size_), S(0));
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
template <class S>
void EpigraphSimplex<S>::grow() {
  const std::size_t room = 2 * std::max<std::size_t>(128, sides_.size());
  std::vector<S> wider(room * at(size_), S(0));
  for (std::size_t j = 0; j < at(size_); ++j)
    std::copy_n(by_column_.begin() + static_cast<std::ptrdiff_t>(j * capacity_), capacity_,
                wider.begin() + static_cast<std::ptrdiff_t>(j * room));
  by_column_ = std::move(wider);
  capacity_ = room;
}

template <class S>
void EpigraphSimplex<S>::set_box(int j) {
  const bool boxed = cost_[at(j)] == 0.0 && low_[at(j)] <= 0.0 && high_[at(j)] >= 0.0;
  const S reach = boxed ? reach_[at(j)] : infinity;
  box_low_[at(j)] = std::max(low_[at(j)], -reach);
  box_high_[at(j)] = std::min(high_[at(j)], reach);
}

/// Begins with every column at the bound that is best for its cost, or at 0; the keys are the
/// largest own rows there.
template <class S>
void EpigraphSimplex<S>::begin() {
  for (int j = 0; j < size_; ++j) {
    set_box(j);
    const S cost = cost_[at(j)];
    const bool fixed = low_[at(j)] == high_[at(j)];
    const Kind kind = fixed        ? Kind::fixed
                      : cost > 0.0 ? Kind::lower
                      : cost < 0.0 ? Kind::upper
                                   : Kind::pinned;
    enter(j, {kind, j});
    y_[at(j)] = kind == Kind::lower   ? low_[at(j)]
                : kind == Kind::upper ? high_[at(j)]
                                      : std::clamp(S(0), box_low_[at(j)], box_high_[at(j)]);
  }
  std::fill(used_.begin(), used_.end(), -1.0);
  find_values();
  begin_at_pieces();
  begun_ = true;
}

/// Replaces the bound of a column with a cost by the row that needs most of it here, and moves the
/// other columns to the sides of the box that are best for this row. Every multiplier is then at
/// least 0.
template <class S>
void EpigraphSimplex<S>::begin_at_pieces() {
  for (int t = 0; t < size_; ++t) {
    if (!(cost_[at(t)] > 0.0) || basis_[at(t)].kind != Kind::lower) continue;
    int most = -1;
    S missing = 0.0;
    for (const int row : plain_) {
      if (!(normal(row)[t] > 0.0)) continue;
      const S value = shortfall(row);
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

namespace {

template <class S>
Eigen::Map<Eigen::VectorX<S>> vector_of(std::vector<S>& x) {
  return {x.data(), static_cast<Eigen::Index>(x.size())};
}
template <class S>
Eigen::Map<const Eigen::VectorX<S>> vector_of(const std::vector<S>& x) {
  return {x.data(), static_cast<Eigen::Index>(x.size())};
}

}  // namespace

template <class S>
void SmallLu<S>::resize(int size) {
  matrix_.setZero(size, size);
  factors_ = Eigen::PartialPivLU<Matrix>(size);
  work_.setZero(size);
  residual_.setZero(size);
}

template <class S>
bool SmallLu<S>::factor() {
  factors_.compute(matrix_);
  const auto pivots = factors_.matrixLU().diagonal().cwiseAbs();
  return pivots.minCoeff() > SimplexTolerances<S>::least_pivot * matrix_.cwiseAbs().maxCoeff();
}

template <class S>
void SmallLu<S>::solve(std::vector<S>& b) {
  work_ = vector_of(b);
  vector_of(b) = factors_.solve(work_);
}

template <class S>
void SmallLu<S>::solve_transposed(std::vector<S>& b) {
  work_ = vector_of(b);
  vector_of(b) = factors_.transpose().solve(work_);
}

template <class S>
void SmallLu<S>::refine(const std::vector<S>& b, std::vector<S>& x) {
  residual_ = vector_of(b);
  residual_.noalias() -= matrix_ * vector_of(x);
  work_ = factors_.solve(residual_);
  vector_of(x) += work_;
}

template <class S>
void SmallLu<S>::refine_transposed(const std::vector<S>& b, std::vector<S>& x) {
  residual_ = vector_of(b);
  residual_.noalias() -= matrix_.transpose() * vector_of(x);
  work_ = factors_.transpose().solve(residual_);
  vector_of(x) += work_;
}

template class SmallLu<double>;
template class SmallLu<long double>;
template class EpigraphSimplex<double>;
template class EpigraphSimplex<long double>;

}  // namespace counterpoise
