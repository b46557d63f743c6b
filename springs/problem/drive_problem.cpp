#include "springs/problem/drive_problem.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "cases/case_drives.hpp"

namespace counterpoise {
namespace {

std::string_view key_of(DriveCost cost) {
  return cost == DriveCost::price ? "price" : "mass";
}

/// Adds the sample after which a robot stands still: the last one again, or none of its load where
/// a brake holds it.
void add_pause(double seconds, bool brake, DriveProblem::Drive& drive) {
  const auto again = [brake](std::vector<double>& numbers) {
    numbers.push_back(brake ? 0.0 : numbers.back());
  };
  again(drive.load.constant);
  for (AffineSeries::Column& column : drive.load.columns) again(column.coefficients);
  again(drive.samples.play);
  drive.samples.velocity.push_back(0.0);
  drive.samples.acceleration.push_back(0.0);
  drive.samples.weight.push_back(seconds);
}

/// Appends a series of the same unknowns, each with a column of its own in either.
void append(const AffineSeries& more, AffineSeries& to) {
  const std::size_t before = to.constant.size();
  to.constant.insert(to.constant.end(), more.constant.begin(), more.constant.end());
  for (const AffineSeries::Column& column : more.columns) {
    auto at = std::find_if(to.columns.begin(), to.columns.end(),
                           [&](const auto& own) { return own.variable == column.variable; });
    if (at == to.columns.end())
      at = to.columns.insert(to.columns.end(), {column.variable, std::vector<double>(before, 0.0)});
    at->coefficients.insert(at->coefficients.end(), column.coefficients.begin(),
                            column.coefficients.end());
  }
  for (AffineSeries::Column& column : to.columns)
    column.coefficients.resize(to.constant.size(), 0.0);
}

}  // namespace

bool minimises_drives(const Study& study, int objective) {
  const auto& expression = study.objectives[static_cast<std::size_t>(objective)].expression;
  return expression && study.cost_of_drives(*expression).has_value();
}

namespace {

bool chooses_drives(const Study& study) {
  return std::any_of(study.drives.begin(), study.drives.end(),
                     [](const StudyDrive& drive) { return drive.chosen(); });
}

/// Requires that the drives that a bound is about minimise what it bounds. An evaluation takes the
/// cheapest drives for any springs; a bound on something else would hold or not by chance.
void require_fit(const Study& study, const Constraint& constraint, const CostOfDrives& bounded) {
  for (std::size_t d = 0; d < study.drives.size(); ++d) {
    const StudyDrive& drive = study.drives[d];
    if (!drive.chosen() || drive.minimise == bounded.cost) continue;
    if (bounded.drive >= 0 && static_cast<int>(d) != bounded.drive) continue;
    const std::string& name = study.model->nominal.actuators[drive.actuator].name;
    throw InputError(constraint.where,
                     fmt::format("bounds the {}, and the drive of {} is chosen by its {}: expected "
                                 "\"minimise\": \"{}\" of {}. Sample the study to hold both",
                                 key_of(bounded.cost), name, key_of(drive.minimise),
                                 key_of(bounded.cost), name));
  }
}

}  // namespace

void require_fit_for_drives(const Study& study) {
  const Search& search = *study.search();
  const Location* place = nullptr;  // of what asks for springs and drives together
  for (const Constraint& constraint : study.constraints) {
    const std::optional<CostOfDrives> bounded = study.cost_in(constraint.expression);
    if (!bounded) continue;
    require_fit(study, constraint, *bounded);
    place = place == nullptr ? &constraint.where : place;
  }
  const bool minimised = minimises_drives(study, 0);
  if (minimised) {
    const Objective& first = study.objectives.front();
    place = &first.where;
    const DriveCost cost = *study.cost_of_drives(*first.expression);
    for (const StudyDrive& drive : study.drives)
      if (drive.chosen() && drive.minimise != cost)
        throw InputError(
            drive.where,
            fmt::format("the search minimises the {} of all drives, expected \"minimise\": \"{}\" "
                        "in each of them",
                        key_of(cost), key_of(cost)));
  }
  if (place == nullptr) return;
  const auto refuse = [&](std::string_view what) {
    throw InputError(*place,
                     fmt::format("{} and the cost of drives do not go together: it falls in "
                                 "steps, and is no convex function of springs. Sample the "
                                 "study and rank --pareto",
                                 what));
  };
  if (search.trade_off && minimised) refuse("a trade-off");
  if (search.proof) refuse("\"geometry\": \"prove\"");
  if (search.within > 0.0) refuse("\"within_percent\"");
}

bool finds_with_drives(const Study& study) {
  return chooses_drives(study) && !study.search()->proof && !(study.search()->within > 0.0);
}

bool lacks_drives_only(const Study& study, const CaseOutcome& outcome) {
  return !outcome.failures.empty() &&
         std::all_of(outcome.failures.begin(), outcome.failures.end(), [&](const Failure& failure) {
           if (failure.kind == FailureKind::constraint_above_max)
             return study
                 .cost_in(study.constraints[static_cast<std::size_t>(failure.of)].expression)
                 .has_value();
           return failure.kind >= FailureKind::drive_peak_torque &&
                  failure.kind <= FailureKind::drive_gearbox_speed;
         });
}

std::string words_of_lacking(const Study& study, const DrivenSprings& found) {
  std::vector<std::string> names;
  for (const StudyDrive& drive : study.drives)
    if (drive.chosen()) names.push_back(study.model->nominal.actuators[drive.actuator].name);
  const bool one = found.lacking >= 0 || names.size() == 1;
  const std::string of = one ? names[static_cast<std::size_t>(std::max(found.lacking, 0))]
                             : fmt::format("{}", fmt::join(names, " and "));
  std::vector<std::string> constraints;
  for (const Constraint& constraint : study.constraints)
    if (study.cost_in(constraint.expression)) constraints.push_back(constraint.name);
  const std::string keeping =
      constraints.empty()
          ? ""
          : fmt::format(" and {} constraint{} {}", one ? "keeps" : "keep",
                        constraints.size() > 1 ? "s" : "", fmt::join(constraints, " and "));
  if (found.open > 0)
    return fmt::format(
        "no pairs of the catalogues were found that suffice for {}{}; of {} it is not "
        "known",
        of, keeping, found.open);
  return one ? fmt::format("no pair of the catalogues suffices for {}{}, whatever the springs", of,
                           keeping)
             : fmt::format(
                   "no pairs of the catalogues suffice for {} together{}, whatever the "
                   "springs",
                   of, keeping);
}

std::vector<DriveChoice> choices_of(const Study& study) {
  std::vector<DriveChoice> choices;
  for (const StudyDrive& drive : study.drives)
    if (drive.chosen()) choices.push_back(choice_of(drive));
  return choices;
}

std::vector<DriveProblem::Drive> open_drives(const Study& study,
                                             const std::vector<DriveChoice>& choices,
                                             const std::vector<MotionLoads>& motions,
                                             std::size_t unknowns) {
  std::vector<DriveProblem::Drive> drives;
  for (const StudyDrive& of : study.drives) {
    if (!of.chosen()) continue;
    const auto actuator = static_cast<std::size_t>(of.actuator);
    DriveProblem::Drive& drive = drives.emplace_back();
    drive.choice = &choices[drives.size() - 1];
    drive.pairs = drive.choice->pairs();
    drive.samples.favourable = of.favourable_at_rest;
    for (std::size_t m = 0; m < motions.size(); ++m) {
      const AffineLoads& loads = *motions[m].loads;
      const AffineLoads::ActuatorLoad& own = loads.actuators[actuator];
      const LoadCase& load_case = study.motions[m];
      append(series_of_load(motions[m], actuator, unknowns), drive.load);
      const double share =
          loads.all_weights() > 0.0
              ? load_case.weight * load_case.motion.nominal.extent() / loads.all_weights()
              : 0.0;
      for (std::size_t k = 0; k < own.bare.size(); ++k) {
        const double v = own.motor_velocity[k];
        drive.samples.velocity.push_back(std::abs(v) <= Friction::rest ? 0.0 : v);
        drive.samples.acceleration.push_back(own.motor_acceleration[k]);
        drive.samples.weight.push_back(share * loads.weight(k));
        drive.samples.play.push_back(own.play.empty() ? 0.0 : own.play[k]);
      }
      if (load_case.pause > 0.0 && !own.bare.empty())
        add_pause(load_case.weight * load_case.pause, of.brake, drive);
    }
  }
  return drives;
}

void keep_constraints(const Study& study, DriveProblem& problem) {
  const auto cost = [&](std::size_t d, const DrivePair& pair) {
    return problem.drives[d].choice->cost_of(pair).first;
  };
  const auto keep = [&](std::size_t d, double most) {
    std::erase_if(problem.drives[d].pairs,
                  [&](const DrivePair& pair) { return cost(d, pair) > most; });
  };
  for (const Constraint& constraint : study.constraints) {
    const std::optional<CostOfDrives> bounded = study.cost_in(constraint.expression);
    if (!bounded) continue;
    const double most = constraint.max + slack_of(constraint.max, 0.0);
    if (bounded->drive < 0) problem.most_cost = std::min(problem.most_cost, most);
    std::size_t d = 0;  // of the problem's drives
    for (std::size_t of = 0; of < study.drives.size(); ++of) {
      if (static_cast<int>(of) == bounded->drive) keep(d, most);
      if (study.drives[of].chosen()) ++d;
    }
  }
  // beside the cheapest of all others
  std::vector<double> least;
  for (std::size_t d = 0; d < problem.drives.size(); ++d)
    least.push_back(problem.drives[d].pairs.empty() ? infinity
                                                    : cost(d, problem.drives[d].pairs.front()));
  constexpr double rounding = 1e-14;  // of sums in another order
  for (std::size_t d = 0; d < problem.drives.size(); ++d) {
    double others = 0.0;
    for (std::size_t o = 0; o < least.size(); ++o) others += o == d ? 0.0 : least[o];
    if (others < infinity)
      keep(d, problem.most_cost * (1.0 + rounding) - others + rounding * others);
  }
}

}  // namespace counterpoise
