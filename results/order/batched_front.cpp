#include "results/order/batched_front.hpp"

#include <algorithm>
#include <numeric>

namespace counterpoise {
namespace {

constexpr std::size_t few = 32;  // points that are compared without a tree

bool comes_before(std::span<const double> a, std::span<const double> b) {
  return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end());
}

}  // namespace

void BatchedFront::add(std::int64_t id, std::span<const double> objectives) {
  objectives_ = objectives.size();
  waiting_.insert(waiting_.end(), objectives.begin(), objectives.end());
  waiting_ids_.push_back(id);
  if (waiting_ids_.size() >= std::max(batch_, front_.size())) settle();
}

std::vector<ParetoFront::Point> BatchedFront::points() {
  settle();
  std::vector<ParetoFront::Point> points;
  for (std::size_t i = 0; i < front_.size(); ++i) {
    const auto objectives = front_.at(i, objectives_);
    for (const std::int64_t id : front_.ids[i])
      points.push_back({id, {objectives.begin(), objectives.end()}});
  }
  return points;
}

void BatchedFront::Places::take(Places& other, std::size_t i, std::size_t objectives) {
  const auto from = other.at(i, objectives);
  values.insert(values.end(), from.begin(), from.end());
  ids.push_back(std::move(other.ids[i]));
}

void BatchedFront::settle() {
  if (waiting_ids_.empty()) return;
  Places candidates = survivors();
  waiting_.clear();
  waiting_ids_.clear();
  std::vector<std::size_t> all(candidates.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  Places newcomers;
  for (const std::size_t i : front_of(candidates, all)) newcomers.take(candidates, i, objectives_);
  join(newcomers);
}

/// What the front does not dominate of the points that wait.
BatchedFront::Places BatchedFront::survivors() {
  const auto waiting = [this](std::size_t i) {
    return std::span(waiting_).subspan(i * objectives_, objectives_);
  };
  std::vector<std::size_t> left;
  for (std::size_t i = 0; i < waiting_ids_.size(); ++i)
    if (!tree_.dominates(waiting(i))) left.push_back(i);
  std::sort(left.begin(), left.end(), [&](std::size_t a, std::size_t b) {
    if (comes_before(waiting(a), waiting(b))) return true;
    return same(waiting(a), waiting(b)) && waiting_ids_[a] < waiting_ids_[b];
  });
  Places places;
  for (const std::size_t i : left) {
    const auto point = waiting(i);
    if (places.size() == 0 || !same(places.at(places.size() - 1, objectives_), point)) {
      places.values.insert(places.values.end(), point.begin(), point.end());
      places.ids.emplace_back();
    }
    places.ids.back().push_back(waiting_ids_[i]);
  }
  return places;
}

/// Those of some places, in their order, that none of them dominates.
std::vector<std::size_t> BatchedFront::front_of(const Places& places,
                                                std::span<const std::size_t> part) const {
  std::vector<std::size_t> front;
  if (part.size() <= few) {
    for (const std::size_t i : part)
      if (std::none_of(front.begin(), front.end(), [&](std::size_t other) {
            return covers(places.at(other, objectives_), places.at(i, objectives_));
          }))
        front.push_back(i);
    return front;
  }
  const std::size_t half = part.size() / 2;
  front = front_of(places, part.first(half));
  std::vector<double> points;
  for (const std::size_t i : front) {
    const auto point = places.at(i, objectives_);
    points.insert(points.end(), point.begin(), point.end());
  }
  DominanceTree tree(points, objectives_);
  std::vector<std::size_t> rest;
  for (const std::size_t i : part.subspan(half))
    if (!tree.dominates(places.at(i, objectives_))) rest.push_back(i);
  const std::vector<std::size_t> second = front_of(places, rest);
  front.insert(front.end(), second.begin(), second.end());
  return front;
}

/// Takes newcomers that nothing dominates into the front; what they dominate leaves it.
void BatchedFront::join(Places& newcomers) {
  DominanceTree by_newcomers(newcomers.values, objectives_);
  Places joined;
  std::size_t next = 0;
  for (std::size_t i = 0; i < front_.size(); ++i) {
    const auto point = front_.at(i, objectives_);
    if (by_newcomers.dominates(point)) continue;
    while (next < newcomers.size() && comes_before(newcomers.at(next, objectives_), point))
      joined.take(newcomers, next++, objectives_);
    joined.take(front_, i, objectives_);
    if (next == newcomers.size() || !same(newcomers.at(next, objectives_), point)) continue;
    std::vector<std::int64_t>& ids = joined.ids.back();
    const auto before = static_cast<std::ptrdiff_t>(ids.size());
    ids.insert(ids.end(), newcomers.ids[next].begin(), newcomers.ids[next].end());
    std::inplace_merge(ids.begin(), ids.begin() + before, ids.end());
    ++next;
  }
  while (next < newcomers.size()) joined.take(newcomers, next++, objectives_);
  front_ = std::move(joined);
  tree_ = DominanceTree(front_.values, objectives_);
}

}  // namespace counterpoise
