#include "studies/exact/proving/family_search.hpp"

#include <algorithm>

namespace counterpoise {

FamilySearch::FamilySearch(MountSetup& setup, const MountFamily& family, const MountGap& gap) {
  for (const MountChoice& choice : family.choices)
    searches_.push_back(choice.problem ? std::make_unique<MountSearch>(
                                             *choice.problem, setup.solvers(family, choice), gap)
                                       : nullptr);
}

double FamilySearch::value_of(std::size_t choice) const {
  return searches_[choice] ? searches_[choice]->best().value : no_limit;
}

std::size_t FamilySearch::best_choice() const {
  std::size_t best = 0;
  for (std::size_t c = 0; c < searches_.size(); ++c)
    if (value_of(c) < value_of(best)) best = c;
  return best;
}

double FamilySearch::bound() const {
  double bound = no_limit;
  for (const auto& search : searches_)
    if (search) bound = std::min(bound, search->bound());
  return bound;
}

bool FamilySearch::is_within(const MountGap& gap) const {
  return bound() >= best() - gap.of(best());
}

std::int64_t FamilySearch::simplices() const {
  std::int64_t sum = 0;
  for (const auto& search : searches_) sum += search ? search->simplices() : 0;
  return sum;
}

double FamilySearch::gigabytes() const {
  double sum = 0.0;
  for (const auto& search : searches_)
    if (search) sum += 1e-9 * static_cast<double>(search->bytes());
  return sum;
}

MountSearch* FamilySearch::next() const {
  MountSearch* lowest = nullptr;
  for (const auto& search : searches_) {
    if (!search) continue;
    if (search->simplices() == 0) return search.get();
    if (!search->finished() && (lowest == nullptr || search->bound() < lowest->bound()))
      lowest = search.get();
  }
  return lowest;
}

void FamilySearch::halve_gap() {
  for (const auto& search : searches_)
    if (search) search->halve_gap();
}

void FamilySearch::share_best() {
  const double value = best();
  for (const auto& search : searches_)
    if (search) search->beat(value);
}

}  // namespace counterpoise
