#include "optimizer/dyadic_simplex.hpp"

#include <algorithm>
#include <numeric>

namespace counterpoise {
namespace {

constexpr int most_halvings = 50;  // of each edge

}  // namespace

std::vector<DyadicSimplex> DyadicBisection::box() const {
  const auto n = static_cast<std::size_t>(dimensions_);
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::vector<DyadicSimplex> simplices;
  do {
    DyadicSimplex& simplex = simplices.emplace_back();
    for (std::size_t i = 0; i < n; ++i) {
      simplex.corners[i + 1] = simplex.corners[i];
      simplex.corners[i + 1][order[i]] = 1.0;
    }
  } while (std::next_permutation(order.begin(), order.end()));
  return simplices;
}

std::array<DyadicSimplex, 2> DyadicBisection::halves(const DyadicSimplex& simplex) const {
  const auto n = static_cast<std::size_t>(dimensions_);
  const std::size_t k = n - static_cast<std::size_t>(simplex.level) % n;
  DyadicPoint middle{};
  for (std::size_t i = 0; i < n; ++i)
    middle[i] = 0.5 * (simplex.corners[0][i] + simplex.corners[k][i]);
  std::array<DyadicSimplex, 2> parts = {simplex, simplex};
  for (DyadicSimplex& part : parts) ++part.level;
  parts[0].corners[k] = middle;
  // the other half keeps x_1 ... x_k, and the middle stands behind them
  std::copy_n(simplex.corners.begin() + 1, k, parts[1].corners.begin());
  parts[1].corners[k] = middle;
  return parts;
}

bool DyadicBisection::may_halve(const DyadicSimplex& simplex) const {
  return simplex.level < most_halvings * dimensions_;
}

int DyadicCorners::number_of(const DyadicPoint& point) {
  const auto [place, is_new] = numbers_.try_emplace(point, count());
  if (is_new) points_.push_back(point);
  return place->second;
}

}  // namespace counterpoise
