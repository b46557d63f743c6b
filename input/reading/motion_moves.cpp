#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "input/definition/moves.hpp"
#include "input/definition/point_path.hpp"
#include "input/reading/motion_reading.hpp"

namespace counterpoise {
namespace {

constexpr std::array<std::string_view, 3> limit_keys = {"max_speed", "max_acceleration",
                                                        "max_jerk"};

/// The unit that the text of a speed may have if texts of positions may have the unit `values`.
TextUnit unit_of_speed(const TextUnit& values, std::string_view si) {
  if (!values.fits) return TextUnit::none();
  return TextUnit::of(std::string(si) + "/s", "max_speed");
}

/// Refuses each of these keys that is given, because it does not go with the key `other`.
void refuse_beside(const JsonValue& move, std::string_view other,
                   std::span<const std::string_view> keys) {
  for (const std::string_view key : keys)
    if (const JsonValue* given = move.find(key))
      throw InputError(
          given->key_location(),
          fmt::format("\"{}\" does not go with \"{}\"; leave out one of them", key, other));
}

/// `goals` are the keys that say where a move goes; most moves have the first of them.
MoveNumbers kind_of(const JsonValue& value, const ObjectReader& object,
                    std::span<const std::string_view> goals) {
  MoveNumbers move{.where = value.location()};
  constexpr std::array<std::string_view, 5> of_moves = {"duration", "profile", "ramp", "max_speed",
                                                        "max_acceleration"};
  if (object.find("hold") != nullptr) {
    refuse_beside(value, "hold", goals);
    refuse_beside(value, "hold", of_moves);
    refuse_beside(value, "hold", limit_keys);
    return move;
  }
  if (std::none_of(goals.begin(), goals.end(),
                   [&](std::string_view key) { return object.find(key) != nullptr; }))
    refuse(value, "\"to\", the position where the move ends, or \"hold\", how long it rests");
  if (object.find("duration") != nullptr) {
    move.given = MoveNumbers::Given::duration;
    refuse_beside(value, "duration", limit_keys);
  } else {
    move.given = MoveNumbers::Given::limits;
    if (std::none_of(limit_keys.begin(), limit_keys.end(),
                     [&](std::string_view key) { return object.find(key) != nullptr; }))
      refuse(value,
             "\"duration\", how long the move lasts, or its limits \"max_speed\" and "
             "\"max_acceleration\"");
    static_cast<void>(object.required("max_speed"));
    static_cast<void>(object.required("max_acceleration"));
    move.shape = object.find("max_jerk") != nullptr ? MoveShape::s_curve : MoveShape::trapezoid;
  }
  return move;
}

void read_shape(const JsonValue& value, MoveNumbers& move) {
  constexpr std::array<std::string_view, 3> shapes = {"quintic", "trapezoid", "s-curve"};
  const bool limited = move.given == MoveNumbers::Given::limits;
  if (const JsonValue* shape = value.find("profile")) {
    move.shape = static_cast<MoveShape>(choice_of(*shape, shapes));
    if (limited && move.shape == MoveShape::quintic)
      refuse(*shape, "\"trapezoid\" or \"s-curve\", the fastest moves within limits");
  }
  const JsonValue* jerk = value.find("max_jerk");
  if (limited && jerk == nullptr && move.shape == MoveShape::s_curve)
    throw InputError(value.location(), "the key \"max_jerk\" of an s-curve is missing");
  if (jerk != nullptr && move.shape != MoveShape::s_curve)
    throw InputError(jerk->key_location(), "only an s-curve has a \"max_jerk\"");
  const JsonValue* ramp = value.find("ramp");
  if (ramp == nullptr) return;
  if (limited) refuse_beside(value, "max_speed", std::array<std::string_view, 1>{"ramp"});
  if (move.shape == MoveShape::quintic)
    throw InputError(ramp->key_location(), "only a trapezoid or an s-curve has a \"ramp\"");
}

bool is_of_type(const JsonValue& coordinate, std::string_view name) {
  const JsonValue* type = coordinate.find("type");
  return type != nullptr && type->text == name;
}

/// Whether parameters change how long the moves along a path last.
bool path_times_vary(const ProfileNumbers& path) {
  const auto varies = [](const Number& number) { return !number.fixed(); };
  const Number* numbers = path.numbers.data() + first_move_of_path(path);
  for (std::size_t i = 0; i < path.moves.size(); ++i, numbers += MoveNumbers::count) {
    if (varies(numbers[1])) return true;
    if (path.moves[i].given == MoveNumbers::Given::limits &&
        std::any_of(path.numbers.begin(), path.numbers.end(), varies))
      return true;
  }
  return false;
}

/// Whether parameters change how long the moves of a list last.
bool times_vary(const ProfileNumbers& profile) {
  if (profile.type == ProfileType::path) return path_times_vary(profile);
  bool from = !profile.numbers[0].fixed();  // whether the position before the move varies
  for (std::size_t i = 0; i < profile.moves.size(); ++i) {
    const Number* numbers = &profile.numbers[1 + i * MoveNumbers::count];
    const auto varies = [](const Number& number) { return !number.fixed(); };
    if (varies(numbers[1])) return true;
    if (profile.moves[i].given == MoveNumbers::Given::rest) continue;
    if (profile.moves[i].given == MoveNumbers::Given::limits &&
        (from || std::any_of(numbers, numbers + MoveNumbers::count, varies)))
      return true;
    from = varies(numbers[0]);
  }
  return false;
}

/// The numbers of a profile in SI. A number that varies is replaced by 0.5, which is
/// valid in every place.
std::vector<double> fixed_numbers(const ProfileNumbers& profile) {
  ProfileNumbers fixed = profile;
  for (Number& number : fixed.numbers)
    if (!number.fixed()) number = {.value = 0.5};
  std::vector<double> numbers;
  evaluate(fixed, {}, nullptr, numbers);
  return numbers;
}

}  // namespace

namespace {

/// Reads the numbers of one move after its position: how long it takes, its shape and its limits.
void read_times(const ObjectReader& move, const MoveNumbers& kind, const NumberReader& numbers,
                const TextUnit& speed, ProfileNumbers& out) {
  const std::size_t first = out.numbers.size() - 1;
  const TextUnit none = TextUnit::none();
  const auto read = [&](std::string_view key, const TextUnit& allowed, double otherwise = 0.0) {
    const JsonValue* given = move.find(key);
    out.numbers.push_back(given != nullptr ? numbers.read(*given, allowed)
                                           : Number{.value = otherwise});
  };
  const std::string_view lasts = kind.given == MoveNumbers::Given::rest ? "hold" : "duration";
  read(lasts, TextUnit::of("s", lasts));
  read("ramp", none, 1.0 / 3.0);
  read("max_speed", speed);
  read("max_acceleration", none);
  read("max_jerk", none);
  out.moves.push_back(kind);
  const std::span<const Number> own(out.numbers.begin() + static_cast<std::ptrdiff_t>(first),
                                    out.numbers.end());
  if (!std::all_of(own.begin(), own.end(), [](const Number& n) { return n.fixed(); })) return;
  std::vector<double> fixed;
  for (const Number& number : own) fixed.push_back(number.value);
  throw_if(wrong_move(kind, fixed));
}

}  // namespace

void read_moves(const JsonValue& value, const NumberReader& numbers, const TextUnit& values,
                std::string_view si, ProfileNumbers& out) {
  const ObjectReader object(value, "a list of moves", {"type", "start", "moves", "unit"});
  const JsonValue* start = object.find("start");
  out.numbers.push_back(start != nullptr ? numbers.read(*start, values) : Number{});
  const JsonValue& moves = object.required("moves");
  constexpr std::array<std::string_view, 1> goals = {"to"};
  for (const JsonValue& item : array_of(moves, "an array of moves")) {
    const ObjectReader move(
        item, "a move",
        {"to", "hold", "duration", "profile", "ramp", "max_speed", "max_acceleration", "max_jerk"});
    MoveNumbers kind = kind_of(item, move, goals);
    if (kind.given != MoveNumbers::Given::rest) read_shape(item, kind);
    const JsonValue* to = move.find("to");
    out.numbers.push_back(to != nullptr ? numbers.read(*to, values) : Number{});
    read_times(move, kind, numbers, unit_of_speed(values, si), out);
  }
  if (out.moves.empty()) refuse(moves, "at least one move");
}

namespace {

/// Reads one straight line or arc: where it goes, and what an arc goes through.
void read_segment(const JsonValue& item, const JsonValue& to, const NumberReader& numbers,
                  const TextUnit& lengths, ProfileNumbers& out) {
  std::array<Number, 6> places{};
  const std::span<Number> all(places);
  numbers.read(to, all.first(3), "a place [x, y, z]", lengths);
  const JsonValue* via = item.find("via");
  if (via != nullptr) numbers.read(*via, all.last(3), "a place [x, y, z]", lengths);
  out.numbers.insert(out.numbers.end(), places.begin(), places.end());
  out.segments.push_back({out.moves.size(), via != nullptr, item.location()});
}

}  // namespace

ProfileNumbers read_path(const JsonValue& value, const NumberReader& numbers) {
  const ObjectReader object(value, "a path of a point", {"start", "moves", "unit"});
  ProfileNumbers out;
  out.type = ProfileType::path;
  out.where = value.location();
  const JsonValue* unit = value.find("unit");
  if (unit != nullptr) {
    out.unit = unit_in(*unit);
    require_fit(out.unit, *find_unit("m"), value.key, unit->location());
  }
  const TextUnit lengths = unit != nullptr ? TextUnit::none() : TextUnit::of("m", value.key);
  out.numbers.resize(3);
  numbers.read(object.required("start"), out.numbers, "a place [x, y, z]", lengths);

  // moves follow all segments, so their numbers are gathered beside them
  ProfileNumbers times;
  constexpr std::array<std::string_view, 3> goals = {"to", "along", "via"};
  const JsonValue& moves = object.required("moves");
  for (const JsonValue& item : array_of(moves, "an array of moves")) {
    const ObjectReader move(item, "a move of a point",
                            {"to", "via", "along", "hold", "duration", "profile", "ramp",
                             "max_speed", "max_acceleration", "max_jerk"});
    MoveNumbers kind = kind_of(item, move, goals);
    if (kind.given != MoveNumbers::Given::rest) {
      read_shape(item, kind);
      if (const JsonValue* along = move.find("along")) {
        refuse_beside(item, "along", std::array<std::string_view, 2>{"to", "via"});
        for (const JsonValue& part : array_of(*along, "an array of lines and arcs")) {
          const ObjectReader segment(part, "a line or an arc", {"to", "via"});
          read_segment(part, segment.required("to"), numbers, lengths, out);
        }
        if (along->items.empty()) refuse(*along, "at least one line or arc");
      } else {
        read_segment(item, move.required("to"), numbers, lengths, out);
      }
    }
    times.numbers.emplace_back();
    read_times(move, kind, numbers, unit_of_speed(lengths, "m"), times);
    out.moves.push_back(kind);
  }
  if (out.moves.empty()) refuse(moves, "at least one move");
  out.numbers.insert(out.numbers.end(), times.numbers.begin(), times.numbers.end());
  return out;
}

bool ends_with_moves(const ObjectReader& object) {
  if (object.find("duration") != nullptr) return false;
  std::vector<const JsonValue*> courses;  // of all coordinates
  if (const JsonValue* coordinates = object.find("coordinates"))
    for (const JsonValue& item : coordinates->items) courses.push_back(&item);
  for (const std::string_view key : {"points", "orientations"})
    if (const JsonValue* tools = object.find(key))
      for (const JsonValue& tool : tools->items) {
        if (tool.find("moves") != nullptr)
          courses.push_back(&tool);
        else
          for (const JsonValue& item : tool.items) courses.push_back(&item);
      }
  const auto moves = [](const JsonValue* item) {
    return is_of_type(*item, "moves") || (item->find("type") == nullptr && item->find("moves"));
  };
  if (std::none_of(courses.begin(), courses.end(), moves)) return false;
  for (const JsonValue* item : courses)
    if (!moves(item) && !is_of_type(*item, "hold"))
      throw InputError(item->location(),
                       "found a profile that is neither \"moves\" nor \"hold\", expected a "
                       "\"duration\" of the motion, which only moves may leave open");
  return true;
}

namespace {

/// How long a path takes whose times do not depend on parameters [s].
double end_of_path(const ProfileNumbers& path) {
  double end = 0.0;
  const auto limited = [](const MoveNumbers& move) {
    return move.given == MoveNumbers::Given::limits;
  };
  if (std::any_of(path.moves.begin(), path.moves.end(), limited)) {
    throw_if(duration_of_path(path, fixed_numbers(path), end));
    return end;
  }
  const std::size_t first = first_move_of_path(path) + 1;
  for (std::size_t i = 0; i < path.moves.size(); ++i)
    end += path.numbers[first + i * MoveNumbers::count].value;
  return end;
}

}  // namespace

double end_of_moves(std::span<const ProfileNumbers> profiles, bool synchronised) {
  std::vector<double> lasting;
  for (const ProfileNumbers& profile : profiles) {
    if (profile.type != ProfileType::moves && profile.type != ProfileType::path) continue;
    if (times_vary(profile))
      throw InputError(profile.where,
                       "how long the moves take depends on parameters, expected a \"duration\" of "
                       "the motion, which all designs have in common");
    if (synchronised && profile.type == ProfileType::moves)
      throw_if(lengthen_moves(profile, fixed_numbers(profile), lasting));
  }
  double end = 0.0;
  for (const ProfileNumbers& profile : profiles) {
    if (profile.type == ProfileType::path) end = std::max(end, end_of_path(profile));
    if (profile.type != ProfileType::moves) continue;
    Profile made;
    throw_if(make_moves(profile, fixed_numbers(profile), no_limit, lasting, made));
    end = std::max(end, std::get<Moves>(made).pieces.back().start);
  }
  return end;
}

}  // namespace counterpoise
