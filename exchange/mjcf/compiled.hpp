#pragma once

#include <mujoco/mujoco.h>

#include <memory>

#include "exchange/xml_document.hpp"

namespace counterpoise {

using MjcfModel = std::unique_ptr<mjModel, decltype(&mj_deleteModel)>;

/// The model that MuJoCo makes of a plain file, which names no other files. Throws InputError, at
/// the place of the element that it is about, for what MuJoCo refuses.
MjcfModel compiled_mjcf(const XmlElement& root);

}  // namespace counterpoise
