#include "cli/text/stage_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "cli/output/answer.hpp"
#include "results/text/printable.hpp"

namespace counterpoise {
namespace {

/// A quantity with the prefix that leaves one to three digits before the point.
std::string with_prefix(double value, const char* unit) {
  struct Prefix {
    double size;
    const char* name;
  };
  for (const Prefix prefix :
       {Prefix{1e9, "G"}, {1e6, "M"}, {1e3, "k"}, {1.0, ""}, {1e-3, "m"}, {1e-6, "u"}, {1e-9, "n"}})
    if (value >= 0.9995 * prefix.size)
      return fmt::format("{:.3g} {}{}", value / prefix.size, prefix.name, unit);
  return fmt::format("0 {}", unit);
}

std::string stage_time(double seconds) {
  if (seconds < 100.0) return with_prefix(seconds, "s");
  if (seconds < 6000.0) return fmt::format("{:.1f} min", seconds / 60.0);
  return fmt::format("{:.1f} h", seconds / 3600.0);
}

std::string share_text(std::int64_t runs, std::int64_t of) {
  if (of == 0) return "-";
  return fmt::format("{:.3g} %", 100.0 * static_cast<double>(runs) / static_cast<double>(of));
}

constexpr const char* plan_row = "{:<16} {:>12} {:>13} {:>8} {:>12} {:>9}\n";
constexpr const char* run_row = "{:<16} {:>12} {:>13} {:>9}\n";

/// CPU time besides stages and falls [s]; together with these it is the whole process's.
struct OtherTimes {
  double binding, judging;
  double sizing;  // of springs, by an exact search
  double writing, ranking, reasons;
  double other;  // reading the study, making and ordering points and rows
};

OtherTimes other_times(const RunSummary& summary, const RunCosts& costs) {
  const auto& work = summary.counts.work;
  OtherTimes times{work[static_cast<std::size_t>(CaseWork::binding)],
                   work[static_cast<std::size_t>(CaseWork::judging)],
                   0.0,
                   summary.writer_seconds,
                   costs.ranking,
                   costs.reasons,
                   0.0};
  if (summary.sizes_springs)
    times.sizing = std::max(summary.worker_seconds - summary.counts.seconds(), 0.0);
  const double known =
      summary.counts.seconds() + times.sizing + times.writing + times.ranking + times.reasons;
  times.other = std::max(costs.process - known, 0.0);
  return times;
}

/// What the numbers of runs are.
std::string meaning_of(const RunPlan& plan) {
  if (plan.search)
    return fmt::format(
        "runs: at most, if all variables move in every evaluation; from {} of them\n", plan.walked);
  std::string text = "runs: at most, as infeasible cases stop early";
  if (!plan.exact())
    text += fmt::format(", scaled up from {} of the cases and so only about right", plan.walked);
  if (plan.threads > 1) text += "; a few more where threads take turns";
  return text + '\n';
}

}  // namespace

std::string to_text(const Study& study, const RunPlan& plan) {
  std::string text =
      fmt::format("{}: {}{} {}, {} thread{}\n", printable(study.name),
                  plan.search ? "at most " : "", plan.cases, plan.search ? "evaluations" : "cases",
                  plan.threads, plan.threads == 1 ? "" : "s");
  text += fmt::format(plan_row, "stage", "runs", "of", "share", "time per run", "time");
  for (const StageForecast& stage : plan.stages)
    text += fmt::format(plan_row, name_of(stage.stage), stage.runs, stage.of,
                        share_text(stage.runs, stage.of),
                        stage.seconds_per_run > 0.0 ? stage_time(stage.seconds_per_run) : "-",
                        stage.seconds >= 0.0 ? stage_time(stage.seconds) : "-");
  if (plan.falls.runs > 0)
    text += fmt::format(plan_row, "scenarios", plan.falls.runs, "", "",
                        stage_time(plan.falls.seconds / static_cast<double>(plan.falls.runs)),
                        stage_time(plan.falls.seconds));
  text += fmt::format(plan_row, "everything else", "", "", "", "", stage_time(plan.other_seconds));
  text += fmt::format(
      plan_row, "writing", plan.cases, plan.cases, "100 %",
      stage_time(plan.store_seconds / static_cast<double>(std::max<std::int64_t>(plan.cases, 1))),
      stage_time(plan.store_seconds));
  text += meaning_of(plan);
  text += fmt::format(
      "times: of all threads; from {} cases that were tried, {:.3g} % of them feasible\n",
      plan.rehearsed, 100.0 * plan.feasible_share);
  text += fmt::format("the run takes about {}, its file {} for {} rows{}, {} of memory\n",
                      stage_time(plan.seconds), with_prefix(plan.file_bytes, "B"), plan.kept,
                      plan.kept < plan.cases ? " and the front" : "",
                      with_prefix(plan.resident_bytes, "B"));
  return text;
}

Json json_of(const Study& study, const RunPlan& plan) {
  Json stages = Json::array();
  for (const StageForecast& stage : plan.stages)
    stages.push_back(
        {{"stage", name_of(stage.stage)},
         {"runs", stage.runs},
         {"of", stage.of},
         {"share", stage.of == 0
                       ? Json()
                       : Json(static_cast<double>(stage.runs) / static_cast<double>(stage.of))},
         {"seconds_per_run", if_known(stage.seconds_per_run > 0.0, stage.seconds_per_run)},
         {"seconds", if_known(stage.seconds > 0.0, stage.seconds)}});
  return {{"study", study.name},
          {"cases", plan.cases},
          {"search", plan.search},
          {"threads", plan.threads},
          {"counted", plan.walked},
          {"stages", stages},
          {"falls", {{"runs", plan.falls.runs}, {"seconds", plan.falls.seconds}}},
          {"rehearsed", plan.rehearsed},
          {"feasible_share", if_known(plan.rehearsed != 0, plan.feasible_share)},
          {"other_seconds", plan.other_seconds},
          {"store_seconds", plan.store_seconds},
          {"seconds", plan.seconds},
          {"rows", plan.cases},
          {"kept", plan.kept},
          {"file_bytes", plan.file_bytes},
          {"resident_bytes", plan.resident_bytes}};
}

std::string to_text(const Study& study, const ExactPlan& plan) {
  using enum ExactPlan::Kind;
  const double least = plan.tried.front(), most = plan.tried.back();
  std::string text = printable(study.name) + ": ";
  if (plan.kind == single)
    text += fmt::format("the springs of one geometry, {}",
                        plan.geometries == 1 ? "once" : fmt::format("{} times", plan.geometries));
  else
    text += fmt::format("at most {} {}", plan.geometries,
                        plan.kind == proof ? "simplices of mounts" : "geometries");
  text += fmt::format(", {} thread{}\n", plan.threads, plan.threads == 1 ? "" : "s");
  text += fmt::format("tried: the springs of {} random geometr{}, {} of them with a design; ",
                      plan.tried.size(), plan.tried.size() == 1 ? "y" : "ies", plan.feasible);
  if (!plan.whole)
    text += fmt::format("one was not finished after {}\n", stage_time(most));
  else if (plan.tried.size() == 1)
    text += fmt::format("{}\n", stage_time(most));
  else
    text += fmt::format("{} to {} each, {} in the mean\n", stage_time(least), stage_time(most),
                        stage_time(plan.mean()));
  if (!plan.whole)
    return text + fmt::format("the run takes longer than {}; how much longer is not known\n",
                              stage_time(plan.seconds(plan.geometries > 1 ? least : most)));
  if (plan.kind == proof)
    return text +
           fmt::format(
               "the run takes at most about {}, if each simplex takes as long as a geometry; "
               "it ends as soon as the proof is done, and nothing tells that beforehand\n",
               stage_time(plan.seconds(plan.mean())));
  text += fmt::format("the run takes about {}", stage_time(plan.seconds(plan.mean())));
  if (plan.tried.size() > 1)
    text += fmt::format(
        ", from {} to {} if all geometries are as quick or as slow as one that was tried",
        stage_time(plan.seconds(least)), stage_time(plan.seconds(most)));
  return text + (plan.kind == search ? "; a search that ends early takes less\n" : "\n");
}

Json json_of(const Study& study, const ExactPlan& plan) {
  constexpr std::array<const char*, 3> kinds = {"search", "single", "proof"};
  const double least = plan.tried.front(), most = plan.tried.back();
  const auto tried = static_cast<double>(plan.tried.size());
  return {{"study", study.name},
          {"search", true},
          {"kind", kinds[static_cast<std::size_t>(plan.kind)]},
          {"geometries", plan.geometries},
          {"threads", plan.threads},
          {"rehearsed", plan.tried.size()},
          {"rehearsed_to_the_end", plan.whole},
          {"feasible_share", static_cast<double>(plan.feasible) / tried},
          {"seconds_per_geometry",
           {{"least", least}, {"mean", plan.mean()}, {"most", if_known(plan.whole, most)}}},
          {"seconds", if_known(plan.whole, plan.seconds(plan.mean()))},
          {"seconds_least", if_known(plan.kind != ExactPlan::Kind::proof, plan.seconds(least))},
          {"seconds_most", if_known(plan.whole, plan.seconds(most))}};
}

double cases_per_second(const RunSummary& summary, double seconds) {
  return seconds > 0.0 ? static_cast<double>(summary.evaluated) / seconds : 0.0;
}

std::string to_text(const RunSummary& summary, const RunCosts& costs, double seconds) {
  std::string text = fmt::format(run_row, "stage", "runs", "reused", "CPU time");
  for (std::size_t i = 0; i < stage_count; ++i) {
    const StageCount& stage = summary.counts.stages[i];
    text += fmt::format(run_row, name_of(static_cast<Stage>(i)), stage.runs, stage.reused,
                        stage_time(stage.seconds));
  }
  if (summary.counts.falls.runs > 0)
    text += fmt::format(run_row, "scenarios", summary.counts.falls.runs, "",
                        stage_time(summary.counts.falls.seconds));
  const OtherTimes times = other_times(summary, costs);
  const auto add = [&text](const char* name, double time) {
    text += fmt::format(run_row, name, "", "", stage_time(time));
  };
  add("binding", times.binding);
  add("judging", times.judging);
  if (summary.sizes_springs) add("spring sizing", times.sizing);
  add("writing", times.writing);
  add("ranking", times.ranking);
  add("reasons", times.reasons);
  add("everything else", times.other);
  add("whole process", costs.process);
  return text + fmt::format("{:.0f} cases a second\n", cases_per_second(summary, seconds));
}

std::string falls_text(const RunSummary& summary) {
  const StageCount& falls = summary.counts.falls;
  if (falls.runs == 0) return "";
  return fmt::format("scenarios: {} falls of {} each, {:.3g} % of the time\n", falls.runs,
                     stage_time(falls.seconds / static_cast<double>(falls.runs)),
                     100.0 * falls.seconds / std::max(summary.worker_seconds, falls.seconds));
}

Json cpu_json(const RunSummary& summary, const RunCosts& costs) {
  const OtherTimes times = other_times(summary, costs);
  return {{"binding", times.binding}, {"judging", times.judging}, {"sizing", times.sizing},
          {"writing", times.writing}, {"ranking", times.ranking}, {"reasons", times.reasons},
          {"other", times.other},     {"total", costs.process}};
}

Json stages_json(const RunSummary& summary) {
  Json stages = Json::array();
  for (std::size_t i = 0; i < stage_count; ++i) {
    const StageCount& stage = summary.counts.stages[i];
    stages.push_back({{"stage", name_of(static_cast<Stage>(i))},
                      {"runs", stage.runs},
                      {"reused", stage.reused},
                      {"seconds", stage.seconds}});
  }
  return stages;
}

}  // namespace counterpoise
