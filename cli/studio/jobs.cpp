#include "cli/studio/jobs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <new>
#include <nlohmann/json.hpp>
#include <system_error>
#include <utility>

#include "cli/command.hpp"
#include "cli/output/host.hpp"
#include "cli/run_command.hpp"
#include "cli/studio/request.hpp"
#include "cli/text/text_style.hpp"
#include "results/text/printable.hpp"

namespace counterpoise {
namespace {

constexpr std::size_t most_jobs = 16, most_running = 4, most_words = 64;
constexpr std::size_t most_text = 1 << 20;  // bytes that are kept of what a command prints

/// What may stand behind the name of a command, besides names of files and "-o" with one.
struct AllowedWords {
  std::string_view command;
  std::vector<std::string_view> flags = {};
  bool cases = false;       // whether "best" or the id of a case may
  bool output = false;      // whether -o may
  bool writes = false;      // whether it writes a file anyway, which then has to be named
  bool writes_over = true;  // whether it would write over a file that exists
};

const std::vector<AllowedWords>& allowed_words() {
  static const std::vector<AllowedWords> all = {
      {.command = "check"},
      {.command = "run",
       .flags = {"--plan", "--resume", "--force"},
       .output = true,
       .writes = true,
       .writes_over = false},
      {.command = "rank", .flags = {"--pareto"}},
      {.command = "show", .flags = {"--bill"}, .cases = true},
      {.command = "why", .cases = true},
      {.command = "robustness"},
      {.command = "sensitivity"},
      {.command = "verify"},
      {.command = "compare", .flags = {"--pareto"}, .output = true},
      {.command = "export", .output = true},
      {.command = "apply", .cases = true, .output = true},
      {.command = "sheet", .cases = true, .output = true, .writes = true},
      {.command = "report",
       .flags = {"--robustness", "--sensitivity"},
       .output = true,
       .writes = true}};
  return all;
}

bool names_a_case(const std::string& word) {
  return word == "best" || (!word.empty() && word.size() < 19 &&
                            word.find_first_not_of("0123456789") == std::string::npos);
}

/// The words of a request.
std::vector<std::string> words_of(const Json& request) {
  const auto given = request.find("words");
  if (given == request.end() || !given->is_array() || given->empty() || given->size() > most_words)
    throw wrong_request("expected an array of words under \"words\"");
  std::vector<std::string> words;
  for (const Json& word : *given) {
    if (!word.is_string()) throw wrong_request("expected texts under \"words\"");
    words.push_back(word.get<std::string>());
  }
  return words;
}

/// A command as it is started.
struct CommandLine {
  std::vector<std::string> words;  // with paths in place of names
  std::string output = {};         // the name that it writes; empty: none
  bool exists = false;             // whether that would be written over
};

CommandLine checked(const std::vector<std::string>& given, const StudioFolder& folder) {
  const auto& all = allowed_words();
  const auto allowed = std::find_if(all.begin(), all.end(), [&](const AllowedWords& one) {
    return one.command == given.front();
  });
  if (allowed == all.end())
    throw wrong_request(fmt::format("{} is no command of the studio", in_quotes(given.front())));
  CommandLine line{.words = {given.front()}};
  for (std::size_t i = 1; i < given.size(); ++i) {
    const std::string& word = given[i];
    if (word == "-o" && allowed->output && i + 1 < given.size()) {
      line.output = given[++i];
      const std::filesystem::path path = folder.inside(line.output);
      std::error_code error;
      if (std::filesystem::is_directory(path, error))
        throw wrong_request(
            fmt::format("{} is a folder, expected the name of a file; of a study "
                        "with variants, one is named as ways.json#cable",
                        in_quotes(line.output)));
      line.exists = allowed->writes_over && std::filesystem::exists(path, error);
      line.words.insert(line.words.end(), {"-o", path.string()});
    } else if (word.starts_with('-')) {
      if (std::find(allowed->flags.begin(), allowed->flags.end(), word) == allowed->flags.end())
        throw wrong_request(
            fmt::format("the studio gives {} no {}", given.front(), in_quotes(word)));
      line.words.push_back(word);
    } else if (allowed->cases && names_a_case(word)) {
      line.words.push_back(word);
    } else {
      const std::filesystem::path path = folder.inside(word);
      std::error_code error;
      if (std::filesystem::is_directory(path, error))  // whose links could lead out
        throw wrong_request(
            fmt::format("{} is a folder, expected the name of a file", in_quotes(word)));
      line.words.push_back(path.string());
    }
  }
  if (allowed->writes && line.output.empty())
    throw wrong_request(
        fmt::format("expected -o with a name in the studio's folder, as {} writes "
                    "a file",
                    given.front()));
  return line;
}

std::string cut(std::string text) {
  if (text.size() <= most_text) return text;
  text.resize(text.rfind('\n', most_text) + 1);
  return text + "… the rest is left out here; the command prints all of it\n";
}

}  // namespace

struct StudioJobs::Job {
  std::int64_t id = 0;
  std::vector<std::string> given, words;  // with names, and with paths
  std::string line, output;
  std::atomic<bool> stop{false};

  mutable std::mutex mutex;  // of what follows
  std::int64_t news = 1;     // grows with every change
  Progress progress;
  double seconds = 0.0;  // since it began, when it last told its progress
  bool running = true;
  int code = 0;
  std::string text, messages;

  std::thread thread;

  void work();
  void end(int with, Host& host);
};

void StudioJobs::Job::work() {
  const auto began = std::chrono::steady_clock::now();
  Host host;
  host.interrupted = Interruption(&stop);
  host.progress = [&](const Progress& at) {
    const std::lock_guard lock(mutex);
    progress = at;
    seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
    ++news;
  };
  const Hosted here(&host);
  int ended = exit_error;
  try {
    ended = run_to_end(words);
  } catch (const std::bad_alloc&) {
    host.messages.emplace_back("not enough memory");
  }
  end(ended, host);
}

void StudioJobs::Job::end(int with, Host& host) {
  const std::lock_guard lock(mutex);
  text = cut(host.text.empty() ? host.data : host.text);
  for (const std::string& message : host.messages) messages += message + '\n';
  messages = cut(std::move(messages));
  code = with;
  running = false;
  ++news;
}

StudioJobs::StudioJobs(const StudioFolder& folder) : folder_(&folder) {}

StudioJobs::~StudioJobs() {
  for (const auto& job : jobs_) job->stop = true;
  for (const auto& job : jobs_) job->thread.join();
}

StudioJobs::Job& StudioJobs::job_of(const Json& request) const {
  const auto id = request.find("job");
  if (id != request.end() && id->is_number_integer())
    for (const auto& job : jobs_)
      if (job->id == id->get<std::int64_t>()) return *job;
  throw wrong_request("there is no such job");
}

Json StudioJobs::start(const Json& request) {
  std::vector<std::string> given = words_of(request);
  CommandLine line = checked(given, *folder_);
  const auto replace = request.find("replace");
  if (line.exists && (replace == request.end() || *replace != true))
    return {{"exists", line.output}};
  std::size_t running = 0;
  for (const auto& job : jobs_) {
    const std::lock_guard lock(job->mutex);
    if (job->running) ++running;
  }
  if (running >= most_running)
    throw wrong_request("four commands are running; wait for one of them, or stop it");
  while (jobs_.size() >= most_jobs) {
    const auto ended = std::find_if(jobs_.begin(), jobs_.end(), [](const auto& job) {
      const std::lock_guard lock(job->mutex);
      return !job->running;
    });
    (*ended)->thread.join();
    jobs_.erase(ended);
  }
  auto job = std::make_unique<Job>();
  job->id = ++count_;
  job->line = "counterpoise";
  for (const std::string& word : line.words) job->line += ' ' + shell_word(word);
  job->given = std::move(given);
  job->words = std::move(line.words);
  job->output = std::move(line.output);
  Job& begun = *jobs_.emplace_back(std::move(job));
  try {
    begun.thread = std::thread([&begun] { begun.work(); });
  } catch (const std::system_error&) {
    jobs_.pop_back();
    throw wrong_request("the system gives no thread for the command");
  }
  return {{"job", begun.id}, {"command", begun.line}};
}

Json StudioJobs::running() const {
  Json running = Json::array();
  for (const auto& job : jobs_) {
    const std::lock_guard lock(job->mutex);
    if (job->running)
      running.push_back({{"job", job->id}, {"command", job->line}, {"words", job->given}});
  }
  return {{"running", running}};
}

Json StudioJobs::stop(const Json& request) {
  Job& job = job_of(request);
  job.stop = true;
  return {{"job", job.id}};
}

bool StudioJobs::has_news(const Json& request) const {
  const Job& job = job_of(request);
  const auto seen = request.find("seen");
  const std::lock_guard lock(job.mutex);
  return !job.running || seen == request.end() || !seen->is_number_integer() ||
         seen->get<std::int64_t>() != job.news;
}

Json StudioJobs::state(const Json& request) const {
  const Job& job = job_of(request);
  const std::lock_guard lock(job.mutex);
  return {{"job", job.id},
          {"news", job.news},
          {"running", job.running},
          {"code", job.code},
          {"done", job.progress.done},
          {"total", job.progress.total},
          {"fresh", job.progress.fresh},
          {"words", job.progress.words},
          {"seconds", job.seconds},
          {"text", job.text},
          {"messages", job.messages}};
}

std::optional<std::string> StudioJobs::output_of(const std::string& job) const {
  for (const auto& one : jobs_) {
    const std::lock_guard lock(one->mutex);
    if (std::to_string(one->id) == job && !one->running && one->code == exit_done &&
        !one->output.empty())
      return one->output;
  }
  return std::nullopt;
}

}  // namespace counterpoise
