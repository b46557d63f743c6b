#include "studies/plans/exact_plan.hpp"

#include <oneapi/tbb/info.h>

#include <algorithm>
#include <numeric>
#include <random>

#include "cases/clock.hpp"
#include "cases/searches.hpp"
#include "springs/exact.hpp"
#include "studies/run.hpp"

namespace counterpoise {
namespace {

constexpr std::size_t most_tried = 64;
constexpr double patience = 4.0;  // for one geometry, in times of all

/// A point whose geometry lies anywhere in its ranges.
std::vector<double> random_point(const Study& study, const std::vector<int>& geometry,
                                 std::mt19937_64& random) {
  std::vector<double> point(study.variables.size());
  for (const int v : geometry) {
    const Variable& variable = study.variables[static_cast<std::size_t>(v)];
    point[static_cast<std::size_t>(v)] =
        std::uniform_real_distribution<double>(variable.low, variable.high)(random);
  }
  return point;
}

}  // namespace

double ExactPlan::mean() const {
  return std::accumulate(tried.begin(), tried.end(), 0.0) / static_cast<double>(tried.size());
}

double ExactPlan::seconds(double of_one) const {
  return of_one * static_cast<double>(geometries) / threads;
}

ExactPlan plan_exact(const Study& study, const RunOptions& options, double longest) {
  check_search(study, options.interrupted);
  const Search& search = *study.search();
  Clock::time_point begin = Clock::time_point::max();  // of trying
  GeometrySizer sizer(study, Interruption([&] {
                        return options.interrupted.asked() ||
                               seconds_since(begin) > patience * longest;
                      }));
  ExactPlan plan;
  const std::int64_t starts = search.task_count() * search.starts;
  plan.kind = search.proof               ? ExactPlan::Kind::proof
              : sizer.geometry().empty() ? ExactPlan::Kind::single
                                         : ExactPlan::Kind::search;
  plan.geometries = search.proof                           ? search.proof->max_simplices
                    : plan.kind == ExactPlan::Kind::single ? starts
                                                           : starts * search.max_evaluations;
  const int processors = tbb::info::default_concurrency();
  const int wanted = options.threads > 0 ? options.threads : processors;
  plan.threads = static_cast<int>(std::min<std::int64_t>(
      std::min(wanted, processors), search.proof ? std::int64_t{wanted} : starts));
  std::mt19937_64 random(search.seed);
  begin = Clock::now();
  const std::size_t most = plan.kind == ExactPlan::Kind::single ? 1 : most_tried;
  while (plan.tried.size() < most && seconds_since(begin) < longest && plan.whole) {
    const std::vector<double> point = random_point(study, sizer.geometry(), random);
    const Clock::time_point from = Clock::now();
    try {
      plan.feasible += sizer.size(point).value ? 1 : 0;
    } catch (const Interrupted&) {
      options.interrupted.poll();
      plan.whole = false;
    }
    plan.tried.push_back(seconds_since(from));
  }
  std::sort(plan.tried.begin(), plan.tried.end());
  return plan;
}

}  // namespace counterpoise
