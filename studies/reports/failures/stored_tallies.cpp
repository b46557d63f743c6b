#include "studies/reports/failures/stored_tallies.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "results/rows/store_error.hpp"

namespace counterpoise {

static_assert(told_in_words == static_cast<std::int64_t>(FailureKind::other));

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
  if (next_.kind != told_in_words) {
    add(next_.kind, next_.of, 1);
    return;
  }
  const std::optional<CaseRow> whole = results_->find(row.id);  // as `row` may lack its reason
  add_in_words(kind_of_reason(whole ? whole->reason : row.reason), 1);
}

void StoredTallies::add_in_words(const std::string& words, std::int64_t count) {
  FailureReport::Tally& tally = in_words_[words];
  tally.name.what = words;
  tally.count += count;
}

void StoredTallies::add(std::int64_t kind_number, std::int64_t element, std::int64_t count) {
  if (!possible_.contains({kind_number, element}))
    throw damaged(results_->path(), fmt::format("failures of kind {} and {} are none of its study",
                                                kind_number, element));
  const auto kind = static_cast<FailureKind>(kind_number);
  const int of = stated_->first_of(kind, static_cast<int>(element));
  const auto [at, fresh] = known_.try_emplace({kind, of});
  if (fresh) at->second.name = stated_->name_of(kind, of);
  at->second.count += count;
}

void StoredTallies::see(const Totals& totals) {
  more_ = false;  // these are all failures, and the file's own some of them
  for (const auto& [key, count] : totals.failures) add(key.first, key.second, count);
  for (const auto& [words, count] : totals.in_words) add_in_words(words, count);
}

std::vector<FailureReport::Tally> StoredTallies::finish() {
  if (more_) throw damaged(results_->path(), fmt::format("case {} did not fail", next_.id));
  std::vector<FailureReport::Tally> tallies;
  for (auto& [key, tally] : known_) tallies.push_back(std::move(tally));
  for (auto& [words, tally] : in_words_) tallies.push_back(std::move(tally));
  return tallies;
}

}  // namespace counterpoise
