#include "engine/mechanism/spring_group.hpp"

#include <algorithm>
#include <cmath>
#include <span>

#include "engine/mechanism/elements.hpp"
#include "engine/mechanism/finding.hpp"

namespace counterpoise {
namespace {

/// How a spring or group answers: a line through places that rise in both coordinates, and goes on
/// behind the last of them. One coordinate is `x`, the common one of what is joined, the other `y`,
/// which adds up: in parallel stretch and load, in series load and stretch. Between its free length
/// and that of the longest member a member has no load, before its first place y = 0.
struct Answer {
  struct Place {
    double x = 0.0, y = 0.0;
  };
  std::array<Place, GroupLaw::most_pieces> places = {};
  std::size_t count = 0;
  double dx = 1.0, dy = 0.0;  // the direction behind the last place
  double free_length = 0.0;

  void add(double x, double y) {
    if (count < places.size()) places[count++] = {x, y};
  }
  [[nodiscard]] const Place& last() const { return places[count - 1]; }

  void turn_over() {
    for (std::size_t i = 0; i < count; ++i) std::swap(places[i].x, places[i].y);
    std::swap(dx, dy);
  }

  /// y between two neighbouring places, or behind the last.
  [[nodiscard]] double between(std::size_t i, double x) const {
    const Place& a = places[i];
    if (i + 1 == count) return a.y + (x - a.x) * (dy / dx);
    const Place& b = places[i + 1];
    return a.y + (x - a.x) * ((b.y - a.y) / (b.x - a.x));
  }
  /// The least y at x.
  [[nodiscard]] double least(double x) const {
    std::size_t i = 0;
    while (i < count && places[i].x < x) ++i;
    if (i < count && places[i].x == x) return places[i].y;
    return i == 0 ? 0.0 : between(i - 1, x);
  }
  /// The greatest y at x, which is beyond the end of no line that goes straight up.
  [[nodiscard]] double greatest(double x) const {
    std::size_t i = count;
    while (i > 0 && places[i - 1].x > x) --i;
    if (i == 0) return 0.0;
    return places[i - 1].x == x ? places[i - 1].y : between(i - 1, x);
  }
};

/// Adds up what members answer at every x where one of them has a place.
Answer sum_of(std::span<const Answer> members) {
  std::array<double, GroupLaw::most_pieces> xs = {};
  std::size_t count = 0;
  double end = no_limit;  // where a member goes straight up for ever
  Answer sum;
  sum.dx = 1.0;
  for (const Answer& member : members) {
    for (std::size_t i = 0; i < member.count && count < xs.size(); ++i)
      xs[count++] = member.places[i].x;
    if (member.dx == 0.0) end = std::min(end, member.last().x);
    sum.dy += member.dx == 0.0 ? 0.0 : member.dy / member.dx;
  }
  std::sort(xs.begin(), xs.begin() + count);
  for (std::size_t i = 0; i < count && xs[i] <= end; ++i) {
    if (i > 0 && xs[i] == xs[i - 1]) continue;
    double least = 0.0, greatest = 0.0;
    for (const Answer& member : members) {
      least += member.least(xs[i]);
      greatest += member.greatest(xs[i]);
    }
    sum.add(xs[i], least);
    if (greatest > least) sum.add(xs[i], greatest);
  }
  if (end < no_limit) {
    sum.dx = 0.0;
    sum.dy = 1.0;
  }
  return sum;
}

Answer in_series(std::span<Answer> members) {
  for (Answer& member : members) member.turn_over();
  Answer all = sum_of(members);
  all.turn_over();
  for (const Answer& member : members) all.free_length += member.free_length;
  return all;
}

Answer in_parallel(std::span<Answer> members, bool pushes) {
  const auto shorter = [](const Answer& a, const Answer& b) {
    return a.free_length < b.free_length;
  };
  const auto [least, most] = std::minmax_element(members.begin(), members.end(), shorter);
  const double first = (pushes ? most : least)->free_length;
  for (Answer& member : members) {
    const double way = std::abs(member.free_length - first);
    if (way <= slack_of(first, 0.0)) continue;  // free lengths that differ by rounding
    for (std::size_t i = 0; i < member.count; ++i) member.places[i].x += way;
  }
  Answer all = sum_of(members);
  all.free_length = first;
  return all;
}

Answer answer_of(const SpringGroup::Part& part) {
  Answer answer;
  answer.free_length = part.free_length;
  answer.dy = part.rate;
  answer.add(0.0, 0.0);
  if (part.initial_tension != 0.0) answer.add(0.0, std::abs(part.initial_tension));
  return answer;
}

GroupLaw law_of(const Answer& all, bool pushes) {
  GroupLaw law;
  law.free_length = all.free_length;
  const double sense = pushes ? -1.0 : 1.0;
  double jump = 0.0;
  bool begun = false;
  for (std::size_t i = 0; i < all.count; ++i) {
    const Answer::Place& at = all.places[i];
    const bool last = i + 1 == all.count;
    const double way = last ? 1.0 : all.places[i + 1].x - at.x;
    if (!(way > 0.0)) {
      jump = all.places[i + 1].y - at.y;
      continue;
    }
    const double rate = last ? all.dy / all.dx : (all.places[i + 1].y - at.y) / way;
    if (!begun) {
      begun = true;
      law.rate = rate;
      law.initial_tension = sense * at.y + 0.0;  // no -0
    } else {
      const double from = all.free_length + sense * at.x;
      law.later[law.count++] = {from, {rate, sense * at.y - rate * from}, jump};
    }
    jump = 0.0;
  }
  return law;
}

}  // namespace

GroupLaw law_of(const SpringGroup& group, bool pushes) {
  if (group.empty() || find_impossible_part(group, pushes)) return {};
  std::array<Answer, SpringGroup::most_parts> made;
  std::size_t count = 0, part = 0;
  for (const SpringGroup::Step& step : group.steps) {
    if (step.join == SpringGroup::Join::none) {
      made[count++] = answer_of(group.parts[part++]);
      continue;
    }
    count -= step.count;
    const std::span members(made.data() + count, step.count);
    const Answer all =
        step.join == SpringGroup::Join::series ? in_series(members) : in_parallel(members, pushes);
    made[count++] = all;
  }
  return law_of(made[0], pushes);
}

std::optional<ImpossiblePart> find_impossible_part(const SpringGroup& group, bool pushes) {
  for (std::size_t p = 0; p < group.parts.size(); ++p) {
    const auto [rate, free_length, initial_tension] = group.parts[p];
    if (!(rate >= 0.0) || std::isinf(rate))
      return ImpossiblePart{p, "rate", "is " + number_text(rate) + " N/m, expected 0 or more"};
    if (!(free_length >= 0.0) || std::isinf(free_length))
      return ImpossiblePart{p, "free_length",
                            "is " + number_text(free_length) + " m, expected 0 or more"};
    const double load = pushes ? -initial_tension : initial_tension;
    if (!(load >= 0.0) || std::isinf(load))
      return ImpossiblePart{p, "initial_tension",
                            "is " + number_text(initial_tension) + " N, expected 0 or " +
                                (pushes ? "less, as it pushes" : "more, as it pulls")};
  }
  return std::nullopt;
}

std::string words_of(const SpringGroup& group) {
  std::vector<std::string> made;
  std::size_t part = 0;
  for (std::size_t s = 0; s < group.steps.size(); ++s) {
    const SpringGroup::Step& step = group.steps[s];
    if (step.join == SpringGroup::Join::none) {
      made.push_back(std::to_string(++part));
      continue;
    }
    std::string all;
    const auto first = made.end() - static_cast<std::ptrdiff_t>(step.count);
    for (auto member = first; member != made.end(); ++member)
      all += (member == first                          ? ""
              : step.join == SpringGroup::Join::series ? " in series with "
                                                       : " in parallel with ") +
             *member;
    made.erase(first, made.end());
    made.push_back(s + 1 == group.steps.size() ? all : "(" + all + ")");
  }
  return made.empty() ? "" : made.back();
}

}  // namespace counterpoise
