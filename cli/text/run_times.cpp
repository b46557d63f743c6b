#include "cli/text/run_times.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "cli/output/answer.hpp"
#include "cli/text/text_style.hpp"
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

constexpr const char* run_row = "{:<16} {:>12} {:>13} {:>9}\n";

/// CPU time besides stages and falls: its key in JSON, its name for people, seconds.
struct OtherTime {
  std::string_view key;
  const char* name;
  double seconds;
};

/// The last is the whole process's, the sum of the others, stages and falls.
std::array<OtherTime, 8> other_times(const RunSummary& summary, const RunCosts& costs) {
  const auto& work = summary.counts.work;
  const double stages = summary.counts.seconds();
  const double sizing =
      summary.sizes_springs ? std::max(summary.worker_seconds - stages, 0.0) : 0.0;
  const double known = stages + sizing + summary.writer_seconds + costs.ranking + costs.reasons;
  return {{{"binding", "binding", work[static_cast<std::size_t>(CaseWork::binding)]},
           {"judging", "judging", work[static_cast<std::size_t>(CaseWork::judging)]},
           {"sizing", "spring sizing", sizing},
           {"writing", "writing", summary.writer_seconds},
           {"ranking", "ranking", costs.ranking},
           {"reasons", "reasons", costs.reasons},
           {"other", "everything else", std::max(costs.process - known, 0.0)},
           {"total", "whole process", costs.process}}};
}

/// What the designs that were tried took, each.
std::string tried_text(const RunPlan& plan) {
  if (!plan.whole)
    return fmt::format("one was not finished after {}", stage_time(plan.each.back()));
  if (plan.each.size() == 1) return stage_time(plan.mean());
  return fmt::format("{} to {} each, {} in the mean", stage_time(plan.each.front()),
                     stage_time(plan.each.back()), stage_time(plan.mean()));
}

std::string exact_plan_text(const RunPlan& plan) {
  using enum RunPlan::Kind;
  std::string text =
      fmt::format("tried: the springs of {} random geometr{}, {} of them with a design; {}\n",
                  plan.tried, plan.tried == 1 ? "y" : "ies", plan.feasible, tried_text(plan));
  if (!plan.whole)
    return text + fmt::format("the run takes longer than {}; how much longer is not known\n",
                              stage_time(plan.count > 1 ? plan.least : plan.most));
  if (plan.kind == proof)
    return text + fmt::format(
                      "the run takes at most about {}, if each simplex takes as long as a "
                      "geometry; it ends as soon as the proof is done, and nothing tells that "
                      "beforehand\n",
                      stage_time(plan.seconds));
  text += fmt::format("the run takes about {}", stage_time(plan.seconds));
  if (plan.tried > 1)
    text += fmt::format(
        ", from {} to {} if all geometries are as quick or as slow as one that was tried",
        stage_time(plan.least), stage_time(plan.most));
  return text + (plan.kind == geometries ? "; a search that ends early takes less\n" : "\n");
}

std::string case_plan_text(const RunPlan& plan) {
  if (plan.each.empty()) return "";
  std::string text = fmt::format(
      "tried: {} of them in {} places, {} of them feasible; {}\nthe run takes about {}", plan.tried,
      plan.each.size(),
      percent_text(static_cast<double>(plan.feasible) / static_cast<double>(plan.tried)),
      tried_text(plan), stage_time(plan.seconds));
  if (plan.each.size() > 1)
    text += fmt::format(", from {} to {} as far as these places tell", stage_time(plan.least),
                        stage_time(plan.most));
  else
    text += "; one place does not tell how sure that is";
  if (plan.kind == RunPlan::Kind::search) text += "; a search that ends early takes less";
  return text + fmt::format("\nits file takes about {} a row, {} for {} rows{}\n",
                            with_prefix(plan.bytes_per_row, "B"),
                            with_prefix(plan.file_bytes(), "B"), plan.kept,
                            plan.kept < plan.count ? " and the front" : "");
}

}  // namespace

std::string to_text(const Study& study, const RunPlan& plan) {
  constexpr std::array<const char*, 5> of = {"cases", "evaluations", "geometries", "",
                                             "simplices of mounts"};
  std::string text = printable(study.name) + ": ";
  if (plan.kind == RunPlan::Kind::single)
    text += fmt::format("the springs of one geometry, {}",
                        plan.count == 1 ? "once" : fmt::format("{} times", plan.count));
  else
    text += fmt::format("{}{} {}", plan.kind == RunPlan::Kind::cases ? "" : "at most ", plan.count,
                        of[static_cast<std::size_t>(plan.kind)]);
  text += fmt::format(", {} thread{}\n", plan.threads, plan.threads == 1 ? "" : "s");
  return text + (plan.exact() ? exact_plan_text(plan) : case_plan_text(plan));
}

Json json_of(const Study& study, const RunPlan& plan) {
  constexpr std::array<const char*, 5> kinds = {"cases", "search", "search", "single", "proof"};
  using enum RunPlan::Kind;
  const bool any = !plan.each.empty(), sure = plan.exact() || plan.each.size() > 1;
  const auto tried = static_cast<double>(plan.tried);
  Json json = {{"study", study.name},
               {"search", plan.kind != cases},
               {"kind", kinds[static_cast<std::size_t>(plan.kind)]},
               {plan.exact() ? "geometries" : "cases", plan.count},
               {"threads", plan.threads},
               {"rehearsed", plan.tried},
               {"feasible_share", if_known(any, static_cast<double>(plan.feasible) / tried)},
               {plan.exact() ? "seconds_per_geometry" : "seconds_per_case",
                {{"least", if_known(any, any ? plan.each.front() : 0.0)},
                 {"mean", if_known(any, plan.mean())},
                 {"most", if_known(any && plan.whole, any ? plan.each.back() : 0.0)}}},
               {"seconds", if_known(plan.whole, plan.seconds)},
               {"seconds_least", if_known(sure && plan.kind != proof, plan.least)},
               {"seconds_most", if_known(sure && plan.whole, plan.most)}};
  if (plan.exact()) {
    json["rehearsed_to_the_end"] = plan.whole;
    return json;
  }
  json["rows"] = plan.count;
  json["kept"] = plan.kept;
  json["bytes_per_row"] = plan.bytes_per_row;
  json["file_bytes"] = plan.file_bytes();
  return json;
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
  for (const OtherTime& time : other_times(summary, costs))
    if (time.key != "sizing" || summary.sizes_springs)
      text += fmt::format(run_row, time.name, "", "", stage_time(time.seconds));
  return text + fmt::format("{:.0f} cases a second\n", cases_per_second(summary, seconds));
}

std::string falls_text(const RunSummary& summary) {
  const StageCount& falls = summary.counts.falls;
  if (falls.runs == 0) return "";
  return fmt::format("scenarios: {} falls of {} each, {} of the time\n", falls.runs,
                     stage_time(falls.seconds / static_cast<double>(falls.runs)),
                     percent_text(falls.seconds / std::max(summary.worker_seconds, falls.seconds)));
}

Json cpu_json(const RunSummary& summary, const RunCosts& costs) {
  Json times = Json::object();
  for (const OtherTime& time : other_times(summary, costs)) times[time.key] = time.seconds;
  return times;
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
