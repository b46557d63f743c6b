#include "studies/reports/failures/evaluated_on.hpp"

#include <algorithm>
#include <system_error>
#include <unordered_map>
#include <utility>

#include "cases/case_order.hpp"
#include "cases/clock.hpp"
#include "cases/threads.hpp"

namespace counterpoise {
namespace {

bool runs_scenarios(const Study& study) {
  const std::vector<bool> falling = study.scenarios_read();
  return std::find(falling.begin(), falling.end(), true) != falling.end();
}

}  // namespace

FailedChoice choice_of(const Study& study, const EvaluateOnOptions& options) {
  const std::size_t most = runs_scenarios(study)
                               ? std::min(options.most_falling, options.most_evaluated)
                               : options.most_evaluated;
  return {most, options.seed};
}

void FailedSample::offer(std::int64_t id, const std::vector<double>& point) {
  const std::uint64_t rank = choice_.rank(id);
  if (chosen_.size() == choice_.most) {
    if (chosen_.empty() || rank >= chosen_.front().rank) return;
    std::pop_heap(chosen_.begin(), chosen_.end());
    chosen_.pop_back();
  }
  chosen_.push_back({rank, {id, point}});
  std::push_heap(chosen_.begin(), chosen_.end());
}

void FailedSample::take_known(const FailedCases& failed) {
  std::unordered_map<std::int64_t, const BrokenLimits*> known;
  for (const FailedCases::EvaluatedOn& on : failed.evaluated_on) known.emplace(on.id, &on.broken);
  for (Ranked& one : chosen_)
    if (const auto at = known.find(one.failed.id); at != known.end())
      one.failed.broken = *at->second;
  seconds = failed.seconds;
}

bool FailedSample::is_known() const {
  return std::all_of(chosen_.begin(), chosen_.end(),
                     [](const Ranked& one) { return one.failed.broken.has_value(); });
}

std::vector<FailedCase> FailedSample::finish(const Study& study) {
  std::vector<FailedCase> cases;
  for (Ranked& one : chosen_) cases.push_back(std::move(one.failed));
  chosen_.clear();
  std::sort(cases.begin(), cases.end(),
            [](const FailedCase& a, const FailedCase& b) { return a.id < b.id; });
  std::optional<PointSource> source;
  for (FailedCase& one : cases) {
    if (one.broken || !one.point.empty() || study.variables.empty()) continue;
    if (!source) source.emplace(study);
    one.point.resize(study.variables.size());
    source->point(one.id, one.point);
  }
  return cases;
}

EvaluatedOn evaluate_on(const Study& study, FailedSample sample, const EvaluateOnOptions& options) {
  const WorkMeter meter;
  EvaluatedOn found;
  double others = 0.0;
  std::vector<FailedCase> cases = sample.finish(study);
  std::vector<std::vector<double>> points;
  for (FailedCase& one : cases)
    if (!one.broken) points.push_back(std::move(one.point));
  std::vector<BrokenLimits> fresh;
  if (!points.empty())
    Threads(options.threads).run([&] {
      fresh = broken_limits(study, points, options.baselines, options.interrupted, &others);
    });
  auto next = fresh.begin();
  for (FailedCase& one : cases) {
    found.ids.push_back(one.id);
    found.broken.push_back(one.broken ? std::move(*one.broken) : std::move(*next++));
  }
  found.seconds = meter.passed().cpu + others + sample.seconds;
  return found;
}

std::shared_future<EvaluatedOn> begin_to_evaluate_on(const Study& study, const FailedCases& failed,
                                                     const EvaluateOnOptions& options) try {
  if (!failed.all || failed.ids.empty() || study.search() != nullptr || study.keep) return {};
  FailedSample sample(study, options);
  for (const std::int64_t id : failed.ids) sample.offer(id, {});
  sample.take_known(failed);
  const bool alone = sample.is_known() || Threads(options.threads).count() == 1;
  return std::async(alone ? std::launch::deferred : std::launch::async,
                    [&study, sample = std::move(sample), options]() mutable {
                      return evaluate_on(study, std::move(sample), options);
                    })
      .share();
} catch (const std::system_error&) {
  return {};  // no thread is to be had; the run goes on to store what it has
}

}  // namespace counterpoise
