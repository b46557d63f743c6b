#include <fmt/format.h>
#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <new>

#include "exchange/import_mjcf.hpp"
#include "exchange/imported_model.hpp"
#include "exchange/robot/robot_bodies.hpp"

namespace counterpoise {

#ifndef COUNTERPOISE_MJCF
ImportedModel import_mjcf(const XmlElement& root, const std::filesystem::path&, const FileProvider&,
                          const ImportOptions&) {
  throw InputError(root.where,
                   "found MJCF, expected URDF: this program was built without MuJoCo, which reads "
                   "MJCF; install libmujoco-dev and build it again");
}
#endif

/// The first element that is a macro of xacro, a program that writes URDF, or nullptr.
static const XmlElement* macro_in(const XmlElement& element) {
  const auto is_macro = [](const std::string& text) {
    return text.find("${") != std::string::npos || text.find("$(") != std::string::npos;
  };
  if (element.name.starts_with("xacro:") ||
      std::any_of(element.attributes.begin(), element.attributes.end(),
                  [&](const XmlAttribute& a) { return is_macro(a.value); }))
    return &element;
  for (const XmlElement& child : element.children)
    if (const XmlElement* macro = macro_in(child)) return macro;
  return nullptr;
}

/// What `xacro FILE` prints, where there is such a program; `macro` is where the file needs it.
static std::string expanded(const XmlElement& macro, const std::filesystem::path& path) {
  std::string quoted = "'";
  for (const char c : std::filesystem::absolute(path).string())
    quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  std::string text;
  int status = -1;
  if (std::filesystem::is_regular_file(path)) {
    std::FILE* printed = popen(("xacro " + quoted + "' 2>/dev/null").c_str(), "r");
    if (printed == nullptr) throw std::bad_alloc();
    std::array<char, 4096> piece{};
    while (const std::size_t size = std::fread(piece.data(), 1, piece.size(), printed))
      text.append(piece.data(), size);
    status = pclose(printed);
  }
  if (status == 0) return text;
  throw InputError(macro.where,
                   fmt::format("found a macro of xacro, expected plain URDF: run `xacro {} -o "
                               "robot.urdf` first{}",
                               path.string(),
                               WIFEXITED(status) && WEXITSTATUS(status) == 127
                                   ? ", or install xacro, which is then run by import"
                                   : " and see why xacro fails"));
}

ImportedModel import_robot(const std::filesystem::path& path, const FileProvider& files,
                           const ImportOptions& options) {
  XmlElement root = parse_xml(files(path), path.string());
  if (root.name == "mujoco") return import_mjcf(root, path, files, options);
  if (root.name != "robot" && root.name != "sdf")
    throw InputError(
        root.where, fmt::format("found <{}>, expected <robot>, a URDF file, <sdf>, an SDF file, or "
                                "<mujoco>, an MJCF file",
                                root.name));
  std::optional<Location> expanded_at;
  if (const XmlElement* macro = root.name == "robot" ? macro_in(root) : nullptr) {
    expanded_at = macro->where;
    root = parse_xml(expanded(*macro, path), path.string() + " (expanded)");
    if (const XmlElement* left = macro_in(root))
      throw InputError(left->where,
                       "found a macro of xacro in what xacro wrote, expected plain URDF");
  }
  RobotDescription robot = root.name == "robot" ? read_urdf(root, options.open_loops)
                                                : read_sdf(root, options.open_loops);
  if (robot.name.empty()) robot.name = path.stem().string();
  RobotBodies bodies(std::move(robot), options, files);
  bodies.add_all();
  ImportedModel model = bodies.finish(fmt::format("Imported from {}.", path.filename().string()));
  model.macro = expanded_at;
  return model;
}

}  // namespace counterpoise
