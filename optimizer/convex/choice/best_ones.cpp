#include "optimizer/convex/choice/best_ones.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "optimizer/convex/choice/equal_options.hpp"
#include "optimizer/convex/tolerances.hpp"

namespace counterpoise {
namespace {

constexpr std::size_t more_than_kept = 256;  // before the best ones are sorted out

double agreement_of(double value) {
  return value < infinity ? ConvexTolerances::agreement * std::abs(value) : 0.0;
}

}  // namespace

std::int64_t copies_of(const PartWish& wish, const std::vector<int>& options) {
  std::int64_t copies = 1;
  for (std::size_t g = 0; g < wish.copies.size(); ++g)
    copies = times(copies, wish.copies[g][options[g]]);
  return copies;
}

bool BestOnes::excludes(double bound, double seen) const {
  const double least = std::min(least_, seen);
  return to_least() ? bound >= least - agreement_of(least)
                    : bound > std::min(wanted_from(least), worst_) + rounding_;
}

bool BestOnes::is_settled(double bound) const {
  return bound >= std::max(wish_.floor, least_ - agreement_of(least_));
}

bool BestOnes::only_ties_are_left(double bound) const {
  return counts_ties() && (wish_.up == PartWish::Up::to_most || is_settled(bound));
}

bool BestOnes::suffice(double bound) const {
  return near() > wish_.count &&
         (only_ties_are_left(bound) || (is_settled(bound) && worst_ <= tied()));
}

double BestOnes::tied() const {
  const double best = std::max(wish_.floor, least_);
  return std::min(wanted(), best + agreement_of(best));
}

std::int64_t BestOnes::near() const {
  return plus(boxed_, std::ssize(ones_) + std::ssize(dropped_));
}

void BestOnes::count_boxes() {
  boxed_ = 0;
  for (const Box& box : boxes_) boxed_ = plus(boxed_, box.count);
}

std::optional<std::vector<int>> BestOnes::one_tied() const {
  const double most = tied();
  for (const PartOne& one : ones_)
    if (one.value <= most) return one.options;
  if (known_.value <= most && known_.value < infinity) return known_.options;
  if (boxes_.empty()) return std::nullopt;
  std::vector<int> options;
  for (const std::vector<int>& left : boxes_.front().left) options.push_back(left.front());
  return options;
}

void BestOnes::know(double value, const std::vector<int>& options) {
  least_ = std::min(least_, value);
  known_ = {value, options};
}

void BestOnes::add(double value, const std::vector<int>& options) {
  if (to_least() && value < least_) ones_.clear();
  least_ = std::min(least_, value);
  if (value > wanted()) return;
  ones_.push_back({std::max(value, wish_.floor), options});
  if (ones_.size() > 2 * wish_.keep + more_than_kept) shorten();
}

void BestOnes::add(Box box) {
  boxed_ = plus(boxed_, box.count);
  boxes_.push_back(std::move(box));
}

std::vector<BestOnes::Box> BestOnes::take_unsure() {
  std::vector<Box> unsure;
  const double most = wanted();
  const auto first = std::stable_partition(boxes_.begin(), boxes_.end(),
                                           [&](const Box& box) { return box.most <= most; });
  std::move(first, boxes_.end(), std::back_inserter(unsure));
  boxes_.erase(first, boxes_.end());
  count_boxes();
  return unsure;
}

std::vector<BestOnes::Box> BestOnes::take_boxes() {
  boxed_ = 0;
  return std::exchange(boxes_, {});
}

PartFound BestOnes::take(bool all) {
  const double most = wanted();
  PartFound found;
  if (ones_.empty() && boxes_.empty() && known_.value < infinity && known_.value <= most)
    ones_.push_back(known_);
  std::erase_if(ones_, [&](const PartOne& one) { return one.value > most; });
  std::erase_if(dropped_, [&](const auto& one) { return one.first > most; });
  found.near = near();
  found.near_all = near_all();
  if (first_) {
    std::erase_if(
        ones_, [&](const PartOne& one) { return counts_ties() || one.options == first_->options; });
    ones_.push_back(std::move(*first_));
  }
  shorten();
  found.truncated = !all || found.near > std::ssize(ones_);
  found.ones = std::move(ones_);
  return found;
}

std::int64_t BestOnes::near_all() const {
  std::int64_t count = 0;
  for (const PartOne& one : ones_) count = plus(count, copies_of(wish_, one.options));
  for (const auto& [value, copies] : dropped_) count = plus(count, copies);
  for (const Box& box : boxes_) {
    std::int64_t of_box = 1;
    for (std::size_t g = 0; g < box.left.size(); ++g) {
      std::int64_t of_group = 0;
      for (const int option : box.left[g])
        of_group = plus(of_group, wish_.copies.empty() ? 1 : wish_.copies[g][option]);
      of_box = times(of_box, of_group);
    }
    count = plus(count, of_box);
  }
  return count;
}

double BestOnes::wanted_from(double least) const {
  if (wish_.up == PartWish::Up::to_most) return wish_.most;
  if (to_least() || !(least < infinity)) return least;
  return least + wish_.within * std::abs(least) + agreement_of(least);
}

void BestOnes::shorten() {
  std::sort(ones_.begin(), ones_.end(), [](const PartOne& a, const PartOne& b) {
    return a.value != b.value ? a.value < b.value : a.options < b.options;
  });
  for (; ones_.size() > wish_.keep; ones_.pop_back())
    dropped_.emplace_back(ones_.back().value, copies_of(wish_, ones_.back().options));
  if (!counts_ties() && near() > wish_.count && ones_.size() == wish_.keep)
    worst_ = ones_.back().value;
}

}  // namespace counterpoise
