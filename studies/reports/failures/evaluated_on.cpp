#include "studies/reports/failures/evaluated_on.hpp"

#include <algorithm>
#include <numeric>
#include <system_error>
#include <utility>

#include "studies/cases/clock.hpp"
#include "studies/running/point_source.hpp"
#include "studies/running/threads.hpp"

namespace counterpoise {
namespace {

bool runs_scenarios(const Study& study) {
  const std::vector<bool> falling = study.scenarios_read();
  return std::find(falling.begin(), falling.end(), true) != falling.end();
}

}  // namespace

FailedSample::FailedSample(const Study& study, const EvaluateOnOptions& options)
    : most_(runs_scenarios(study) ? std::min(options.most_falling, options.most_evaluated)
                                  : options.most_evaluated),
      draws_(options.seed, 0) {}

void FailedSample::offer(std::int64_t id, const std::vector<double>& point) {
  ++offered_;
  if (ids.size() < most_) {
    ids.push_back(id);
    points.push_back(point);
    return;
  }
  const auto place =
      static_cast<std::size_t>(unit_interval(draws_.bits()) * static_cast<double>(offered_));
  if (place >= most_) return;
  ids[place] = id;
  points[place] = point;
}

void FailedSample::finish(const Study& study) {
  std::vector<std::size_t> order(ids.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [this](std::size_t a, std::size_t b) { return ids[a] < ids[b]; });
  std::vector<std::int64_t> sorted_ids;
  std::vector<std::vector<double>> sorted_points;
  std::optional<PointSource> source;
  for (const std::size_t i : order) {
    sorted_ids.push_back(ids[i]);
    std::vector<double>& point = sorted_points.emplace_back(std::move(points[i]));
    if (!point.empty() || study.variables.empty()) continue;
    if (!source) source.emplace(study);
    point.resize(study.variables.size());
    source->point(ids[i], point);
  }
  ids = std::move(sorted_ids);
  points = std::move(sorted_points);
}

EvaluatedOn evaluate_on(const Study& study, FailedSample sample, const EvaluateOnOptions& options) {
  const WorkMeter meter;
  EvaluatedOn found;
  sample.finish(study);
  double others = 0.0;
  Threads(options.threads).run([&] {
    found.broken =
        broken_limits(study, sample.points, options.baselines, options.interrupted, &others);
  });
  found.ids = std::move(sample.ids);
  found.seconds = meter.passed().cpu + others;
  return found;
}

std::shared_future<EvaluatedOn> begin_to_evaluate_on(const Study& study, const FailedCases& failed,
                                                     const EvaluateOnOptions& options) try {
  if (!failed.all || failed.ids.empty() || study.search() != nullptr || study.keep) return {};
  FailedSample sample(study, options);
  for (const std::int64_t id : failed.ids) sample.offer(id, {});
  const bool alone = Threads(options.threads).count() == 1;
  return std::async(alone ? std::launch::deferred : std::launch::async,
                    [&study, sample = std::move(sample), options]() mutable {
                      return evaluate_on(study, std::move(sample), options);
                    })
      .share();
} catch (const std::system_error&) {
  return {};  // no thread is to be had; the run goes on to store what it has
}

}  // namespace counterpoise
