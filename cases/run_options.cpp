#include "cases/run_options.hpp"

#include <algorithm>
#include <iterator>
#include <limits>

#include "optimizer/sampling/random_bits.hpp"

namespace counterpoise {

std::uint64_t FailedChoice::rank(std::int64_t id) const {
  return mixed_together(seed, 0, static_cast<std::uint64_t>(id));
}

std::uint64_t FailedChoice::highest(std::int64_t cases) const {
  constexpr std::uint64_t all = std::numeric_limits<std::uint64_t>::max();
  constexpr double more = 1.25;
  const double share = more * static_cast<double>(most) / static_cast<double>(cases);
  return share < 1.0 ? static_cast<std::uint64_t>(share * static_cast<double>(all)) : all;
}

void FailedCases::take(const RowBatch& rows) {
  if (!all) return;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    counts.add(rows, row);
    if (rows.status(row) != Status::feasible) ids.push_back(rows.id(row));
  }
  all = ids.size() <= most;
}

void FailedCases::take(FailedCases& other) {
  evaluated_on.insert(evaluated_on.end(), std::move_iterator(other.evaluated_on.begin()),
                      std::move_iterator(other.evaluated_on.end()));
  seconds += other.seconds;
  all = all && other.all && ids.size() + other.ids.size() <= most;
  if (!all) return void(ids = {});
  counts.add(other.counts);
  ids.insert(ids.end(), other.ids.begin(), other.ids.end());
}

Holding planned_holding(const Study& study, int threads) {
  constexpr double most_bytes = 1 << 30, bytes_of_element = 96;
  Holding holding;
  const bool mounted = std::any_of(study.drives.begin(), study.drives.end(),
                                   [](const StudyDrive& drive) { return drive.mount.has_value(); });
  if (mounted) return holding;
  const Mechanism& mechanism = study.model->nominal;
  const auto elements = static_cast<double>(mechanism.body_count() + mechanism.loops.size() +
                                            mechanism.actuators.size() + mechanism.springs.size());
  std::vector<int> lengths;
  for (const LoadCase& load_case : study.motions)
    lengths.push_back(load_case.motion.nominal.sample_count());
  std::sort(lengths.begin(), lengths.end());
  double bytes = 0.0;
  for (const int samples : lengths) {
    bytes += threads * elements * bytes_of_element * samples;
    if (bytes > most_bytes) break;
    holding.most = std::max(holding.most, samples);
  }
  return holding;
}

}  // namespace counterpoise
