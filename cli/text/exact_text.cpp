#include "cli/text/exact_text.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <map>

#include "cli/text/json_writer.hpp"
#include "results/text/printable.hpp"
#include "studies/io/json_document.hpp"

namespace counterpoise {
namespace {

bool is_exact(const Study& study) {
  return study.search() != nullptr && study.search()->method == SearchMethod::exact_springs;
}

/// The id of the best case, or 0.
std::int64_t best_case(const std::vector<Ranking>& rankings) {
  constexpr std::size_t case_column = 1;
  if (rankings.empty() || rankings.front().table.rows.empty()) return 0;
  return std::get<std::int64_t>(rankings.front().table.rows.front()[case_column]);
}

std::optional<std::string> choice_of(const Study& study, const ResultsFile& results,
                                     std::int64_t id) {
  const std::int64_t start =
      study.search()->within > 0.0 ? 0 : (id - 1) / study.search()->max_evaluations;
  return results.value(fmt::format("search.choice.{}", start));
}

std::string count_of(double count, const char* what) {
  return fmt::format("{} {}{}", count, what, count == 1.0 ? "" : "s");
}

/// How many choices of a variable do not fit, by what is against them.
std::string refused_text(const JsonValue& variable) {
  const auto& refused = variable.find("refused")->items;
  std::string text =
      fmt::format("  {}: {} of {} fit", printable(variable.find("variable")->text),
                  variable.find("choices")->number - static_cast<double>(refused.size()),
                  variable.find("choices")->number);
  std::map<std::string, int> kinds;  // the reason up to its numbers
  for (const JsonValue& one : refused) {
    const std::string& reason = one.find("reason")->text;
    ++kinds[reason.substr(0, reason.find(" ("))];
  }
  for (const auto& [kind, count] : kinds) text += fmt::format("; {}: {}", printable(kind), count);
  return text + "\n";
}

std::string made_to_order_text(const std::string& name, const JsonValue* value, double best) {
  if (value == nullptr || value->kind != JsonValue::Kind::number) return "";
  const double gain = best - value->number;
  std::string words = "nothing gained";
  if (gain > 1e-9 * std::abs(best)) {
    words = fmt::format("a gain of {:.3g}", gain);
    if (best != 0.0) words += fmt::format(" ({:.3g} %)", 100.0 * gain / std::abs(best));
  }
  return fmt::format("  {} made to order: {:.6g}, {}\n", printable(name), value->number, words);
}

std::string choice_text(const std::string& json) {
  const JsonValue choice = parse_json(json, "search.choice");
  const auto number = [&](const char* key) { return choice.find(key)->number; };
  const double best = number("best");
  std::string text = fmt::format(
      "choice of {}: {} with a spring that does not fit, {} excluded by their bound, {} evaluated",
      count_of(number("combinations"), "combination"), number("against_own_limits"),
      number("excluded_by_bound"), number("evaluated"));
  if (number("against_limits") > 0.0)
    text += fmt::format(" ({} against a limit)", number("against_limits"));
  text += "\n";
  for (const JsonValue& variable : choice.find("variables")->items) text += refused_text(variable);
  text += "price of stock: the best from stock has " + fmt::format("{:.6g}\n", best);
  for (const JsonValue& variable : choice.find("variables")->items)
    text +=
        made_to_order_text(variable.find("variable")->text, variable.find("made_to_order"), best);
  if (choice.find("variables")->items.size() > 1)
    text += made_to_order_text("all", choice.find("all_made_to_order"), best);
  return text;
}

/// What a certificate's bound is of.
struct Proved {
  std::vector<std::string> objectives;
  std::string goal;  // JSON: an array of objective, weight, reference
  bool weighted = false;
  double allowed_gap = std::numeric_limits<double>::infinity();

  explicit Proved(const CertificateRow& certificate) {
    const JsonValue text = parse_json(certificate.text, "certificate");
    for (const JsonValue& part : text.find("goal")->find("largest")->items) {
      objectives.push_back(part.find("objective")->text);
      const double weight = part.find("weight")->number;
      const double reference = part.find("reference")->number;
      weighted = weighted || weight != 1.0 || reference != 0.0;
      JsonObject object;
      object.add("objective", Value{objectives.back()}).add("weight", Value{weight});
      object.add("reference", Value{reference});
      goal += (goal.empty() ? "" : ", ") + object.text();
    }
    goal = "[" + goal + "]";
    const JsonValue* allowed = text.find("allowed_gap");
    if (allowed != nullptr) allowed_gap = allowed->number;
  }
};

std::string proof_text(const CertificateRow& certificate) {
  constexpr const char* verify_text = "`counterpoise verify` adds it up again";
  const Proved proved(certificate);
  if (certificate.gap > proved.allowed_gap)
    return fmt::format(
        "\nNOT PROVED: the best of {} found at this geometry is {:.9g}, and only that nothing is "
        "below {:.9g} is proved; narrower ranges of the variables may prove more\n",
        proved.weighted ? "the largest weighted distance" : proved.objectives.front(),
        certificate.bound + certificate.gap, certificate.bound);
  if (proved.weighted)
    return fmt::format(
        "\nproof: no springs within bounds and limits are better in {}{} at this geometry "
        "(gap {:.2g} of {:.9g}, the largest weighted distance from the best); {}\n",
        fmt::join(proved.objectives, " and "), proved.objectives.size() > 1 ? " at once" : "",
        certificate.gap, certificate.bound, verify_text);
  return fmt::format(
      "\nproof: no springs within bounds and limits do better than {:.9g} at this geometry (gap "
      "{:.2g}); {}\n",
      certificate.bound, certificate.gap, verify_text);
}

}  // namespace

std::string exact_text(const Study& study, const ResultsFile& results,
                       const std::vector<Ranking>& rankings) {
  const std::int64_t id = is_exact(study) ? best_case(rankings) : 0;
  if (id == 0) return "";
  std::string text;
  if (const auto certificate = results.certificate(id)) text += proof_text(*certificate);
  if (const auto choice = choice_of(study, results, id)) text += choice_text(*choice);
  return text;
}

std::string exact_json(const Study& study, const ResultsFile& results,
                       const std::vector<Ranking>& rankings) {
  const std::int64_t id = is_exact(study) ? best_case(rankings) : 0;
  if (id == 0) return "null";
  JsonObject object;
  object.add("case", Value{id});
  const auto certificate = results.certificate(id);
  object.add("bound", certificate ? Value{certificate->bound} : Value{});
  object.add("gap", certificate ? Value{certificate->gap} : Value{});
  object.add("proved", certificate && certificate->gap <= Proved(*certificate).allowed_gap);
  object.add_raw("goal", certificate ? Proved(*certificate).goal : "null");
  object.add_raw("choice", choice_of(study, results, id).value_or("null"));
  return object.text();
}

}  // namespace counterpoise
