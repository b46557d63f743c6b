#include "cli/text/exact/exact_text.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <map>

#include "cases/provenance.hpp"
#include "cases/searches.hpp"
#include "cli/text/exact/mounts_text.hpp"
#include "cli/text/json.hpp"
#include "input/text/stored_json.hpp"
#include "results/text/printable.hpp"
#include "springs/exact.hpp"

namespace counterpoise {
namespace {

bool is_exact(const Study& study) {
  return study.search() != nullptr && study.search()->method == SearchMethod::exact_springs;
}

std::optional<std::string> choice_of(const Study& study, const ResultsFile& results,
                                     std::int64_t id) {
  const Search& search = *study.search();
  const bool single = search.within > 0.0 || search.proof;
  const std::int64_t start = single ? 0 : (id - 1) / search.max_evaluations;
  return results.value(fmt::format("search.choice.{}", start));
}

std::string count_of(double count, const char* what) {
  return fmt::format("{} {}{}", count, what, count == 1.0 ? "" : "s");
}

/// How many choices of a variable do not fit, by what is against them.
std::string refused_text(const StoredChoice::Variable& variable) {
  std::string text = fmt::format(
      "  {}: {} of {} fit", printable(variable.name),
      variable.choices - static_cast<std::int64_t>(variable.refused.size()), variable.choices);
  std::map<std::string, int> kinds;  // the reason up to its numbers
  for (const std::string& reason : variable.refused) ++kinds[reason.substr(0, reason.find(" ("))];
  for (const auto& [kind, count] : kinds) text += fmt::format("; {}: {}", printable(kind), count);
  return text + "\n";
}

std::string made_to_order_text(const std::string& name, std::optional<double> value, double best) {
  if (!value) return "";
  const double gain = best - *value;
  std::string words = "nothing gained";
  if (gain > 1e-9 * std::abs(best)) {
    words = fmt::format("a gain of {:.3g}", gain);
    if (best != 0.0) words += fmt::format(" ({:.3g} %)", 100.0 * gain / std::abs(best));
  }
  return fmt::format("  {} made to order: {:.6g}, {}\n", printable(name), *value, words);
}

std::string choice_text(const std::string& json) {
  const StoredChoice choice = read_choice(json);
  std::string text = fmt::format(
      "choice of {}: {} with a spring that does not fit, {}{} excluded by their bound, {} "
      "evaluated",
      count_of(choice.combinations, "combination"), choice.against_own_limits,
      choice.equal_to_others > 0.0 ? fmt::format("{} equal to others, ", choice.equal_to_others)
                                   : "",
      choice.excluded_by_bound, choice.evaluated);
  if (choice.against_limits > 0)
    text += fmt::format(" ({} against a limit)", choice.against_limits);
  text += "\n";
  for (const StoredChoice::Variable& variable : choice.variables) text += refused_text(variable);
  text += fmt::format("price of stock: the best from stock has {:.6g}\n", choice.best);
  for (const StoredChoice::Variable& variable : choice.variables)
    text += made_to_order_text(variable.name, variable.made_to_order, choice.best);
  if (choice.variables.size() > 1)
    text += made_to_order_text("all", choice.all_made_to_order, choice.best);
  return text;
}

/// What a certificate's bound is of.
struct Proved {
  std::vector<std::string> objectives;
  Json goal = Json::array();
  bool weighted = false;
  double allowed_gap = std::numeric_limits<double>::infinity();

  explicit Proved(const CertificateRow& certificate) {
    const JsonValue text =
        parse_json(certificate.text, fmt::format("certificate of case {}", certificate.id));
    for (const JsonValue& part : array_in(member_of(text, "goal"), "largest")) {
      objectives.push_back(text_in(part, "objective"));
      const double weight = number_in(part, "weight");
      const double reference = number_in(part, "reference");
      weighted = weighted || weight != 1.0 || reference != 0.0;
      goal.push_back(
          {{"objective", objectives.back()}, {"weight", weight}, {"reference", reference}});
    }
    if (objectives.empty()) throw InputError(text.location(), "the goal has no objective");
    if (text.find("allowed_gap") != nullptr) allowed_gap = number_in(text, "allowed_gap");
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
  const std::int64_t id = is_exact(study) && !rankings.empty() ? best_case(rankings.front()) : 0;
  if (id == 0) return "";
  return reading(results, [&] {
    std::string text;
    if (const auto certificate = proof_of(study, results, id)) text += proof_text(*certificate);
    if (const auto choice = choice_of(study, results, id)) text += choice_text(*choice);
    return text + mounts_proof_text(study, results);
  });
}

Json exact_json(const Study& study, const ResultsFile& results,
                const std::vector<Ranking>& rankings) {
  const std::int64_t id = is_exact(study) && !rankings.empty() ? best_case(rankings.front()) : 0;
  if (id == 0 && !(is_exact(study) && study.search()->proof)) return nullptr;
  return reading(results, [&] {
    Json object = {{"case", if_known(id != 0, id)},
                   {"bound", nullptr},
                   {"gap", nullptr},
                   {"proved", false},
                   {"goal", nullptr},
                   {"choice", nullptr},
                   {"mounts", mounts_json(results)}};
    if (const auto certificate = proof_of(study, results, id)) {
      const Proved proved(*certificate);
      object["bound"] = certificate->bound;
      object["gap"] = certificate->gap;
      object["proved"] = certificate->gap <= proved.allowed_gap;
      object["goal"] = proved.goal;
    }
    if (const auto choice = choice_of(study, results, id)) {
      read_choice(*choice);  // refuses what is not as it was written
      object["choice"] = Json::parse(*choice);
    }
    return object;
  });
}

}  // namespace counterpoise
