#include "results/rows/digest.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace counterpoise {
namespace {

/// Times as many cases as a digest lists are held while more may come.
constexpr std::size_t most_while_taking = 10;

}  // namespace

const Digest::Leading* Digest::find(const std::string& objective, const std::string& motion) const {
  const auto at = std::find_if(leading.begin(), leading.end(), [&](const Leading& one) {
    return one.objective == objective && one.motion == motion;
  });
  return at == leading.end() ? nullptr : &*at;
}

DigestMaker::DigestMaker(const StoreLayout& layout, const std::vector<StudyEntry>& study,
                         const std::vector<VariableRow>& variables,
                         const std::vector<BaselineRow>& baselines, Limits limits)
    : objectives_(layout.objectives), limits_(limits) {
  motion_text_ = motion_text(layout, variables);
  for (const BaselineRow& row : baselines) {
    const auto same = [&](const Motion& motion) { return motion.name == row.motion; };
    if (std::any_of(motions_.begin(), motions_.end(), same)) continue;
    Motion& motion = motions_.emplace_back(Motion{row.motion});
    for (std::size_t i = 0; i < objectives_.size(); ++i)
      motion.by.push_back({tie_tolerances(layout, study, baselines, {i}, row.motion).front(),
                           std::numeric_limits<double>::infinity(), 2 * limits.first});
  }
}

void DigestMaker::take(const RowBatch& batch, std::size_t row) {
  ++digest_.statuses[static_cast<std::size_t>(batch.status(row))];
  if (batch.status(row) != Status::feasible) return;
  offer(batch.id(row), motion_text_ ? batch.texts(row)[*motion_text_] : std::string_view(),
        batch.numbers(row).last(objectives_.size()));
}

void DigestMaker::offer(std::int64_t id, std::string_view name,
                        std::span<const double> objectives) {
  const auto motion = std::find_if(motions_.begin(), motions_.end(),
                                   [&](const Motion& one) { return one.name == name; });
  if (motion == motions_.end()) {
    known_ = false;
    return;
  }
  ++motion->feasible;
  for (std::size_t i = 0; i < objectives.size(); ++i) {
    Places& places = motion->by[i];
    if (objectives[i] > places.limit) continue;
    known_ = known_ && !std::isnan(objectives[i]);
    places.cases.emplace_back(objectives[i], id);
    if (places.cases.size() >= places.enough) leave_out(places);
  }
}

/// Leaves out what can change no place among the first, as TieOrder does: cases beyond the last of
/// these that do not tie with it.
void DigestMaker::leave_out(Places& places) const {
  if (places.too_many || !known_) {
    places.cases.clear();
    return;
  }
  if (places.cases.size() <= limits_.first) return;
  const auto last = places.cases.begin() + static_cast<std::ptrdiff_t>(limits_.first - 1);
  std::nth_element(places.cases.begin(), last, places.cases.end());
  places.limit = last->first + places.tolerance.at(last->first);
  std::erase_if(places.cases, [&](const auto& one) { return one.first > places.limit; });
  places.enough = std::max(places.enough, 2 * places.cases.size());
  if (places.cases.size() <= most_while_taking * limits_.most) return;
  places.too_many = true;  // unless better ones would come, which is not waited for
  places.limit = -std::numeric_limits<double>::infinity();
  places.cases = {};
}

std::optional<Digest> DigestMaker::digest() {
  Digest digest = digest_;
  for (Motion& motion : motions_)
    for (std::size_t i = 0; i < objectives_.size(); ++i) {
      Places& places = motion.by[i];
      leave_out(places);
      if (places.too_many || places.cases.size() > limits_.most) continue;
      std::sort(places.cases.begin(), places.cases.end());
      Digest::Leading& leading = digest.leading.emplace_back(Digest::Leading{
          objectives_[i], motion.name, motion.feasible, static_cast<std::int64_t>(limits_.first)});
      for (const auto& [value, id] : places.cases) leading.ids.push_back(id);
    }
  if (!known_) return std::nullopt;
  return digest;
}

}  // namespace counterpoise
