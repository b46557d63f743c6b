#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace counterpoise {

/// The result of a choice of springs from catalogues, as stored in the study table of a results
/// file (see choice_summary).
struct StoredChoice {
  struct Variable {
    std::string name;
    std::int64_t choices = 0;
    std::vector<std::string> refused;  // reason for each choice that does not fit
    std::optional<double> made_to_order;
  };
  double best = 0.0;
  double combinations = 0.0, against_own_limits = 0.0, excluded_by_bound = 0.0;
  double equal_to_others = 0.0;  // 0 also in files of earlier versions, which did not count them
  std::int64_t evaluated = 0, against_limits = 0, near_best = 0;
  std::optional<double> all_made_to_order;
  std::vector<Variable> variables;
};

/// Reads a stored choice. Throws InputError if the text is not what was written.
StoredChoice read_choice(const std::string& json);

}  // namespace counterpoise
