#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "results/results_file.hpp"
#include "results/rows/tie_order.hpp"

namespace counterpoise {

/// Which feasible cases a page has where it has no room for all.
struct ThinnedCases {
  struct Ranked {
    std::int64_t id = 0;
    std::int64_t rank = 0;  // from 1 in its motion; 0 if its first objective is unknown
  };
  std::vector<Ranked> kept;  // by rank, then by id; those without a rank come last
  std::size_t first = 0;     // so many of them are the best ones, without gaps
};

/// Puts feasible cases in the order of their rankings and keeps some of them: the best ones, those
/// that are asked for, and of the others each n-th. Cases pass by once; a second pass reads the
/// objectives of those that tie in the first one with one that is kept. Memory: 16 bytes a case,
/// and the objectives of those that tie with one that is kept.
class CaseThinning {
 public:
  /// `first`: best cases that are kept, of all motions together; `every`: n. `feasible`: cases to
  /// make room for.
  CaseThinning(const ResultsFile& results, std::size_t first, std::size_t every,
               std::size_t feasible);

  /// Takes the next feasible case, by ascending id. `wanted`: it is kept.
  void take(const CaseRow& row, bool wanted);
  /// Keeps a case that was taken, whose first objective this is.
  void want(const CaseRow& row);
  /// Reads the file a second time. Throws StoreError (unusable) for damaged results.
  [[nodiscard]] ThinnedCases finish();

 private:
  /// A case and what it is ranked by first. `key` is twice the id, and one more where a later
  /// objective is unknown.
  struct Place {
    double value;
    std::int64_t key;
    friend bool operator<(const Place& a, const Place& b) {
      return a.value != b.value ? a.value < b.value : a.key < b.key;
    }
  };
  struct Motion {
    std::string name;
    std::vector<TieTolerance> tolerances;
    std::vector<Place> places{};
    std::vector<Place> wanted{};  // some of these
    bool unsettled = false;       // some key is odd
  };
  /// Cases of one motion that tie in their first objective.
  struct Group {
    std::size_t motion;
    std::size_t begin, size;  // places before it, and its own
  };

  Motion& motion_of(const CaseRow& row);
  [[nodiscard]] bool keeps(std::size_t place) const {
    return place < first_ || (place - first_) % every_ == 0;
  }
  void open_groups(std::size_t motion);
  [[nodiscard]] std::vector<double> objectives_of_members() const;

  const ResultsFile& results_;
  std::size_t first_, every_;          // `first_`: of each motion
  std::size_t objectives_;             // number
  std::optional<std::size_t> column_;  // of the motion
  std::vector<Motion> motions_;
  std::vector<std::int64_t> unranked_;  // ids of those kept
  std::size_t unranked_cases_ = 0;
  std::vector<Group> groups_;          // those with a case that is kept
  std::vector<std::int64_t> members_;  // their ids, group by group
  std::vector<std::int64_t> wanted_;   // ids, sorted
};

}  // namespace counterpoise
