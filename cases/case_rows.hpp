#pragma once

#include <optional>

#include "cases/case_outcome.hpp"
#include "cases/provenance.hpp"
#include "results/results_file.hpp"
#include "results/rows/row_batch.hpp"

namespace counterpoise {

/// Everything that a results file of this study holds when it is created.
Birth birth_of(const Study& study, const Baselines& baselines, const Shard& shard);

/// The columns of a results file of this study.
StoreLayout layout_of(const Study& study);

/// Makes rows of a results file. `study` must outlive it and the rows, whose texts are the study's.
class RowMaker {
 public:
  explicit RowMaker(const Study& study);

  /// Appends a case to a batch of layout_of(study). Allocates nothing for a feasible case if the
  /// batch has held as many rows before.
  void add(std::int64_t id, std::span<const double> point, const CaseOutcome& outcome,
           RowBatch& batch) const;

 private:
  const Study* study_;
  std::vector<MetricPlace> metrics_;
};

/// One case as a row of a results file.
CaseRow row_of(const Study& study, std::int64_t id, std::span<const double> point,
               const CaseOutcome& outcome);

/// The point that a row's variables describe. Throws StoreError (unusable) if a choice is not one
/// of the study's.
std::vector<double> point_of(const Study& study, const CaseRow& row);

/// The row of a case that was evaluated: as it is stored or, of results that keep some cases only,
/// made again from the study that is stored with them. Nothing for other ids. Throws StoreError
/// (unusable) for damaged results.
std::optional<CaseRow> any_case(const ResultsFile& results, std::int64_t id);

}  // namespace counterpoise
