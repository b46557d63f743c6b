#pragma once

#include <memory>

#include "input/definition/study.hpp"
#include "optimizer/interruption.hpp"
#include "results/results_file.hpp"

namespace counterpoise {

struct Verdict {
  bool valid = false;
  std::string fault;      // in words; empty if valid
  double bound = 0.0;     // added up again
  double value = 0.0;     // of the case, evaluated again
  bool weighted = false;  // value and bound are weighted distances of objectives
  double gap = 0.0;       // value - bound
  std::int64_t combinations =
      0;  // combinations of catalogue springs that were checked again; 0 if none are chosen
  std::int64_t unsettled = 0;  // combinations for which no stored multipliers prove enough; if
                               // there are any the verdict is not valid
};

/// Adds up the certificates of a results file again. It uses the engine for the loads and sums of
/// products for the rest, and no solver. One per thread.
class Verifier {
 public:
  /// `study` is read from the texts stored with the results. Both arguments must outlive this
  /// object. Throws StoreError (unusable) if the study does not ask for exact springs. All member
  /// functions throw Interrupted.
  Verifier(const ResultsFile& results, const Study& study, const Interruption& interrupted = {});
  ~Verifier();

  /// Checks that the case evaluates to what is stored, that the certificate belongs to the study's
  /// goal and proves its bound, and that the case is no more than 1e-6 of its value above the
  /// bound. A certificate that cannot be read is not valid, with the place as the fault.
  ///
  /// Where springs were chosen from catalogues it also checks that no combination is better than
  /// the case. It checks the bounds of all combinations, evaluates one by one the combinations that
  /// these do not exclude, and checks that all combinations near enough to the best are stored as
  /// cases. Where other springs are sized, combinations cannot be evaluated one by one: each of
  /// them needs stored multipliers, or the case is not proved.
  ///
  /// Results also prove nothing if their baselines are not the study's, or if they lack the
  /// certificate of any case that was the best of its start.
  Verdict verify(const CaseRow& row, const CertificateRow& certificate);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace counterpoise
