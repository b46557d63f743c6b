#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cases/case_evaluator.hpp"
#include "cli/text/explanation/case_text.hpp"
#include "studies/parts_list.hpp"

namespace counterpoise {

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
