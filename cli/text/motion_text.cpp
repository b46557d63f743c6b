#include "cli/text/motion_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "cli/text/extent_text.hpp"
#include "input/definition/mechanism_units.hpp"
#include "results/text/printable.hpp"

namespace counterpoise {
namespace {

/// A number in "rad/s^2" as it is shown where `units` replace "rad": numbers by the second have the
/// same factor.
double rate_number(const ShownUnits& units, double value, const std::string& si) {
  return units.number(value, si.substr(0, si.find('/')));
}

std::string rate_unit(const ShownUnits& units, const std::string& si) {
  const std::size_t slash = std::min(si.find('/'), si.size());
  return units.of(si.substr(0, slash)) + si.substr(slash);
}

Table table_of(const MotionCourse& course, const ShownUnits& units) {
  Table table;
  table.columns = {"coordinate", "unit", "least", "greatest"};
  if (!course.motion->poses)
    for (const char* name : {"speed", "t [s]", "acceleration", "t [s]", "jerk", "t [s]"})
      table.columns.emplace_back(name);
  for (const CoordinateCourse& coordinate : course.coordinates) {
    const auto number = [&](double value) { return units.number(value, coordinate.si); };
    std::vector<Value> row = {coordinate.name, units.of(coordinate.si), number(coordinate.least),
                              number(coordinate.greatest)};
    const auto add = [&](const Largest& largest) {
      row.emplace_back(number(largest.value));
      row.emplace_back(largest.time);
    };
    if (!course.motion->poses) {
      add(coordinate.speed);
      add(coordinate.acceleration);
      if (coordinate.jerk)
        add(*coordinate.jerk);
      else
        row.resize(row.size() + 2);
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

std::string time_or_pose(const Motion& motion, double time) {
  return motion.poses ? fmt::format("in pose {}", std::lround(time) + 1)
                      : fmt::format("at t={:.6g} s", time);
}

std::string met_limits_text(const MotionCourse& course, const ShownUnits& units) {
  if (!course.followed) return "";
  if (!course.limited) return "no actuator has a limit of position or speed\n";
  if (course.limits.empty()) return "it stays within the actuators' limits of position and speed\n";
  std::string text;
  for (const MetLimit& limit : course.limits)
    text += fmt::format(
        "{} {} its {} of {:.6g} {}: {:.6g} {} {}\n", printable(limit.actuator),
        limit.broken ? "breaks" : "reaches", limit.key, rate_number(units, limit.bound, limit.si),
        rate_unit(units, limit.si), rate_number(units, limit.extreme.value, limit.si),
        rate_unit(units, limit.si), time_or_pose(*course.motion, limit.extreme.time));
  return text;
}

Json largest_json(const Largest& largest) {
  return {{"value", largest.value}, {"t", largest.time}};
}

}  // namespace

void Largest::take(double number, double at) {
  constexpr double rounding = 1e-12;
  if (std::abs(number) > std::abs(value) * (1.0 + rounding)) *this = {number, at};
}

std::vector<CoordinateCourse> courses_of(const Motion& motion, const Mechanism& mechanism) {
  std::vector<CoordinateCourse> courses;
  for (const Drive& drive : motion.drives) {
    CoordinateCourse course;
    course.name = name_of(drive, mechanism);
    course.si = position_unit(mechanism, drive);
    if (jerk_is_bounded(drive.profile)) course.jerk.emplace();
    for (int k = 0; k < motion.sample_count(); ++k) {
      const double t = k * motion.step;
      const ProfileValue value = evaluate(drive.profile, t, motion.duration);
      course.least = std::min(course.least, value.position);
      course.greatest = std::max(course.greatest, value.position);
      course.speed.take(std::abs(value.velocity), t);
      course.acceleration.take(std::abs(value.acceleration), t);
      if (course.jerk) course.jerk->take(std::abs(jerk(drive.profile, t, motion.duration)), t);
    }
    courses.push_back(std::move(course));
  }
  return courses;
}

std::string smoothing_text(const ParametricMotion& motion, const ShownUnits& units,
                           const char* indent) {
  std::string text;
  for (const ProfileNumbers& profile : motion.profiles)
    if (const auto& s = profile.smoothing)
      text += fmt::format(
          "{}{} smoothed at {:.6g} Hz: rms {} and at most {} from the data, at "
          "t={:.6g} s\n",
          indent, printable(s->coordinate), s->cutoff, units.words(s->rms, s->si),
          units.words(s->largest, s->si), s->time);
  return text;
}

Json smoothing_json(const ParametricMotion& motion) {
  Json array = Json::array();
  for (const ProfileNumbers& profile : motion.profiles)
    if (const auto& s = profile.smoothing)
      array.push_back({{"coordinate", s->coordinate},
                       {"unit", s->si},
                       {"cutoff", s->cutoff},
                       {"rms", s->rms},
                       {"largest", s->largest},
                       {"t", s->time}});
  return array;
}

std::string text_of(const MotionCourse& course, const TextStyle& style) {
  const Motion& motion = *course.motion;
  const auto samples = static_cast<std::size_t>(motion.sample_count());
  std::string text = motion.poses
                         ? fmt::format("{}: {} at rest: {}", printable(motion.name),
                                       counted(samples, "pose"), printable(course.given->poses))
                         : fmt::format("{}: {} s in steps of {} s: {}", printable(motion.name),
                                       motion.duration, motion.step, counted(samples, "sample"));
  text += combinations_text(*course.given, course.model) + '\n';
  const Table table = table_of(course, style.units);
  text += to_aligned_text(table, style.fit(2));
  const auto jumps = [](const CoordinateCourse& c) { return !c.jerk; };
  if (!motion.poses && std::any_of(course.coordinates.begin(), course.coordinates.end(), jumps))
    text += "-: the acceleration jumps, so that the jerk is not bounded\n";
  return text + smoothing_text(*course.given, style.units) + met_limits_text(course, style.units);
}

Json json_of(const MotionCourse& course) {
  const Motion& motion = *course.motion;
  Json json = {{"name", motion.name}};
  if (motion.poses)
    json.update({{"poses", motion.sample_count()}, {"chosen", course.given->poses}});
  else
    json.update(
        {{"duration", motion.duration}, {"step", motion.step}, {"samples", motion.sample_count()}});
  if (!course.given->axes.empty()) json["combinations"] = course.given->combinations();
  json["coordinates"] = array_of(course.coordinates, [&](const CoordinateCourse& coordinate) {
    Json item = {{"name", coordinate.name},
                 {"unit", coordinate.si},
                 {"least", coordinate.least},
                 {"greatest", coordinate.greatest}};
    if (!motion.poses) {
      item["speed"] = largest_json(coordinate.speed);
      item["acceleration"] = largest_json(coordinate.acceleration);
      item["jerk"] = coordinate.jerk ? largest_json(*coordinate.jerk) : Json();
    }
    return item;
  });
  if (Json smoothing = smoothing_json(*course.given); !smoothing.empty())
    json["smoothing"] = std::move(smoothing);
  json["followed"] = course.followed;
  json["limits"] = array_of(course.limits, [](const MetLimit& limit) {
    return Json{{"actuator", limit.actuator}, {"limit", limit.key},
                {"unit", limit.si},           {"bound", limit.bound},
                {"broken", limit.broken},     {"value", limit.extreme.value},
                {"t", limit.extreme.time}};
  });
  return json;
}

}  // namespace counterpoise
