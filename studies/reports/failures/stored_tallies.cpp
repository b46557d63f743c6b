#include "studies/reports/failures/stored_tallies.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "results/rows/store_error.hpp"

namespace counterpoise {
namespace {

/// What a reason says up to its numbers.
std::string kind_of_reason(const std::string& reason) {
  return reason.substr(0, std::min(reason.find(" ("), reason.find_first_of("0123456789")));
}

}  // namespace

StoredTallies::StoredTallies(const ResultsFile& results, const Study& study,
                             const StatedLimits& stated)
    : results_(&results), stated_(&stated), cursor_(results.failure_cursor()) {
  for (const FailureName& name : failure_names(study))
    possible_.insert({static_cast<std::int64_t>(name.kind), name.of});
  more_ = cursor_.next(next_);
}

void StoredTallies::see(const CaseRow& row) {
  if (!more_ || next_.id > row.id) return;
  if (next_.id < row.id || row.status == Status::feasible)
    throw damaged(results_->path(), fmt::format("case {} did not fail", next_.id));
  count(row);
  more_ = cursor_.next(next_);
}

void StoredTallies::count(const CaseRow& row) {
  const auto kind = static_cast<FailureKind>(next_.kind);
  if (kind == FailureKind::other) {
    const std::string words = kind_of_reason(row.reason);
    FailureReport::Tally& tally = in_words_[words];
    tally.name.what = words;
    ++tally.count;
    return;
  }
  if (!possible_.contains({next_.kind, next_.of}))
    throw damaged(results_->path(),
                  fmt::format("the failure of case {} is none of its study", next_.id));
  const int of = stated_->first_of(kind, static_cast<int>(next_.of));
  const auto [at, fresh] = known_.try_emplace({kind, of});
  if (fresh) at->second.name = stated_->name_of(kind, of);
  ++at->second.count;
}

std::vector<FailureReport::Tally> StoredTallies::finish() {
  if (more_) throw damaged(results_->path(), fmt::format("case {} did not fail", next_.id));
  std::vector<FailureReport::Tally> tallies;
  for (auto& [key, tally] : known_) tallies.push_back(std::move(tally));
  for (auto& [words, tally] : in_words_) tallies.push_back(std::move(tally));
  return tallies;
}

}  // namespace counterpoise
