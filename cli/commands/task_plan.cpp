#include "cli/commands/task_plan.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>
#include <sstream>

#include "input/text/input_error.hpp"
#include "input/text/json_document.hpp"
#include "results/differences.hpp"
#include "results/results_file.hpp"
#include "results/rows/rows.hpp"
#include "results/text/cells.hpp"

namespace counterpoise {
namespace {

namespace fs = std::filesystem;

/// The last line of a text file that is not empty.
std::string last_line(const fs::path& path) {
  std::ifstream file(path);
  std::string last;
  for (std::string line; std::getline(file, line);)
    if (!line.empty()) last = line;
  return last;
}

/// When a file was written last [s since 1970]; 0 if there is none.
std::int64_t time_of(const fs::path& path) {
  struct stat status {};
  return stat(path.c_str(), &status) == 0 ? static_cast<std::int64_t>(status.st_mtime) : 0;
}

}  // namespace

fs::path TaskPlan::part(int task) const {
  return folder() / fmt::format("part.{}.db", task);
}
fs::path TaskPlan::state(int task) const {
  return folder() / fmt::format("task.{}.state", task);
}
fs::path TaskPlan::log(int task) const {
  return folder() / fmt::format("task.{}.log", task);
}

std::int64_t TaskPlan::cases_of(int task) const {
  return cases / tasks + (task <= cases % tasks ? 1 : 0);
}

std::string to_json_text(const TaskPlan& plan) {
  Json made_from = Json::object();
  for (const StudyEntry& entry : plan.made_from) made_from[entry.key] = entry.value;
  const Json json = {{"format", "counterpoise-tasks/1"},
                     {"study", plan.study.string()},
                     {"output", plan.output.string()},
                     {"cases", plan.cases},
                     {"tasks", plan.tasks},
                     {"cpus", plan.cpus},
                     {"copy_every", plan.copy_every},
                     {"options", plan.options},
                     {"made_from", made_from}};
  try {
    return json.dump(2) + '\n';
  } catch (const Json::exception&) {
    throw InputError({.file = plan.output.string()}, "a path or an option is no text in UTF-8");
  }
}

TaskPlan read_task_plan(const fs::path& file) {
  const std::string text = read_text_file(file.string());
  try {
    const Json json = Json::parse(text);
    TaskPlan plan;
    const auto number = [&](const char* key, std::int64_t least, std::int64_t most) {
      const Json& value = json.at(key);
      if (!value.is_number_integer() || value.get<std::int64_t>() < least ||
          value.get<std::int64_t>() > most)
        throw InputError({.file = file.string()},
                         fmt::format("is not what submit writes: {} is {}", key, value.dump()));
      return value.get<std::int64_t>();
    };
    plan.study = json.at("study").get<std::string>();
    plan.output = json.at("output").get<std::string>();
    plan.cases = number("cases", 0, std::numeric_limits<std::int64_t>::max());
    plan.tasks = static_cast<int>(number("tasks", 1, 100000));
    plan.cpus = static_cast<int>(number("cpus", 1, 1024));
    plan.copy_every = static_cast<int>(number("copy_every", 1, 86400));
    json.at("options").get_to(plan.options);
    for (const auto& [key, value] : json.at("made_from").items())
      plan.made_from.push_back({key, value.get<std::string>()});
    if (json.at("format") != "counterpoise-tasks/1")
      throw InputError({.file = file.string()}, "is no plan of tasks that this program knows");
    return plan;
  } catch (const Json::exception& error) {
    throw InputError({.file = file.string()},
                     std::string("is not what submit writes: ") + error.what());
  }
}

std::vector<StudyEntry> identity_of(const std::vector<StudyEntry>& entries) {
  std::vector<StudyEntry> identity;
  for (const Difference& difference : differences(entries, {}, false))
    identity.push_back({difference.key, difference.first.value_or("")});
  return identity;
}

bool is_whole(const TaskPlan& plan) {
  std::error_code ignored;
  if (!fs::exists(plan.output, ignored) || fs::file_size(plan.output, ignored) == 0) return false;
  const ResultsFile output(plan.output);
  return output.extent().complete() && differences(output.study(), plan.made_from, false).empty();
}

std::string remove_unless_usable(const TaskPlan& plan, int task) {
  std::error_code ignored;
  if (!fs::exists(plan.part(task), ignored)) return "";
  std::string wrong;
  try {
    const ResultsFile part(plan.part(task));
    std::vector<StudyEntry> run = plan.made_from;
    if (plan.tasks > 1) run.push_back({"shard", fmt::format("{}/{}", task, plan.tasks)});
    wrong = unlike_run(part.study(), run);
    auto cases = part.cases();
    for (CaseRow row; wrong.empty() && cases.next(row);) continue;
    if (wrong.empty() && part.keep_rule()) static_cast<void>(part.totals());
    auto failures = part.failure_cursor();
    for (FailureRow row; wrong.empty() && failures.next(row);) continue;
  } catch (const StoreError& error) {
    wrong = error.what();
  }
  if (!wrong.empty()) fs::remove(plan.part(task), ignored);
  return wrong;
}

TaskState task_state(const TaskPlan& plan, int task) {
  TaskState state;
  bool finished = false;
  std::error_code ignored;
  if (fs::exists(plan.part(task), ignored)) {
    try {
      const ResultsFile part(plan.part(task));
      state.cases = part.count();
      finished = part.value("finished") == "1";
    } catch (const StoreError& error) {
      state.why = error.what();
    }
  }
  // each line: seconds since 1970, what happened, on which node or with which exit code
  std::ifstream lines(plan.state(task));
  constexpr std::int64_t latest = std::int64_t{1} << 40;
  std::int64_t begun = 0;
  std::string last, code;
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::int64_t at = 0;
    std::string event, of;
    if (!(words >> at >> event >> of) || at < 0 || at > latest) continue;  // not, or half, written
    if (event == "started") {
      if (begun > 0) state.seconds += std::max<std::int64_t>(0, state.heard - begun);
      begun = at;
      state.node = of;
    } else if (begun > 0) {
      state.seconds += std::max<std::int64_t>(0, at - begun);
      begun = 0;
    }
    state.heard = at;
    last = event;
    code = of;
  }
  if (begun > 0) {
    state.heard = std::max(state.heard, time_of(plan.part(task)));
    state.seconds += std::max<std::int64_t>(0, state.heard - begun);
  }
  using enum TaskState::Kind;
  if (finished) {
    state.kind = done;
  } else if (last == "started") {
    state.kind = running;
  } else if (last == "ended") {
    state.kind = failed;
    const std::string said = last_line(plan.log(task));
    if (state.why.empty())
      state.why = fmt::format("exit code {}{}{}", code, said.empty() ? "" : ": ", said);
  }
  return state;
}

}  // namespace counterpoise
