#include "results/standing.hpp"

#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "results/ranking.hpp"
#include "results/rows/order_window.hpp"

namespace counterpoise {
namespace {

/// Looks for the place of one case in parts of the order.
class PlaceSearch {
 public:
  PlaceSearch(const ResultsFile& results, const CaseRow& row,
              const std::function<bool(const CaseRow&)>& wanted, std::size_t room)
      : results_(results),
        wanted_(wanted),
        room_(room),
        id_(row.id),
        motion_(motion_column(results.layout(), results.variables())),
        name_(motion_ ? std::get<std::string>(row.variables[*motion_]) : std::string()) {
    const std::optional<CaseRow> stored = results.find(row.id);
    if (stored && stored->status == Status::feasible && !std::isnan(stored->objectives.front()))
      value_ = stored->objectives.front();
  }

  CasePlace find() {
    if (!find_in_digest()) find_in_passes();
    return std::move(place_);
  }

 private:
  [[nodiscard]] bool ranked() const { return std::isfinite(value_); }

  /// Takes a part of the order. Returns whether no further part is needed.
  bool found_in(const OrderWindow::Part& part) {
    std::size_t behind = 0;
    if (ranked()) {
      while (behind < part.ids.size() && part.ids[behind] != id_) ++behind;
      if (behind == part.ids.size()) return part.to_end && part.before == 0;
      place_.rank = part.before + static_cast<std::int64_t>(++behind);
    }
    for (; behind < part.ids.size(); ++behind) {
      std::optional<CaseRow> other = results_.find(part.ids[behind]);
      if (!other || !wanted_(*other)) continue;
      place_.next = {std::move(*other), part.before + static_cast<std::int64_t>(behind) + 1};
      return true;
    }
    return part.to_end;
  }

  bool find_in_digest() {
    constexpr std::size_t few = 64, all = 1000;  // as many as digests cover
    for (const std::size_t considered : {few, all}) {
      const std::optional<LeadingCases> known = leading_cases(results_, name_, considered);
      if (!known) return false;
      place_.feasible = known->feasible;
      const bool whole = std::cmp_equal(known->ids.size(), known->feasible);
      if (found_in({0, known->ids, whole})) return true;
    }
    return false;
  }

  void find_in_passes() {
    const std::vector<TieTolerance> tolerances = tie_tolerances(results_, name_);
    constexpr std::size_t more = 16;
    for (std::size_t held = room_;; held *= more) {
      OrderWindow window(tolerances, value_, held);
      place_ = {};
      auto cases = results_.feasible_objectives(motion_);
      for (CaseRow row; cases.next(row);) {
        if (motion_ && std::get<std::string>(row.variables[*motion_]) != name_) continue;
        ++place_.feasible;
        if (!std::isnan(row.objectives.front())) window.offer(row.id, row.objectives);
      }
      if (const auto part = window.part(); part && found_in(*part)) return;
    }
  }

  const ResultsFile& results_;
  const std::function<bool(const CaseRow&)>& wanted_;
  std::size_t room_;
  std::int64_t id_;
  std::optional<std::size_t> motion_;                        // column
  std::string name_;                                         // of the motion
  double value_ = -std::numeric_limits<double>::infinity();  // of the first objective
  CasePlace place_;
};

}  // namespace

CasePlace place_of(const ResultsFile& results, const CaseRow& row,
                   const std::function<bool(const CaseRow&)>& wanted, std::size_t room) {
  return PlaceSearch(results, row, wanted, room).find();
}

}  // namespace counterpoise
