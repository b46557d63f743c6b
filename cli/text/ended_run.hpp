#pragma once

#include <filesystem>
#include <future>
#include <memory>

#include "cases/run_options.hpp"
#include "cli/text/text_style.hpp"
#include "input/definition/study.hpp"
#include "results/text/cells.hpp"
#include "studies/failure_report.hpp"

namespace counterpoise {

/// A run that ended or was interrupted.
struct EndedRun {
  RunSummary summary{};
  std::filesystem::path output{};                  // the results asked for
  double seconds = 0.0;                            // on the wall
  std::shared_future<EvaluatedOn> evaluated_on{};  // for the brief reasons, if begun
};

struct RunReportOptions {
  bool json = false, timing = false;
  bool joined = false;  // whether other processes took part
  int threads = 0;      // 0: all processors
  TextStyle style{};
  Json* collected = nullptr;  // takes the JSON in place of standard output, if it is given
};

/// Which failed cases are evaluated on to say what fails: in brief, unless it is JSON; `why` takes
/// as many as that.
EvaluateOnOptions reasons(const RunReportOptions& asked,
                          std::shared_ptr<const Baselines> baselines = nullptr);

/// Prints what `run` says at its end: the best designs, why others failed, what it took. Returns
/// the exit code.
int report_run(const Study& study, const EndedRun& run, const RunReportOptions& options);

}  // namespace counterpoise
