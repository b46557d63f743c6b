#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
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

  /// Whether the rows say the same; what is not known is the same.
  bool operator==(const CaseRow& other) const {
    const auto same = [](double a, double b) { return a == b || (a != a && b != b); };
    return id == other.id && status == other.status && reason == other.reason &&
           variables == other.variables && metrics == other.metrics &&
           std::equal(objectives.begin(), objectives.end(), other.objectives.begin(),
                      other.objectives.end(), same);
  }
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

/// What made a case infeasible or failed, as numbers. `kind` and `of` are those of a
/// FailureNameRow; `motion` counts the study's motions from 0 and is -1 where none is concerned; t,
/// value and bound are in SI, and NaN (NULL in the file) where there is none or it is infinite.
struct FailureRow {
  std::int64_t id = 0;  // of the case
  std::int64_t kind = 0, of = -1, motion = -1;
  double t = 0.0, value = 0.0, bound = 0.0;
};

/// The kind of failures of which the reason alone says what they are.
inline constexpr std::int64_t told_in_words = 1007;

/// What the numbers of a failure mean: "lean_spring", "max_length", "m".
struct FailureNameRow {
  std::int64_t kind = 0, of = -1;
  std::string element, what, unit;

  bool operator==(const FailureNameRow&) const = default;
};

/// The key of the study table that says how many cases the study has.
inline constexpr const char* case_count_key = "cases";

/// One key of the study table: names, versions, texts and hashes of what the cases were made from.
struct StudyEntry {
  std::string key;
  std::string value;

  bool operator==(const StudyEntry&) const = default;
};

/// The value of a key, if it is there.
inline std::optional<std::string> value_of(const std::vector<StudyEntry>& entries,
                                           std::string_view key) {
  for (const StudyEntry& entry : entries)
    if (entry.key == key) return entry.value;
  return std::nullopt;
}

}  // namespace counterpoise
