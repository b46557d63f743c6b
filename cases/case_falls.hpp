#pragma once

#include <array>
#include <span>
#include <vector>

#include "cases/case_evaluator.hpp"
#include "cases/case_outcome.hpp"
#include "engine/mechanism/stage.hpp"

namespace counterpoise {

/// Lets designs of a study fall as its scenarios say. Only scenarios that the study reads are run
/// (see Study::scenarios_read). One per thread; `study` must outlive it. A fall depends on its
/// design alone, so the order of cases changes no bit.
class CaseFalls {
 public:
  explicit CaseFalls(const Study& study);

  /// Whether there is anything to run.
  [[nodiscard]] bool any() const { return !read_.empty(); }

  /// Marks the metrics of scenarios as not known.
  void forget(CaseOutcome& out) const;
  /// Binds the scenarios to a design that is bound itself. Refuses `out`, with the reason, and
  /// returns false where one of them is impossible.
  bool bind(CaseDesign& design, CaseOutcome& out);
  /// The mechanism of each scenario that is run; changes of their springs are used until the next
  /// bind().
  [[nodiscard]] std::span<Mechanism> mechanisms() { return mechanisms_; }

  /// Runs every fall from every instant of its start, and sets the metrics of falls in `out`: the
  /// worst over the instants. Refuses `out`, with the reason and its time, and returns false where
  /// a fall cannot begin or ends before its time.
  bool run(CaseDesign& design, CaseOutcome& out);

  /// Counts what follows separately, until switched back.
  void count_apart(bool apart) { account_ = apart ? 1 : 0; }
  /// How often a fall was run since construction, and the time that took: what is counted apart, or
  /// the rest.
  [[nodiscard]] const StageCount& count(bool apart) const { return counts_[apart ? 1 : 0]; }

 private:
  bool fall(std::size_t scenario, const Mechanism& mechanism, CaseDesign& design, double from,
            CaseOutcome& out);

  const Study& study_;
  std::vector<std::size_t> read_;      // indices of Study::scenarios
  std::vector<Mechanism> mechanisms_;  // one per scenario that is read
  std::array<StageCount, 2> counts_;
  std::size_t account_ = 0;
};

/// Takes the springs away: they stay in place, without any force.
void disable_springs(Mechanism& mechanism);

}  // namespace counterpoise
