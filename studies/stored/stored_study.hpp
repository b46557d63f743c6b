#pragma once

#include <utility>

#include "input/definition/study.hpp"
#include "input/text/input_error.hpp"
#include "results/results_file.hpp"
#include "results/rows/store_error.hpp"

namespace counterpoise {

/// The study that results were made from, read again from the texts stored with them. Throws
/// StoreError (unusable) if these are not complete, not as they were stored, or of another study
/// than the columns, or if this version refuses the study.
Study stored_study(const ResultsFile& results);

/// Runs `read`, which reads JSON stored with results: a mistake in the JSON is reported as a fault
/// of the file.
template <class Read>
auto reading(const ResultsFile& results, const Read& read) {
  try {
    return read();
  } catch (const InputError& error) {
    throw damaged(results.path(), error.what());
  }
}

}  // namespace counterpoise
