#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace counterpoise {

/// A set of case ids with one bit for each id up to the largest: ten million take little more than
/// a megabyte.
class IdSet {
 public:
  /// `id` is at least 0.
  void insert(std::int64_t id) {
    const auto at = static_cast<std::size_t>(id);
    if (at >= present_.size()) present_.resize(at + 1);
    if (!present_[at]) ++size_;
    present_[at] = true;
  }

  bool contains(std::int64_t id) const {
    return id >= 0 && static_cast<std::size_t>(id) < present_.size() &&
           present_[static_cast<std::size_t>(id)];
  }

  std::size_t size() const { return size_; }

 private:
  std::vector<bool> present_;
  std::size_t size_ = 0;
};

}  // namespace counterpoise
