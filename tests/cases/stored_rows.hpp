#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <filesystem>

#include "results/results_file.hpp"
#include "studies/run.hpp"

namespace counterpoise::test {

inline std::filesystem::path fresh(const std::string& name) {
  const auto path = std::filesystem::path(COUNTERPOISE_TEST_DIR) / name;
  std::filesystem::remove(path);
  return path;
}

/// Runs a study in one thread, or goes on with what is stored of it, until it is asked to stop.
/// Returns whether it is finished. Throws Interrupted where nothing was stored.
inline bool resume_until(const Study& study, const std::filesystem::path& path,
                         const Interruption& interrupted) {
  RunOptions options;
  options.output = path;
  options.threads = 1;
  options.resume = true;
  options.interrupted = interrupted;
  return !run_study(study, options).interrupted;
}

inline std::vector<CaseRow> rows_of(const std::filesystem::path& path) {
  const ResultsFile results(path);
  std::vector<CaseRow> rows;
  auto cursor = results.cases();
  for (CaseRow row; cursor.next(row);) rows.push_back(row);
  return rows;
}

/// Equal to the last bit, which == on doubles is not (zeros of both signs, NaN).
inline bool same_bits(const std::vector<CaseRow>& a, const std::vector<CaseRow>& b) {
  const auto bits_of = [](const CaseRow& row) {
    std::vector<std::uint64_t> bits;
    for (const auto* numbers : {&row.metrics, &row.objectives})
      for (double number : *numbers) bits.push_back(std::bit_cast<std::uint64_t>(number));
    for (const Value& value : row.variables)
      if (const double* number = std::get_if<double>(&value))
        bits.push_back(std::bit_cast<std::uint64_t>(*number));
    return bits;
  };
  const auto same = [&](const CaseRow& one, const CaseRow& other) {
    return one.id == other.id && one.status == other.status && one.reason == other.reason &&
           one.variables == other.variables && bits_of(one) == bits_of(other);
  };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), same);
}

/// Ids 1 .. count, each once and in order.
inline bool all_once(const std::vector<CaseRow>& rows, std::int64_t count) {
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (rows[i].id != static_cast<std::int64_t>(i) + 1) return false;
  return static_cast<std::int64_t>(rows.size()) == count;
}

/// Every number of every row; a feasible row has metrics and objectives, any other none. An
/// unsettled row has objectives that are not known.
inline bool numbers_are_sound(const std::vector<CaseRow>& rows) {
  for (const CaseRow& row : rows) {
    for (const auto* numbers : {&row.metrics, &row.objectives}) {
      if (numbers->empty() == (row.status == Status::feasible)) return false;
      for (double number : *numbers)
        if (!std::isfinite(number) && row.settled()) return false;
    }
    const bool has_reason = row.status != Status::feasible || !row.settled();
    if (row.reason.empty() == has_reason) return false;
  }
  return true;
}

inline RunSummary run_to(const Study& study, const std::filesystem::path& output, int threads,
                         const Shard& shard = {}) {
  RunOptions options;
  options.output = output;
  options.threads = threads;
  options.shard = shard;
  return run_study(study, options);
}

}  // namespace counterpoise::test
