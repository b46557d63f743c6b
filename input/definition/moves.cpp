#include "input/definition/moves.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace counterpoise {
namespace {

constexpr double late_tolerance = 1e-9;  // times max(duration, 1 s), for rounded sums of times

/// One move in SI.
struct Move {
  double to, duration, ramp;
  MoveLimits limits;

  explicit Move(std::span<const double> n)
      : to(n[0]), duration(n[1]), ramp(n[2]), limits{n[3], n[4], n[5]} {}
};

/// The times of a move that no other move makes slower, and how long it takes.
struct Course {
  MoveTimes times;
  double duration = 0.0;  // [s]
};

Course course_of(const MoveNumbers& numbers, const Move& move, double from) {
  if (numbers.given == MoveNumbers::Given::limits) {
    MoveLimits limits = move.limits;
    if (numbers.shape != MoveShape::s_curve) limits.jerk = std::numeric_limits<double>::infinity();
    const MoveTimes times = fastest_move(move.to - from, limits);
    return {times, times.duration()};
  }
  Course course{{}, move.duration};
  if (numbers.given == MoveNumbers::Given::duration && numbers.shape != MoveShape::quintic)
    course.times = move_of_duration(numbers.shape, move.duration, move.ramp);
  return course;
}

/// Calls take(index, move numbers, move, course) for each move of a list, until one is refused.
template <class Take>
std::optional<Refusal> follow(const ProfileNumbers& profile, std::span<const double> numbers,
                              const Take& take) {
  double from = numbers[0];
  for (std::size_t i = 0; i < profile.moves.size(); ++i) {
    const MoveNumbers& given = profile.moves[i];
    const auto own = numbers.subspan(1 + i * MoveNumbers::count, MoveNumbers::count);
    if (auto refusal = wrong_move(given, own)) return refusal;
    const Move move(own);
    if (auto refusal = take(i, given, move, course_of(given, move, from))) return refusal;
    if (given.given != MoveNumbers::Given::rest) from = move.to;
  }
  return std::nullopt;
}

}  // namespace

bool is_position_of_move(std::size_t i) {
  return i != 1 && i != 2;
}

std::optional<Refusal> wrong_move(const MoveNumbers& move, std::span<const double> numbers) {
  const Move m(numbers);
  const auto refusal = [&](std::string_view what, double found, std::string_view expected) {
    return Refusal{move.where, fmt::format("{} is {}, expected {}", what, found, expected)};
  };
  if (move.given == MoveNumbers::Given::rest) {
    if (!(m.duration >= 0.0)) return refusal("hold", m.duration, "0 s or more");
    return std::nullopt;
  }
  if (move.given == MoveNumbers::Given::duration) {
    if (!(m.duration > 0.0)) return refusal("duration", m.duration, "more than 0 s");
    if (move.shape != MoveShape::quintic && !(m.ramp > 0.0 && m.ramp <= 0.5))
      return refusal("ramp", m.ramp, "more than 0 and at most 0.5");
    return std::nullopt;
  }
  if (!(m.limits.speed > 0.0)) return refusal("max_speed", m.limits.speed, "more than 0");
  if (!(m.limits.acceleration > 0.0))
    return refusal("max_acceleration", m.limits.acceleration, "more than 0");
  if (move.shape == MoveShape::s_curve && !(m.limits.jerk > 0.0))
    return refusal("max_jerk", m.limits.jerk, "more than 0");
  return std::nullopt;
}

std::optional<Refusal> make_moves(const ProfileNumbers& profile, std::span<const double> numbers,
                                  double duration, std::span<const double> lasting, Profile& out) {
  MoveList list(numbers[0]);
  double start = 0.0;
  const auto append = [&](std::size_t i, const MoveNumbers& given, const Move& move,
                          Course course) -> std::optional<Refusal> {
    if (i < lasting.size() && lasting[i] > course.duration && course.duration > 0.0) {
      const double slower = lasting[i] / course.duration;
      course = {{course.times.jerk * slower, course.times.constant * slower,
                 course.times.cruise * slower},
                lasting[i]};
    }
    const double end = start + std::max(course.duration, i < lasting.size() ? lasting[i] : 0.0);
    if (!(end <= duration + late_tolerance * std::max(duration, 1.0)))
      return Refusal{given.where,
                     fmt::format("the move ends at {:.6g} s, expected at most the motion's {} s; "
                                 "make the moves faster or \"duration\" longer",
                                 end, duration)};
    if (given.given == MoveNumbers::Given::rest)
      list.rest(end);
    else if (given.shape == MoveShape::quintic)
      list.quintic(start, move.to, course.duration);
    else
      list.move(start, move.to, course.times);
    start = end;
    return std::nullopt;
  };
  if (auto refusal = follow(profile, numbers, append)) return refusal;
  list.rest(start);
  out = list.moves();
  return std::nullopt;
}

std::optional<Refusal> lengthen_moves(const ProfileNumbers& profile,
                                      std::span<const double> numbers,
                                      std::vector<double>& lasting) {
  lasting.resize(std::max(lasting.size(), profile.moves.size()), 0.0);
  return follow(profile, numbers,
                [&](std::size_t i, const MoveNumbers&, const Move&,
                    const Course& course) -> std::optional<Refusal> {
                  lasting[i] = std::max(lasting[i], course.duration);
                  return std::nullopt;
                });
}

std::vector<MoveSpan> spans_of(const ProfileNumbers& profile, std::span<const double> numbers,
                               const Moves& made) {
  const std::vector<Moves::Piece>& pieces = made.pieces;
  const auto rests = [&](std::size_t p) {
    const auto& c = pieces[p].coefficients;
    return std::all_of(c.begin() + 1, c.end(), [](double number) { return number == 0.0; });
  };
  std::vector<MoveSpan> spans;
  std::size_t next = 1;  // behind the rest with which a list begins
  for (std::size_t i = 0; i < profile.moves.size(); ++i) {
    const MoveNumbers& given = profile.moves[i];
    const Move move(numbers.subspan(i * MoveNumbers::count, MoveNumbers::count));
    // a rest is one piece, where it ends; a move is some pieces and the rest behind it
    const bool is_rest = given.given == MoveNumbers::Given::rest;
    MoveSpan span{is_rest && !spans.empty() ? spans.back().end : 0.0, 0.0, std::nullopt};
    if (!is_rest) span.start = pieces[next].start;
    if (!is_rest && given.shape == MoveShape::quintic) ++next;
    while (!rests(next)) ++next;
    span.end = pieces[next++].start;
    if (given.given == MoveNumbers::Given::limits) span.limits = move.limits;
    spans.push_back(span);
  }
  return spans;
}

}  // namespace counterpoise
