#pragma once

#include <utility>

#include "results/results_file.hpp"
#include "results/rows/store_error.hpp"
#include "studies/definition/study.hpp"
#include "studies/text/input_error.hpp"

namespace counterpoise {

/// The study that results were made from, read again from the texts kept with them. Throws
/// StoreError (unusable) where these are not complete, not as they were stored, or of another study
/// than the columns, or where this version refuses the study.
Study stored_study(const ResultsFile& results);

/// Does what reads JSON that was kept with results: what is wrong with it is wrong with the file.
template <class Read>
auto reading(const ResultsFile& results, const Read& read) {
  try {
    return read();
  } catch (const InputError& error) {
    throw damaged(results.path(), error.what());
  }
}

}  // namespace counterpoise
