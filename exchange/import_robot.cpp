#include <fmt/format.h>

#include "exchange/imported_model.hpp"
#ifdef COUNTERPOISE_MJCF
#include "exchange/mjcf_bodies.hpp"
#endif
#include "exchange/urdf_check.hpp"

namespace counterpoise {

#ifndef COUNTERPOISE_MJCF
static ImportedModel import_mjcf(const XmlElement& root, const std::filesystem::path&,
                                 const ImportOptions&) {
  throw InputError(root.where,
                   "found MJCF, expected URDF: this program was built without MuJoCo, which reads "
                   "MJCF; install libmujoco-dev and build it again");
}
#endif

ImportedModel import_robot(const std::filesystem::path& path, const FileProvider& files,
                           const ImportOptions& options) {
  const XmlElement root = parse_xml(files(path), path.string());
  if (root.name == "robot") return import_urdf(root, path, options);
  if (root.name == "mujoco") return import_mjcf(root, path, options);
  throw InputError(root.where,
                   fmt::format("found <{}>, expected <robot>, a URDF file, or <mujoco>, "
                               "an MJCF file",
                               root.name));
}

}  // namespace counterpoise
