#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "cli/studio/folder.hpp"
#include "results/text/cells.hpp"

namespace counterpoise {

/// Commands that run beside the studio, each in a thread of its own, as they run in a terminal. Of
/// the many words that commands know only those can be given that the page needs, and only names in
/// the studio's folder; see allowed_words(). Functions are to be called from one thread.
class StudioJobs {
 public:
  explicit StudioJobs(const StudioFolder& folder);
  StudioJobs(const StudioJobs&) = delete;
  StudioJobs& operator=(const StudioJobs&) = delete;
  /// Asks all jobs to stop, as Ctrl-C does, and waits for them: what a run has finished is stored.
  ~StudioJobs();

  /// Starts a command: `words` of the request stand behind `counterpoise` on a command line, with
  /// names of files in the folder. Returns {"job": number, "command": line}, or {"exists": name}
  /// where a file would be written over and the request has no `"replace": true`. Throws InputError
  /// for words that cannot be given, and where four jobs are running.
  Json start(const Json& request);
  /// The jobs that are running, oldest first: {"running": [{"job": number, "command": line,
  /// "words": as they were given}]}.
  [[nodiscard]] Json running() const;
  /// Asks a job to stop. Throws InputError where there is none.
  Json stop(const Json& request);
  /// Whether there is more to say of a job than the request has "seen".
  [[nodiscard]] bool has_news(const Json& request) const;
  /// How far a job is: type `JobState` of report/src/studio/studio_data.ts. Throws InputError.
  [[nodiscard]] Json state(const Json& request) const;
  /// The name of the file that a job has written, by the number of the job; nothing where there is
  /// no such job or file.
  [[nodiscard]] std::optional<std::string> output_of(const std::string& job) const;

 private:
  struct Job;
  [[nodiscard]] Job& job_of(const Json& request) const;

  const StudioFolder* folder_;
  std::deque<std::unique_ptr<Job>> jobs_;  // the last few, oldest first
  std::int64_t count_ = 0;                 // of all jobs so far
};

}  // namespace counterpoise
