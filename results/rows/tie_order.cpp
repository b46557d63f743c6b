#include "results/rows/tie_order.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numeric>
#include <stdexcept>

namespace counterpoise {

std::vector<TieTolerance> tie_tolerances(const StoreLayout& layout,
                                         const std::vector<StudyEntry>& study,
                                         const std::vector<BaselineRow>& baselines,
                                         const std::vector<std::size_t>& objectives,
                                         const std::string& motion) {
  const auto bare = std::find_if(baselines.begin(), baselines.end(), [&](const BaselineRow& row) {
    return row.name == without_springs_name && row.motion == motion && !row.objectives.empty();
  });
  std::vector<TieTolerance> tolerances;
  for (const std::size_t i : objectives) {
    TieTolerance& tolerance = tolerances.emplace_back();
    const std::string key = ties_key + layout.objectives[i];
    if (const std::optional<std::string> text = value_of(study, key)) {
      const char* const end = text->data() + text->size();
      const auto [stop, error] = std::from_chars(text->data(), end, tolerance.relative);
      if (error != std::errc() || stop != end || !(tolerance.relative >= 0.0) ||
          tolerance.relative >= 1.0)
        throw std::invalid_argument("the tolerance \"" + key + "\" is \"" + *text + '"');
    }
    if (bare != baselines.end()) tolerance.without_springs = bare->objectives[i];
  }
  return tolerances;
}

double TieTolerance::at(double value) const {
  constexpr double share_of_unbalanced = 1e-6;
  return relative * std::max(std::abs(value), share_of_unbalanced * std::abs(without_springs));
}

TieOrder::TieOrder(std::vector<TieTolerance> tolerances, std::optional<std::size_t> top)
    : tolerances_(std::move(tolerances)), top_(top) {}

void TieOrder::offer(std::int64_t id, std::span<const double> objectives) {
  ids_.push_back(id);
  values_.insert(values_.end(), objectives.begin(), objectives.end());
  if (top_ && ids_.size() >= std::max(enough_, 2 * *top_)) forget_the_rest();
}

/// Leaves out designs that begin no group before the last one wanted and tie with none that does:
/// a group that begins at or before that design's value ends within its tolerance.
void TieOrder::forget_the_rest() {
  if (*top_ == 0) return;
  std::vector<double> first(ids_.size());
  for (std::size_t i = 0; i < first.size(); ++i) first[i] = value(i, 0);
  const auto last = first.begin() + static_cast<std::ptrdiff_t>(*top_ - 1);
  std::nth_element(first.begin(), last, first.end());
  const double limit = *last + tolerances_.front().at(*last);
  const std::size_t width = tolerances_.size();
  std::size_t kept = 0;
  for (std::size_t i = 0; i < ids_.size(); ++i) {
    if (value(i, 0) > limit) continue;
    ids_[kept] = ids_[i];
    std::copy_n(values_.begin() + static_cast<std::ptrdiff_t>(i * width), width,
                values_.begin() + static_cast<std::ptrdiff_t>(kept * width));
    ++kept;
  }
  ids_.resize(kept);
  values_.resize(kept * width);
  enough_ = std::max(enough_, 2 * kept);
}

bool TieOrder::settled(std::size_t design) const {
  for (std::size_t k = 1; k < tolerances_.size(); ++k)
    if (std::isnan(value(design, k))) return false;
  return true;
}

bool TieOrder::exactly_before(std::size_t a, std::size_t b) const {
  for (std::size_t k = 0; k < tolerances_.size(); ++k)
    if (value(a, k) != value(b, k)) return value(a, k) < value(b, k);
  return ids_[a] < ids_[b];
}

/// `best`: whether these are the designs that tie with the best one in all objectives before.
void TieOrder::arrange(Places designs, std::size_t objective, bool best) {
  if (objective == tolerances_.size()) {
    std::sort(designs.begin(), designs.end(),
              [this](std::size_t a, std::size_t b) { return exactly_before(a, b); });
    const auto differs = [&](std::size_t k) {
      return value(designs.front(), k) != value(designs.back(), k);
    };
    for (std::size_t k = 0; best && k < tolerances_.size(); ++k)
      decision_.compared = decision_.compared || differs(k);
    return;
  }
  std::sort(designs.begin(), designs.end(), [&](std::size_t a, std::size_t b) {
    return value(a, objective) != value(b, objective) ? value(a, objective) < value(b, objective)
                                                      : ids_[a] < ids_[b];
  });
  for (std::size_t begin = 0; begin < designs.size();) {
    const double first = value(designs[begin], objective);
    const double limit = first + tolerances_[objective].at(first);
    std::size_t end = begin + 1;
    while (end < designs.size() && value(designs[end], objective) <= limit) ++end;
    if (!settled(designs[begin])) {
      end = begin + 1;
    } else if (objective == 0) {
      const Places near = designs.subspan(begin, end - begin);
      const auto behind = std::stable_partition(near.begin(), near.end(),
                                                [this](std::size_t d) { return settled(d); });
      end = begin + static_cast<std::size_t>(behind - near.begin());
    }
    const bool of_best = best && begin == 0;
    if (of_best && objective == 0) decision_.tied = static_cast<std::int64_t>(end);
    if (of_best && objective > 0 && end < designs.size()) decision_.later = objective;
    if (objective == 0) groups_.emplace_back(end, limit);
    if (end - begin > 1) arrange(designs.subspan(begin, end - begin), objective + 1, of_best);
    begin = end;
  }
}

std::vector<std::int64_t> TieOrder::best_first() {
  decision_ = {};
  groups_.clear();
  std::vector<std::size_t> places(ids_.size());
  std::iota(places.begin(), places.end(), std::size_t{0});
  arrange(places, 0, true);
  if (top_) places.resize(std::min(places.size(), *top_));
  std::vector<std::int64_t> ids;
  for (const std::size_t place : places) ids.push_back(ids_[place]);
  return ids;
}

std::size_t TieOrder::settled_below(double value) const {
  std::size_t settled = 0;
  for (const auto& [end, limit] : groups_) {
    if (limit >= value) break;
    settled = end;
  }
  return settled;
}

}  // namespace counterpoise
