#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#include "input/definition/moves.hpp"
#include "input/definition/parametric_motion.hpp"
#include "input/definition/point_path.hpp"

namespace counterpoise {
namespace {

constexpr double time_tolerance = 1e-9;  // [s]; how far times may fall short of the motion
constexpr double same_end = 1e-9;        // of the values' range; rounding of periodic ends

using Reason = std::optional<std::string>;

Reason make_spline(SplineEnds ends, std::span<const double> numbers, double duration,
                   Profile& out) {
  const std::size_t count = numbers.size() / 2;
  std::vector<double> times(numbers.begin(), numbers.begin() + static_cast<std::ptrdiff_t>(count));
  std::vector<double> values(numbers.begin() + static_cast<std::ptrdiff_t>(count), numbers.end());
  if (count < 2) return fmt::format("found {} times, expected at least 2", count);
  for (std::size_t i = 1; i < count; ++i)
    if (!(times[i] > times[i - 1]))
      return fmt::format("the times do not increase: {} follows {}", times[i], times[i - 1]);
  if (times.front() > time_tolerance || times.back() < duration - time_tolerance)
    return fmt::format("the times cover {} to {} s, expected 0 to {} s", times.front(),
                       times.back(), duration);
  if (ends == SplineEnds::periodic) {
    const auto [least, most] = std::minmax_element(values.begin(), values.end());
    if (std::abs(values.back() - values.front()) > same_end * (*most - *least))
      return fmt::format(
          "the first value is {} and the last one {}, expected the same, as the "
          "ends are periodic",
          values.front(), values.back());
    out = periodic_spline(std::move(times), std::move(values));
  } else {
    out = ends == SplineEnds::clamped ? clamped_spline(std::move(times), std::move(values))
                                      : natural_spline(std::move(times), std::move(values));
  }
  return std::nullopt;
}

Reason make_move(MoveShape shape, std::span<const double> n, Profile& out) {
  const PointToPoint move{
      .from = n[0], .to = n[1], .start_time = n[2], .end_time = n[3], .shape = shape, .ramp = n[4]};
  if (!(move.end_time > move.start_time))
    return fmt::format("end_time {} is not after start_time {}", move.end_time, move.start_time);
  if (!(move.ramp > 0.0 && move.ramp <= 0.5))
    return fmt::format("ramp is {}, expected more than 0 and at most 0.5", move.ramp);
  out = move;
  return std::nullopt;
}

/// Positions in poses, all of them or the ends of their range.
Reason make_levels(const ProfileNumbers& profile, std::span<const double> n, Profile& out) {
  PoseLevels poses{
      .levels = {n.begin(), n.end()}, .repeat = profile.repeat, .weights = profile.weights};
  if (!profile.shares.empty()) {
    const double from = n[0], to = n[1];
    if (!(from < to))
      return fmt::format("the range goes from {} to {}, expected the lower end first", from, to);
    poses.levels.clear();
    for (const double share : profile.shares)
      poses.levels.push_back(share == 1.0 ? to : from + share * (to - from));
  }
  out = std::move(poses);
  return std::nullopt;
}

/// Whether a number of a profile is a position or one of its derivatives.
bool is_position(const ProfileNumbers& profile, std::size_t i) {
  switch (profile.type) {
    case ProfileType::hold:
    case ProfileType::poses:
      return true;
    case ProfileType::bang_bang:
    case ProfileType::sine:
    case ProfileType::point_to_point:
      return i < 2;
    case ProfileType::moves:
      return i == 0 || is_position_of_move((i - 1) % MoveNumbers::count);
    case ProfileType::path: {
      const std::size_t first = first_move_of_path(profile);
      return i < first || is_position_of_move((i - first) % MoveNumbers::count);
    }
    case ProfileType::spline:
    case ProfileType::table:
      break;
  }
  return i >= profile.numbers.size() / 2;
}

/// Everything but lists of moves and paths.
Reason make_one(const ProfileNumbers& profile, std::span<const double> n, double duration,
                Profile& out) {
  switch (profile.type) {
    case ProfileType::hold:
      out = Hold{.value = n[0]};
      break;
    case ProfileType::bang_bang:
      out = BangBang{.start = n[0], .acceleration = n[1]};
      break;
    case ProfileType::sine:
      if (n[2] == 0.0) return "the period is zero or not given";
      out = Sine{.mean = n[0], .amplitude = n[1], .period = n[2], .phase = n[3]};
      break;
    case ProfileType::point_to_point:
      return make_move(profile.shape, n, out);
    case ProfileType::spline:
    case ProfileType::table:
      return make_spline(profile.ends, n, duration, out);
    case ProfileType::moves:
    case ProfileType::path:
      break;
    case ProfileType::poses:
      return make_levels(profile, n, out);
  }
  return std::nullopt;
}

}  // namespace

void evaluate(const ProfileNumbers& profile, std::span<const Expression> expressions,
              const double* parameters, std::vector<double>& out) {
  out.clear();
  for (const Number& number : profile.numbers)
    out.push_back(evaluate(number, expressions, parameters));
  for (std::size_t i = 0; i < out.size(); ++i)
    if (is_position(profile, i)) out[i] = profile.unit.to_si(out[i]);
}

std::optional<Refusal> make_profile(const ProfileNumbers& profile, std::span<const double> n,
                                    double duration, Profile& out,
                                    std::span<const double> lasting) {
  if (!std::all_of(n.begin(), n.end(), [](double x) { return std::isfinite(x); }))
    return Refusal{profile.where, "a number is not finite"};
  if (profile.type == ProfileType::moves) return make_moves(profile, n, duration, lasting, out);
  if (profile.type == ProfileType::path) return make_path(profile, n, duration, out);
  if (auto words = make_one(profile, n, duration, out)) return Refusal{profile.where, *words};
  return std::nullopt;
}

std::optional<Refusal> make_profiles(const ParametricMotion& motion,
                                     std::span<const std::size_t> which, const double* parameters,
                                     std::vector<double>& numbers, Motion& out) {
  std::vector<double> lasting;
  if (motion.synchronised)
    for (const std::size_t i : which) {
      const ProfileNumbers& profile = motion.profiles[i];
      if (profile.type != ProfileType::moves) continue;
      evaluate(profile, motion.expressions, parameters, numbers);
      if (auto refusal = lengthen_moves(profile, numbers, lasting)) return refusal;
    }
  for (const std::size_t i : which) {
    const ProfileNumbers& profile = motion.profiles[i];
    evaluate(profile, motion.expressions, parameters, numbers);
    Profile& made =
        i < out.drives.size() ? out.drives[i].profile : out.forces[i - out.drives.size()].profile;
    if (auto refusal = make_profile(profile, numbers, out.duration, made, lasting)) return refusal;
  }
  return std::nullopt;
}

MotionBinder::MotionBinder(const ParametricMotion& motion)
    : motion_(&motion), bound_(motion.nominal) {
  const auto varies = [](const ProfileNumbers& profile) {
    return std::any_of(profile.numbers.begin(), profile.numbers.end(),
                       [](const Number& n) { return !n.fixed(); });
  };
  const auto synchronised = [&](const ProfileNumbers& profile) {
    return motion.synchronised && profile.type == ProfileType::moves;
  };
  const bool moves_vary =
      std::any_of(motion.profiles.begin(), motion.profiles.end(),
                  [&](const ProfileNumbers& p) { return synchronised(p) && varies(p); });
  for (std::size_t i = 0; i < motion.profiles.size(); ++i) {
    const ProfileNumbers& profile = motion.profiles[i];
    if (varies(profile) || (moves_vary && synchronised(profile))) varying_.push_back(i);
  }
  for (const Expression& expression : motion.expressions)
    for (int used : expression.used()) used_.push_back(static_cast<std::size_t>(used));
  std::sort(used_.begin(), used_.end());
  used_.erase(std::unique(used_.begin(), used_.end()), used_.end());
}

std::optional<std::string> MotionBinder::bind(std::span<const double> parameters) {
  bool changed = values_.size() != used_.size();  // the first time
  values_.resize(used_.size());
  for (std::size_t i = 0; i < used_.size(); ++i) {
    const double value = parameters[used_[i]];
    changed |= std::bit_cast<std::uint64_t>(value) != std::bit_cast<std::uint64_t>(values_[i]);
    values_[i] = value;
  }
  if (!changed) return reason_;

  ++revision_;
  reason_.reset();
  if (const auto refusal = make_profiles(*motion_, varying_, parameters.data(), numbers_, bound_))
    reason_ =
        fmt::format("motion {} at {}: {}", bound_.name, refusal->where.pointer, refusal->words);
  return reason_;
}

}  // namespace counterpoise
