#include <fmt/format.h>
#include <mujoco/mujoco.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <optional>

#include "studies/exchange/mjcf/mjcf_bodies.hpp"

namespace counterpoise {
namespace {

/// The line that a message of MuJoCo names, or 0.
int line_in(const std::string& words) {
  const std::size_t at = words.find("line ");
  return at == std::string::npos ? 0 : std::atoi(words.c_str() + at + 5);
}

std::string one_line(std::string words) {
  std::replace(words.begin(), words.end(), '\n', ' ');
  while (!words.empty() && words.back() == ' ') words.pop_back();
  return words;
}

/// MuJoCo's warnings go to a file in the working folder unless somebody takes them.
void take_no_notice(const char*) {}

MjcfModel compiled(const std::string& file) {
  mju_user_warning = take_no_notice;
  std::array<char, 1000> error{};
  MjcfModel model(mj_loadXML(file.c_str(), nullptr, error.data(), static_cast<int>(error.size())),
                  mj_deleteModel);
  if (model == nullptr) {
    const std::string words = one_line(error.data());
    throw InputError({.file = file, .line = line_in(words)},
                     fmt::format("found what MuJoCo refuses: {}", words));
  }
  return model;
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
  const MjcfModel model = compiled(path.string());
  MjcfPlaces places{.whole = root.where};
  find_places(root, places);
  MjcfBodies bodies(*model, places, options);
  bodies.add_all();
  const std::string* name = root.attribute("model");
  return bodies.finish(name == nullptr || name->empty() ? path.stem().string() : *name,
                       fmt::format("Imported from {}.", path.filename().string()));
}

}  // namespace counterpoise
