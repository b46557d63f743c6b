#include <fmt/format.h>

#include <array>

#include "engine/mechanism/finding.hpp"
#include "studies/reading/read.hpp"

namespace counterpoise {

std::string pointer_to(const MechanismError& error) {
  constexpr std::array<std::string_view, 4> lists = {"/actuators", "/loops", "/couplings",
                                                     "/reactions"};
  const std::string_view list = lists[static_cast<std::size_t>(error.part)];
  return error.element == MechanismError::no_element ? std::string(list)
                                                     : fmt::format("{}/{}", list, error.element);
}

Structure examine_model(const Model& model) {
  try {
    return examine_structure(model.nominal);
  } catch (const MechanismError& error) {
    throw InputError(model.location(pointer_to(error)), error.what());
  }
}

}  // namespace counterpoise
