#include "cli/text/fall_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>

#include "engine/falls/event_partners.hpp"
#include "results/text/printable.hpp"
#include "results/text/table_format.hpp"

namespace counterpoise {
namespace {

constexpr std::size_t most_shown = 20;  // events in the text

std::string_view word_of(FallEvent::Kind kind) {
  constexpr std::array<std::string_view, 3> words = {"impact", "rest", "leave"};
  return words[static_cast<std::size_t>(kind)];
}

/// The unit of a column with numbers of points (`straight`), of revolute joints (`turning`), or
/// both.
std::string unit_of(const Fall& fall, const EventPartners& partners, const char* straight,
                    const char* turning) {
  const auto turns = [&](const FallEvent& event) {
    return partners.turns(static_cast<std::size_t>(event.contact));
  };
  if (std::none_of(fall.events.begin(), fall.events.end(), turns)) return straight;
  if (std::all_of(fall.events.begin(), fall.events.end(), turns)) return turning;
  return fmt::format("{} or {}", straight, turning);
}

/// The last number of a column, or 0 where there is none.
double last_of(const Fall& fall, std::string_view name) {
  const auto found = std::find_if(fall.columns.begin(), fall.columns.end(),
                                  [name](const Series& series) { return series.name == name; });
  return found == fall.columns.end() || found->values.empty() ? 0.0 : found->values.back();
}

/// The largest energy of any kind during the fall. Energies that are tiny beside it are rounding.
double largest_energy(const Fall& fall) {
  double largest = 0.0;
  for (const Series& series : fall.columns)
    if (series.name.starts_with("energy."))
      for (const double energy : series.values) largest = std::max(largest, std::abs(energy));
  return largest;
}

/// The time at which the simulation ended.
double end_of(const Fall& fall, const Scenario& scenario) {
  return fall.stopped ? fall.stopped->time : scenario.duration;
}

bool settled(const Fall& fall, const Scenario& scenario) {
  return !fall.stopped && fall.extremes.settled < scenario.duration;
}

/// The place of the largest way or speed; none where all are rounding.
std::optional<std::size_t> most_moved(const std::vector<double>& moved,
                                      const std::function<bool(std::size_t)>& counts) {
  std::optional<std::size_t> most;
  for (std::size_t i = 0; i < moved.size(); ++i)
    if (moved[i] > stays_within && counts(i) && (!most || moved[i] > moved[*most])) most = i;
  return most;
}

/// How fast each joint moves at the end.
std::vector<double> last_speeds(const Fall& fall, const Mechanism& mechanism) {
  std::vector<double> speeds(mechanism.bodies.size(), 0.0);
  for (BodyIndex b = 0; b < mechanism.body_count(); ++b)
    if (mechanism.moves(b)) speeds[b] = std::abs(last_of(fall, mechanism.bodies[b].name + ".qd"));
  return speeds;
}

/// Whether no joint has moved, nor is about to.
bool stays(const Fall& fall, const Mechanism& mechanism) {
  const auto any = [](std::size_t) { return true; };
  return !most_moved(fall.extremes.joint_moved, any) &&
         !most_moved(last_speeds(fall, mechanism), any);
}

/// Whether the mechanism stays where it is, and else which joints move most and what sinks most.
std::string staying_text(const Fall& fall, const Mechanism& mechanism, const TextStyle& style) {
  if (stays(fall, mechanism))
    return fall.stopped ? fmt::format("no joint moves up to {:.6g} s\n", fall.stopped->time)
                        : "stays put: no joint moves\n";
  const std::vector<double>& moved = fall.extremes.joint_moved;
  std::string text;
  if (!most_moved(moved, [](std::size_t) { return true; }))
    return "does not stay put: it has hardly begun to move\n";
  for (const JointType type : {JointType::revolute, JointType::prismatic}) {
    const auto most =
        most_moved(moved, [&](std::size_t b) { return mechanism.bodies[b].joint.type == type; });
    if (!most) continue;
    const bool turns = type == JointType::revolute;
    text += fmt::format("{}{} {} by up to {}", text.empty() ? "" : ", ",
                        printable(mechanism.bodies[*most].name), turns ? "turns" : "slides",
                        style.units.words(moved[*most], turns ? "rad" : "m"));
  }
  const auto lowest = most_moved(fall.extremes.drop, [](std::size_t) { return true; });
  if (lowest)
    text += fmt::format(", {} sinks by up to {}", printable(mechanism.points[*lowest].name),
                        style.units.words(fall.extremes.drop[*lowest], "m"));
  return fmt::format("does not stay put: {}\n", text);
}

}  // namespace

Table events_table(const Fall& fall, const Mechanism& mechanism, const Scenario& scenario) {
  const EventPartners partners(mechanism, scenario);
  Table table;
  table.columns = {"t",
                   "group",
                   "contact",
                   "point",
                   "kind",
                   "angle",
                   "normal_velocity_before",
                   "normal_velocity_after",
                   "impulse",
                   "energy_lost"};
  for (const FallEvent& event : fall.events)
    table.rows.push_back({event.time, static_cast<std::int64_t>(event.group),
                          partners.name(static_cast<std::size_t>(event.contact)),
                          partners.point(event), std::string(word_of(event.kind)), event.angle,
                          event.normal_velocity_before, event.normal_velocity_after, event.impulse,
                          event.energy_lost});
  return table;
}

std::string summary_text(const Fall& fall, const Mechanism& mechanism, const Scenario& scenario,
                         const TextStyle& style) {
  const EventPartners partners(mechanism, scenario);
  std::string text = fmt::format("{}: {:.6g} s of {:.6g} s\n", printable(scenario.name),
                                 end_of(fall, scenario), scenario.duration);
  if (!fall.events.empty()) {
    Table table = events_table(fall, mechanism, scenario);
    const std::string speed = unit_of(fall, partners, "m/s", "rad/s");
    table.columns = {"t [s]",
                     "group",
                     "contact",
                     "point",
                     "kind",
                     style.units.heading("angle", "rad"),
                     fmt::format("before [{}]", speed),
                     fmt::format("after [{}]", speed),
                     fmt::format("impulse [{}]", unit_of(fall, partners, "N*s", "N*m*s")),
                     "energy lost [J]"};
    table.rows.resize(std::min(table.rows.size(), most_shown));
    for (auto& row : table.rows)
      if (double* angle = std::get_if<double>(&row[5])) *angle = style.units.number(*angle, "rad");
    clear_rounding(table, 6, 7);
    clear_rounding(table, 8, 8);
    clear_rounding(table, 9, 9, largest_energy(fall));
    text += to_aligned_text(table, style.fit(4));
    if (fall.events.size() > most_shown)
      text += fmt::format("and {} more; --events writes all\n", fall.events.size() - most_shown);
  }
  const int instants = fall.events.empty() ? 0 : fall.events.back().group;
  text += fall.events.empty() ? "no events\n"
                              : fmt::format("{} at {}\n", counted(fall.events.size(), "event"),
                                            counted(static_cast<std::size_t>(instants), "instant"));
  text += staying_text(fall, mechanism, style);
  if (settled(fall, scenario))
    text += fmt::format(
        "settled at {:.6g} s: no joint moves faster than {:g} m/s or rad/s from then to the end, "
        "at "
        "{:.6g} s\n",
        fall.extremes.settled, scenario.settled_speed, scenario.duration);
  else if (fall.stopped)
    text += fmt::format("not settled: it was followed to {:.6g} s only\n", end_of(fall, scenario));
  else
    text += fmt::format("not settled: a joint still moves faster than {:g} m/s or rad/s\n",
                        scenario.settled_speed);
  const double size = largest_energy(fall);
  text += fmt::format("energy lost in impacts {:.6g} J, put in by actuators {:.6g} J\n",
                      without_rounding(fall.extremes.energy_lost, size),
                      without_rounding(last_of(fall, "energy.work"), size));
  return text;
}

Json summary_json(const Fall& fall, const Mechanism& mechanism, const Scenario& scenario) {
  const EventPartners partners(mechanism, scenario);
  Json contacts = Json::array();
  for (std::size_t i = 0; i < partners.count(); ++i) {
    const auto impacts =
        std::count_if(fall.events.begin(), fall.events.end(), [i](const FallEvent& event) {
          return static_cast<std::size_t>(event.contact) == i &&
                 event.kind == FallEvent::Kind::impact;
        });
    contacts.push_back({{"name", partners.name(i)},
                        {"impacts", impacts},
                        {"max_impulse", fall.extremes.max_impulse[i]},
                        {"max_impact_speed", fall.extremes.max_impact_speed[i]}});
  }
  Json joints = Json::array(), actuators = Json::array(), points = Json::array();
  for (std::size_t b = 0; b < mechanism.bodies.size(); ++b)
    if (mechanism.bodies[b].joint.type != JointType::fixed)
      joints.push_back(
          {{"name", mechanism.bodies[b].name}, {"moved", fall.extremes.joint_moved[b]}});
  for (std::size_t a = 0; a < mechanism.actuators.size(); ++a) {
    const std::string& name = mechanism.actuators[a].name;
    actuators.push_back({{"name", name},
                         {"moved", fall.extremes.actuator_moved[a]},
                         {"load", last_of(fall, name + ".load")}});
  }
  for (std::size_t p = 0; p < mechanism.points.size(); ++p)
    if (mechanism.points[p].body != world_body)
      points.push_back({{"name", mechanism.points[p].name}, {"drop", fall.extremes.drop[p]}});
  Json object = {{"scenario", scenario.name},
                 {"duration", scenario.duration},
                 {"end", end_of(fall, scenario)},
                 {"stays", stays(fall, mechanism)},
                 {"moved", fall.extremes.moved},
                 {"joints", joints},
                 {"actuators", actuators},
                 {"points", points},
                 {"settled", if_known(settled(fall, scenario), fall.extremes.settled)},
                 {"energy_lost", fall.extremes.energy_lost},
                 {"work", last_of(fall, "energy.work")},
                 {"contacts", contacts},
                 {"events", json_of(events_table(fall, mechanism, scenario))}};
  object["stopped"] = fall.stopped ? Json(fall.stopped->words) : Json();
  return object;
}

}  // namespace counterpoise
