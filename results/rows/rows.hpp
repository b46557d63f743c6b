#pragma once

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <iterator>
#include <map>
#include <optional>
#include <stdexcept>
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

  /// Whether the rows say the same; two unknown numbers (NaN) count as equal.
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

/// What made a case infeasible or failed, as numbers. `kind` and `of` refer to a FailureNameRow;
/// `motion` counts the study's motions from 0 and is -1 if it concerns no motion; t, value and
/// bound are in SI, and NaN (NULL in the file) if unknown or infinite.
struct FailureRow {
  std::int64_t id = 0;  // of the case
  std::int64_t kind = 0, of = -1, motion = -1;
  double t = 0.0, value = 0.0, bound = 0.0;
};

/// The kind of failures without numbers: only `reason` describes them.
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

struct Table {
  std::vector<std::string> columns;
  std::vector<std::vector<Value>> rows;  // one Value per column
};

/// Thrown if a results file, or a table written beside it, cannot be used.
class StoreError : public std::runtime_error {
 public:
  enum class Kind {
    unusable,  // cannot be created or opened, locked, foreign, not what was asked: nothing written
    write_failed,  // the disk failed or is full, a file size limit was met: what was finished stays
  };

  StoreError(Kind kind, const std::string& message) : std::runtime_error(message), kind_(kind) {}

  Kind kind() const { return kind_; }

 private:
  Kind kind_;
};

/// The error for a results file in which another program, or a failing disk, has changed something.
inline StoreError damaged(const std::filesystem::path& results, const std::string& what) {
  return {StoreError::Kind::unusable,
          results.string() + ": is damaged: " + what +
              "; take an undamaged copy, or make the results again with run --force"};
}

/// A set of case ids as ranges of consecutive ones, so that its memory does not grow with the cases
/// of a study that is evaluated in order.
class IdSet {
 public:
  /// Cost: constant for ids that rise one after the other, else the logarithm of the ranges.
  void insert(std::int64_t id) { insert(id, id); }
  /// Adds first .. last; some may be in the set already.
  void insert(std::int64_t first, std::int64_t last) {
    if (last < first) return;
    auto at = ranges_.upper_bound(first);
    if (at != ranges_.begin() && std::prev(at)->second >= first - 1) --at;
    while (at != ranges_.end() && at->first <= last + 1) {
      first = std::min(first, at->first);
      last = std::max(last, at->second);
      size_ -= at->second - at->first + 1;
      at = ranges_.erase(at);
    }
    ranges_.emplace_hint(at, first, last);
    size_ += last - first + 1;
  }

  [[nodiscard]] bool contains(std::int64_t id) const {
    const auto after = ranges_.upper_bound(id);
    return after != ranges_.begin() && std::prev(after)->second >= id;
  }

  [[nodiscard]] std::int64_t size() const { return size_; }
  /// First and last ids, by ascending id; there is a gap between any two.
  [[nodiscard]] const std::map<std::int64_t, std::int64_t>& ranges() const& { return ranges_; }
  void ranges() && = delete;  // they would not outlive the set

 private:
  std::map<std::int64_t, std::int64_t> ranges_;
  std::int64_t size_ = 0;
};

}  // namespace counterpoise
