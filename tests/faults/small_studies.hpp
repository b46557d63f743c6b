#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "input/definition/study.hpp"
#include "results/results_file.hpp"

namespace counterpoise::test {

/// A study whose run takes milliseconds and stores rows of every kind.
struct SmallStudy {
  std::string name;
  Study study;
};

/// A sampled study, one that keeps some of its cases, a search and an exact search.
std::vector<SmallStudy> small_studies();

/// Runs a study in one thread, in windows so small that it stores its rows in several pieces;
/// `resume` goes on with what there is, `force` replaces it.
struct Way {
  bool resume = false, force = false;
};
void run_small(const Study& study, const std::filesystem::path& output, Way way = {});

/// What a StoreError says, or nothing.
std::string refusal_of(const std::function<void()>& work);

/// All that a results file says, as text: every table that readers read, row by row, numbers to the
/// last bit, without what tells one run of a study from another. Throws StoreError as readers do.
std::string everything_in(const std::filesystem::path& results);
std::string everything_in(const ResultsFile& results);

}  // namespace counterpoise::test
