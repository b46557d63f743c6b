#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace counterpoise {

/// A cell of a results table; std::monostate is SQL's NULL.
using Value = std::variant<std::monostate, std::int64_t, double, std::string>;

/// A cell with this number, or NULL for NaN.
inline Value number_cell(double number) {
  return number == number ? Value{number} : Value{};
}

enum class Status { feasible, infeasible, failed };

/// One case. `variables`, `metrics` and `objectives` follow the columns of the StoreLayout; metrics
/// and objectives are empty (NULL in the file) unless the case is feasible, and finite if it is.
/// The exception is a case that an exact search left unsettled: it minimised one objective alone,
/// because that already showed that the case is not among the best, so the others are NaN (NULL in
/// the file).
struct CaseRow {
  std::int64_t id = 0;  // from 1
  Status status = Status::feasible;
  std::string reason;  // in words; empty when feasible and settled
  std::vector<Value> variables;
  std::vector<double> metrics;
  std::vector<double> objectives;

  [[nodiscard]] bool settled() const {
    return std::none_of(objectives.begin(), objectives.end(), [](double o) { return o != o; });
  }

  bool operator==(const CaseRow&) const = default;
};

/// A robot to compare with: `baseline` or `without_springs`. There is one row per motion if a
/// variable selects the motion; otherwise `motion` is empty.
struct BaselineRow {
  std::string name;
  std::string motion;
  Status status = Status::feasible;
  std::string reason;
  std::vector<double> metrics;
  std::vector<double> objectives;

  bool operator==(const BaselineRow&) const = default;
};

/// The reason of an unsettled case.
inline constexpr const char* unsettled_reason =
    "not settled: a better design was known, so the later objectives were not minimised";

inline constexpr const char* baseline_name = "baseline";
inline constexpr const char* without_springs_name = "without_springs";

struct VariableRow {
  std::string name;
  std::string kind;        // values | range | catalogue | motion
  std::string definition;  // as the study file has it

  bool operator==(const VariableRow&) const = default;
};

inline constexpr const char* motion_kind = "motion";

/// Begins the key of the study table that gives the tie tolerance of an objective, if it is not the
/// default (see TieTolerance).
inline constexpr const char* ties_key = "ties.";

/// The proof that no better springs exist for a case: a lower bound of its objective and the
/// multipliers that prove it.
struct CertificateRow {
  std::int64_t id = 0;  // of the case
  double bound = 0.0;   // no springs do better than this at the case's geometry
  double gap = 0.0;     // how far the case's objective is above the bound
  std::string text;     // JSON: the multipliers

  bool operator==(const CertificateRow&) const = default;
};

/// One key of the study table: names, versions, texts and hashes of what the cases were made from.
struct StudyEntry {
  std::string key;
  std::string value;

  bool operator==(const StudyEntry&) const = default;
};

}  // namespace counterpoise
