#include "optimizer/search/hitting_set.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace counterpoise {
namespace {

using Sets = std::vector<std::vector<int>>;
constexpr std::size_t exact_up_to = 20;

bool hits(const std::vector<int>& chosen, const std::vector<int>& set) {
  return std::any_of(set.begin(), set.end(), [&](int element) {
    return std::find(chosen.begin(), chosen.end(), element) != chosen.end();
  });
}

/// Whether at most `left` further elements hit all sets; then they are in `chosen`. Some element of
/// the first set that is not hit has to be among them.
bool complete(const Sets& sets, std::size_t left, std::vector<int>& chosen) {
  const auto open = std::find_if(sets.begin(), sets.end(),
                                 [&](const std::vector<int>& set) { return !hits(chosen, set); });
  if (open == sets.end()) return true;
  if (left == 0) return false;
  for (const int element : *open) {
    chosen.push_back(element);
    if (complete(sets, left - 1, chosen)) return true;
    chosen.pop_back();
  }
  return false;
}

/// The element of most sets first, until all are hit; then those that are not needed are left out.
std::vector<int> irreducible(const Sets& sets) {
  std::vector<int> chosen;
  Sets open = sets;
  while (!open.empty()) {
    std::map<int, int> count;
    for (const std::vector<int>& set : open)
      for (const int element : set) ++count[element];
    const auto most =
        std::max_element(count.begin(), count.end(),
                         [](const auto& a, const auto& b) { return a.second < b.second; });
    chosen.push_back(most->first);
    std::erase_if(open, [&](const std::vector<int>& set) { return hits(chosen, set); });
  }
  for (std::size_t i = chosen.size(); i-- > 0;) {
    std::vector<int> fewer = chosen;
    fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
    if (std::all_of(sets.begin(), sets.end(), [&](const auto& set) { return hits(fewer, set); }))
      chosen = std::move(fewer);
  }
  return chosen;
}

}  // namespace

HittingSet hitting_set(std::vector<std::vector<int>> sets) {
  std::set<int> elements;
  for (std::vector<int>& set : sets) {
    std::sort(set.begin(), set.end());
    elements.insert(set.begin(), set.end());
  }
  std::sort(sets.begin(), sets.end(), [](const auto& a, const auto& b) {
    return a.size() != b.size() ? a.size() < b.size() : a < b;
  });
  sets.erase(std::unique(sets.begin(), sets.end()), sets.end());
  HittingSet found;
  found.smallest = elements.size() <= exact_up_to;
  if (found.smallest)
    for (std::size_t size = 0; !complete(sets, size, found.elements);) ++size;
  else
    found.elements = irreducible(sets);
  std::sort(found.elements.begin(), found.elements.end());
  return found;
}

}  // namespace counterpoise
