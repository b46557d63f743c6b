#include "studies/pages/motion_data.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string>
#include <variant>

#include "engine/mechanism/finding.hpp"
#include "input/definition/moves.hpp"
#include "input/definition/point_path.hpp"
#include "studies/pages/mechanism_data.hpp"
#include "studies/pages/run_data.hpp"

namespace counterpoise {
namespace {

/// The numbers of a column that pages draw; one number stands for all where they are the same.
std::string drawn_column(std::vector<double> numbers) {
  if (std::all_of(numbers.begin(), numbers.end(),
                  [&](double number) { return number == numbers.front(); }))
    numbers.resize(1);
  return float32_column(numbers);
}

/// Position, velocity and acceleration at all samples. `has` says whether the run has a column.
template <class Has>
Json course_json(const Profile& profile, const Motion& motion, const Has& has) {
  std::vector<double> positions, velocities, accelerations;
  for (int k = 0; k < motion.sample_count(); ++k) {
    const ProfileValue value = evaluate(profile, k * motion.step, motion.duration);
    positions.push_back(value.position);
    velocities.push_back(value.velocity);
    accelerations.push_back(value.acceleration);
  }
  Json json = {{"acceleration", drawn_column(std::move(accelerations))}};
  if (!has("position")) json["position"] = drawn_column(std::move(positions));
  if (!has("velocity")) json["velocity"] = drawn_column(std::move(velocities));
  return json;
}

/// Adds the ends of moves that lie inside the motion, each once, and the limits of moves.
void add_moves(const std::vector<MoveSpan>& spans, double duration, bool limited, Json& json) {
  constexpr double same = 1e-9;  // [s]
  std::vector<double> ends;
  for (const MoveSpan& span : spans) {
    ends.insert(ends.end(), {span.start, span.end});
    if (!limited || !span.limits || !(span.end > span.start)) continue;
    json["limits"].push_back({{"from", span.start},
                              {"to", span.end},
                              {"speed", span.limits->speed},
                              {"acceleration", span.limits->acceleration}});
  }
  std::sort(ends.begin(), ends.end());
  double last = 0.0;
  for (const double end : ends) {
    if (!(end > last + same && end < duration - same)) continue;
    json["ends"].push_back(end);
    last = end;
  }
}

}  // namespace

Json motion_data(const Mechanism& mechanism, const Motion& motion, const ParametricMotion& given,
                 std::span<const double> parameters, const std::vector<Series>& columns) {
  Json coordinates = Json::array();
  const auto add = [&](const std::string& name, const char* unit, Json json,
                       const std::vector<MoveSpan>& spans, bool limited) {
    json.update(
        {{"name", name}, {"unit", unit}, {"ends", Json::array()}, {"limits", Json::array()}});
    add_moves(spans, motion.duration, limited, json);
    coordinates.push_back(std::move(json));
  };
  const auto lacks_all = [](const char*) { return false; };
  std::vector<double> numbers;
  PointIndex along = -1;  // the point whose way along its path is there already
  for (std::size_t d = 0; d < motion.drives.size(); ++d) {
    const Drive& drive = motion.drives[d];
    const ProfileNumbers& profile = given.profiles[d];
    evaluate(profile, given.expressions, parameters.data(), numbers);
    const std::string name = name_of(drive, mechanism);
    const char* unit = position_unit(mechanism, drive);
    std::vector<MoveSpan> spans;
    if (const auto* moves = std::get_if<Moves>(&drive.profile))
      spans = spans_of(profile, std::span(numbers).subspan(1), *moves);
    if (const auto* move = std::get_if<PointToPoint>(&drive.profile))
      spans = {{move->start_time, move->end_time, std::nullopt}};
    const auto* path = std::get_if<PathCourse>(&drive.profile);
    if (path != nullptr) {
      const std::size_t first = first_move_of_path(profile);
      spans = spans_of(profile, std::span(numbers).subspan(first), path->along);
      if (along != drive.point)
        add(mechanism.points[drive.point].name + " along its path", unit,
            course_json(path->along, motion, lacks_all), spans, true);
      along = drive.point;
    }
    const auto has = [&](const char* quantity) {
      return drive.actuator >= 0 && find_column(columns, name + "." + quantity) != nullptr;
    };
    add(name, unit, course_json(drive.profile, motion, has), spans, path == nullptr);
  }
  return {{"coordinates", coordinates}};
}

}  // namespace counterpoise
