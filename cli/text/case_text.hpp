#pragma once

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "cases/case_evaluator.hpp"
#include "cli/text/text_style.hpp"
#include "results/text/cells.hpp"
#include "studies/explanation.hpp"
#include "studies/parts_list.hpp"

namespace counterpoise {

/// A case that was evaluated again, and what is to be said of it.
struct ShownCase {
  Extent extent;
  Study study;
  CaseRow stored;
  std::vector<double> point;
  CaseOutcome outcome;
  std::vector<double> parameters;          // of the model, in SI
  std::optional<Explanation> explanation;  // of a case that has metrics
  std::set<int> set;                       // parameters that the case sets
  std::vector<double> metric_sizes;  // of the study's metrics: of actuators, as they are without
                                     // this case's springs; 0 of others, empty if not explained
  std::optional<CertificateRow> proof;
  const Baselines::Pair* robots = nullptr;  // that the case is compared with, once it is explained
};

/// For a terminal: a verdict of at most six lines, the parts chosen from catalogues, parameters,
/// objectives, metrics, and the explanation.
std::string to_text(const ShownCase& shown, const ResultsFile& results, const TextStyle& style);
Json json_of(const ShownCase& shown);

/// A case of a results file, evaluated again. Its parts refer to each other, so it stays in place.
class EvaluatedCase {
 public:
  /// Throws StoreError (unusable) where the results do not hold their study. `results` must outlive
  /// this object.
  EvaluatedCase(const ResultsFile& results, const Extent& extent, CaseRow stored);
  EvaluatedCase(const EvaluatedCase&) = delete;
  EvaluatedCase& operator=(const EvaluatedCase&) = delete;

  /// Adds the explanation and the parameters to what is shown.
  void explain();
  /// The robots that the case is compared with.
  [[nodiscard]] const Baselines::Pair& beside() const;
  /// What the design is built from. Throws StoreError (unusable) for a case that cannot be built.
  PartsList parts();
  /// What a user has to know of the design: that it differs from the stored row, and which springs
  /// act against what they are built for.
  std::vector<std::string> messages();

  ShownCase shown;
  CaseEvaluator evaluator;

 private:
  [[nodiscard]] bool differs() const;

  const ResultsFile& results_;
  std::shared_ptr<const Baselines> baselines_;
};

}  // namespace counterpoise
