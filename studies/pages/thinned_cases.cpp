#include "studies/pages/thinned_cases.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <string>
#include <utility>

#include "results/ranking.hpp"
#include "results/rows/rows.hpp"

namespace counterpoise {

CaseThinning::CaseThinning(const ResultsFile& results, std::size_t first, std::size_t every,
                           std::size_t feasible)
    : results_(results),
      first_(first),
      every_(every),
      objectives_(results.layout().objectives.size()),
      column_(motion_column(results.layout(), results.variables())) {
  std::vector<std::string> names;
  for (const BaselineRow& row : results.baselines())
    if (column_ && std::find(names.begin(), names.end(), row.motion) == names.end())
      names.push_back(row.motion);
  if (!column_) names.emplace_back();
  for (const std::string& name : names) motions_.push_back({name, tie_tolerances(results, name)});
  first_ /= std::max<std::size_t>(motions_.size(), 1);
  if (motions_.size() == 1) motions_.front().places.reserve(feasible);
}

CaseThinning::Motion& CaseThinning::motion_of(const CaseRow& row) {
  if (!column_) return motions_.front();
  const auto& name = std::get<std::string>(row.variables[*column_]);
  for (Motion& motion : motions_)
    if (motion.name == name) return motion;
  throw damaged(results_.path(), "there are no baselines of motion \"" + name + '"');
}

void CaseThinning::take(const CaseRow& row, bool wanted) {
  if (std::isnan(row.objectives.front())) {
    if (wanted || unranked_cases_ % every_ == 0) unranked_.push_back(row.id);
    ++unranked_cases_;
    return;
  }
  Motion& motion = motion_of(row);
  const bool unsettled = !row.settled();
  motion.unsettled = motion.unsettled || unsettled;
  motion.places.push_back({row.objectives.front(), 2 * row.id + (unsettled ? 1 : 0)});
  if (wanted) motion.wanted.push_back(motion.places.back());
}

void CaseThinning::want(const CaseRow& row) {
  if (std::isnan(row.objectives.front()))
    unranked_.push_back(row.id);
  else
    motion_of(row).wanted.push_back({row.objectives.front(), 2 * row.id + (row.settled() ? 0 : 1)});
}

/// Finds the groups of a motion in which a case is kept, and forgets all others.
void CaseThinning::open_groups(std::size_t number) {
  Motion& motion = motions_[number];
  std::vector<Place>& places = motion.places;
  std::sort(places.begin(), places.end());
  std::sort(motion.wanted.begin(), motion.wanted.end());
  const TieTolerance& tolerance = motion.tolerances.front();
  auto wanted = motion.wanted.begin();
  for (std::size_t begin = 0; begin < places.size();) {
    const double limit = places[begin].value + tolerance.at(places[begin].value);
    std::size_t end = begin + 1;
    // a group may stand apart from an unsettled case amid it: then all are one
    if (motion.unsettled) end = places.size();
    while (end < places.size() && places[end].value <= limit) ++end;
    bool open = false;
    for (std::size_t place = begin; place < end && !open; ++place) open = keeps(place);
    for (; wanted != motion.wanted.end() && !(places[end - 1] < *wanted); ++wanted) open = true;
    if (open) {
      groups_.push_back({number, begin, end - begin});
      for (std::size_t place = begin; place < end; ++place)
        members_.push_back(places[place].key / 2);
    }
    begin = end;
  }
  for (const Place& place : motion.wanted) wanted_.push_back(place.key / 2);
  std::vector<Place>().swap(places);
}

/// The objectives of `members_`, one after the other.
std::vector<double> CaseThinning::objectives_of_members() const {
  std::vector<std::pair<std::int64_t, std::size_t>> by_id;
  by_id.reserve(members_.size());
  for (std::size_t i = 0; i < members_.size(); ++i) by_id.emplace_back(members_[i], i);
  std::sort(by_id.begin(), by_id.end());
  std::vector<double> values(members_.size() * objectives_,
                             std::numeric_limits<double>::quiet_NaN());
  auto next = by_id.begin();
  auto cases = results_.feasible_objectives(std::nullopt);
  for (CaseRow row; next != by_id.end() && cases.next(row);) {
    if (next->first != row.id) continue;
    std::copy(row.objectives.begin(), row.objectives.end(),
              values.begin() + static_cast<std::ptrdiff_t>(next->second * objectives_));
    ++next;
  }
  return values;
}

ThinnedCases CaseThinning::finish() {
  for (std::size_t motion = 0; motion < motions_.size(); ++motion) open_groups(motion);
  std::sort(wanted_.begin(), wanted_.end());
  const std::vector<double> values = objectives_of_members();
  ThinnedCases found;
  std::size_t member = 0;
  for (const Group& group : groups_) {
    TieOrder order(motions_[group.motion].tolerances, std::nullopt);
    for (std::size_t i = 0; i < group.size; ++i, ++member)
      order.offer(members_[member], std::span(values).subspan(member * objectives_, objectives_));
    std::size_t place = group.begin;
    for (const std::int64_t id : order.best_first()) {
      if (keeps(place) || std::binary_search(wanted_.begin(), wanted_.end(), id))
        found.kept.push_back({id, static_cast<std::int64_t>(place) + 1});
      ++place;
    }
  }
  std::sort(found.kept.begin(), found.kept.end(), [](const auto& a, const auto& b) {
    return std::pair(a.rank, a.id) < std::pair(b.rank, b.id);
  });
  const auto first = static_cast<std::int64_t>(first_);
  while (found.first < found.kept.size() && found.kept[found.first].rank <= first) ++found.first;
  std::sort(unranked_.begin(), unranked_.end());
  unranked_.erase(std::unique(unranked_.begin(), unranked_.end()), unranked_.end());
  for (const std::int64_t id : unranked_) found.kept.push_back({id, 0});
  return found;
}

}  // namespace counterpoise
