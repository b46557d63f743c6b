#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "studies/io/parametric_motion.hpp"
#include "studies/io/reading/profiles.hpp"

namespace counterpoise {

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
    numbers_.clear();
    for (const Number& number : profile.numbers)
      numbers_.push_back(evaluate(number, motion_->expressions, parameters.data()));
    const auto wrong = make_profile(profile, numbers_, bound_.duration, bound_.drives[i].profile);
    if (!wrong) continue;
    reason_ = fmt::format("motion {} at {}: {}", bound_.name, profile.where.pointer, *wrong);
    break;
  }
  return reason_;
}

}  // namespace counterpoise
