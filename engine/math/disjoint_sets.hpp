#pragma once

#include <cstddef>
#include <numeric>
#include <vector>

namespace counterpoise {

/// A partition of the numbers from 0 to `size` - 1 into sets, which are joined one by one.
class DisjointSets {
 public:
  explicit DisjointSets(std::size_t size) : above_(size) {
    std::iota(above_.begin(), above_.end(), std::size_t{0});
  }

  /// The number that stands for the set of `i`, its smallest. Halves the way there.
  std::size_t find(std::size_t i) {
    while (above_[i] != i) i = above_[i] = above_[above_[i]];
    return i;
  }
  /// Joins the sets of `i` and `j`.
  void join(std::size_t i, std::size_t j) {
    const std::size_t a = find(i), b = find(j);
    (a < b ? above_[b] : above_[a]) = a < b ? a : b;
  }

 private:
  std::vector<std::size_t> above_;  // a smaller number of the same set, or the number itself
};

}  // namespace counterpoise
