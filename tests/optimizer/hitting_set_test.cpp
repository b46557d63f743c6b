#include "optimizer/search/hitting_set.hpp"

#include <algorithm>
#include <bit>
#include <catch2/catch.hpp>
#include <random>

using namespace counterpoise;

namespace {

using Sets = std::vector<std::vector<int>>;

bool hits_all(const std::vector<int>& chosen, const Sets& sets) {
  return std::all_of(sets.begin(), sets.end(), [&](const std::vector<int>& set) {
    return std::any_of(set.begin(), set.end(), [&](int element) {
      return std::find(chosen.begin(), chosen.end(), element) != chosen.end();
    });
  });
}

Sets random_sets(std::mt19937_64& random, int elements, std::size_t count) {
  std::uniform_int_distribution<int> size(1, 4), element(0, elements - 1);
  Sets sets(count);
  for (std::vector<int>& set : sets)
    for (int i = size(random); i > 0; --i) set.push_back(element(random));
  return sets;
}

/// The size of a smallest one, by trying all subsets.
int smallest_size(const Sets& sets, int elements) {
  int best = elements;
  for (unsigned subset = 0; subset < (1U << static_cast<unsigned>(elements)); ++subset) {
    std::vector<int> chosen;
    for (int i = 0; i < elements; ++i)
      if (((subset >> static_cast<unsigned>(i)) & 1U) != 0) chosen.push_back(i);
    if (hits_all(chosen, sets)) best = std::min(best, std::popcount(subset));
  }
  return best;
}

}  // namespace

TEST_CASE("a hitting set of few elements is a smallest one") {
  std::mt19937_64 random(20261122);
  for (int trial = 0; trial < 200; ++trial) {
    const int elements = 1 + trial % 9;
    const Sets sets = random_sets(random, elements, 1 + static_cast<std::size_t>(trial) % 23);
    const HittingSet found = hitting_set(sets);
    CAPTURE(trial);
    CHECK(found.smallest);
    CHECK(hits_all(found.elements, sets));
    CHECK(static_cast<int>(found.elements.size()) == smallest_size(sets, elements));
  }
}

TEST_CASE("a hitting set of many elements has none that could be left out") {
  std::mt19937_64 random(7);
  for (int trial = 0; trial < 50; ++trial) {
    Sets sets = random_sets(random, 60, 80);
    for (int element = 0; element < 21; ++element) sets.push_back({element, 60 + element});
    const HittingSet found = hitting_set(sets);
    CHECK(!found.smallest);
    CHECK(hits_all(found.elements, sets));
    for (std::size_t i = 0; i < found.elements.size(); ++i) {
      std::vector<int> fewer = found.elements;
      fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
      CHECK(!hits_all(fewer, sets));
    }
  }
  CHECK(hitting_set({}).elements.empty());
}
