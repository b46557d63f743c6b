// The evaluation of a study's cases, without storing them. Answers lines like the programs with
// peers do:
//
//   study FILE CASES THREADS      wall and CPU time of its first cases [s], how many these are and
//                                 how many are feasible, a check sum of results; CASES 0: all
//   recompute FILE CASES THREADS  the same with nothing remembered from case to case
//   sobol FILE CASES THREADS      the same as study, with a Sobol study's count set to CASES
//
// Of a study that searches, Sobol points of its variables are evaluated.
//
// Evaluators and baselines are made within the time; reading the files is not.
#include <algorithm>
#include <atomic>
#include <bit>
#include <iostream>
#include <map>
#include <sstream>
#include <thread>

#include "bench/stopwatch.hpp"
#include "cases/case_evaluator.hpp"
#include "cases/case_points.hpp"
#include "input/reading/read.hpp"
#include "input/text/json_document.hpp"

namespace counterpoise::bench {
namespace {

constexpr std::int64_t largest_window = 262'144;

/// What a thread found: sums that do not depend on the order of cases.
struct Tally {
  std::int64_t feasible = 0;
  std::uint64_t sum = 0;

  void add(std::int64_t id, const CaseOutcome& outcome) {
    if (outcome.status == CaseStatus::feasible) ++feasible;
    if (!outcome.computable) return;
    for (const double x : outcome.objectives)
      sum += std::bit_cast<std::uint64_t>(x) * (2 * static_cast<std::uint64_t>(id) + 1);
  }
};

/// The order in which a run of the study would evaluate its first cases: windows, and the ids in
/// each.
std::vector<std::vector<std::int64_t>> order_of(const Study& study, std::int64_t cases) {
  CaseOrder order(study, largest_window);
  std::vector<std::vector<std::int64_t>> windows;
  std::vector<std::uint32_t> offsets;
  std::vector<double> points;
  for (std::int64_t next = 1; next <= cases;) {
    const IdRange window = order.window(next, cases);
    order.arrange(window, offsets, points);
    std::vector<std::int64_t>& ids = windows.emplace_back();
    for (const std::uint32_t offset : offsets) ids.push_back(window.first + offset);
    next = window.last + 1;
  }
  return windows;
}

/// One thread's tools and what it found.
class Worker {
 public:
  Worker(const Study& study, CaseEvaluator evaluator, std::shared_ptr<const Baselines> baselines)
      : evaluator_(std::move(evaluator)), points_(study), point_(study.variables.size()) {
    evaluator_.set_baselines(std::move(baselines));
  }

  void work(std::span<const std::int64_t> ids) {
    for (const std::int64_t id : ids) {
      points_.point(id, point_);
      evaluator_.evaluate(point_, outcome_);
      tally_.add(id, outcome_);
    }
  }
  [[nodiscard]] const Tally& tally() const { return tally_; }

 private:
  CaseEvaluator evaluator_;
  PointSource points_;
  std::vector<double> point_;
  CaseOutcome outcome_;
  Tally tally_;
};

/// Evaluates cases 1 .. cases; every thread takes the next run of those that follow each other in
/// the order of evaluation.
Tally evaluate(const Study& study, const EvaluationOptions& options, std::int64_t cases,
               int threads) {
  CaseEvaluator first(study, options);
  const auto baselines = std::make_shared<const Baselines>(first.evaluate_baselines());
  const auto windows = order_of(study, cases);
  std::vector<std::atomic<std::size_t>> next(windows.size());
  std::vector<Tally> tallies(static_cast<std::size_t>(threads));
  const auto work = [&](Tally& tally) {
    // the baselines' evaluator goes on with the first thread's cases, as in a run
    const bool is_first = &tally == tallies.data();
    Worker worker(study, is_first ? std::move(first) : CaseEvaluator(study, options), baselines);
    for (std::size_t w = 0; w < windows.size(); ++w) {
      const std::span<const std::int64_t> ids = windows[w];
      const std::size_t run = std::clamp<std::size_t>(ids.size() / (8u * tallies.size()), 1, 4096);
      for (std::size_t i = next[w].fetch_add(run); i < ids.size(); i = next[w].fetch_add(run))
        worker.work(ids.subspan(i, std::min(run, ids.size() - i)));
    }
    tally = worker.tally();
  };
  std::vector<std::thread> workers;
  for (Tally& tally : tallies) workers.emplace_back(work, std::ref(tally));
  for (std::thread& worker : workers) worker.join();

  Tally all;
  for (const Tally& tally : tallies) {
    all.feasible += tally.feasible;
    all.sum += tally.sum;
  }
  return all;
}

void answer(const std::string& line, std::map<std::string, Study>& studies) {
  std::istringstream words(line);
  std::string command, file;
  std::int64_t cases = 0;
  int threads = 1;
  words >> command >> file >> cases >> threads;
  auto entry = studies.find(file);
  if (entry == studies.end()) entry = studies.emplace(file, read_study(file, read_text_file)).first;
  Study& study = entry->second;
  if (study.search() != nullptr) study.method = Sampling{SamplingMethod::sobol, cases, 1, {}};
  auto& sampling = std::get<Sampling>(study.method);
  const std::int64_t count = sampling.count;
  if (command == "sobol") sampling.count = cases;
  cases = cases == 0 ? study.case_count() : std::min(cases, study.case_count());
  EvaluationOptions options{.first_reason_only = true};  // as in a run
  if (command == "recompute") options.reuse = Reuse::recompute;

  const Stopwatch watch;
  const Tally tally = evaluate(study, options, cases, threads);
  sampling.count = count;
  std::cout << watch.wall() << ' ' << watch.cpu() << ' ' << cases << ' ' << tally.feasible << ' '
            << tally.sum << '\n'
            << std::endl;
}

}  // namespace
}  // namespace counterpoise::bench

int main() try {
  std::map<std::string, counterpoise::Study> studies;
  for (std::string line; std::getline(std::cin, line);) counterpoise::bench::answer(line, studies);
  return 0;
} catch (const std::exception& error) {
  std::cerr << error.what() << '\n';
  return 1;
}
