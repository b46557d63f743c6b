#include "tests/results/results_study.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>

namespace counterpoise::testing {

std::string fresh_folder(const std::string& name) {
  const std::filesystem::path folder = std::filesystem::path(COUNTERPOISE_TEST_DIR) / name;
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  return folder.string() + '/';
}

Birth example_birth() {
  Birth birth;
  birth.layout.variables = {{"motion", ColumnType::text},
                            {"radius", ColumnType::real},
                            {"spring", ColumnType::text},
                            {"spring.row", ColumnType::integer}};
  birth.layout.metrics = {"lift.max", "lift.mean"};
  birth.layout.objectives = {"peak", "average", "power"};
  birth.study = {{"name", "example"},
                 {"study_hash", "new:abc"},
                 {"tool_version", "0.1"},
                 {"vector_width", "4"},
                 {"cases", "1000"}};
  birth.variables = {{"motion", "motion", R"({"motion":["squat","reach"]})"},
                     {"radius", "range", R"({"range":[0,1]})"},
                     {"spring", "catalogue", "{}"}};
  birth.baselines = {
      {"baseline", "squat", Status::feasible, "", {4.0, 2.0}, {4.0, 2.0, 0.0}},
      {"without_springs", "squat", Status::feasible, "", {8.0, 3.0}, {8.0, 3.0, 1.0}},
      {"baseline", "reach", Status::infeasible, "cannot close", {}, {}},
      {"without_springs", "reach", Status::feasible, "", {16.0, 5.0}, {16.0, 5.0, 2.0}},
  };
  return birth;
}

std::vector<CaseRow> random_rows(std::mt19937_64& random, std::int64_t first, std::int64_t count) {
  const auto any = [&random] { return std::uniform_real_distribution<>(-1e3, 1e3)(random); };
  const auto coarse = [&random] { return std::uniform_int_distribution<>(0, 40)(random) / 8.0; };
  std::vector<CaseRow> rows;
  for (std::int64_t id = first; id < first + count; ++id) {
    const std::int64_t choice = 1 + std::uniform_int_distribution<>(0, 9)(random);
    CaseRow row;
    row.id = id;
    row.variables = {std::string(random() % 2 ? "squat" : "reach"), any(),
                     "spring, no. \"" + std::to_string(choice) + '"', choice};
    if (random() % 3 == 0) {
      row.status = random() % 2 ? Status::infeasible : Status::failed;
      row.reason = "loop cannot close at t=" + std::to_string(any()) + " s";
    } else {
      row.metrics = {any() * 1e-300, any() / 3.0};
      row.objectives = {coarse(), coarse(), coarse()};
    }
    rows.push_back(row);
  }
  return rows;
}

void append(Store& store, std::span<const CaseRow> rows) {
  RowBatch batch(store.layout());
  for (const CaseRow& row : rows) batch.add(row);
  store.append(batch);
}

void append(Store&& store, std::span<const CaseRow> rows) {
  append(store, rows);
}

std::vector<CaseRow> all_rows(const std::string& path) {
  const ResultsFile results(path);
  std::vector<CaseRow> rows;
  auto cases = results.cases();
  for (CaseRow row; cases.next(row);) rows.push_back(row);
  return rows;
}

int in_child(const std::function<int()>& work) {
  const pid_t child = fork();
  if (child == 0) {
    int code = 99;
    try {
      code = work();
    } catch (...) {
      code = 98;
    }
    _exit(code);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
}

Thrown store_error_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const StoreError& error) {
    return {true, error.kind(), error.what()};
  }
  return {};
}

std::string text_of(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

}  // namespace counterpoise::testing
