#include "studies/reports/warnings/spring_senses.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cases/case_rows.hpp"

namespace counterpoise {

WrongSense wrong_sense(const Model& model, const Mechanism& mechanism, const Finding& finding,
                       const std::string& in) {
  const bool pulls = finding.kind == FindingKind::spring_pushes ||
                     finding.kind == FindingKind::spring_below_free_length;
  const Location where = model.location(fmt::format("/springs/{}", finding.element));
  std::string words = describe(finding, mechanism) + in;
  const std::string advice = fmt::format(
      "\"acts\": \"{}\" refuses designs that need this, \"acts\": \"both\" ends this warning",
      pulls ? "pull" : "push");
  std::string warning = InputError(where, "warning: " + words + "; " + advice).what();
  return {std::move(words), std::move(warning)};
}

/// Adds the springs of one design in one motion; a design that does not exist has its own
/// reason elsewhere.
template <class MakeDesign>
void SpringSenses::add(const MakeDesign& make_design, std::size_t motion,
                       std::vector<WrongSense>& found) try {
  const MotionDesign design = make_design();
  std::optional<Evaluator>& engine = engines_[motion];
  if (engine)
    engine->set_motion(design.motion);
  else
    engine.emplace(design.mechanism, design.motion);
  const std::string in =
      study_.motions.size() > 1 ? " in motion " + study_.motions[motion].name : std::string();
  for (const Finding& finding : engine->find_wrong_senses(design.mechanism))
    found.push_back(wrong_sense(*study_.model, design.mechanism, finding, in));
} catch (const InputError&) {
  return;
}

std::vector<WrongSense> SpringSenses::of(std::span<const double> point) {
  std::vector<WrongSense> found;
  for (std::size_t m = 0; m < study_.motions.size(); ++m) {
    if (study_.motion_variable >= 0) {
      const auto v = static_cast<std::size_t>(study_.motion_variable);
      const auto level = static_cast<std::size_t>(point[v]);
      if (study_.variables[v].motions[level] != static_cast<int>(m)) continue;
    }
    add([&] { return designs_.of(point, m); }, m, found);
  }
  return found;
}

std::vector<WrongSense> SpringSenses::of_baseline() {
  std::vector<WrongSense> found;
  for (std::size_t m = 0; m < study_.motions.size(); ++m)
    add([&] { return designs_.of_baseline(m); }, m, found);
  return found;
}

std::string SpringSenses::among(const ResultsFile& results, const std::vector<Ranking>& best) {
  const Table table = joined(best);
  const auto column = std::find(table.columns.begin(), table.columns.end(), "case");
  int wrong = 0;
  std::string first;
  for (const auto& cells : table.rows) {
    const auto id =
        std::get<std::int64_t>(cells[static_cast<std::size_t>(column - table.columns.begin())]);
    const auto row = results.find(id);
    const auto found = row ? of(point_of(study_, *row)) : std::vector<WrongSense>();
    if (found.empty()) continue;
    if (wrong++ == 0) first = fmt::format("case {}: {}", id, found.front().words);
  }
  if (wrong == 0) return {};
  return InputError({.file = study_.path.string()},
                    fmt::format("warning: {} of the {} best designs need{} a spring that cannot be "
                                "built so; {}{}",
                                wrong, table.rows.size(), wrong == 1 ? "s" : "",
                                wrong == 1 ? "" : "the best of them is ", first))
      .what();
}

}  // namespace counterpoise
