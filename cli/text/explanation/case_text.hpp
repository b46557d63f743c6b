#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "results/text/cells.hpp"
#include "studies/explanation.hpp"

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
  std::optional<CertificateRow> proof;
};

/// For a terminal: a verdict of at most six lines, the parts chosen from catalogues, parameters,
/// objectives, metrics, and the explanation.
std::string to_text(const ShownCase& shown, const ResultsFile& results);
Json json_of(const ShownCase& shown);

}  // namespace counterpoise
