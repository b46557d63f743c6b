#include "cli/text/exact_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>

#include "cases/provenance.hpp"
#include "cases/searches.hpp"
#include "cases/study_units.hpp"
#include "cli/output/answer.hpp"
#include "cli/text/ranking_text.hpp"
#include "input/text/stored_json.hpp"
#include "results/text/printable.hpp"
#include "results/text/table_format.hpp"
#include "springs/exact.hpp"
#include "springs/problem/spring_roles.hpp"

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

/// How many choices of a variable fit, and how many do not for each reason.
std::string refused_text(const StoredChoice::Variable& variable) {
  std::string text = fmt::format(
      "  {}: {} of {} fit", printable(variable.name),
      variable.choices - static_cast<std::int64_t>(variable.refused.size()), variable.choices);
  std::map<std::string, int> kinds;  // the reason up to its numbers
  for (const std::string& reason : variable.refused) ++kinds[reason.substr(0, reason.find(" ("))];
  for (const auto& [kind, count] : kinds) text += fmt::format("; {}: {}", printable(kind), count);
  return text + "\n";
}

/// `size`: of the objective.
std::string made_to_order_text(const std::string& name, std::optional<double> value, double best,
                               double size) {
  if (!value) return "";
  const double gain = best - *value;
  std::string words = "nothing gained";
  if (gain > std::max(1e-9 * std::abs(best), rounding_part * size)) {
    words = fmt::format("a gain of {:.3g}", gain);
    if (best != 0.0) words += fmt::format(" ({:.3g} %)", 100.0 * gain / std::abs(best));
  }
  return fmt::format("  {} made to order: {:.6g}, {}\n", printable(name),
                     without_rounding(*value, size), words);
}

std::string choice_text(const std::string& json, double size) {
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
  if (choice.not_looked_at > 0)
    text += fmt::format(", {} not looked at, because at least {} tie with the best",
                        choice.not_looked_at, choice.near_best);
  text += "\n";
  for (const StoredChoice::Variable& variable : choice.variables) text += refused_text(variable);
  text += fmt::format("price of stock: the best from stock has {:.6g}\n",
                      without_rounding(choice.best, size));
  for (const StoredChoice::Variable& variable : choice.variables)
    text += made_to_order_text(variable.name, variable.made_to_order, choice.best, size);
  if (choice.variables.size() > 1)
    text += made_to_order_text("all", choice.all_made_to_order, choice.best, size);
  return text;
}

/// The size of an objective in all motions: the largest of its baselines.
double size_of(const Study& study, const ResultsFile& results, const std::string& objective) {
  const std::vector<std::string>& names = results.layout().objectives;
  const auto at = std::find(names.begin(), names.end(), objective);
  if (at == names.end()) return 0.0;
  const auto index = static_cast<std::size_t>(at - names.begin());
  double size = size_of(results, "", index);
  for (const LoadCase& motion : study.motions)
    size = std::max(size, size_of(results, motion.name, index));
  return size;
}

double size_of_first(const Study& study, const ResultsFile& results) {
  return size_of(study, results, study.objectives.front().name);
}

/// A value or bound of a proof, of an objective of this size.
std::string proved_number(double number, double size) {
  return fmt::format("{:.9g}", without_rounding(number, size));
}

/// The gap above a bound, of an objective of this size.
std::string gap_text(double gap, double bound, double size) {
  return fmt::format("{:.2g}", without_rounding(gap, std::max(std::abs(bound), size)));
}

/// The goal of a certificate: the objectives that its bound is about.
struct Proved {
  std::vector<std::string> objectives;
  Json goal = Json::array();
  double size = 0.0;  // of the goal, beside which tiny numbers are rounding
  bool weighted = false;
  double allowed_gap = std::numeric_limits<double>::infinity();

  Proved(const Study& study, const ResultsFile& results, const CertificateRow& certificate) {
    const JsonValue text =
        parse_json(certificate.text, fmt::format("certificate of case {}", certificate.id));
    for (const JsonValue& part : array_in(member_of(text, "goal"), "largest")) {
      objectives.push_back(text_in(part, "objective"));
      const double weight = number_in(part, "weight");
      const double reference = number_in(part, "reference");
      weighted = weighted || weight != 1.0 || reference != 0.0;
      size = std::max(size, size_of(study, results, objectives.back()));
      goal.push_back(
          {{"objective", objectives.back()}, {"weight", weight}, {"reference", reference}});
    }
    if (objectives.empty()) throw InputError(text.location(), "the goal has no objective");
    if (weighted) size = 1.0;  // weights make one of the width of a front
    if (text.find("allowed_gap") != nullptr) allowed_gap = number_in(text, "allowed_gap");
  }
};

/// " in lean_peak", of an objective that is not the study's first.
std::string in_other(const Study& study, const Proved& proved) {
  const std::string& name = proved.objectives.front();
  return name == study.objectives.front().name ? "" : " in " + printable(name);
}

std::string proof_text(const Study& study, const ResultsFile& results,
                       const CertificateRow& certificate) {
  constexpr const char* verify_text = "`counterpoise verify` adds it up again";
  const Proved proved(study, results, certificate);
  const std::string bound = proved_number(certificate.bound, proved.size);
  const std::string gap = gap_text(certificate.gap, certificate.bound, proved.size);
  const char* sized = find_spring_roles(study).words();
  if (certificate.gap > proved.allowed_gap)
    return fmt::format(
        "\nNOT PROVED: the best of {} found at this geometry is {:.9g}, and only that nothing is "
        "below {:.9g} is proved; narrower ranges of the variables may prove more\n",
        proved.weighted ? "the largest weighted distance" : proved.objectives.front(),
        certificate.bound + certificate.gap, certificate.bound + 0.0);
  if (proved.weighted)
    return fmt::format(
        "\nproof: no {} within bounds and limits are better in {}{} at this geometry "
        "(gap {} of {}, the largest weighted distance from the best); {}\n",
        sized, fmt::join(proved.objectives, " and "),
        proved.objectives.size() > 1 ? " at once" : "", gap, bound, verify_text);
  return fmt::format(
      "\nproof: no {} within bounds and limits do better{} than {} at this geometry (gap {}); "
      "{}\n",
      sized, in_other(study, proved), bound, gap, verify_text);
}

}  // namespace

std::string short_proof_text(const Study& study, const ResultsFile& results,
                             const CertificateRow& certificate, const ShownUnits& units) {
  const Proved proved(study, results, certificate);
  const char* sized = find_spring_roles(study).words();
  if (certificate.gap > proved.allowed_gap)
    return "what is proved of these springs is less than was asked for: see `counterpoise verify`";
  if (proved.weighted)
    return fmt::format(
        "no {} within bounds and limits are better in {}{} at this geometry: `counterpoise "
        "verify` shows it",
        sized, printable(fmt::format("{}", fmt::join(proved.objectives, " and "))),
        proved.objectives.size() > 1 ? " at once" : "");
  const auto of =
      std::find_if(study.objectives.begin(), study.objectives.end(),
                   [&](const Objective& own) { return own.name == proved.objectives.front(); });
  return fmt::format(
      "no {} within bounds and limits do better{} at this geometry than {}: `counterpoise "
      "verify` shows it",
      sized, in_other(study, proved),
      units.words(without_rounding(certificate.bound, proved.size),
                  of == study.objectives.end() ? std::string() : unit_of(study, *of)));
}

std::string exact_text(const Study& study, const ResultsFile& results,
                       const std::vector<Ranking>& rankings) {
  const std::int64_t id = is_exact(study) && !rankings.empty() ? best_case(rankings.front()) : 0;
  if (id == 0) return "";
  return reading(results, [&] {
    std::string text;
    if (const auto certificate = proof_of(study, results, id))
      text += proof_text(study, results, *certificate);
    if (const auto choice = choice_of(study, results, id))
      text += choice_text(*choice, size_of_first(study, results));
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
      const Proved proved(study, results, *certificate);
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

namespace {

/// The ranges of the variables that move mounts, over which a proof holds.
std::string ranges_text(const Study& study) {
  std::string text;
  for (const int v : find_spring_roles(study).outer) {
    const Variable& variable = study.variables[v];
    text += fmt::format("{}{} {:.6g} to {:.6g}", text.empty() ? "" : ", ", printable(variable.name),
                        variable.low, variable.high);
  }
  return text;
}

std::string loosest_text(const Study& study, const StoredMounts::Part& part) {
  std::map<std::string_view, double> sizes;
  for (const Variable& variable : study.variables) sizes[variable.name] = largest_number(variable);
  std::string text;
  for (const StoredMounts::Part::Range& range : part.loosest) {
    const double size = sizes[range.variable];
    text +=
        fmt::format("{}{} {:.9g} to {:.9g}", text.empty() ? "" : ", ", printable(range.variable),
                    without_rounding(range.low, size), without_rounding(range.high, size));
  }
  return text;
}

Json loosest_json(const StoredMounts::Part& part) {
  return array_of(part.loosest, [](const StoredMounts::Part::Range& range) -> Json {
    return {{"variable", range.variable}, {"low", range.low}, {"high", range.high}};
  });
}

/// The choice of springs with the lowest bound, for one part of the problem.
const StoredMounts::Part* lowest_of(const StoredMounts& mounts, std::int64_t index) {
  const StoredMounts::Part* lowest = nullptr;
  for (const StoredMounts::Part& part : mounts.parts)
    if (part.index == index &&
        (lowest == nullptr || part.bound.value_or(no_limit) < lowest->bound.value_or(no_limit)))
      lowest = &part;
  return lowest;
}

/// The parts that determine the bound, each with the choice of springs whose bound is lowest: all
/// of them if the objective is their sum, else one.
std::vector<const StoredMounts::Part*> bounding(const StoredMounts& mounts) {
  std::vector<const StoredMounts::Part*> parts;
  for (const StoredMounts::Part& part : mounts.parts) {
    const bool decides = mounts.adds_up ? lowest_of(mounts, part.index) == &part
                                        : parts.empty() && part.bound == mounts.bound;
    if (decides) parts.push_back(&part);
  }
  return parts;
}

/// The gap between the best value of a part and its bound.
double gap_of(const StoredMounts& mounts, const StoredMounts::Part& lowest) {
  double best = no_limit;
  for (const StoredMounts::Part& part : mounts.parts)
    if (part.index == lowest.index) best = std::min(best, part.best.value_or(no_limit));
  return best - lowest.bound.value_or(-no_limit);
}

/// The part with the largest gap, among those that determine the bound; null without any.
const StoredMounts::Part* loosest_part(const StoredMounts& mounts) {
  const std::vector<const StoredMounts::Part*> parts = bounding(mounts);
  const auto widest = std::max_element(
      parts.begin(), parts.end(),
      [&](const auto* a, const auto* b) { return gap_of(mounts, *a) < gap_of(mounts, *b); });
  return widest == parts.end() ? nullptr : *widest;
}

/// The shares of a part's ranges that are excluded, averaged over all choices of its springs.
struct Shares {
  int choices = 0;
  double by_limits = 0.0, by_bound = 0.0;
};

Shares shares_of(const StoredMounts& mounts, std::int64_t index) {
  Shares shares;
  for (const StoredMounts::Part& part : mounts.parts) {
    if (part.index != index) continue;
    ++shares.choices;
    shares.by_limits += part.by_limits;
    shares.by_bound += part.by_bound;
  }
  shares.by_limits /= std::max(shares.choices, 1);
  shares.by_bound /= std::max(shares.choices, 1);
  return shares;
}

bool is_proved(const StoredMounts& mounts) {
  if (!mounts.best) return mounts.ended == MountEnd::proved;
  return mounts.bound && is_reached(*mounts.best - *mounts.bound, mounts.gap);
}

std::int64_t simplices_of(const StoredMounts& mounts) {
  std::int64_t simplices = 0;
  for (const StoredMounts::Part& part : mounts.parts) simplices += part.simplices;
  return simplices;
}

/// The combinations of catalogue springs that were not excluded by themselves; 0 without
/// catalogues.
std::int64_t choices_of(const StoredMounts& mounts) {
  return std::count_if(mounts.parts.begin(), mounts.parts.end(),
                       [](const StoredMounts::Part& part) { return !part.levels.empty(); });
}

std::string count_of_simplices(std::int64_t count) {
  return count == 1 ? "1 simplex" : fmt::format("{} simplices", count);
}

/// The size of the proof: "91 simplices", or with catalogues "91 simplices, 11 choices of springs".
std::string looked_at(const StoredMounts& mounts) {
  const std::int64_t choices = choices_of(mounts);
  return fmt::format("{}{}", count_of_simplices(simplices_of(mounts)),
                     choices == 0 ? "" : fmt::format(", {} choices of springs", choices));
}

/// Why the search for a proof ended without one.
const char* why_ended(MountEnd end) {
  switch (end) {
    case MountEnd::max_simplices:
      return "no more were allowed";
    case MountEnd::max_memory:
      return "no more memory was allowed";
    case MountEnd::smallest:
      return "which are as small as they can be";
    case MountEnd::other_limit:
      return "and better springs break a limit that the proof does not contain";
    case MountEnd::proved:
      return "although the results say that it is proved";
    case MountEnd::interrupted:
      break;
  }
  return "interrupted";
}

}  // namespace

std::string mounts_proof_text(const Study& study, const ResultsFile& results) {
  const std::optional<StoredMounts> mounts = mounts_of(results);
  if (!mounts) return {};
  const std::string over = ranges_text(study);
  if (!mounts->best)
    return is_proved(*mounts)
               ? fmt::format(
                     "\nproof over mounts: no springs within bounds, at any mounts with {}, meet "
                     "all limits ({}); `counterpoise verify` adds it up again\n",
                     over, looked_at(*mounts))
               : fmt::format("\nNOT PROVED over mounts: {}\n",
                             mounts->ended == MountEnd::other_limit
                                 ? "the best springs found break a limit that the proof does not "
                                   "contain"
                                 : fmt::format("no design was found, and it is not proved that "
                                               "there is none ({}, {})",
                                               looked_at(*mounts), why_ended(mounts->ended)));
  const double size = size_of_first(study, results);
  const std::string best = proved_number(*mounts->best, size);
  if (is_proved(*mounts))
    return fmt::format(
        "\nproof over mounts: no springs within bounds and limits, at any mounts with {}, do "
        "better than {}; case {} has "
        "{}, a gap of {} ({}); `counterpoise verify` adds it up again\n",
        over, proved_number(*mounts->bound, size), mounts->best_case, best,
        gap_text(*mounts->best - *mounts->bound, *mounts->bound, size), looked_at(*mounts));
  const StoredMounts::Part* part = loosest_part(*mounts);
  return fmt::format(
      "\nNOT PROVED over mounts as far as asked: case {} has {}, and for mounts with {} it is "
      "only proved that nothing is below {} (gap {:.2g}, asked {:.2g}; {}, {}){}\n",
      mounts->best_case, best, over,
      mounts->bound ? proved_number(*mounts->bound, size) : "minus infinity",
      mounts->bound ? *mounts->best - *mounts->bound : no_limit, mounts->gap, looked_at(*mounts),
      why_ended(mounts->ended),
      part == nullptr ? "" : "; the bound is lowest at " + loosest_text(study, *part));
}

std::string mounts_shares_text(const Study& study, const ResultsFile& results) {
  const std::optional<StoredMounts> mounts = mounts_of(results);
  if (!mounts) return {};
  const double size = size_of_first(study, results);
  std::string text;
  for (const StoredMounts::Part* part : bounding(*mounts)) {
    if (mounts->adds_up && part->loosest.empty()) continue;
    const Shares shares = shares_of(*mounts, part->index);
    std::string names;
    for (const auto& range : part->loosest)
      names += (names.empty() ? "" : ", ") + printable(range.variable);
    const std::string times =
        shares.choices > 1 ? fmt::format(", times {} choices of springs", shares.choices) : "";
    text += fmt::format(
        "Of the ranges of the mounts that decide {}({}{}), at least {} hold no springs that meet "
        "all limits, and in the other {} none do better than {}{}.\n",
        mounts->adds_up ? "one part of the sum " : "", names, times, percent_text(shares.by_limits),
        percent_text(shares.by_bound), proved_number(part->bound.value_or(-no_limit), size),
        mounts->adds_up ? " in that part" : "");
  }
  return text;
}

Json mounts_json(const ResultsFile& results) {
  const std::optional<StoredMounts> mounts = mounts_of(results);
  if (!mounts) return nullptr;
  const StoredMounts::Part* part = loosest_part(*mounts);
  const Shares shares = part != nullptr ? shares_of(*mounts, part->index) : Shares();
  Json parts = Json::array();
  for (const StoredMounts::Part& one : mounts->parts)
    parts.push_back({{"part", one.index},
                     {"levels", one.levels},
                     {"best", or_null(one.best)},
                     {"bound", or_null(one.bound)},
                     {"simplices", one.simplices},
                     {"leaves", one.leaves},
                     {"by_limits", one.by_limits},
                     {"by_bound", one.by_bound},
                     {"loosest", loosest_json(one)}});
  return {{"bound", or_null(mounts->bound)},
          {"best", or_null(mounts->best)},
          {"case", if_known(mounts->best_case > 0, mounts->best_case)},
          {"gap", mounts->best && mounts->bound ? Json(*mounts->best - *mounts->bound) : Json()},
          {"asked", mounts->gap},
          {"proved", is_proved(*mounts)},
          {"ended", word_for(mounts->ended)},
          {"adds_up", mounts->adds_up},
          {"simplices", simplices_of(*mounts)},
          {"choices", choices_of(*mounts)},
          {"by_limits", part != nullptr ? Json(shares.by_limits) : Json()},
          {"by_bound", part != nullptr ? Json(shares.by_bound) : Json()},
          {"loosest", part != nullptr ? loosest_json(*part) : Json::array()},
          {"parts", parts}};
}

std::string as_text(const Study& study, const ResultsFile& results, const CertificateRow& of,
                    const Verdict& verdict) {
  if (!verdict.valid)
    return fmt::format("case {}: NOT PROVED: {}\n", of.id, printable(verdict.fault));
  const double size = Proved(study, results, of).size;
  std::string text =
      fmt::format("case {}: proved: {} {}, no {} within bounds and limits below {}, gap {}", of.id,
                  verdict.weighted ? "weighted distance" : "objective",
                  proved_number(verdict.value, size), find_spring_roles(study).words(),
                  proved_number(verdict.bound, size), gap_text(verdict.gap, verdict.bound, size));
  if (verdict.combinations > 0)
    text += fmt::format("; {} combinations looked at again", verdict.combinations);
  return text + "\n";
}

std::string as_text(const Study& study, const ResultsFile& results, const MountVerdict& verdict) {
  if (!verdict.valid) return fmt::format("mounts: NOT PROVED: {}\n", printable(verdict.fault));
  const double size = size_of_first(study, results);
  if (verdict.open && !verdict.value)
    return fmt::format(
        "mounts: NOT PROVED, as stored: no design was found, and only that no springs at any "
        "mounts "
        "within the ranges do better than {} ({} added up)\n",
        proved_number(*verdict.bound, size), count_of_simplices(verdict.leaves));
  if (!verdict.bound)
    return fmt::format(
        "mounts: proved: no springs at any mounts within the ranges meet all limits "
        "({} added up)\n",
        count_of_simplices(verdict.leaves));
  const std::string bound =
      fmt::format("no springs at any mounts within the ranges do better than {} ({} added up)",
                  proved_number(*verdict.bound, size), count_of_simplices(verdict.leaves));
  return fmt::format(
      "mounts: {}: {}; case {} has {}, gap {}{}\n",
      verdict.open ? "NOT PROVED as far as asked, as stored" : "proved", bound, verdict.best_case,
      proved_number(*verdict.value, size),
      verdict.open ? fmt::format("{:.2g}", verdict.gap)
                   : gap_text(verdict.gap, *verdict.bound, size),
      verdict.open ? fmt::format(", more than the {:.2g} asked for", verdict.asked) : "");
}

Json as_json(const MountVerdict& verdict) {
  const bool known = verdict.valid && verdict.bound.has_value();
  return {
      {"mounts", true},
      {"case", if_known(verdict.best_case > 0, verdict.best_case)},
      {"proved", verdict.valid && !verdict.open},
      {"fault", verdict.fault},
      {"value", if_known(verdict.valid && verdict.value.has_value(), verdict.value.value_or(0.0))},
      {"bound", if_known(known, verdict.bound.value_or(0.0))},
      {"gap", if_known(known && verdict.value.has_value(), verdict.gap)},
      {"asked", verdict.asked},
      {"simplices", verdict.leaves}};
}

}  // namespace counterpoise
