#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "springs/mounts/simplex_bound.hpp"

namespace counterpoise {

/// A tree of bisections of the unit box of a part's variables, with what proves the bound of each
/// leaf: all that is needed to add the bound up again. Leaves cover the box by construction,
/// because the tree stores which simplices were bisected and not the simplices.
struct MountTree {
  /// The stored part of a MountCorner.
  struct Corner {
    std::optional<InstantMultipliers> optimal, conflict;
    double value = no_limit;
    std::vector<double> x;
  };
  std::vector<std::uint8_t> bisected;  // 1 or 0 per simplex, each before its halves
  std::vector<BoundReason> reasons;    // one per leaf, in the same order
  std::vector<Corner> corners;         // in the order in which leaves first have them

  struct Leaf {
    DyadicSimplex simplex;
    DyadicSimplex bounded;  // what the reason bounds: this simplex, or one that it is a part of
    std::array<int, most_dimensions + 1> corners{};  // of `bounded`
    BoundReason reason;
  };
  /// The leaves in their order. Throws InputError where the choices make no tree, or corners or
  /// reasons are too few or too many.
  [[nodiscard]] std::vector<Leaf> leaves(const DyadicBisection& bisection) const;
};

/// The tree as bytes, and back. Throws InputError if the bytes are not a tree's.
std::string bytes_of(const MountTree& tree);
MountTree mount_tree(std::string_view bytes);

}  // namespace counterpoise
