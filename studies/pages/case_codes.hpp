#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "input/definition/study.hpp"
#include "results/results_file.hpp"
#include "results/text/cells.hpp"

namespace counterpoise {

/// All values of one column of a study's cases.
struct CaseColumn {
  enum class Role { variable, metric, objective };

  std::string name;
  Role role = Role::variable;
  ColumnType type = ColumnType::real;
  std::vector<double> values;       // SI; of a text its index in `labels`; NaN where not known
  std::vector<std::string> labels;  // of a text, in the order of the study
  double size = 0.0;                // of its numbers and of the baselines': tiny ones are rounding
};

/// Cases of a results file as columns: the feasible ones first, by their rank, then the others by
/// id. If a variable selects the motion, cases of the same rank stand together.
struct CaseTable {
  std::size_t of = 0;                  // cases in the file
  std::size_t feasible = 0;            // rows that have metrics and objectives
  std::size_t first = 0;               // rows that are the best cases, whose numbers are exact
  std::vector<std::int64_t> exact;     // ids of further rows whose numbers are
  std::vector<std::int64_t> ids;       // of all rows
  std::vector<std::int64_t> ranks;     // of the feasible rows, from 1, as `rank` gives them
  std::vector<std::uint16_t> reasons;  // of the other rows, indices into `reason_names`
  std::vector<CaseColumn> columns;     // variables have all rows, others the feasible ones
  struct Reason {
    std::string words;    // "lean_spring max_length"
    bool failed = false;  // the case could not be computed; else it breaks a limit
    std::int64_t cases = 0;
  };
  std::vector<Reason> reason_names;  // most cases first
};

struct CodeLimits {
  std::size_t exact = 10'000;      // best cases whose numbers are exact
  std::size_t rows = 250'000;      // cases, if they are not asked for
  std::size_t cells = 12'000'000;  // codes of all columns together; what does not fit is left out
};

/// Reads the cases. Limits that the model states by one expression are one reason, as in `why`, and
/// reasons count all cases of the file. Where these are more than `limits` allow, the table has the
/// best ones, those in `also` (ids), for each column one that has its least number and one that has
/// its largest, and of the others an even sample: of the feasible ones by rank, of the rest by id.
/// Cost: one pass, n log n to sort, and 8 bytes of memory a number; where cases are left out, a
/// pass over the objectives more, and memory as CaseThinning says. Throws StoreError (unusable) for
/// damaged results.
CaseTable case_table(const ResultsFile& results, const Study& study,
                     const std::vector<std::int64_t>& also, const CodeLimits& limits = {});

/// The cases as the page of a report carries them, type `CaseData` of report/src/report/data.ts.
///
/// A column is drawn by codes of 16 bits: the index in a list of all its values where these are
/// few, else a step of its range, linear or logarithmic. Beyond codes there are exact numbers of
/// the rows that the table says. Where there are more cells than the limits allow,
/// metrics are left out from the last one on; where variables and objectives alone are too many,
/// cases are left out evenly, but never the exact ones. The result says what was left out.
Json case_codes(const CaseTable& table, const CodeLimits& limits = {});

}  // namespace counterpoise
