#include <fmt/format.h>

#include "studies/running/search_store.hpp"

namespace counterpoise {

bool is_finished(const RunState& state) {
  const Study& study = state.study;
  const Search* search = study.search();
  const IdRange expected = search == nullptr ? range_of(state.options.shard, study.case_count())
                                             : IdRange{1, study.case_count()};
  const Store::Ids stored = state.store.ids();
  if (stored.count > 0 && (stored.first < expected.first || stored.last > expected.last))
    throw damaged(state.store.path(),
                  fmt::format("it has cases {} to {}, and this run makes none but {} to {}",
                              stored.first, stored.last, expected.first, expected.last));
  if (!state.store.finished()) return false;
  return search == nullptr ? stored.count == expected.size() : open_starts(state).empty();
}

}  // namespace counterpoise
