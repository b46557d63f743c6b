#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "input/definition/moves.hpp"
#include "input/reading/motion_reading.hpp"

namespace counterpoise {
namespace {

constexpr std::array<std::string_view, 3> limit_keys = {"max_speed", "max_acceleration",
                                                        "max_jerk"};

/// The unit that a speed may have in its text, where positions may have `values`.
TextUnit unit_of_speed(const TextUnit& values, std::string_view si) {
  if (!values.fits) return TextUnit::none();
  return TextUnit::of(std::string(si) + "/s", "max_speed");
}

/// Refuses each of these keys that is given, as it does not go with another one.
void refuse_beside(const JsonValue& move, std::string_view other,
                   std::span<const std::string_view> keys) {
  for (const std::string_view key : keys)
    if (const JsonValue* given = move.find(key))
      throw InputError(
          given->key_location(),
          fmt::format("\"{}\" does not go with \"{}\"; leave out one of them", key, other));
}

MoveNumbers kind_of(const JsonValue& value, const ObjectReader& object) {
  MoveNumbers move{.where = value.location()};
  constexpr std::array<std::string_view, 6> of_moves = {"to",   "duration",  "profile",
                                                        "ramp", "max_speed", "max_acceleration"};
  if (object.find("hold") != nullptr) {
    refuse_beside(value, "hold", of_moves);
    refuse_beside(value, "hold", limit_keys);
    return move;
  }
  if (object.find("to") == nullptr)
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

/// Whether moves of a list last the longer or shorter for parameters.
bool times_vary(const ProfileNumbers& profile) {
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

/// The numbers of a profile in SI. Those that vary are replaced by one that is valid for all.
std::vector<double> fixed_numbers(const ProfileNumbers& profile) {
  ProfileNumbers fixed = profile;
  for (Number& number : fixed.numbers)
    if (!number.fixed()) number = {.value = 0.5};
  std::vector<double> numbers;
  evaluate(fixed, {}, nullptr, numbers);
  return numbers;
}

}  // namespace

void read_moves(const JsonValue& value, const NumberReader& numbers, const TextUnit& values,
                std::string_view si, ProfileNumbers& out) {
  const ObjectReader object(value, "a list of moves", {"type", "start", "moves", "unit"});
  const JsonValue* start = object.find("start");
  out.numbers.push_back(start != nullptr ? numbers.read(*start, values) : Number{});
  const JsonValue& moves = object.required("moves");
  const TextUnit none = TextUnit::none();
  for (const JsonValue& item : array_of(moves, "an array of moves")) {
    const ObjectReader move(
        item, "a move",
        {"to", "hold", "duration", "profile", "ramp", "max_speed", "max_acceleration", "max_jerk"});
    MoveNumbers kind = kind_of(item, move);
    if (kind.given != MoveNumbers::Given::rest) read_shape(item, kind);
    const std::size_t first = out.numbers.size();
    const auto read = [&](std::string_view key, const TextUnit& allowed, double otherwise = 0.0) {
      const JsonValue* given = move.find(key);
      out.numbers.push_back(given != nullptr ? numbers.read(*given, allowed)
                                             : Number{.value = otherwise});
    };
    read("to", values);
    const std::string_view lasts = kind.given == MoveNumbers::Given::rest ? "hold" : "duration";
    read(lasts, TextUnit::of("s", lasts));
    read("ramp", none, 1.0 / 3.0);
    read("max_speed", unit_of_speed(values, si));
    read("max_acceleration", none);
    read("max_jerk", none);
    out.moves.push_back(kind);
    const std::span<const Number> own(out.numbers.begin() + static_cast<std::ptrdiff_t>(first),
                                      out.numbers.end());
    if (!std::all_of(own.begin(), own.end(), [](const Number& n) { return n.fixed(); })) continue;
    std::vector<double> fixed;
    for (const Number& number : own) fixed.push_back(number.value);
    throw_if(wrong_move(kind, fixed));
  }
  if (out.moves.empty()) refuse(moves, "at least one move");
}

bool ends_with_moves(const ObjectReader& object) {
  const JsonValue* coordinates = object.find("coordinates");
  if (object.find("duration") != nullptr || coordinates == nullptr) return false;
  const auto& items = coordinates->items;
  const auto moves = [](const JsonValue& item) { return is_of_type(item, "moves"); };
  if (std::none_of(items.begin(), items.end(), moves)) return false;
  for (const JsonValue& item : items)
    if (!moves(item) && !is_of_type(item, "hold"))
      throw InputError(item.location(),
                       "found a profile that is neither \"moves\" nor \"hold\", expected a "
                       "\"duration\" of the motion, which only moves may leave open");
  return true;
}

double end_of_moves(std::span<const ProfileNumbers> profiles, bool synchronised) {
  std::vector<double> lasting;
  for (const ProfileNumbers& profile : profiles) {
    if (profile.type != ProfileType::moves) continue;
    if (times_vary(profile))
      throw InputError(profile.where,
                       "how long the moves take depends on parameters, expected a \"duration\" of "
                       "the motion, which all designs have in common");
    if (synchronised) throw_if(lengthen_moves(profile, fixed_numbers(profile), lasting));
  }
  double end = 0.0;
  for (const ProfileNumbers& profile : profiles) {
    if (profile.type != ProfileType::moves) continue;
    Profile made;
    throw_if(make_moves(profile, fixed_numbers(profile), no_limit, lasting, made));
    end = std::max(end, std::get<Moves>(made).pieces.back().start);
  }
  return end;
}

}  // namespace counterpoise
