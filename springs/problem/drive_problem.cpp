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

void require_fit_for_drives(const Study& study) {
  if (!minimises_drives(study, 0)) return;
  const Objective& first = study.objectives.front();
  const Search& search = *study.search();
  const DriveCost cost = *study.cost_of_drives(*first.expression);
  for (const StudyDrive& drive : study.drives)
    if (drive.chosen() && drive.minimise != cost)
      throw InputError(
          drive.where,
          fmt::format("the search minimises the {} of all drives, expected \"minimise\": \"{}\" "
                      "in each of them",
                      key_of(cost), key_of(cost)));
  const auto refuse = [&](std::string_view what) {
    throw InputError(first.where, fmt::format("{} and the cost of drives do not go together: it "
                                              "falls in steps, and is no convex function of "
                                              "springs. Sample the study and rank --pareto",
                                              what));
  };
  if (search.trade_off) refuse("a trade-off");
  if (search.proof) refuse("\"geometry\": \"prove\"");
  if (search.within > 0.0) refuse("\"within_percent\"");
}

std::string words_of_lacking(const Study& study, const CheapestDrives& found) {
  std::vector<std::string> names;
  for (const StudyDrive& drive : study.drives)
    if (drive.chosen()) names.push_back(study.model->nominal.actuators[drive.actuator].name);
  const bool one = found.lacking >= 0 || names.size() == 1;
  const std::string of = one ? names[static_cast<std::size_t>(std::max(found.lacking, 0))]
                             : fmt::format("{}", fmt::join(names, " and "));
  if (found.open > 0)
    return fmt::format(
        "no pair of the catalogues was found that suffices for {}; of {} it is not "
        "known",
        of, found.open);
  return one ? fmt::format("no pair of the catalogues suffices for {}, whatever the springs", of)
             : fmt::format(
                   "no pairs of the catalogues suffice for {} together, whatever the "
                   "springs",
                   of);
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

}  // namespace counterpoise
