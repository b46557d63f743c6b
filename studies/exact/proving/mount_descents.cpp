#include <cmath>

#include "cases/threads.hpp"
#include "optimizer/sampling/sobol_sequence.hpp"
#include "optimizer/search/search.hpp"
#include "studies/exact/proving/mount_search.hpp"

namespace counterpoise {
namespace {

constexpr int descent_evaluations = 120;
constexpr std::size_t corners_per_descent = 120;  // so that descents cost no more than corners

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

/// Local descents from points all over the box, as many as the new corners pay for: another valley
/// may be deeper. Which points depends on the number of corners alone.
void MountSearch::descend_elsewhere(std::size_t corners_before) {
  const auto d = static_cast<std::size_t>(bisection_.dimensions());
  if (d == 0) return;
  const std::size_t first = corners_before / corners_per_descent;
  std::vector<Best> starts(corners_.size() / corners_per_descent - first);
  SobolSequence sequence(d);
  for (std::size_t i = 0; i < starts.size(); ++i) {
    starts[i] = {no_limit, std::vector<double>(d), best_.x};
    sequence.point(static_cast<std::int64_t>(first + i + 1), starts[i].at);
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
