#include "studies/io/parametric_motion.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "studies/io/reading/profiles.hpp"

namespace counterpoise {

MotionBinder::MotionBinder(const ParametricMotion& motion)
    : motion_(&motion), expressions_(motion.expressions) {
  for (std::size_t i = 0; i < motion.profiles.size(); ++i) {
    const std::vector<Number>& numbers = motion.profiles[i].numbers;
    if (!std::all_of(numbers.begin(), numbers.end(), [](const Number& n) { return n.fixed(); }))
      varying_.push_back(i);
  }
}

std::optional<std::string> MotionBinder::bind(std::span<const double> parameters, Motion& out) {
  out = motion_->nominal;
  for (const std::size_t i : varying_) {
    const ProfileNumbers& profile = motion_->profiles[i];
    numbers_.clear();
    for (const Number& number : profile.numbers)
      numbers_.push_back(evaluate(number, expressions_, parameters.data()));
    if (auto reason = make_profile(profile, numbers_, out.duration, out.drives[i].profile))
      return fmt::format("motion {} at {}: {}", out.name, profile.where.pointer, *reason);
  }
  return std::nullopt;
}

}  // namespace counterpoise
