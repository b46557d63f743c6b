#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "results/rows/row_batch.hpp"
#include "results/rows/tie_order.hpp"

namespace counterpoise {

/// What a finished results file says of all its cases, so that the head of a ranking need not be
/// looked for among them.
struct Digest {
  /// The first cases of one motion by one objective.
  struct Leading {
    std::string objective, motion;
    std::int64_t feasible = 0;  // cases of the motion
    std::int64_t first = 0;     // so many places of a ranking by it depend on the cases below alone
    std::vector<std::int64_t> ids{};  // those cases, by rising objective, then id
  };
  std::array<std::int64_t, 3> statuses{};  // cases of each Status
  std::vector<Leading> leading;            // where `first` is known

  [[nodiscard]] std::int64_t cases() const { return statuses[0] + statuses[1] + statuses[2]; }
  [[nodiscard]] const Leading* find(const std::string& objective, const std::string& motion) const;
};

/// Makes a Digest of cases that pass by in any order.
class DigestMaker {
 public:
  /// Ranked places that a digest covers, and the most cases that it lists for them: more may tie.
  struct Limits {
    std::size_t first = 1000, most = 20'000;
  };

  DigestMaker(const StoreLayout& layout, const std::vector<StudyEntry>& study,
              const std::vector<VariableRow>& variables, const std::vector<BaselineRow>& baselines,
              Limits limits);

  /// Takes a case that was not taken before. Cost: one comparison for each objective if it is
  /// feasible.
  void take(const RowBatch& batch, std::size_t row);

  /// The digest of all that was taken. Nothing where a case lacks an objective, or belongs to a
  /// motion without baselines, because a ranking then says more than a digest can.
  [[nodiscard]] std::optional<Digest> digest();

 private:
  /// Those that can be among the first by one objective.
  struct Places {
    TieTolerance tolerance;
    double limit;        // of the objective: cases above it are skipped
    std::size_t enough;  // cases, at which some are left out
    bool too_many = false;
    std::vector<std::pair<double, std::int64_t>> cases{};
  };
  struct Motion {
    std::string name;
    std::int64_t feasible = 0;
    std::vector<Places> by{};  // objective
  };
  void offer(std::int64_t id, std::string_view motion, std::span<const double> objectives);
  void leave_out(Places& places) const;

  std::vector<std::string> objectives_;
  Limits limits_;
  std::optional<std::size_t> motion_text_;  // which of a row's texts is its motion
  std::vector<Motion> motions_;
  Digest digest_;
  bool known_ = true;
};

}  // namespace counterpoise
