#include "engine/mechanism/finding.hpp"
#include "studies/io/model.hpp"

namespace counterpoise {

Structure examine_model(const Model& model) {
  try {
    return examine_structure(model.nominal);
  } catch (const MechanismError& error) {
    const std::string_view message = error.what();
    const bool loop = message.starts_with("loop") || message.starts_with("coupling");
    throw InputError(model.location(loop ? "/loops" : "/actuators"), error.what());
  }
}

}  // namespace counterpoise
