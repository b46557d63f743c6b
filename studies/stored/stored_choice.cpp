#include "studies/stored/stored_choice.hpp"

#include "input/text/stored_json.hpp"

namespace counterpoise {

StoredChoice read_choice(const std::string& json) {
  const JsonValue text = parse_json(json, "search.choice");
  StoredChoice choice;
  choice.best = number_in(text, "best");
  choice.combinations = number_in(text, "combinations");
  choice.against_own_limits = number_in(text, "against_own_limits");
  if (text.find("equal_to_others") != nullptr)
    choice.equal_to_others = number_in(text, "equal_to_others");
  choice.excluded_by_bound = number_in(text, "excluded_by_bound");
  choice.evaluated = count_in(text, "evaluated");
  choice.against_limits = count_in(text, "against_limits");
  choice.near_best = count_in(text, "near_best");
  choice.all_made_to_order = number_or_null_in(text, "all_made_to_order");
  for (const JsonValue& variable : array_in(text, "variables")) {
    StoredChoice::Variable& own = choice.variables.emplace_back();
    own.name = text_in(variable, "variable");
    own.choices = count_in(variable, "choices");
    own.made_to_order = number_or_null_in(variable, "made_to_order");
    for (const JsonValue& refused : array_in(variable, "refused"))
      own.refused.push_back(text_in(refused, "reason"));
  }
  return choice;
}

}  // namespace counterpoise
