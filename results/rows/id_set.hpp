#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>

namespace counterpoise {

/// A set of case ids as ranges of consecutive ones, so that its memory does not grow with the cases
/// of a study that is evaluated in order.
class IdSet {
 public:
  /// Cost: constant for ids that rise one after the other, else the logarithm of the ranges.
  void insert(std::int64_t id) { insert(id, id); }
  /// Adds first .. last, of which some may be there.
  void insert(std::int64_t first, std::int64_t last) {
    if (last < first) return;
    auto at = ranges_.upper_bound(first);
    if (at != ranges_.begin() && std::prev(at)->second >= first - 1) --at;
    while (at != ranges_.end() && at->first <= last + 1) {
      first = std::min(first, at->first);
      last = std::max(last, at->second);
      size_ -= at->second - at->first + 1;
      at = ranges_.erase(at);
    }
    ranges_.emplace_hint(at, first, last);
    size_ += last - first + 1;
  }

  [[nodiscard]] bool contains(std::int64_t id) const {
    const auto after = ranges_.upper_bound(id);
    return after != ranges_.begin() && std::prev(after)->second >= id;
  }

  [[nodiscard]] std::int64_t size() const { return size_; }
  /// First and last ids, by ascending id; there is a gap between any two.
  [[nodiscard]] const std::map<std::int64_t, std::int64_t>& ranges() const& { return ranges_; }
  void ranges() && = delete;  // they would not outlive the set

 private:
  std::map<std::int64_t, std::int64_t> ranges_;
  std::int64_t size_ = 0;
};

}  // namespace counterpoise
