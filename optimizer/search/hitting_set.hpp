#pragma once

#include <vector>

namespace counterpoise {

/// A hitting set: every one of some given sets contains at least one of its elements.
struct HittingSet {
  std::vector<int> elements;  // ascending
  bool smallest = false;      // no smaller set hits all; else no element can be left out
};

/// Finds a smallest hitting set if the sets have at most 20 different elements; else one from which
/// no element can be left out. Sets must not be empty; without sets it is empty. Cost: exponential
/// in the size of the result where it is exact, else linear in the sets times the result.
HittingSet hitting_set(std::vector<std::vector<int>> sets);

}  // namespace counterpoise
