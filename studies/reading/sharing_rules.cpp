#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "studies/reading/model_reading.hpp"

namespace counterpoise {
namespace {

constexpr std::string_view what = "a component of a reaction, \"body.fx\" or \"loop.mz\"";

/// "trunk.fx": a body's joint, or else a loop.
WrenchComponent component_of(const JsonValue& value, const Mechanism& mechanism) {
  const std::string& text = string_of(value, what);
  const std::size_t dot = text.find('.');
  const std::string owner = text.substr(0, dot);
  const std::string number = dot == std::string::npos ? "" : text.substr(dot + 1);
  const auto component = std::find(wrench_components.begin(), wrench_components.end(), number);
  if (component == wrench_components.end()) {
    std::vector<std::string> known;
    for (const std::string_view c : wrench_components)
      known.push_back(fmt::format("{}.{}", owner, c));
    refuse_name(value, text, what, known);
  }
  WrenchComponent part;
  part.component = static_cast<int>(component - wrench_components.begin());
  part.element = find_body(mechanism, owner);
  const bool also_loop = std::any_of(mechanism.loops.begin(), mechanism.loops.end(),
                                     [&owner](const Loop& loop) { return loop.name == owner; });
  if (part.element >= 0 && also_loop)
    throw InputError(
        value.location(),
        fmt::format("{} is a body and a loop, expected a name that only one of them has",
                    in_quotes(owner)));
  if (part.element >= 0) return part;

  std::vector<std::string> known;
  for (const Body& body : mechanism.bodies) known.push_back(body.name + "." + number);
  for (std::size_t i = 0; i < mechanism.loops.size(); ++i) {
    known.push_back(mechanism.loops[i].name + "." + number);
    if (mechanism.loops[i].name != owner) continue;
    part.owner = WrenchComponent::Owner::loop;
    part.element = static_cast<int>(i);
    return part;
  }
  refuse_name(value, text, what, known);
}

}  // namespace

void read_sharing_rules(const JsonValue& section, ModelReading& reading) {
  constexpr std::array<std::string_view, 2> keys = {"equal", "none"};
  constexpr std::array<std::size_t, 2> least = {2, 1};
  constexpr std::array<SharingRule::Kind, 2> kinds = {SharingRule::Kind::equal,
                                                      SharingRule::Kind::none};
  for (const JsonValue& value : array_of(section, "an array of sharing rules")) {
    const ObjectReader object(value, "a sharing rule", {"equal", "none", "note"});
    if (const JsonValue* note = object.find("note")) string_of(*note, "a note");
    const bool none = object.find("none") != nullptr;
    if (none == (object.find("equal") != nullptr)) refuse(value, "one of equal and none");
    const JsonValue& list = object.required(keys[none ? 1 : 0]);
    SharingRule rule{kinds[none ? 1 : 0], {}};
    for (const JsonValue& part : array_of(list, "components of reactions"))
      rule.components.push_back(component_of(part, reading.model.nominal));
    if (rule.components.size() < least[none ? 1 : 0])
      refuse(list, none ? "at least one component" : "at least two components");
    reading.model.nominal.sharing.push_back(std::move(rule));
  }
}

}  // namespace counterpoise
