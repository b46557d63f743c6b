#include "results/rows/batched_front.hpp"

#include <algorithm>
#include <numeric>
#include <system_error>
#include <utility>

#include "results/rows/dominance_tree.hpp"

namespace counterpoise {
namespace {

constexpr std::size_t few = 32;          // points that are compared without a tree
constexpr std::size_t sample_step = 64;  // of a batch that many to one are settled first

bool comes_before(std::span<const double> a, std::span<const double> b) {
  return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end());
}

/// Whether a is nowhere worse than b.
bool covers(std::span<const double> a, std::span<const double> b) {
  return std::equal(a.begin(), a.end(), b.begin(), [](double x, double y) { return !(x > y); });
}

/// Whether all objectives are equal.
bool same(std::span<const double> a, std::span<const double> b) {
  return std::equal(a.begin(), a.end(), b.begin());
}

}  // namespace

/// The front of all batches so far.
struct BatchedFront::Settled {
  /// Different points in lexicographic order, each with the ids of those that are equal to it.
  struct Places {
    [[nodiscard]] std::size_t size() const { return ids.size(); }
    [[nodiscard]] std::span<const double> at(std::size_t i, std::size_t count) const {
      return std::span(values).subspan(i * count, count);
    }
    void take(Places& other, std::size_t i, std::size_t count) {
      const auto from = other.at(i, count);
      values.insert(values.end(), from.begin(), from.end());
      ids.push_back(std::move(other.ids[i]));
    }

    std::vector<double> values;
    std::vector<std::vector<std::int64_t>> ids;
  };

  /// Takes the batch into the front.
  void settle();
  [[nodiscard]] Places survivors();
  std::vector<std::size_t> front_of(const Places& places, std::span<const std::size_t> part);
  std::vector<double> values_of(const Places& places, std::span<const std::size_t> part) const;
  void join(Places& newcomers);
  void limit_equal(std::vector<std::int64_t>& ids);
  void plant();

  std::size_t most_equal = 0, objectives = 0;
  Batch batch;
  Places front;
  DominanceTree tree{{}, 1};  // of the front
  Change change;
  std::uint64_t looks = 0;  // at trees that are gone
};

BatchedFront::BatchedFront(std::size_t most_equal, std::size_t batch)
    : batch_(batch), enough_(batch), settled_(std::make_unique<Settled>()) {
  settled_->most_equal = most_equal;
}
BatchedFront::BatchedFront(BatchedFront&&) noexcept = default;
BatchedFront::~BatchedFront() = default;

void BatchedFront::add(std::int64_t id, std::span<const double> objectives) {
  waiting_.values.insert(waiting_.values.end(), objectives.begin(), objectives.end());
  waiting_.ids.push_back(id);
  if (waiting_.ids.size() >= enough_) hand_over();
}

/// Has the points that wait settled by a thread, after those before them.
void BatchedFront::hand_over() {
  finish();
  enough_ = std::max(batch_, settled_->front.size());
  std::swap(settled_->batch, waiting_);
  try {
    settling_ = std::async(std::launch::async, &Settled::settle, settled_.get());
  } catch (const std::system_error&) {  // no thread available
    settled_->settle();
  }
}

/// Waits for the thread. Throws what it has thrown.
void BatchedFront::finish() {
  if (settling_.valid()) settling_.get();
}

void BatchedFront::settle_all() {
  finish();
  std::swap(settled_->batch, waiting_);
  settled_->settle();
}

BatchedFront::Change BatchedFront::take_change() {
  settle_all();
  return std::exchange(settled_->change, {});
}

std::size_t BatchedFront::size() {
  settle_all();
  std::size_t size = 0;
  for (const std::vector<std::int64_t>& ids : settled_->front.ids) size += ids.size();
  return size;
}

std::uint64_t BatchedFront::looks() {
  settle_all();
  return settled_->looks + settled_->tree.looks();
}

void BatchedFront::leave_out_above(double limit) {
  settle_all();
  Settled& all = *settled_;
  std::size_t stay = all.front.size();  // those before are in the order of their first objective
  while (stay > 0 && all.front.at(stay - 1, all.objectives).front() > limit) {
    const std::vector<std::int64_t>& ids = all.front.ids[--stay];
    all.change.left.insert(all.change.left.end(), ids.begin(), ids.end());
  }
  if (stay == all.front.size()) return;
  all.front.ids.resize(stay);
  all.front.values.resize(stay * all.objectives);
  all.plant();
}

std::vector<FrontPoint> BatchedFront::points() {
  settle_all();
  std::vector<FrontPoint> points;
  for (std::size_t i = 0; i < settled_->front.size(); ++i) {
    const auto objectives = settled_->front.at(i, settled_->objectives);
    for (const std::int64_t id : settled_->front.ids[i])
      points.push_back({id, {objectives.begin(), objectives.end()}});
  }
  return points;
}

void BatchedFront::Settled::settle() {
  if (batch.ids.empty()) return;
  objectives = batch.values.size() / batch.ids.size();
  Places candidates = survivors();
  batch.values.clear();
  batch.ids.clear();
  std::vector<std::size_t> all(candidates.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  Places newcomers;
  for (const std::size_t i : front_of(candidates, all)) newcomers.take(candidates, i, objectives);
  join(newcomers);
}

/// What the front does not dominate of the batch.
BatchedFront::Settled::Places BatchedFront::Settled::survivors() {
  const auto point_at = [this](std::size_t i) {
    return std::span(batch.values).subspan(i * objectives, objectives);
  };
  std::vector<std::size_t> left;
  for (std::size_t i = 0; i < batch.ids.size(); ++i)
    if (!tree.dominates(point_at(i))) left.push_back(i);
  std::sort(left.begin(), left.end(), [&](std::size_t a, std::size_t b) {
    if (comes_before(point_at(a), point_at(b))) return true;
    return same(point_at(a), point_at(b)) && batch.ids[a] < batch.ids[b];
  });
  Places places;
  for (const std::size_t i : left) {
    const auto point = point_at(i);
    if (places.size() == 0 || !same(places.at(places.size() - 1, objectives), point)) {
      places.values.insert(places.values.end(), point.begin(), point.end());
      places.ids.emplace_back();
    }
    places.ids.back().push_back(batch.ids[i]);
  }
  return places;
}

/// The places in `part` whose points no other point in `part` dominates, in their order.
std::vector<std::size_t> BatchedFront::Settled::front_of(const Places& places,
                                                         std::span<const std::size_t> part) {
  std::vector<std::size_t> undominated;
  if (part.size() <= few) {
    for (const std::size_t i : part)
      if (std::none_of(undominated.begin(), undominated.end(), [&](std::size_t other) {
            return covers(places.at(other, objectives), places.at(i, objectives));
          }))
        undominated.push_back(i);
    return undominated;
  }
  std::vector<std::size_t> sample, rest;
  for (std::size_t k = 0; k < part.size(); k += sample_step) sample.push_back(part[k]);
  DominanceTree of_sample(values_of(places, front_of(places, sample)), objectives);
  for (const std::size_t i : part)
    if (!of_sample.dominates(places.at(i, objectives))) rest.push_back(i);
  DominanceTree of_rest(values_of(places, rest), objectives);
  for (const std::uint32_t k : of_rest.undominated()) undominated.push_back(rest[k]);
  looks += of_sample.looks() + of_rest.looks();
  return undominated;
}

/// The objectives of the places in `part`, one point after the other.
std::vector<double> BatchedFront::Settled::values_of(const Places& places,
                                                     std::span<const std::size_t> part) const {
  std::vector<double> values;
  values.reserve(part.size() * objectives);
  for (const std::size_t i : part) {
    const auto point = places.at(i, objectives);
    values.insert(values.end(), point.begin(), point.end());
  }
  return values;
}

/// Takes newcomers that nothing dominates into the front; what they dominate leaves it.
void BatchedFront::Settled::join(Places& newcomers) {
  if (newcomers.size() == 0) return;
  DominanceTree by_newcomers(newcomers.values, objectives);
  Places joined;
  std::size_t next = 0;
  for (const std::vector<std::int64_t>& ids : newcomers.ids)
    change.joined.insert(change.joined.end(), ids.begin(), ids.end());
  const auto take_next = [&] {
    joined.take(newcomers, next++, objectives);
    limit_equal(joined.ids.back());
  };
  for (std::size_t i = 0; i < front.size(); ++i) {
    const auto point = front.at(i, objectives);
    if (by_newcomers.dominates(point)) {
      change.left.insert(change.left.end(), front.ids[i].begin(), front.ids[i].end());
      continue;
    }
    while (next < newcomers.size() && comes_before(newcomers.at(next, objectives), point))
      take_next();
    joined.take(front, i, objectives);
    if (next == newcomers.size() || !same(newcomers.at(next, objectives), point)) continue;
    std::vector<std::int64_t>& ids = joined.ids.back();
    const auto before = static_cast<std::ptrdiff_t>(ids.size());
    ids.insert(ids.end(), newcomers.ids[next].begin(), newcomers.ids[next].end());
    std::inplace_merge(ids.begin(), ids.begin() + before, ids.end());
    limit_equal(ids);
    ++next;
  }
  while (next < newcomers.size()) take_next();
  front = std::move(joined);
  looks += by_newcomers.looks();
  plant();
}

/// Of equal points leaves out all but the first `most_equal`.
void BatchedFront::Settled::limit_equal(std::vector<std::int64_t>& ids) {
  if (ids.size() <= most_equal) return;
  const auto rest = ids.begin() + static_cast<std::ptrdiff_t>(most_equal);
  change.left.insert(change.left.end(), rest, ids.end());
  ids.erase(rest, ids.end());
}

/// Makes the tree anew, of the front as it is.
void BatchedFront::Settled::plant() {
  looks += tree.looks();
  tree = DominanceTree(front.values, objectives);
}

std::optional<std::int64_t> knee_of(const std::vector<FrontPoint>& front) {
  if (front.size() < 3) return std::nullopt;
  const std::size_t objectives = front.front().objectives.size();
  std::vector<double> least(front.front().objectives), most(least);
  for (const FrontPoint& point : front)
    for (std::size_t i = 0; i < objectives; ++i) {
      least[i] = std::min(least[i], point.objectives[i]);
      most[i] = std::max(most[i], point.objectives[i]);
    }
  std::size_t differing = 0;
  for (std::size_t i = 0; i < objectives; ++i) differing += most[i] > least[i] ? 1U : 0U;
  if (differing < 2) return std::nullopt;

  std::optional<std::int64_t> knee;
  double best = 0.0;
  for (const FrontPoint& point : front) {
    double sum = 0.0;
    for (std::size_t i = 0; i < objectives; ++i)
      if (most[i] > least[i]) sum += (point.objectives[i] - least[i]) / (most[i] - least[i]);
    if (knee && (sum > best || (sum == best && point.id > *knee))) continue;
    knee = point.id;
    best = sum;
  }
  return knee;
}

}  // namespace counterpoise
