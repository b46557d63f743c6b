#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "studies/reading/model_reading.hpp"

namespace counterpoise {
namespace {

LoopKeep keep_of(const JsonValue* value) {
  constexpr std::array<std::string_view, 3> kinds = {"parallel", "perpendicular", "weld"};
  constexpr std::array<LoopKeep, 3> meanings = {LoopKeep::parallel, LoopKeep::perpendicular,
                                                LoopKeep::weld};
  return value == nullptr ? LoopKeep::point : meanings[choice_of(*value, kinds)];
}

/// Each kind of closure has its own keys besides name, connect and keep.
void read_kept_axes(const ObjectReader& object, const JsonValue& value, const Loop& loop, int index,
                    ModelReading& reading) {
  const JsonValue* axes = object.find("axes");
  const JsonValue* rotation = object.find("rotation");
  const bool has_axes = loop.keep == LoopKeep::parallel || loop.keep == LoopKeep::perpendicular;
  if (has_axes && axes == nullptr)
    throw InputError(value.location(),
                     fmt::format("the loop {} keeps its axes but has none, expected axes",
                                 in_quotes(loop.name)));
  if (!has_axes && axes != nullptr)
    refuse(*axes, loop.keep == LoopKeep::weld ? "no axes where keep is \"weld\""
                                              : "keep \"parallel\" or \"perpendicular\" with axes");
  if (rotation != nullptr && loop.keep != LoopKeep::weld)
    refuse(*rotation, "a rotation only where keep is \"weld\"");
  if (rotation != nullptr)
    reading.give_rotation({Field::loop_zxz, Field::loop_rpy, Field::loop_quaternion}, index,
                          *rotation);
  if (axes == nullptr) return;
  const auto pair = array_of(*axes, 2, "two axes, one of each point's body");
  reading.give_axis(Field::loop_first_axis, index, pair[0]);
  reading.give_axis(Field::loop_second_axis, index, pair[1]);
}

/// `of`: one joint or several, all different.
void read_terms(const JsonValue& of, Coupling& coupling, const ModelReading& reading) {
  const bool several = of.kind == JsonValue::Kind::array;
  const auto joints = several ? array_of(of, "joints") : std::span<const JsonValue>(&of, 1);
  if (joints.empty() || joints.size() > Coupling::most_terms)
    refuse(of, fmt::format("one to {} joints", Coupling::most_terms));
  for (const JsonValue& value : joints) {
    const int joint = reading.moving_joint(value);
    const bool again = joint == coupling.joint ||
                       std::any_of(coupling.terms.begin(), coupling.terms.end(),
                                   [joint](const CouplingTerm& term) { return term.of == joint; });
    if (again) refuse(value, "another joint");
    coupling.terms.push_back({joint, 1.0});
  }
}

void read_ratios(const JsonValue& ratio, bool several, std::size_t terms, int index,
                 ModelReading& reading) {
  FieldNumbers given{.field = Field::coupling_ratio, .element = index, .numbers = {}};
  if (several)
    reading.numbers.read(ratio, std::span(given.numbers).first(terms),
                         fmt::format("{} ratios, as many as joints", terms));
  else
    given.numbers[0] = reading.numbers.read(ratio);
  reading.give(given);
}

}  // namespace

void read_loops(const JsonValue& section, ModelReading& reading) {
  std::vector<std::string> names;
  for (const JsonValue& value : array_of(section, "an array of loops")) {
    const ObjectReader object(value, "a loop", {"name", "connect", "axes", "keep", "rotation"});
    Loop loop;
    loop.name = unique_name(object.required("name"), names, "loop");
    loop.points = reading.points(object.required("connect"));
    loop.keep = keep_of(object.find("keep"));
    const auto index = static_cast<int>(reading.model.nominal.loops.size());
    reading.model.nominal.loops.push_back(loop);
    read_kept_axes(object, value, loop, index, reading);
  }
}

void read_couplings(const JsonValue& section, ModelReading& reading) {
  std::vector<std::string> names;
  for (const JsonValue& value : array_of(section, "an array of couplings")) {
    const ObjectReader object(value, "a coupling", {"name", "joint", "ratio", "of", "offset"});
    Coupling coupling;
    coupling.name = unique_name(object.required("name"), names, "coupling");
    coupling.joint = reading.moving_joint(object.required("joint"));
    const JsonValue& of = object.required("of");
    read_terms(of, coupling, reading);
    const std::size_t terms = coupling.terms.size();
    const auto index = static_cast<int>(reading.model.nominal.couplings.size());
    reading.model.nominal.couplings.push_back(std::move(coupling));
    if (const JsonValue* ratio = object.find("ratio"))
      read_ratios(*ratio, of.kind == JsonValue::Kind::array, terms, index, reading);
    reading.give(Field::coupling_offset, index, object, "offset");
  }
}

}  // namespace counterpoise
