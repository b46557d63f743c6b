#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#include "input/definition/parametric_motion.hpp"

namespace counterpoise {
namespace {

constexpr double time_tolerance = 1e-9;  // [s]; how far times may fall short of the motion

std::optional<std::string> make_spline(bool clamped, std::span<const double> numbers,
                                       double duration, Profile& out) {
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
  out = clamped ? clamped_spline(std::move(times), std::move(values))
                : natural_spline(std::move(times), std::move(values));
  return std::nullopt;
}

std::optional<std::string> make_move(MoveShape shape, std::span<const double> n, Profile& out) {
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
std::optional<std::string> make_levels(const ProfileNumbers& profile, std::span<const double> n,
                                       Profile& out) {
  PoseLevels poses{.levels = {n.begin(), n.end()}, .repeat = profile.repeat};
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

/// Which numbers of a profile are positions or their derivatives: the first of them, and the one
/// behind the last.
std::pair<std::size_t, std::size_t> positions(const ProfileNumbers& profile) {
  switch (profile.type) {
    case ProfileType::hold:
      return {0, 1};
    case ProfileType::bang_bang:
    case ProfileType::sine:
    case ProfileType::point_to_point:
      return {0, 2};
    case ProfileType::poses:
      return {0, profile.numbers.size()};
    case ProfileType::spline:
    case ProfileType::table:
      break;
  }
  return {profile.numbers.size() / 2, profile.numbers.size()};
}

}  // namespace

void evaluate(const ProfileNumbers& profile, std::span<const Expression> expressions,
              const double* parameters, std::vector<double>& out) {
  out.clear();
  for (const Number& number : profile.numbers)
    out.push_back(evaluate(number, expressions, parameters));
  const auto [first, end] = positions(profile);
  for (std::size_t i = first; i < end; ++i) out[i] = profile.unit.to_si(out[i]);
}

std::optional<std::string> make_profile(const ProfileNumbers& profile, std::span<const double> n,
                                        double duration, Profile& out) {
  if (!std::all_of(n.begin(), n.end(), [](double x) { return std::isfinite(x); }))
    return "a number is not finite";
  switch (profile.type) {
    case ProfileType::hold:
      out = Hold{.value = n[0]};
      return std::nullopt;
    case ProfileType::bang_bang:
      out = BangBang{.start = n[0], .acceleration = n[1]};
      return std::nullopt;
    case ProfileType::sine:
      if (n[2] == 0.0) return "the period is zero or not given";
      out = Sine{.mean = n[0], .amplitude = n[1], .period = n[2], .phase = n[3]};
      return std::nullopt;
    case ProfileType::point_to_point:
      return make_move(profile.shape, n, out);
    case ProfileType::spline:
    case ProfileType::table:
      return make_spline(profile.type == ProfileType::spline, n, duration, out);
    case ProfileType::poses:
      return make_levels(profile, n, out);
  }
  return std::nullopt;
}

MotionBinder::MotionBinder(const ParametricMotion& motion)
    : motion_(&motion), bound_(motion.nominal) {
  for (std::size_t i = 0; i < motion.profiles.size(); ++i) {
    const std::vector<Number>& numbers = motion.profiles[i].numbers;
    if (!std::all_of(numbers.begin(), numbers.end(), [](const Number& n) { return n.fixed(); }))
      varying_.push_back(i);
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
  for (const std::size_t i : varying_) {
    const ProfileNumbers& profile = motion_->profiles[i];
    evaluate(profile, motion_->expressions, parameters.data(), numbers_);
    const auto wrong = make_profile(profile, numbers_, bound_.duration, bound_.drives[i].profile);
    if (!wrong) continue;
    reason_ = fmt::format("motion {} at {}: {}", bound_.name, profile.where.pointer, *wrong);
    break;
  }
  return reason_;
}

}  // namespace counterpoise
