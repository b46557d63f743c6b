#include "engine/dynamics/sparse_balance.hpp"

#include <algorithm>
#include <cmath>

namespace counterpoise {
namespace {

// the components take on its share of rounding; a small one takes more rounds
constexpr double weight_of_constraints = 1e4;

std::span<double> span_of(Eigen::VectorXd& vector) {
  return {vector.data(), static_cast<std::size_t>(vector.size())};
}

/// The loops that each owner of a group belongs to, by its place.
template <class Loop>
std::vector<std::vector<Loop>> loops_of(const WrenchMap& map, const WrenchGroup& group) {
  std::vector<std::vector<Loop>> found(group.owners.size());
  for (std::size_t l = 0; l < group.loops.size(); ++l) {
    const std::vector<Eigen::Index> places = map.places_of_loop(group.loops[l]);
    for (std::size_t i = 0; i < places.size(); ++i)
      found[static_cast<std::size_t>(places[i])].push_back({map.column_of_loop(group.loops[l]),
                                                            group.slopes_of_loops[l].cols(),
                                                            static_cast<Eigen::Index>(6 * i), l});
  }
  return found;
}

}  // namespace

SparseBalance::SparseBalance(const WrenchMap& map, const WrenchGroup& group,
                             const std::vector<Sum>& constraints, const std::vector<Sum>& weighed)
    : loops_of_(loops_of<Loop>(map, group)),
      pattern_([&] {
        SparseDecomposition::Pattern pattern;
        add_pattern(constraints, pattern);
        add_pattern(weighed, pattern);
        return pattern;
      }()),
      factor_(pattern_, static_cast<int>(group.unknowns())),
      constraints_(static_cast<Eigen::Index>(constraints.size())),
      weighed_(static_cast<Eigen::Index>(weighed.size())),
      unknowns_(group.unknowns()) {
  std::size_t next = 0;
  for (const std::vector<int>& row : pattern_) {
    starts_.push_back(next);
    next += row.size();
  }
  starts_.push_back(next);
  entries_.resize(next);
}

void SparseBalance::add_pattern(const std::vector<Sum>& sums,
                                SparseDecomposition::Pattern& pattern) const {
  for (const Sum& sum : sums) {
    std::vector<int>& row = pattern.emplace_back();
    for (const Term& term : sum)
      for (const Loop& loop : loops_of_[static_cast<std::size_t>(term.place)])
        for (Eigen::Index i = 0; i < loop.count; ++i)
          row.push_back(static_cast<int>(loop.column + i));
    std::sort(row.begin(), row.end());
    row.erase(std::unique(row.begin(), row.end()), row.end());
  }
}

void SparseBalance::add_entries(const WrenchGroup& group, const std::vector<Sum>& sums,
                                double weight, std::size_t& next) {
  for (const Sum& sum : sums) {
    const std::vector<int>& row = pattern_[next];
    double* entries = entries_.data() + starts_[next++];
    for (const Term& term : sum)
      for (const Loop& loop : loops_of_[static_cast<std::size_t>(term.place)]) {
        const auto at =
            std::lower_bound(row.begin(), row.end(), static_cast<int>(loop.column)) - row.begin();
        const Eigen::MatrixXd& slopes = group.slopes_of_loops[loop.loop];
        for (Eigen::Index i = 0; i < loop.count; ++i)
          entries[at + i] += weight * term.factor * slopes(loop.row + term.component, i);
      }
  }
}

void SparseBalance::compute(const WrenchGroup& group, const std::vector<Sum>& constraints,
                            const std::vector<Sum>& weighed) {
  std::fill(entries_.begin(), entries_.end(), 0.0);
  std::size_t next = 0;
  add_entries(group, constraints, weight_of_constraints, next);
  add_entries(group, weighed, 1.0, next);
  factor_.compute(entries_);
}

Eigen::VectorXd SparseBalance::product(std::size_t first, Eigen::Index count,
                                       const Eigen::VectorXd& x) const {
  Eigen::VectorXd result(count);
  for (Eigen::Index i = 0; i < count; ++i) {
    const std::size_t row = first + static_cast<std::size_t>(i);
    double sum = 0.0;
    for (std::size_t e = 0; e < pattern_[row].size(); ++e)
      sum += entries_[starts_[row] + e] * x(pattern_[row][e]);
    result(i) = sum;
  }
  return result;
}

std::optional<Eigen::VectorXd> SparseBalance::solve(const Eigen::VectorXd& right,
                                                    const Eigen::VectorXd& start) {
  constexpr int most_rounds = 30;
  constexpr double rounding = 1e-15, met = 1e-10;
  const double size = std::max({right.cwiseAbs().maxCoeff(), start.cwiseAbs().maxCoeff(), 1e-300});
  const Eigen::VectorXd asked = weight_of_constraints * right;
  Eigen::VectorXd both(constraints_ + weighed_), x(unknowns_);
  both << asked, -start;
  double before = HUGE_VAL;
  for (int round = 0; round < most_rounds; ++round) {
    factor_.solve(span_of(both), span_of(x));
    const Eigen::VectorXd missed = asked - product(0, constraints_, x);
    const double worst = missed.cwiseAbs().maxCoeff() / weight_of_constraints;
    if (!std::isfinite(worst)) return std::nullopt;
    if (worst <= rounding * size || worst >= 0.9 * before) break;
    before = worst;
    both.head(constraints_) += missed;
  }
  const Eigen::VectorXd missed = asked - product(0, constraints_, x);
  if (missed.cwiseAbs().maxCoeff() > met * weight_of_constraints * size) return std::nullopt;
  return x;
}

std::optional<Eigen::VectorXd> SparseBalance::open_changes() {
  Eigen::VectorXd some(unknowns_);
  for (Eigen::Index i = 0; i < unknowns_; ++i)
    some(i) = 1.5 + std::sin(12.9898 * static_cast<double>(i + 1));
  const auto first = static_cast<std::size_t>(constraints_);
  const Eigen::VectorXd start = -product(first, weighed_, some);
  const auto x = solve(Eigen::VectorXd::Zero(constraints_), start);
  if (!x) return std::nullopt;
  return product(first, weighed_, *x) / start.cwiseAbs().maxCoeff();
}

int SparseBalance::open_numbers() {
  // rows of so great a weight determine all that they say anything of
  constexpr double still_more = 1e3;
  for (std::size_t e = 0; e < starts_[static_cast<std::size_t>(constraints_)]; ++e)
    entries_[e] *= still_more;
  factor_.compute(entries_);
  double settled = 0.0;
  for (std::size_t row = 0; row < static_cast<std::size_t>(constraints_); ++row)
    settled += factor_.leverage(pattern_[row],
                                std::span(entries_).subspan(starts_[row], pattern_[row].size()));
  return static_cast<int>(unknowns_ - std::lround(settled));
}

}  // namespace counterpoise
