#include <algorithm>
#include <cmath>

#include "optimizer/search/search.hpp"
#include "studies/exact/proving/mount_search.hpp"
#include "studies/running/threads.hpp"

namespace counterpoise {
namespace {

constexpr int descent_evaluations = 120;
constexpr std::size_t most_descents = 6;  // into other valleys at once
constexpr double another_valley = 0.15;   // of the ranges, in some variable

}  // namespace

/// Where a local descent comes to from a geometry with springs to begin at.
MountSearch::Best MountSearch::descent(CornerSolver& solver, const Best& from) const {
  const auto d = static_cast<std::size_t>(bisection_.dimensions());
  SearchOptions options;
  options.stages = {{d == 1 ? "LN_SBPLX" : "LN_BOBYQA"}, {"LN_SBPLX"}};
  options.max_evaluations = descent_evaluations;
  options.lower.assign(d, 0.0);
  options.upper.assign(d, 1.0);
  options.nominal = from.at;
  options.initial_step = 0.05;
  options.tolerance = 1e-9;
  options.idle_restarts = 1;
  Best found = from;
  search(options, [&](std::span<const double> at) {
    const MountCorner corner = solver.solve(at, from.x);
    if (corner.value < found.value)
      found = {corner.value, std::vector<double>(at.begin(), at.end()), corner.x};
    const bool kept = std::isfinite(corner.value);
    return Evaluation{kept ? corner.value : 0.0, kept ? 0.0 : 1.0, kept};
  });
  return found;
}

/// A local descent from the best geometry.
void MountSearch::descend() {
  if (std::isfinite(best_.value) && bisection_.dimensions() > 0)
    best_ = descent(solvers_.front(), best_);
}

/// Local descents from the best corners that are far from the best geometry and from each other:
/// another valley may be deeper.
void MountSearch::descend_elsewhere() {
  const auto d = static_cast<std::size_t>(bisection_.dimensions());
  if (d == 0) return;
  std::vector<std::size_t> order;
  for (std::size_t c = 0; c < corners_.size(); ++c)
    if (std::isfinite(corners_[c].value)) order.push_back(c);
  const auto point = [&](std::size_t c) -> const DyadicPoint& {
    return points_.point(static_cast<int>(c));
  };
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    if (corners_[a].value != corners_[b].value) return corners_[a].value < corners_[b].value;
    return point(a) < point(b);
  });
  std::vector<Best> starts;
  const auto is_near = [&](const std::vector<double>& a, const DyadicPoint& b) {
    double distance = 0.0;
    for (std::size_t i = 0; i < d; ++i) distance = std::max(distance, std::abs(a[i] - b[i]));
    return distance < another_valley;
  };
  for (const std::size_t c : order) {
    if (starts.size() == most_descents) break;
    const bool is_new = !is_near(best_.at, point(c)) &&
                        std::none_of(starts.begin(), starts.end(), [&](const Best& start) {
                          return is_near(start.at, point(c));
                        });
    if (!is_new) continue;
    const DyadicPoint& at = point(c);
    starts.push_back({corners_[c].value,
                      std::vector<double>(at.begin(), at.begin() + static_cast<std::ptrdiff_t>(d)),
                      corners_[c].x});
  }
  const std::size_t threads = solvers_.size();
  parallel_each(threads, [&](std::size_t t) {
    for (std::size_t i = t; i < starts.size(); i += threads)
      starts[i] = descent(solvers_[t], starts[i]);
  });
  for (Best& one : starts)
    if (one.value < best_.value) best_ = std::move(one);
}

}  // namespace counterpoise
