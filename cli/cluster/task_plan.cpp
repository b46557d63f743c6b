#include "cli/cluster/task_plan.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "results/results_file.hpp"
#include "results/rows/store_error.hpp"
#include "results/text/cells.hpp"
#include "studies/text/file_provider.hpp"
#include "studies/text/input_error.hpp"

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
  const Json json = {{"format", "counterpoise-tasks/1"},
                     {"study", plan.study.string()},
                     {"output", plan.output.string()},
                     {"cases", plan.cases},
                     {"tasks", plan.tasks},
                     {"cpus", plan.cpus},
                     {"copy_every", plan.copy_every},
                     {"options", plan.options}};
  return json.dump(2) + '\n';
}

TaskPlan read_task_plan(const fs::path& file) {
  const std::string text = read_text_file(file.string());
  try {
    const Json json = Json::parse(text);
    TaskPlan plan;
    plan.study = json.at("study").get<std::string>();
    plan.output = json.at("output").get<std::string>();
    json.at("cases").get_to(plan.cases);
    json.at("tasks").get_to(plan.tasks);
    json.at("cpus").get_to(plan.cpus);
    json.at("copy_every").get_to(plan.copy_every);
    json.at("options").get_to(plan.options);
    if (json.at("format") != "counterpoise-tasks/1" || plan.tasks < 1 || plan.cases < 0)
      throw InputError({.file = file.string()}, "is no plan of tasks that this program knows");
    return plan;
  } catch (const Json::exception& error) {
    throw InputError({.file = file.string()},
                     std::string("is not what submit writes: ") + error.what());
  }
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
  std::int64_t begun = 0;
  std::string last, code;
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::int64_t at = 0;
    std::string event, of;
    if (!(words >> at >> event >> of)) continue;  // a line that is being written
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
