#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "cases/provenance.hpp"
#include "cli/arguments.hpp"
#include "cli/command.hpp"
#include "cli/output/answer.hpp"
#include "cli/output/streams.hpp"
#include "cli/text/exact_text.hpp"
#include "cli/text/extent_text.hpp"
#include "results/ranking.hpp"
#include "results/results_file.hpp"
#include "results/rows/rows.hpp"
#include "springs/exact.hpp"

namespace counterpoise {
namespace {

struct VerifyArguments {
  std::string results;
  std::int64_t id = 0;
  bool json = false;
};

Json as_json(std::int64_t id, const Verdict& verdict) {
  return {{"case", id},
          {"proved", verdict.valid},
          {"fault", verdict.fault},
          {"value", if_known(verdict.valid, verdict.value)},
          {"bound", if_known(verdict.valid, verdict.bound)},
          {"gap", if_known(verdict.valid, verdict.gap)},
          {"combinations", verdict.combinations},
          {"unsettled", verdict.unsettled}};
}

/// Says whether all rows are as they were when the file was finished.
void say(const ResultsFile& results, const ResultsFile::Check& check, bool json) {
  if (!check.fault.empty())
    print_message(fmt::format("{}: {}", results.path().string(), check.fault));
  if (!check.known)
    print_message(
        fmt::format("note: {} has no checksum of its rows: it is not finished, or was finished by "
                    "an earlier version",
                    results.path().string()));
  else if (check.fault.empty() && !json)
    print_text(fmt::format("{} rows are as they were written\n", check.rows));
}

int verify(const VerifyArguments& options) {
  const ResultsFile results = opened(options.results);
  noted_extent(results);
  const ResultsFile::Check check = results.check();
  say(results, check, options.json);
  if (!check.fault.empty()) return exit_error;
  std::vector<CertificateRow> certificates;
  if (options.id == 0) {
    certificates = results.certificates();
  } else if (const auto one = results.certificate(options.id)) {
    certificates.push_back(*one);
  }
  const bool proves = !certificates.empty() || results.value(mounts_key);
  if (!proves && options.id == 0 && check.known) {
    if (options.json) print_data("[]\n");
    return exit_done;
  }
  if (certificates.empty() && (options.id != 0 || !proves))
    throw StoreError(StoreError::Kind::unusable,
                     options.id == 0
                         ? fmt::format("{}: holds no certificates; studies with \"method\": "
                                       "\"exact-springs\" have them",
                                       options.results)
                         : fmt::format("{}: has no certificate of case {}; verify without a case "
                                       "lists those it has",
                                       options.results, options.id));
  const std::vector<std::string> changed = changed_texts(results.study());
  if (!changed.empty()) {
    std::string names;
    for (const std::string& key : changed) names += (names.empty() ? "" : ", ") + key;
    print_message(fmt::format("{}: texts kept with the results were changed since: {}",
                              options.results, names));
    return exit_error;
  }
  const Study study = stored_study(results);
  const Interruption interrupted = asked_by_host();
  Verifier verifier(results, study, interrupted);
  std::string text;
  Json json = Json::array();
  bool proved = true;
  std::size_t count = 0;
  for (const CertificateRow& certificate : certificates) {
    interrupted.poll();
    const auto row = results.find(certificate.id);
    Verdict verdict;
    if (row)
      verdict = verifier.verify(*row, certificate);
    else
      verdict.fault = "there is no such case";
    proved = proved && verdict.valid;
    count += verdict.valid ? 1U : 0U;
    text += as_text(study, results, certificate, verdict);
    json.push_back(as_json(certificate.id, verdict));
  }
  if (const auto mounts = options.id == 0 ? mounts_of(results) : std::nullopt) {
    const MountVerdict verdict = verify_mounts(results, study, *mounts, 0, interrupted);
    proved = proved && verdict.valid;
    text += as_text(study, results, verdict);
    json.push_back(as_json(verdict));
  }
  if (options.id == 0 && !certificates.empty()) {
    RankOptions first;
    first.top = 1;
    const std::int64_t best = best_case(rank(results, first).front());
    if (best != 0 && !proof_of(study, results, best)) {
      const bool with_drives = std::any_of(study.drives.begin(), study.drives.end(),
                                           [](const StudyDrive& drive) { return drive.chosen(); });
      proved = proved && with_drives;
      print_message(fmt::format("{}case {}, the best, has no certificate{}",
                                with_drives ? "note: " : "", best,
                                with_drives ? ": drives decided which springs are best" : ""));
    }
  }
  if (certificates.size() > 1)
    text += fmt::format("{} of {} certificates proved\n", count, certificates.size());
  print_answer(
      options.json, [&] { return json_text(json) + '\n'; }, [&] { return text; });
  return proved ? exit_done : exit_error;
}

}  // namespace

void add_verify(Program& program) {
  const auto options = std::make_shared<VerifyArguments>();
  const Command command =
      program.add("verify",
                  "Compare all rows with their checksum, and add up again why no better springs "
                  "exist");
  command.option("results", options->results, "results file").required();
  command.option("case", options->id, "case id; default: all that have a certificate");
  command.flag("--json", options->json, "print JSON");
  command.action([options] { return verify(*options); });
}

}  // namespace counterpoise
