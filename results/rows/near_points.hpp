#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace counterpoise {

/// Points that tell whether one of them is near another point: in no coordinate farther from it
/// than this coordinate's width.
///
/// Most points are in trees (k-d trees, Bentley 1975), at most one of each size 64 times a power
/// of two. The last ones wait; as soon as there are 64 they become a tree together with the
/// points of the smallest trees up to a size that is free, as a carry goes through the digits of a
/// number (Bentley and Saxe 1980). A search enters both halves of a tree only where the border
/// between them is near.
///
/// Adding n points costs n log² n. A search looks at a few points of each tree; only with many
/// coordinates and wide ones does that grow with the number of points.
class NearPoints {
 public:
  /// One width for each coordinate, none negative and none NaN.
  explicit NearPoints(std::vector<double> widths) : widths_(std::move(widths)) {}

  /// Whether a point is near this one. NaN is near nothing.
  [[nodiscard]] bool near(std::span<const double> point) const;
  void add(std::span<const double> point);
  /// How many points all searches have compared.
  [[nodiscard]] std::uint64_t looks() const { return looks_; }

 private:
  /// Points one after the other, in an order in which the middle one of every part that is longer
  /// than a leaf is the border between its halves.
  struct Tree {
    std::vector<double> points;
    std::vector<std::uint32_t> across;  // the coordinate in which a point is the border
  };

  [[nodiscard]] std::span<const double> at(std::span<const double> points, std::size_t i) const {
    return points.subspan(i * widths_.size(), widths_.size());
  }
  [[nodiscard]] bool same(std::span<const double> a, std::span<const double> b) const;
  [[nodiscard]] bool near_in(const Tree& tree, std::size_t begin, std::size_t end,
                             std::span<const double> point) const;
  [[nodiscard]] std::uint32_t most_spread(std::span<const double> points,
                                          std::span<const std::size_t> part) const;
  void order(std::span<const double> points, std::span<std::size_t> part, std::size_t begin,
             std::vector<std::uint32_t>& across) const;
  [[nodiscard]] Tree tree_of(const std::vector<double>& points) const;

  std::vector<double> widths_;
  std::size_t size_ = 0;         // NaN left out
  std::vector<double> waiting_;  // points in no tree yet
  std::vector<Tree> trees_;      // the i-th has 64 * 2^i points, or none
  mutable std::uint64_t looks_ = 0;
};

}  // namespace counterpoise
