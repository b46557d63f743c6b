#include <fmt/format.h>
#include <mujoco/mujoco.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <optional>
#include <sstream>

#include "exchange/mjcf_bodies.hpp"

namespace counterpoise {
namespace {

/// The line that a message of MuJoCo names, or 0. Names of elements may stand before it.
int line_in(const std::string& words) {
  int line = 0;
  for (const std::string_view before : {"line ", "line = "})
    if (const std::size_t at = words.rfind(before); at != std::string::npos)
      line = std::max(line, std::atoi(words.c_str() + at + before.size()));
  return line;
}

std::string one_line(std::string words) {
  std::replace(words.begin(), words.end(), '\n', ' ');
  while (!words.empty() && words.back() == ' ') words.pop_back();
  return words;
}

/// What MuJoCo warns of, which goes to a file in the working folder unless somebody takes it.
std::vector<std::string>& warnings() {
  static std::vector<std::string> said;
  return said;
}

MjcfModel compiled(const std::string& file) {
  warnings().clear();
  mju_user_warning = [](const char* words) { warnings().push_back(one_line(words)); };
  std::array<char, 1000> error{};
  MjcfModel model(mj_loadXML(file.c_str(), nullptr, error.data(), static_cast<int>(error.size())),
                  mj_deleteModel);
  if (model == nullptr) {
    const std::string words = one_line(error.data());
    throw InputError({.file = file, .line = line_in(words)},
                     fmt::format("found what MuJoCo refuses: {}", words));
  }
  for (const std::string& words : warnings())
    if (words.find("NaN") != std::string::npos)
      throw InputError({.file = file}, "found a NaN, expected numbers; MuJoCo would take it for 0");
  return model;
}

/// MuJoCo takes these at their word, and more memory and time than a computer has.
void check_sizes(const XmlElement& element) {
  constexpr double most = 10'000.0;
  const auto refuse = [&](const std::string& what) {
    throw InputError(element.where, fmt::format("found {}, expected at most {}", what, most));
  };
  if (element.name == "size")
    for (const XmlAttribute& attribute : element.attributes)
      if (attribute.name == "nkey" || attribute.name.starts_with("nuser"))
        if (std::atof(attribute.value.c_str()) > most)
          refuse(fmt::format("{}={}", attribute.name, in_quotes(attribute.value)));
  if (element.name == "composite")
    if (const std::string* counts = element.attribute("count")) {
      double product = 1.0;
      std::istringstream words(*counts);
      for (double count = 0.0; words >> count;) product *= std::max(count, 1.0);
      if (product > most) refuse(fmt::format("a composite of {} bodies", product));
    }
  for (const XmlElement& child : element.children) check_sizes(child);
}

/// Files that MuJoCo reads besides.
void find_includes(const XmlElement& element, const std::filesystem::path& folder,
                   MjcfPlaces& places) {
  if (const std::string* file = element.attribute("file")) places.files.push_back(folder / *file);
  for (const XmlElement& child : element.children) find_includes(child, folder, places);
}

/// Places of named elements, by kind and name, and of bodies whether they say their inertia.
void find_places(const XmlElement& element, MjcfPlaces& places) {
  if (const std::string* name = element.attribute("name")) {
    const bool joint = element.name == "freejoint" || element.name == "joint";
    places.named.emplace((joint ? "joint" : element.name) + "/" + *name, element.where);
    if (element.name == "body" && element.child("inertial") != nullptr)
      places.with_inertial.insert(*name);
  }
  for (const XmlElement& child : element.children) find_places(child, places);
}

}  // namespace

ImportedModel import_mjcf(const XmlElement& root, const std::filesystem::path& path,
                          const ImportOptions& options) {
  if (!std::filesystem::is_regular_file(path))
    throw InputError(root.where,
                     "found MJCF that comes through a pipe, expected a file: MuJoCo "
                     "reads it again");
  check_sizes(root);
  const MjcfModel model = compiled(path.string());
  if (model->nbody == 1) throw InputError(root.where, "found no <body>, expected at least one");
  MjcfPlaces places{.whole = root.where};
  find_places(root, places);
  find_includes(root, path.parent_path(), places);
  if (const XmlElement* compiler = root.child("compiler"))
    if (const std::string* from = compiler->attribute("inertiafromgeom"); from && *from == "true")
      places.with_inertial.clear();
  const std::string* name = root.attribute("model");
  const auto made = [&](bool lines) {
    MjcfBodies bodies(*model, places, options, lines);
    bodies.add_all();
    return bodies.finish(name == nullptr || name->empty() ? path.stem().string() : *name,
                         fmt::format("Imported from {}.", path.filename().string()));
  };
  // motors between two sites are taken where the model then has one actuator for each degree of
  // freedom
  try {
    return made(true);
  } catch (const InputError&) {
    return made(false);
  }
}

}  // namespace counterpoise
