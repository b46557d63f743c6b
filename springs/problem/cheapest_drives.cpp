#include "springs/problem/cheapest_drives.hpp"

#include <set>
#include <utility>

#include "springs/problem/drive_search.hpp"

namespace counterpoise {
namespace {

/// Goes through pairs, and sets of pairs, in the order of what they cost.
class CostOrder {
 public:
  CostOrder(const DriveProblem& problem, const Combination& start, const ConvexOptions& options)
      : problem_(problem),
        interruption_(options.interruption),
        search_(problem, options),
        start_{start.x, start.options},
        known_(problem.drives.size()) {}

  DrivenSprings find();

 private:
  using Answer = DriveSearch::Answer;
  using Places = std::vector<std::size_t>;  // of each drive's pairs among those that suffice
  /// Pairs of one drive that suffice by themselves, in the order of cost.
  struct Sufficient {
    std::vector<DrivePair> pairs;
    std::vector<Springs> springs;  // with which they do
    std::size_t next = 0;          // the first of the drive's pairs not looked at
  };

  bool find_next(std::size_t drive);
  bool take(const Places& places);
  void add(Places places);

  const DriveProblem& problem_;
  const Interruption interruption_;
  DriveSearch search_;
  const Springs start_;
  std::vector<Sufficient> known_;                // by drive
  std::set<std::pair<double, Places>> waiting_;  // with their costs
  DrivenSprings best_;
};

/// Looks for the next pair of a drive that suffices by itself. Returns false if there is none.
bool CostOrder::find_next(std::size_t d) {
  Sufficient& known = known_[d];
  const std::vector<DrivePair>& pairs = problem_.drives[d].pairs;
  while (known.next < pairs.size()) {
    interruption_.poll();
    const DrivePair pair = pairs[known.next++];
    const std::optional<PairSet> alone = search_.set_of({d}, {pair});
    Answer answer = Answer::excluded;
    Springs springs = start_;
    if (alone && !search_.excluded_before(*alone)) answer = search_.settle(*alone, springs);
    if (answer == Answer::suffices) {
      known.pairs.push_back(pair);
      known.springs.push_back(std::move(springs));
      return true;
    }
    ++(answer == Answer::excluded ? best_.excluded : best_.open);
  }
  if (known.pairs.empty()) best_.lacking = static_cast<int>(d);
  return false;
}

/// Puts places in the queue, if every drive has so many pairs.
void CostOrder::add(Places places) {
  double cost = 0.0;
  for (std::size_t d = 0; d < places.size(); ++d) {
    while (known_[d].pairs.size() <= places[d])
      if (!find_next(d)) return;
    cost += problem_.drives[d].choice->cost_of(known_[d].pairs[places[d]]).first;
  }
  waiting_.emplace(cost, std::move(places));
}

/// Takes pairs if some springs suffice for them all.
bool CostOrder::take(const Places& places) {
  std::vector<std::size_t> drives;
  std::vector<DrivePair> pairs;
  for (std::size_t d = 0; d < places.size(); ++d) {
    drives.push_back(d);
    pairs.push_back(known_[d].pairs[places[d]]);
  }
  const std::optional<PairSet> set = search_.set_of(drives, pairs);
  Answer answer = Answer::excluded;
  Springs springs = known_.front().springs[places.front()];
  if (set && !search_.excluded_before(*set)) answer = search_.settle(*set, springs);
  if (answer != Answer::suffices) {
    ++(answer == Answer::excluded ? best_.excluded : best_.open);
    return false;
  }
  best_.pairs = std::move(pairs);
  best_.x = std::move(springs.x);
  best_.options = std::move(springs.options);
  return true;
}

DrivenSprings CostOrder::find() {
  add(Places(problem_.drives.size(), 0));
  while (!waiting_.empty()) {
    interruption_.poll();
    const auto [cost, places] = *waiting_.begin();
    waiting_.erase(waiting_.begin());
    if (cost > problem_.most_cost) break;
    if (take(places)) {
      best_.cost = cost;
      break;
    }
    // every set of places is reached in one way: from the last drive that is not at its first
    for (std::size_t d = places.size(); d-- > 0;) {
      Places next = places;
      ++next[d];
      add(std::move(next));
      if (places[d] > 0) break;
    }
  }
  for (std::size_t d = 0; d < known_.size(); ++d) {
    const std::vector<DrivePair>& pairs = problem_.drives[d].pairs;
    std::vector<DrivePair>& left = best_.left.emplace_back(std::move(known_[d].pairs));
    left.insert(left.end(), pairs.begin() + static_cast<std::ptrdiff_t>(known_[d].next),
                pairs.end());
  }
  return std::move(best_);
}

}  // namespace

DrivenSprings cheapest_drives(const DriveProblem& problem, const Combination& start,
                              const ConvexOptions& options) {
  return CostOrder(problem, start, options).find();
}

}  // namespace counterpoise
