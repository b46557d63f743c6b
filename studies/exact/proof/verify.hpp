#pragma once

#include <memory>

#include "results/results_file.hpp"
#include "studies/definition/study.hpp"

namespace counterpoise {

struct Verdict {
  bool valid = false;
  std::string fault;              // in words; empty if valid
  double bound = 0.0;             // added up again
  double value = 0.0;             // of the case, evaluated again
  bool weighted = false;          // value and bound are of objectives' weighted distances
  double gap = 0.0;               // value - bound
  std::int64_t combinations = 0;  // of catalogue springs that were looked at again; 0: none chosen
  std::int64_t unsettled = 0;     // of them, for which no multipliers that are kept prove enough;
                                  // with any the verdict is not valid
};

/// Adds certificates of a results file up again. Uses the engine for the loads and sums of products
/// for the rest: no solver. One per thread.
class Verifier {
 public:
  /// `study` read from the texts kept with the results. Both must outlive it. Throws StoreError
  /// (unusable) where the study asks for no exact springs.
  Verifier(const ResultsFile& results, const Study& study);
  ~Verifier();

  /// Whether the case evaluates to what is stored, the certificate is of the study's goal and
  /// proves its bound, and the case is no more than 1e-6 of its value above it. A certificate that
  /// cannot be read is not valid, with the place as the fault.
  ///
  /// Where springs were chosen from catalogues: whether no combination beats the case, by looking
  /// at all of them again, at their bounds first and one by one where these leave hope; and whether
  /// the cases are all that are near enough to the best to be kept. Beside sized springs there is
  /// no one by one: each combination needs multipliers among those kept, or the case is not proved.
  ///
  /// Nothing is proved either by results whose baselines are not the study's, or that lack the
  /// certificate of any case that was the best of its start.
  Verdict verify(const CaseRow& row, const CertificateRow& certificate);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace counterpoise
