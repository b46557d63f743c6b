#pragma once

#include "studies/exact/proving/mount_search.hpp"
#include "studies/exact/proving/mount_setup.hpp"

namespace counterpoise {

/// The searches of one part of the problem, one for each choice of its springs. They share what is
/// best, so that springs which cannot reach it are soon done with.
class FamilySearch {
 public:
  /// `setup` has written its choices, and must outlive it, with its `family`.
  FamilySearch(MountSetup& setup, const MountFamily& family, const MountGap& gap);

  /// The search of one choice; null where its springs are excluded wherever they are mounted.
  [[nodiscard]] MountSearch* search(std::size_t choice) const { return searches_[choice].get(); }
  /// The choice with the best design; the first one if there is no design.
  [[nodiscard]] std::size_t best_choice() const;
  [[nodiscard]] double best() const { return value_of(best_choice()); }
  [[nodiscard]] double bound() const;  // no geometry and none of the springs do better
  /// Whether no more than this gap could be gained.
  [[nodiscard]] bool is_within(const MountGap& gap) const;
  [[nodiscard]] std::int64_t simplices() const;
  [[nodiscard]] double gigabytes() const;
  /// A search that has not begun, else the one with the lowest bound; null where there is nothing
  /// to do.
  [[nodiscard]] MountSearch* next() const;
  /// From now on looks for half the gap of before.
  void halve_gap();
  /// Tells every search what the others have found.
  void share_best();

 private:
  [[nodiscard]] double value_of(std::size_t choice) const;

  std::vector<std::unique_ptr<MountSearch>> searches_;
};

}  // namespace counterpoise
