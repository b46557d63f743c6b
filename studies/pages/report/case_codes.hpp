#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "results/text/cells.hpp"
#include "studies/pages/report/case_table.hpp"

namespace counterpoise {

struct CodeLimits {
  std::size_t exact = 10'000;      // best cases whose numbers are exact
  std::size_t cells = 12'000'000;  // codes of all columns together; what does not fit is left out
};

/// The cases as the page of a report carries them, type `CaseData` of report/src/report/data.ts.
///
/// A column is drawn by codes of 16 bits: the index in a list of all its values where these are
/// few, else a step of its range, linear or logarithmic. Beyond codes there are exact numbers of
/// the best cases and of those in `also` (ids). Where there are more cells than the limits allow,
/// metrics are left out from the last one on; where variables and objectives alone are too many,
/// cases are left out evenly, but never the exact ones. The result says what was left out.
Json case_codes(const CaseTable& table, const std::vector<std::int64_t>& also,
                const CodeLimits& limits = {});

}  // namespace counterpoise
