#pragma once

#include <functional>
#include <random>
#include <string>
#include <vector>

#include "results/results_file.hpp"
#include "results/store.hpp"

namespace counterpoise::testing {

/// An empty folder of its own for one test.
std::string fresh_folder(const std::string& name);

/// A study with a motion variable, a number, a catalogue, two metrics and three objectives.
Birth example_birth();

/// Random rows for it: every third not feasible, objectives on a coarse grid so that ties happen.
std::vector<CaseRow> random_rows(std::mt19937_64& random, std::int64_t first, std::int64_t count);

/// Stores rows as one batch.
void append(Store& store, std::span<const CaseRow> rows);
void append(Store&& store, std::span<const CaseRow> rows);

std::vector<CaseRow> all_rows(const std::string& path);

/// Runs work in a child process and waits; the child's exit code, or minus the signal.
int in_child(const std::function<int()>& work);

/// The kind of the StoreError that `action` throws, with its message.
struct Thrown {
  bool thrown = false;
  StoreError::Kind kind = StoreError::Kind::unusable;
  std::string message;
};
Thrown store_error_of(const std::function<void()>& action);

std::string text_of(const std::string& path);

}  // namespace counterpoise::testing
