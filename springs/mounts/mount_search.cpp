#include "springs/mounts/mount_search.hpp"

#include <algorithm>
#include <cmath>

#include "cases/threads.hpp"
#include "optimizer/sampling/sobol_sequence.hpp"
#include "optimizer/search/search.hpp"

namespace counterpoise {
namespace {

constexpr std::size_t round_size = 16;  // leaves bisected in one round

}  // namespace

double MountGap::of(double best) const {
  return std::isfinite(best) ? std::max(relative * std::abs(best), floor) : 0.0;
}

MountSearch::MountSearch(const MountProblem& problem, std::vector<CornerSolver> solvers,
                         const MountGap& gap)
    : problem_(problem),
      bisection_(problem.functions().count()),
      gap_(gap),
      solvers_(std::move(solvers)) {}

double MountSearch::bound() const {
  if (nodes_.empty()) return -no_limit;
  const double open = open_.empty() ? no_limit : nodes_[open_.front()].bound.bound;
  return std::min(open, closed_);
}

bool MountSearch::finished() const {
  if (nodes_.empty()) return false;
  return open_.empty() || proved();
}

/// Whether leaf a comes after leaf b: by bound, then by place, which does not depend on the order
/// of work.
bool MountSearch::is_higher(int a, int b) const {
  const Node& x = nodes_[a];
  const Node& y = nodes_[b];
  if (x.bound.bound != y.bound.bound) return x.bound.bound > y.bound.bound;
  return x.simplex.corners > y.simplex.corners;
}

void MountSearch::open(int leaf) {
  const Node& node = nodes_[leaf];
  if (!bisection_.may_halve(node.simplex)) {
    closed_ = std::min(closed_, node.bound.bound);
    return;
  }
  open_.push_back(leaf);
  std::push_heap(open_.begin(), open_.end(), [this](int a, int b) { return is_higher(a, b); });
}

std::vector<std::array<double, 2>> MountSearch::loosest() const {
  int at = -1;
  for (int i = 0; i < static_cast<int>(nodes_.size()); ++i)
    if (nodes_[i].first_half < 0 && (at < 0 || is_higher(at, i))) at = i;
  std::vector<std::array<double, 2>> box;
  if (at < 0) return box;
  const Node& lowest = nodes_[at];
  for (int i = 0; i < bisection_.dimensions(); ++i) {
    std::array<double, 2>& range = box.emplace_back(std::array{no_limit, -no_limit});
    for (int w = 0; w < bisection_.corners(); ++w) {
      const double t = lowest.simplex.corners[w][i];
      const double value = problem_.functions().value_at(i, t);
      range = {std::min(range[0], value), std::max(range[1], value)};
    }
  }
  return box;
}

MountSearch::Shares MountSearch::shares() const {
  Shares shares;  // sums of powers of 2, which no order rounds
  for (const Node& node : nodes_)
    if (node.first_half < 0)
      (node.bound.reason.of_limits() ? shares.by_limits : shares.by_bound) +=
          std::ldexp(1.0, -node.simplex.level);
  const auto whole = static_cast<double>(bisection_.box().size());
  return {shares.by_limits / whole, shares.by_bound / whole};
}

MountTree MountSearch::tree() const {
  MountTree tree;
  DyadicCorners seen;
  std::vector<int> waiting;
  for (int i = static_cast<int>(bisection_.box().size()); i-- > 0 && !nodes_.empty();)
    waiting.push_back(i);
  while (!waiting.empty()) {
    const Node& node = nodes_[waiting.back()];
    waiting.pop_back();
    tree.bisected.push_back(node.first_half < 0 ? 0 : 1);
    if (node.first_half >= 0) {
      waiting.push_back(node.first_half + 1);
      waiting.push_back(node.first_half);
      continue;
    }
    tree.reasons.push_back(node.bound.reason);
    for (std::size_t w = 0; w < static_cast<std::size_t>(bisection_.corners()); ++w) {
      if (seen.number_of(node.simplex.corners[w]) < static_cast<int>(tree.corners.size())) continue;
      const MountCorner& own = corners_[node.corners[w]];
      tree.corners.push_back({own.optimal, own.conflict, own.value, own.x});
    }
  }
  return tree;
}

void MountSearch::restore(const MountTree& tree, Best best) {
  const std::vector<MountTree::Leaf> leaves = tree.leaves(bisection_);
  best_ = std::move(best);
  const std::vector<int> places = place(tree);
  for (const MountTree::Corner& corner : tree.corners) {
    MountCorner own;
    own.optimal = corner.optimal;
    own.conflict = corner.conflict;
    for (const auto* multipliers : {&own.optimal, &own.conflict})
      if (*multipliers)
        if (const std::string fault = problem_.fault_of(**multipliers); !fault.empty())
          throw InputError({.file = "proof over mounts"}, fault);
    own.weights = problem_.weights_of(own.optimal, own.conflict);
    own.value = corner.value;
    own.x = corner.x;
    add_corner(std::move(own));
  }
  bound_each(leaves.size(), [&](SimplexBounds& bounds, std::size_t i) {
    const MountTree::Leaf& leaf = leaves[i];
    nodes_[places[i]].bound = {bounds.bound(leaf.bounded, corners_of(leaf.corners), leaf.reason),
                               leaf.reason};
  });
  for (const int leaf : places) open(leaf);
}

/// Makes the nodes of a tree, without their bounds, and numbers the corners of its leaves. Returns
/// the leaves.
std::vector<int> MountSearch::place(const MountTree& tree) {
  for (const DyadicSimplex& simplex : bisection_.box()) add(simplex, nodes_);
  // leaves number the corners; the nodes above them have no others
  std::vector<int> waiting, leaves;
  for (std::size_t i = nodes_.size(); i-- > 0;) waiting.push_back(static_cast<int>(i));
  points_ = {};
  for (const std::uint8_t bisected : tree.bisected) {
    const int at = waiting.back();
    waiting.pop_back();
    if (bisected == 0) {
      Node& leaf = nodes_[at];
      for (std::size_t w = 0; w < static_cast<std::size_t>(bisection_.corners()); ++w)
        leaf.corners[w] = points_.number_of(leaf.simplex.corners[w]);
      leaves.push_back(at);
      continue;
    }
    const auto halves = bisection_.halves(nodes_[at].simplex);
    const int first = static_cast<int>(nodes_.size());
    nodes_[at].first_half = first;
    for (const DyadicSimplex& half : halves) nodes_.push_back({half, {}, {}, -1});
    waiting.push_back(first + 1);
    waiting.push_back(first);
  }
  return leaves;
}

/// Solves the corners that have no solution yet, each from the springs of a neighbour.
void MountSearch::solve_new_corners(const std::vector<std::vector<double>>& starts) {
  const std::size_t first = corners_.size();
  const auto count = static_cast<std::size_t>(points_.count()) - first;
  std::vector<MountCorner> solved(count);
  const std::size_t threads = solvers_.size();
  const auto d = static_cast<std::size_t>(bisection_.dimensions());
  parallel_each(threads, [&](std::size_t t) {
    for (std::size_t i = t; i < count; i += threads)
      solved[i] = solvers_[t].solve(std::span(points_.point(static_cast<int>(first + i))).first(d),
                                    starts[i]);
  });
  for (MountCorner& corner : solved) add_corner(std::move(corner));
  note_best(first);
}

void MountSearch::offer(std::span<const double> at) {
  const MountCorner corner = solvers_.front().solve(at, {});
  if (corner.value < best_.value)
    best_ = {corner.value, std::vector<double>(at.begin(), at.end()), corner.x};
}

void MountSearch::add_corner(MountCorner&& corner) {
  bytes_ += sizeof(MountCorner);
  for (const auto* multipliers : {&corner.optimal, &corner.conflict})
    if (*multipliers)
      bytes_ += (*multipliers)->witnesses.size() * sizeof(InstantMultipliers::Witness) +
                (*multipliers)->limits.size() * sizeof(InstantMultipliers::Limit);
  const auto add = [this](const MountSum& sum) {
    for (const MountSum::OfSpring& own : sum.of_springs)
      bytes_ +=
          own.loads.size() * sizeof(MountSum::Load) + own.lengths.size() * sizeof(MountSum::Length);
  };
  const auto add_weights = [&](const MountWeights& weights) {
    add(weights);
    for (const MountWeights::Product& product : weights.products) add(product.of);
  };
  for (const auto* weights : {&corner.weights.optimal, &corner.weights.conflict})
    if (*weights) add_weights(**weights);
  for (const MountRow& row : corner.weights.rows) {
    bytes_ += sizeof(MountRow);
    add_weights(row.weights);
  }
  corners_.push_back(std::move(corner));
}

void MountSearch::note_best(std::size_t first_corner) {
  for (std::size_t c = first_corner; c < corners_.size(); ++c) {
    if (!(corners_[c].value < best_.value)) continue;
    const DyadicPoint& at = points_.point(static_cast<int>(c));
    best_ = {corners_[c].value,
             std::vector<double>(at.begin(), at.begin() + bisection_.dimensions()), corners_[c].x};
  }
}

SimplexBounds::Corners MountSearch::corners_of(
    const std::array<int, most_dimensions + 1>& corners) const {
  SimplexBounds::Corners found{};
  for (std::size_t w = 0; w < static_cast<std::size_t>(bisection_.corners()); ++w)
    found[w] = &corners_[corners[w]].weights;
  return found;
}

/// Calls `bound` for each index below `count`, on all threads.
void MountSearch::bound_each(
    std::size_t count, const std::function<void(SimplexBounds& bounds, std::size_t i)>& bound) {
  const std::size_t threads = solvers_.size();
  while (bounds_.size() < threads) bounds_.emplace_back(problem_);
  parallel_each(threads, [&](std::size_t t) {
    for (std::size_t i = t; i < count; i += threads) bound(bounds_[t], i);
  });
}

/// Bounds the simplices of a round: the halves of the simplices that it bisects, in their order, or
/// at first the simplices of the whole box.
void MountSearch::bound_halves(std::vector<Node>& halves) {
  const double best = best_known();
  bound_each(halves.size(), [&](SimplexBounds& bounds, std::size_t i) {
    halves[i].bound = bounds.best(halves[i].simplex, corners_of(halves[i].corners), best);
    if (bisecting_.empty()) return;
    SimplexBound whole = nodes_[bisecting_[i / 2]].bound;
    if (!(whole.bound > halves[i].bound.bound)) return;
    ++whole.reason.above;
    halves[i].bound = whole;
  });
}

void MountSearch::add(const DyadicSimplex& simplex, std::vector<Node>& to) {
  Node& node = to.emplace_back();
  node.simplex = simplex;
  for (std::size_t w = 0; w < static_cast<std::size_t>(bisection_.corners()); ++w)
    node.corners[w] = points_.number_of(simplex.corners[w]);
}

void MountSearch::round() {
  if (finished()) return;
  const Best before = best_;
  try {
    bisect_lowest();
  } catch (const Interrupted&) {
    best_ = before;
    for (const int parent : bisecting_) open(parent);
    throw;
  }
}

void MountSearch::bisect_lowest() {
  std::vector<Node> added;
  std::vector<int>& parents = bisecting_;
  parents.clear();
  std::vector<std::vector<double>> starts;
  const std::size_t known = corners_.size();
  if (nodes_.empty()) {
    for (const DyadicSimplex& simplex : bisection_.box()) add(simplex, added);
    starts.resize(static_cast<std::size_t>(points_.count()));
  } else {
    while (parents.size() < round_size && !open_.empty() && !proved()) {
      std::pop_heap(open_.begin(), open_.end(), [this](int a, int b) { return is_higher(a, b); });
      parents.push_back(open_.back());
      open_.pop_back();
    }
    for (const int parent : parents) {
      const Node& node = nodes_[parent];
      for (const DyadicSimplex& half : bisection_.halves(node.simplex)) add(half, added);
      starts.resize(static_cast<std::size_t>(points_.count()) - known, corners_[node.corners[0]].x);
    }
  }
  const double before = best_known();
  solve_new_corners(starts);
  if (best_.value < before - gap()) descend();
  descend_elsewhere(known);
  bound_halves(added);
  const auto first = static_cast<int>(nodes_.size());
  for (const Node& node : added) bytes_ += node.bound.reason.loads.size() * sizeof(MountRow::Name);
  for (std::size_t i = 0; i < parents.size(); ++i)
    nodes_[parents[i]].first_half = first + 2 * static_cast<int>(i);
  nodes_.insert(nodes_.end(), added.begin(), added.end());
  for (int leaf = first; leaf < static_cast<int>(nodes_.size()); ++leaf) open(leaf);
}

void MountSearch::look_at_all_instants(const Interruption& interrupted) {
  const int count = static_cast<int>(nodes_.size());
  std::vector<int> silent, parents(nodes_.size(), -1);
  for (int i = 0; i < count; ++i) {
    const Node& node = nodes_[i];
    if (node.first_half >= 0)
      parents[node.first_half] = parents[node.first_half + 1] = i;
    else if (node.bound.reason.kind == BoundReason::Kind::norms)
      silent.push_back(i);
  }
  // a leaf has the best bound of all simplices that it is a part of, so that none falls
  std::vector<SimplexBound> of_all(nodes_.size());
  bool all = true;
  for (std::size_t first = 0; first < silent.size() && all; first += round_size) {
    interrupted.poll();
    const auto leaves =
        std::span(silent).subspan(first, std::min(round_size, silent.size() - first));
    std::vector<int> wanted;
    for (const int leaf : leaves)
      for (int i = leaf; i >= 0; i = parents[i]) {
        if (of_all[i].reason.kind != BoundReason::Kind::none) break;
        of_all[i].reason.kind = BoundReason::Kind::all_intervals;
        wanted.push_back(i);
      }
    std::sort(wanted.begin(), wanted.end());  // each behind what it is a part of
    bound_each(wanted.size(), [&](SimplexBounds& bounds, std::size_t w) {
      SimplexBound& own = of_all[wanted[w]];
      own.bound = bounds.bound(nodes_[wanted[w]].simplex, {}, own.reason);
    });
    for (const int i : wanted) {
      if (parents[i] < 0 || !(of_all[parents[i]].bound > of_all[i].bound)) continue;
      of_all[i] = of_all[parents[i]];
      ++of_all[i].reason.above;
    }
    for (const int leaf : leaves) all = all && of_all[leaf].bound > nodes_[leaf].bound.bound;
  }
  open_.clear();
  closed_ = no_limit;
  for (int i = 0; i < count; ++i) {
    Node& node = nodes_[i];
    if (node.first_half >= 0) continue;
    if (of_all[i].bound > node.bound.bound) node.bound = of_all[i];
    open(i);
  }
}

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
